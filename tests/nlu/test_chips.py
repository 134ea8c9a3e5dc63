"""Chips: the conditions of a query in words, and the query without one of them."""

from __future__ import annotations

from typing import Any

import opencc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shutong.errors import InvalidRequestError
from shutong.nlu import condition_words
from shutong.nlu.chips import Chip, chips, without
from shutong.nlu.traditional import to_traditional
from shutong.search.query import BookQuery, Conditions


def texts(query: BookQuery, language: Any = "zh", script: Any = "hans") -> list[str]:
    return [chip.text for chip in chips(query, language, script)]


@pytest.mark.parametrize(
    ("query", "zh", "en"),
    [
        (BookQuery(keyword="Python"), "Python", "Python"),
        (BookQuery(year_from=2019), "2019 年及以后", "2019 or later"),
        (BookQuery(year_to=-300), "公元前 300 年及以前", "300 BC or earlier"),
        (BookQuery(min_rating=8), "评分 ≥ 8.0", "rated 8.0+"),
        (BookQuery(min_rating=8.25), "评分 ≥ 8.25", "rated 8.25+"),
        (BookQuery(max_pages=299), "299 页以内", "up to 299 pages"),
        (BookQuery(max_price=19.5), "价格不超过 19.5", "price up to 19.5"),
        (BookQuery(exclude_authors=["东野圭吾"]), "不要 东野圭吾", "not by 东野圭吾"),
        (BookQuery(author_country=["Japan"]), "Japan 作者", "author from Japan"),
        (BookQuery(level="beginner"), "入门", "beginner level"),
        (BookQuery(language=["es"]), "语言：西班牙文", "in Spanish"),
        (BookQuery(like="三体"), "类似《三体》", "like 《三体》"),
        (BookQuery(like="#12"), "类似你选的那本", "like the one you picked"),
        (BookQuery(prefer=Conditions(keyword="爬虫")), "最好：爬虫", "prefers: 爬虫"),
        (BookQuery(sort="rating"), "口碑好的在前", "best rated first"),
        (BookQuery(exclude_ids=[3, 4]), "不重复列过的 2 本", "not the 2 already listed"),
    ],
)
def test_a_condition_is_said_in_both_languages(query: BookQuery, zh: str, en: str) -> None:
    assert texts(query, "zh") == [zh]
    assert texts(query, "en") == [en]


def test_nothing_asked_has_no_chips() -> None:
    assert chips(BookQuery(limit=3, offset=5, unknowable=["影印本"]), "zh") == []


def test_alternatives_are_a_chip_each() -> None:
    assert texts(BookQuery(author=["余华", "莫言"])) == ["作者：余华", "作者：莫言"]


def test_hard_conditions_come_before_wishes_and_wishes_are_soft() -> None:
    query = BookQuery(year_from=2019, sort="year", prefer=Conditions(tags=["温暖"]))
    assert [(chip.field, chip.soft) for chip in chips(query, "zh")] == [
        ("year_from", False),
        ("prefer.tags", True),
        ("sort", True),
    ]


def test_equal_bounds_are_one_chip_and_go_together() -> None:
    query = BookQuery(year_from=1985, year_to=1985)
    assert chips(query, "zh") == [Chip("year_from", 1985, "1985 年", False)]
    assert without(query, "year_from", 1985) == BookQuery()


def test_one_of_two_bounds_goes_alone() -> None:
    assert without(BookQuery(year_from=1985, year_to=1990), "year_to", 1990) == BookQuery(year_from=1985)


def test_one_value_of_several_goes_alone() -> None:
    assert without(BookQuery(author=["余华", "莫言"]), "author", "莫言") == BookQuery(author=["余华"])


def test_a_wish_goes_without_the_hard_condition_of_the_same_name() -> None:
    query = BookQuery(keyword="Python", prefer=Conditions(keyword="爬虫"))
    assert without(query, "prefer.keyword", "爬虫") == BookQuery(keyword="Python")


def test_values_may_come_as_text() -> None:
    assert without(BookQuery(min_rating=8.0), "min_rating", "8") == BookQuery()


def test_a_chip_that_is_no_longer_true_changes_nothing() -> None:
    query = BookQuery(min_rating=8.5)
    assert without(query, "min_rating", 8.0) == query


def test_what_stands_on_a_condition_goes_with_it() -> None:
    assert without(BookQuery(title=["她"], exact_title=True), "title", "她") == BookQuery()
    assert without(BookQuery(series="三体", series_complete=True), "series", "三体") == BookQuery()


@pytest.mark.parametrize(
    "field", ["", "nothing", "prefer", "prefer.sort", "other.keyword", "limit", "__class__", "said"]
)
def test_a_name_that_is_no_condition_is_refused(field: str) -> None:
    with pytest.raises(InvalidRequestError):
        without(BookQuery(), field, "x")


def test_traditional_chips_keep_the_readers_words() -> None:
    assert texts(BookQuery(exclude_authors=["东野圭吾"], year_from=2019), script="hant") == [
        "2019 年及以後",
        "不要 东野圭吾",
    ]


def test_every_phrase_turns_into_right_traditional_letters() -> None:
    words: list[tuple[str, str]] = [*condition_words.TEMPLATES.values(), *condition_words.SORTS.values()]
    words += [
        *condition_words.LEVELS.values(),
        *condition_words.LANGUAGES.values(),
        *condition_words.AUDIENCES.values(),
    ]
    convert = opencc.OpenCC("s2tw").convert
    assert [to_traditional(zh) for zh, _ in words] == [convert(zh) for zh, _ in words]


_TEXT = st.text(min_size=1, max_size=12)
_TEXTS = st.lists(_TEXT, max_size=3, unique=True)
_YEARS = st.none() | st.integers(-3000, 2200)
_QUERIES = st.builds(
    BookQuery,
    keyword=st.none() | _TEXT,
    author=_TEXTS,
    tags=_TEXTS,
    exclude_tags=_TEXTS,
    exclude_ids=st.lists(st.integers(1, 99), max_size=3),
    year_from=_YEARS,
    year_to=_YEARS,
    min_rating=st.none() | st.floats(0, 10),
    level=st.none() | st.sampled_from(["beginner", "advanced"]),
    sort=st.sampled_from(["overall", "rating", "hot"]),
    prefer=st.builds(Conditions, tags=_TEXTS, max_pages=st.none() | st.integers(0, 900)),
)


@given(_QUERIES, st.sampled_from(["zh", "en"]))
def test_removing_every_chip_leaves_nothing(query: BookQuery, language: Any) -> None:
    for chip in chips(query, language):
        query = without(query, chip.field, chip.value)
    assert query.said() == {}


@given(_QUERIES, st.sampled_from(["zh", "en"]), st.integers(0, 20))
def test_removing_a_chip_takes_exactly_that_chip(query: BookQuery, language: Any, which: int) -> None:
    before = chips(query, language)
    if before:
        gone = before[which % len(before)]
        assert chips(without(query, gone.field, gone.value), language) == [chip for chip in before if chip is not gone]
