"""The language and the script of a message."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Literal

from shutong.nlu.sheet import Sheet


def language_of(sheet: Sheet) -> Literal["zh", "en"]:
    """zh when the message has a Chinese letter outside title marks, or nothing but one; en otherwise."""
    chinese = sum("\u3400" <= c <= "\u9fff" for c in sheet.text)
    if not chinese:
        latin = any(c.isalpha() and c < "\u0250" for c in sheet.text)
        return "en" if latin else "zh"
    letters = sum(c.isascii() and c.isalpha() for c in sheet.text)
    return "en" if letters > 8 * chinese else "zh"


def script_of(sheet: Sheet) -> Literal["hans", "hant"]:
    """hant when the message has letters that only traditional text has."""
    return "hant" if any(c in _traditional() for c in sheet.text) else "hans"


@cache
def _traditional() -> frozenset[str]:
    """The letters that folding changes and that simplified text does not have: GB 2312 is the standard of the latter.

    Folding alone does not tell: it also levels variants that both scripts use (概, 研).
    """
    pairs = resources.files("shutong").joinpath("letters.txt").read_text(encoding="utf-8").split()
    return frozenset(pair[0] for pair in pairs if not pair[0].encode("gb2312", errors="ignore"))
