"""Messages that stand on what was said and shown before."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from shutong.nlu.dialogue import DialogueState, Reading, ShownBook
from shutong.nlu.reader import read

TODAY = date(2026, 11, 30)
SHOWN = tuple(
    ShownBook(
        number=i,
        position=i,
        book_id=100 + i,
        work_id=f"w{i}",
        title=title,
        pages=pages,
        year=year,
        price=price,
        rating=rating,
    )
    for i, (title, pages, year, price, rating) in enumerate(
        [("雾中列车", 330, 1981, 39.0, 8.2), ("十一号房", 280, 1987, 35.0, 7.9), ("白夜灯", 240, 2008, 28.0, 8.5)],
        start=1,
    )
)


def talk(first: str, *, shown: tuple[ShownBook, ...] = SHOWN, **rest: Any) -> DialogueState:
    """A talk whose first request was answered with the three books."""
    query = read(first, DialogueState(), TODAY).query
    return DialogueState(query=query, shown=shown, seen_works=tuple(b.work_id for b in shown), **rest)


ZH = talk("推荐三本日本推理小说，不要东野圭吾")
EN = talk("history of mathematics, 2001 or later, rated 8 or more, under 250 pages")
ZH_BASE = ZH.query.hard() if ZH.query else {}
EN_BASE = EN.query.hard() if EN.query else {}


def reply(message: str, state: DialogueState) -> Reading:
    return read(message, state, TODAY)


@pytest.mark.parametrize(
    ("message", "changed"),
    [
        ("有中国作者写的吗", {"author_country": ["中国"]}),
        ("评分放宽到7分", {"min_rating": 7.0}),
        ("只要评分8分以上的", {"min_rating": 8.0}),
        ("有没有2010年以后的", {"year_from": 2010}),
        ("要2000年以前的", {"year_to": 1999}),
        ("短一点的", {"max_pages": 239}),
        ("新一点的", {"year_from": 2009}),
        ("老一点的", {"year_to": 1980}),
        ("再便宜点", {"max_price": 27.99}),
        ("要短篇的", {"tags": ["短篇"]}),
        ("换成科幻呢", {"category": ["科幻"]}),
        ("语言要英文的", {"language": ["en"]}),
    ],
)
def test_a_condition_is_added_or_replaced_and_the_rest_is_kept(message: str, changed: dict[str, Any]) -> None:
    reading = reply(message, ZH)
    assert reading.act == "refine"
    assert reading.query.hard() == ZH_BASE | changed
    assert reading.query.limit == 3


@pytest.mark.parametrize(
    ("message", "changed"),
    [
        ("only after 2015", {"year_from": 2016}),
        ("something by a French author", {"author_country": ["France"]}),
        ("no textbooks", {"exclude_tags": ["textbooks"]}),
        ("in English", {"language": ["en"]}),
        ("what about physics?", {"keyword": "physics"}),
        ("make it 300 pages", {"max_pages": 300}),
        ("cheaper", {"max_price": 27.99}),
    ],
)
def test_an_english_condition_is_added_or_replaced(message: str, changed: dict[str, Any]) -> None:
    reading = reply(message, EN)
    assert reading.act == "refine"
    assert reading.query.hard() == EN_BASE | changed


@pytest.mark.parametrize(
    ("message", "field"),
    [
        ("forget the page limit, keep the rest", "max_pages"),
        ("any length is fine", "max_pages"),
        ("ratings don't matter", "min_rating"),
    ],
)
def test_a_condition_is_taken_back_and_the_rest_is_kept(message: str, field: str) -> None:
    reading = reply(message, EN)
    assert reading.act == "refine"
    assert reading.query.hard() == {name: value for name, value in EN_BASE.items() if name != field}


def test_a_refused_country_leaves_the_wanted_ones() -> None:
    query = reply("不要日本的", ZH).query
    assert query.author_country == []
    assert query.exclude_countries == ["日本"]


def test_a_page_limit_is_taken_back_in_chinese() -> None:
    assert reply("页数不限了", talk("300页以内的散文")).query.hard() == {"category": ["散文"]}


@pytest.mark.parametrize("message", ["换一批", "还有吗", "再来三本", "还有别的吗", "换几本", "有没有别的"])
def test_another_batch_keeps_the_request_and_leaves_out_all_seen(message: str) -> None:
    reading = reply(message, ZH)
    assert reading.act == "another_batch"
    assert reading.query.hard() == ZH_BASE | {"exclude_works": ["w1", "w2", "w3"]}


@pytest.mark.parametrize("message", ["others?", "show me more", "3 more", "anything else?", "another batch please"])
def test_another_batch_in_english(message: str) -> None:
    reading = reply(message, EN)
    assert reading.act == "another_batch"
    assert reading.query.hard() == EN_BASE | {"exclude_works": ["w1", "w2", "w3"]}


def test_another_batch_can_name_its_number() -> None:
    assert reply("再来两本", ZH).query.limit == 2


@pytest.mark.parametrize(
    ("message", "state", "act", "items"),
    [
        ("第二本讲什么", ZH, "about_item", (2,)),
        ("第二本难不难读？", ZH, "about_item", (2,)),
        ("最后一本多少页", ZH, "about_item", (3,)),
        ("更短的那本讲什么", ZH, "about_item", (3,)),
        ("《白夜灯》多少页", ZH, "about_item", (3,)),
        ("第一本和第三本哪个好", ZH, "compare", (1, 3)),
        ("第二本看过了", ZH, "exclude", (2,)),
        ("第二本那样的", ZH, "more_like_this", (2,)),
        ("the second one", EN, "about_item", (2,)),
        ("the shorter one", EN, "about_item", (3,)),
        ("who wrote the last one?", EN, "about_item", (3,)),
        ("compare the first and the third", EN, "compare", (1, 3)),
        ("compare 1 and 3", EN, "compare", (1, 3)),
        ("which one should I start with?", EN, "compare", (1, 2, 3)),
        ("more like the first", EN, "more_like_this", (1,)),
        ("not the first one", EN, "exclude", (1,)),
    ],
)
def test_shown_books_are_referred_to(message: str, state: DialogueState, act: str, items: tuple[int, ...]) -> None:
    reading = reply(message, state)
    assert (reading.act, reading.items) == (act, items)


def test_more_like_a_shown_book_names_its_id() -> None:
    assert reply("第二本那样的", ZH).query.like == "#102"


def test_a_refused_shown_book_is_left_out_as_a_work() -> None:
    assert reply("白夜灯不要", ZH).query.exclude_works == ["w3"]


def test_an_unclear_reference_is_asked_back() -> None:
    reading = reply("就那本黄色封面的，帮我放进想读。", ZH)
    assert reading.items == ()
    assert reading.ambiguous


def test_that_book_is_clear_when_one_was_shown() -> None:
    reading = reply("那本讲什么", talk("推荐一本散文", shown=SHOWN[:1]))
    assert (reading.act, reading.items, reading.ambiguous) == ("about_item", (1,), None)


def test_going_back_brings_the_earlier_list_and_request() -> None:
    earlier = read("推荐散文", DialogueState(), TODAY).query
    reading = reply("回到刚才那几本", talk("推荐科幻", lists=(SHOWN[:2],), queries=(earlier,)))
    assert (reading.act, reading.items, reading.query) == ("go_back", (), earlier)


@pytest.mark.parametrize(
    ("message", "hard"),
    [
        ("想学Python", {"keyword": "Python"}),
        ("推荐几本余华的书", {"author": ["余华"]}),
        ("我想看《围城》", {"title": ["围城"]}),
    ],
)
def test_a_new_topic_leaves_the_old_request_behind(message: str, hard: dict[str, Any]) -> None:
    reading = reply(message, ZH)
    assert reading.act == "new_request"
    assert reading.query.hard() == hard


@pytest.mark.parametrize(
    ("message", "hard"),
    [("有中国作者写的吗", {"author_country": ["中国"]}), ("换一批", {}), ("短一点的", {"max_pages": 199})],
)
def test_a_follow_up_without_a_talk_is_a_new_request(message: str, hard: dict[str, Any]) -> None:
    reading = reply(message, DialogueState())
    assert reading.act == "new_request"
    assert reading.query.hard() == hard


def test_a_count_is_asked_with_its_conditions() -> None:
    reading = reply("你们库里一共有多少本余华的书？最早的一本是哪年出的？", DialogueState())
    assert (reading.act, reading.query.hard()) == ("count", {"author": ["余华"]})
    assert reply("how many books by Terry Pratchett do you have?", DialogueState()).query.author == ["Terry Pratchett"]


def test_a_bare_count_is_of_the_talks_request() -> None:
    reading = reply("一共有多少本？", ZH)
    assert (reading.act, reading.query.hard()) == ("count", ZH_BASE)


def test_shorter_than_a_shown_book_stands_on_its_pages() -> None:
    query = reply("像《十一号房》那样但短一点的", ZH).query
    assert query.like == "十一号房"
    assert query.max_pages == 279


def test_the_author_of_a_place_in_the_list_is_asked_for_by_that_place() -> None:
    named = tuple(book.model_copy(update={"authors": (f"作者{book.position}",)}) for book in ZH.shown)
    state = ZH.model_copy(update={"shown": named})
    reading = reply("第二本的作者还写了什么", state)
    assert (reading.query.author, reading.query.exclude_works) == (["作者2"], [named[1].work_id])
    assert reply("第二本的作者是谁", state).act == "about_item"
