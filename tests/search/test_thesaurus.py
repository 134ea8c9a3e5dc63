"""Words of the same meaning are one concept; others stay apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shutong.search import thesaurus
from shutong.text import key


@pytest.mark.parametrize(
    "words",
    [
        ("推理", "侦探", "推理小说", "偵探小說", "mystery", "Detective Fiction", "crime fiction", "推理类"),
        ("科幻", "科幻小說", "science fiction", "Sci-Fi", "SF", "ＳＦ"),
        ("短篇", "短篇小说", "短篇集", "short stories", "short fiction"),
        ("爬虫", "网络爬虫", "爬蟲", "crawler", "web scraping", "数据采集"),
        ("机器学习", "機器學習", "machine learning", "ML"),
        ("理财", "personal finance"),
        ("编程", "程序设计", "programming", "coding"),
        ("绘本", "图画书", "picture books"),
    ],
)
def test_words_of_one_meaning_are_one_concept(words: tuple[str, ...]) -> None:
    assert len({thesaurus.concept(word) for word in words}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("推理", "科幻"),
        ("历史", "历史小说"),
        ("散文", "诗歌"),
        ("python", "爬虫"),
        ("童话", "绘本"),
        ("太空", "空间"),
        ("犯罪心理", "推理"),
    ],
)
def test_other_meanings_stay_apart(one: str, other: str) -> None:
    assert thesaurus.concept(one) != thesaurus.concept(other)


@pytest.mark.parametrize(
    ("wide", "narrow"),
    [
        ("fiction", "mystery"),
        ("小说", "科幻"),
        ("fiction", "horror"),
        ("literature", "poetry"),
        ("计算机", "python"),
        ("computing", "爬虫"),
        ("儿童", "绘本"),
    ],
)
def test_narrower_concepts_are_found(wide: str, narrow: str) -> None:
    assert thesaurus.concept(narrow) in thesaurus.narrower(thesaurus.concept(wide))


def test_narrower_does_not_go_up() -> None:
    assert thesaurus.concept("fiction") not in thesaurus.narrower(thesaurus.concept("mystery"))


def test_an_unknown_word_stands_for_itself() -> None:
    assert thesaurus.concept("Zyzzyva 蟲") == key("Zyzzyva 蟲")
    assert thesaurus.names("zyzzyva") == ("zyzzyva",)
    assert thesaurus.narrower("zyzzyva") == {"zyzzyva"}


def test_names_hold_both_languages() -> None:
    assert {"爬虫", "web scraping"} <= set(thesaurus.names(thesaurus.concept("crawler")))


def test_every_word_leads_to_its_concept() -> None:
    assert all(thesaurus.concept(word) == concept for word, concept in thesaurus.vocabulary().items())


@given(st.text(max_size=40))
def test_a_concept_is_a_fixed_point(term: str) -> None:
    assert thesaurus.concept(thesaurus.concept(term)) == thesaurus.concept(term)


def test_a_plural_in_ies_is_the_word_itself() -> None:
    assert thesaurus.concept("cosy mysteries") == thesaurus.concept("cosy mystery")
