"""Cutting an answer into units."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shutong.agent.units import UnitCutter


def cut(*chunks: str) -> list[str]:
    cutter = UnitCutter()
    units = [unit for chunk in chunks for unit in cutter.feed(chunk)]
    return units + cutter.end()


WHOLE = [
    ["这本书很好。", "它讲科幻。"],
    ["好吗？！", "好。"],
    ["他说……", "走了；", "好"],
    ["《你好。世界》很好。", "完"],
    ["《谁动了我的奶酪？》是一本书。", "完"],
    ["他说：“好。我走了。”", "然后走了。"],
    ["“谁动了我的奶酪？”是一本书。", "完"],
    ["(这本书很好。)", "然后"],
    ["推荐《三体》。[[3]]", "它很好。"],
    ["推荐《三体》。 [[3]][[4]]", "它很好。"],
    ["**重点。**", "然后"],
    ["好。", "**《三体》**很好。", "完"],
    ["评分 8.5 分。", "完"],
    ["It is rated 8.5.", " Read it."],
    ["The author is J. K. Rowling.", " She wrote it."],
    ["Dr. Watson knows, e.g. this. and etc. The rest.", " End."],
    ["Use Node.js or https://a.b/c?d=e now!", " Yes."],
    ['He said "Go. Now." and left.', ' "Who Moved My Cheese? An Essay" is good.', " End"],
    ['He said "go."', " Then he left."],
    ["The No. 1 Ladies' Detective Agency.", " No.", " Yes"],
    ["Wait... what?", " Yes"],
    ["Try it!", "《三体》很好。", "完"],
    ["- 《三体》 刘慈欣。很好。推荐!\n", "- 第二本。\n", "完"],
    ["1. 《三体》。很好。\n", "2. **Dune.** Great. Read.\n"],
    ["| a. B | 好。 |\n", "|---|---|\n", "| x |\n"],
    ["# 标题。二\n", "\n正文。\n", "\n\n又一句。", "完"],
    ["```python\n", "a = 1. + x\n", "\nprint('好。')\n", "```\n", "好。", "完"],
    ["\n```\n", "a。b。\n", "```\n", "好。", "完"],
    ["第一句。\n", "第二行\n", "第三"],
    ["1.《三体》2.《球状闪电》\n", "完"],
    ["推荐:1.《三体》2.《球状闪电》。", "完"],
    ["*Who? Me.*", " Then."],
    ["3 * 4.", " Then"],
]


@pytest.mark.parametrize("units", WHOLE, ids=[units[0][:20].strip() for units in WHOLE])
def test_text_is_cut_where_a_reader_would(units: list[str]) -> None:
    assert cut("".join(units)) == units


SCRAPS = st.sampled_from(
    [
        "。",
        "！",
        "…",
        ".",
        "!",
        "?",
        " ",
        "\n",
        "《",
        "》",
        "“",
        "”",
        '"',
        "*",
        "**",
        "[[3]]",
        "[",
        "]",
        "(",
        ")",
        "- ",
        "1. ",
        "| ",
        "# ",
        "```",
        "A",
        "b",
        "Dr",
        "J",
        "8.5",
        "三体",
        "no",
        "’",
    ]
)
TEXTS = st.lists(SCRAPS, max_size=25).map("".join) | st.text(max_size=40)


@settings(max_examples=500, deadline=None)
@given(TEXTS)
def test_the_units_joined_are_the_text(text: str) -> None:
    assert "".join(cut(text)) == text


@settings(max_examples=500, deadline=None)
@given(TEXTS, st.lists(st.integers(0, 60), max_size=6))
def test_units_do_not_depend_on_how_the_stream_is_cut(text: str, cuts: list[int]) -> None:
    places = sorted({min(place, len(text)) for place in cuts})
    chunks = [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]
    assert cut(*chunks) == cut(text) == cut(*text)


@settings(deadline=None)
@given(st.lists(st.sampled_from(["三", "体", "。", "很", "A", " "]), max_size=12).map("".join))
def test_a_title_is_never_cut_inside(inside: str) -> None:
    title = f"《{inside}》"
    assert sum(title in unit for unit in cut(f"读{title}吧。好。")) == 1


@pytest.mark.parametrize(
    ("text", "following"),
    [("好。", "它"), ("好。”", "它"), ("- 一项", "\n"), ("Good. ", "It"), ("好！", "\n"), ("好。", "“")],
)
def test_a_unit_is_released_with_the_first_character_that_shows_its_end(text: str, following: str) -> None:
    cutter = UnitCutter()
    assert cutter.feed(text) == []
    assert len(cutter.feed(following[0])) == 1


def test_a_long_line_is_cut_in_linear_time() -> None:
    def seconds(count: int) -> float:
        start = time.process_time()
        cut(*["*《a. "] * count)
        return time.process_time() - start

    assert seconds(8000) < 20 * seconds(1000) + 0.5
