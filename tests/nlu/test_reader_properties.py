"""What holds for every message."""

from __future__ import annotations

from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from shutong.nlu import numbers
from shutong.nlu.dialogue import DialogueState, ShownBook
from shutong.nlu.reader import read
from shutong.nlu.sheet import CLAIMED, Sheet

TODAY = date(2026, 11, 30)
WORDS = st.sampled_from(
    "不要 除了 最好 《三体》 的书 作家 日本 或者 2019年 之后 300页 以内 8分 以上 推荐 三本 像 那样的 , 。 not by like under 300 pages $15 rated stars "
    "1990s the series first one 第二本 换一批 再 乘以 12 《 》 ( ) * / + - 《》 译 出版社 女作家 set in 系列 9787536692930 没有 除 以外 零基础".split()
)
MESSAGES = st.one_of(
    st.text(max_size=200), st.lists(WORDS, max_size=25).map("".join), st.lists(WORDS, max_size=25).map(" ".join)
)
BOOK = ShownBook(
    number=1, position=1, book_id=7, work_id="w", title="三体", pages=300, year=2008, price=20.0, rating=8.9
)


@given(MESSAGES)
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_without_an_error(message: str) -> None:
    read(message, DialogueState(), TODAY)


@given(MESSAGES, MESSAGES)
@settings(max_examples=100, deadline=None)
def test_any_text_is_read_within_any_talk(first: str, second: str) -> None:
    query = read(first, DialogueState(), TODAY).query
    read(
        second, DialogueState(query=query, shown=(BOOK,), seen_works=("w",), lists=((BOOK,),), queries=(query,)), TODAY
    )


@given(MESSAGES)
@settings(max_examples=100, deadline=None)
def test_reading_twice_is_the_same(message: str) -> None:
    assert read(message, DialogueState(), TODAY) == read(message, DialogueState(), TODAY)


@given(MESSAGES)
@settings(max_examples=100, deadline=None)
def test_plain_fields_are_fields_of_the_query(message: str) -> None:
    reading = read(message, DialogueState(), TODAY)
    assert set(reading.plain) <= set(reading.query.hard())


@given(st.text(max_size=300))
def test_a_sheet_keeps_places(message: str) -> None:
    sheet = Sheet(message)
    assert len(sheet.text) == len(sheet.view) == len(sheet.rest)
    assert CLAIMED not in sheet.rest


@given(st.integers(0, 99_999_999))
def test_figures_read_as_their_value(number: int) -> None:
    assert numbers.value(str(number)) == number
    assert numbers.value(f"{number:,}") == number


def test_long_messages_are_bounded() -> None:
    sheet = Sheet("想看余华的书，" * 5_000)
    assert len(sheet.text) < 1_100


def test_the_end_of_a_long_message_is_read() -> None:
    story = "I went to the sea and thought of many things. " * 60
    assert read(story + "Under 300 pages please.", DialogueState(), TODAY).query.max_pages == 299


def test_numerals_are_read() -> None:
    said = {
        "三百二十": 320,
        "一千零一": 1001,
        "两万": 20000,
        "八点五": 8.5,
        "二〇一九": 2019,
        "two hundred and fifty": 250,
        "a couple": 2,
    }
    assert {text: numbers.value(text) for text in said} == said
