"""What of a record is told: tags that answer to the request, sentences that speak of it and do not advertise."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shutong.search.query import BookQuery
from shutong.search.telling import asked, passages, sentences, tags_first


def test_tags_that_answer_to_the_request_come_first() -> None:
    wanted = asked(BookQuery(category=["推理"], tags=["短篇"]))
    assert tags_first(["小说", "东野圭吾", "侦探小说", "短篇小说"], wanted)[:2] == ["侦探小说", "短篇小说"]


def test_a_tag_of_a_countrys_literature_answers_for_the_country() -> None:
    assert tags_first(["小说", "中国文学"], asked(BookQuery(author_country=["中国"])))[0] == "中国文学"


def test_what_suits_an_occasion_answers_to_it() -> None:
    wanted = asked(BookQuery.model_validate({"prefer": {"tags": ["睡前"]}}))
    assert wanted.meets("散文")
    assert not wanted.meets("编程")


def test_a_sentence_on_the_topic_comes_before_others() -> None:
    intro = "本书共分八章。书中用 Python 写了一个爬虫,一步步讲清楚。最后一章谈部署。"
    assert passages(intro, asked(BookQuery(keyword="爬虫")))[0].startswith("书中用 Python")


def test_headings_ornaments_and_praise_are_not_quoted() -> None:
    intro = "【内容简介】◆畅销百万册的经典之作！◆小镇上来了一个陌生人。他谁也不认识。"
    assert passages(intro, asked(BookQuery())) == ["小镇上来了一个陌生人。", "他谁也不认识。"]


@given(st.text(max_size=400))
def test_any_text_can_be_read(text: str) -> None:
    for sentence in sentences(text):
        assert sentence.strip() == sentence
        assert sentence in text
