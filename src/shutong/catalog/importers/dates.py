"""The year out of any form of date."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import Any

from shutong.catalog.importers.texts import NOTHING, Reading, as_text

FIRST_YEAR = 800
"""No printed book is older (the Diamond Sutra is of 868)."""
OLDEST_WORK = -3000
YEARS_AHEAD = 2
"""Books are announced for the next years; what lies further ahead is a wrong date."""

_DIGITS = {
    "〇": 0,
    "零": 0,
    "○": 0,
    "Ｏ": 0,
    "一": 1,
    "二": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
_FULL_WIDTH = str.maketrans("０１２３４５６７８９－／．", "0123456789-/.")
_PLAIN = re.compile(r"(\d{4})(?:$|[-./年~])")
_FILLER = re.compile(
    r"(?:1900[-/.]0?1[-/.]0?1|1899[-/.]12[-/.]3[01]|0?1[-/.]0?1[-/.]1900|0*1?01[-/.]0?1[-/.]0?1)(?:\D|$)"
)
_CHINESE = re.compile("[〇零○Ｏ一二三四五六七八九]{4}")
_ERA = re.compile(
    r"(民国|民國|民|中华民国|昭和|平成|令和|大正|明治)\s*(元|\d{1,3}|[一二三四五六七八九十]{1,4})(?:\s*年|\D|$)"
)
_ERAS = {
    "民国": 1911,
    "民國": 1911,
    "民": 1911,
    "中华民国": 1911,
    "昭和": 1925,
    "平成": 1988,
    "令和": 2018,
    "大正": 1911,
    "明治": 1867,
}
_EIGHT = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d)(?:0[0-9]|1[0-2])(?:[0-2]\d|3[01])?(?!\d)")
_FOUR = re.compile(r"(?<!\d)((?:1\d|20)\d\d)(?!\d)")
_ANY_NUMBER = re.compile(r"-?\d+(?:\.0+)?\Z")


@lru_cache(maxsize=8192)
def _year(text: str, oldest: int) -> Reading[int]:
    text = text.translate(_FULL_WIDTH).strip()
    plain = _PLAIN.match(text)
    if _FILLER.match(text):
        return None, f"{text[:30]!r} stands for an unknown date"
    if plain:
        return _within(int(plain.group(1)), text, oldest)
    if _ANY_NUMBER.match(text) and not _EIGHT.match(text):
        return _within(int(text.split(".")[0][:12]), text, oldest)
    era = _ERA.search(text)
    if era:
        return _within(_ERAS[era.group(1)] + _small_number(era.group(2)), text, oldest)
    found = _EIGHT.search(text) or _FOUR.search(text)
    if found:
        return _within(int(found.group(1)), text, oldest)
    chinese = _CHINESE.search(text)
    if chinese:
        return _within(int("".join(str(_DIGITS[c]) for c in chinese.group())), text, oldest)
    return None, f"{text[:30]!r} holds no year"


def year(cell: Any) -> Reading[int]:
    """The year an edition came out, `FIRST_YEAR` to a few years ahead; the first one named.

    >>> [year(d)[0] for d in ("2006-5", "2008年1月", "20051101", "7/1/2010", "c1998", "二〇一九年", "民国25年", "9999")]
    [2006, 2008, 2005, 2010, 1998, 2019, 1936, None]
    """
    text = as_text(cell)[:60]
    return _year(text, FIRST_YEAR) if text else NOTHING


def first_year(cell: Any) -> Reading[int]:
    """The year a work first came out; negative before our era."""
    text = as_text(cell)[:60]
    return _year(text, OLDEST_WORK) if text else NOTHING


def is_filler(cell: Any) -> bool:
    """True for a date that programs write when they know none: 1900-01-01, 0001-01-01…"""
    return _FILLER.match(as_text(cell)[:60].translate(_FULL_WIDTH).strip()) is not None


def _within(number: int, text: str, oldest: int) -> Reading[int]:
    if oldest <= number <= date.today().year + YEARS_AHEAD and number not in (0, 1):
        return number, None
    return (None, None) if number == 0 else (None, f"{text[:30]!r} is no year a book can have")


def _small_number(text: str) -> int:
    """1 to 99 in digits or Chinese numerals; 元 is the first year."""
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.replace("元", "一").partition("十")
    if not ten:
        return int("".join(str(_DIGITS[c]) for c in tens))
    return 10 * _DIGITS.get(tens[-1:], 1) + _DIGITS.get(ones[:1], 0)
