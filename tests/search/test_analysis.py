"""Text into terms: what is a part of a text asks only for terms that the text has."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shutong.search.analysis import MAX_QUERY_TERMS, MAX_TERM, index_terms, query_groups
from shutong.text import fold
from tests.search.titles import TITLES

CHINESE = re.compile("[\u3400-\u9fff]+")
HAN = st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF)
SYMBOLS = "!\"#$%'()*+,-./:;<=>?@[\\]^_`{|}~ 《》〈〉「」『』（）【】、，。；：？！…—～·“”‘’￥📚🔥❤"
READABLE = st.text(st.characters(codec="utf-8"), max_size=60)


def asked(text: str) -> set[str]:
    return {term for group in query_groups(text) for term in group.terms}


def parts(run: str, longest: int = 4) -> set[str]:
    return {run[i:j] for i in range(len(run)) for j in range(i + 1, min(i + longest, len(run)) + 1)}


# What holds for every text


@given(st.text(st.characters(), max_size=200))
def test_no_text_makes_it_raise(text: str) -> None:
    index_terms(text)
    query_groups(text)


@given(READABLE)
def test_a_text_asks_only_for_terms_that_it_has(text: str) -> None:
    assert asked(text) <= set(index_terms(text))


@given(st.text(HAN, min_size=1, max_size=20))
def test_every_part_of_a_chinese_text_asks_only_for_terms_that_it_has(run: str) -> None:
    terms = set(index_terms(run))
    assert all(asked(part) <= terms for part in parts(run))


@given(READABLE)
def test_terms_are_folded_and_hold_no_blanks(text: str) -> None:
    terms = index_terms(text)
    assert all(term and term == fold(term) and not re.search(r"\s", term) for term in terms)


@given(st.text(st.sampled_from(SYMBOLS), max_size=20))
def test_what_has_no_letter_and_no_digit_asks_for_nothing(text: str) -> None:  # F43
    assert query_groups(text) == []


@given(st.text(HAN, min_size=1, max_size=300))
def test_a_long_query_asks_for_a_bounded_number_of_terms(text: str) -> None:
    groups = query_groups(f"{text} {text}")
    assert sum(len(group.terms) for group in groups) <= MAX_QUERY_TERMS
    assert all(group.terms for group in groups)


@pytest.mark.parametrize("title", TITLES)
def test_every_part_of_a_well_known_title_is_among_its_terms(title: str) -> None:
    terms = set(index_terms(title))
    for run in CHINESE.findall(title):
        assert all(asked(part) <= terms for part in parts(run))


# One text at a time


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("三体", ["三", "体", "三体"]),
        ("花", ["花"]),
        ("Python爬虫", ["python", "爬", "虫", "爬虫"]),  # F18
        ("小王1号", ["小", "王", "小王", "1", "号"]),  # F13
        ("Don't", ["don", "t", "dont"]),  # F47
        ("L’Étranger", ["l", "etranger", "letranger"]),
        ("C++ C# C", ["c", "c++", "c", "c#", "c"]),  # F46
        ("state-of-the-art", ["state", "of", "the", "art"]),
        ("snake_case", ["snake", "case"]),
        ("三体Ⅱ", ["三", "体", "三体", "ii"]),  # F22
        ("ＩＳＢＮ １９８４", ["isbn", "1984"]),
        ("國際論壇", ["国", "际", "论", "坛", "国际", "际论", "论坛"]),  # F08
        ("ノルウ", ["ノ", "ル", "ウ", "ノル", "ルウ"]),
    ],
)
def test_terms_of_an_index(text: str, terms: list[str]) -> None:
    assert index_terms(text) == terms


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("三", [("三",)]),
        ("三体", [("三体",)]),
        ("黑暗森林", [("黑暗", "暗森", "森林")]),
        ("Python爬虫", [("python",), ("爬虫",)]),
        ("C++", [("c++",)]),
        ("Don't", [("dont",)]),
        ("Dune: Messiah", [("dune",), ("messiah",)]),
        ("a:b @x 50%", [("a",), ("b",), ("x",), ("50",)]),
    ],
)
def test_groups_of_a_query(text: str, groups: list[tuple[str, ...]]) -> None:
    assert [group.terms for group in query_groups(text)] == groups


def test_a_very_long_word_is_found_by_itself() -> None:
    word = "a" * (MAX_TERM * 3)
    assert asked(word) == set(index_terms(word)) == {"a" * MAX_TERM}
