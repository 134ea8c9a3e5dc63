"""Numbers as people write them: 300, 1,000, 8.5, 三百, 八点五, 二〇一九, "three hundred", "a couple"."""

from __future__ import annotations

import re

_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2, "仨": 3}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_ENGLISH = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen".split()
    )
} | {word: 20 + 10 * i for i, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())}
_COUNTS = {"a couple of": 2, "a couple": 2, "a few": 3, "a dozen": 12, "a hundred": 100, "a thousand": 1000}

ARABIC = r"(?:\d{1,3}(?:,\d{3})+|\d{1,9}(?:\.\d{1,4})?)"
CHINESE = r"(?:[零〇一二两三四五六七八九十百千万]{1,12}(?:点[零〇一二三四五六七八九]{1,4})?)"
_WORD = "(?:" + "|".join(sorted(_ENGLISH, key=len, reverse=True)) + "|hundred|thousand)"
ENGLISH = rf"(?:\b{_WORD}(?:[ -](?:and )?{_WORD}){{0,5}}\b|\ba (?:hundred|thousand)\b)"
NUMBER = rf"(?:{ARABIC}|{CHINESE}|{ENGLISH})"
"""Source of a pattern for one number; `value` reads what it matched."""

COUNT = rf"(?:\ba couple(?: of)?\b|\ba few\b|\ba dozen\b|{NUMBER})"


def value(text: str) -> float | None:
    """The number that a text matched by `NUMBER` or `COUNT` says; None when it says none (千千).

    >>> value("三百二十"), value("two hundred and fifty"), value("八点五"), value("二〇一九")
    (320.0, 250.0, 8.5, 2019.0)
    """
    text = text.strip().lower()
    if re.fullmatch(ARABIC, text):
        return float(text.replace(",", ""))
    if text in _COUNTS:
        return float(_COUNTS[text])
    return _english(text) if text[:1].isascii() else _chinese(text)


def _chinese(text: str) -> float | None:
    whole, _, part = text.partition("点")
    if part:
        number = _chinese(whole)
        return None if number is None else float(f"{int(number)}.{''.join(str(_DIGITS[c]) for c in part)}")
    if all(c in _DIGITS for c in whole):
        return float("".join(str(_DIGITS[c]) for c in whole)) if whole else None
    total, section, digit = 0, 0, 0
    for c in whole:
        if c in _DIGITS:
            digit = _DIGITS[c]
        elif c in _UNITS:
            section += (digit or 1) * _UNITS[c]
            digit = 0
        elif c == "万":
            total += (section + digit or 1) * 10_000
            section = digit = 0
        else:
            return None
    return float(total + section + digit)


def _english(text: str) -> float | None:
    total, current = 0, 0
    for word in re.findall(r"[a-z]+", text):
        if word in _ENGLISH:
            current += _ENGLISH[word]
        elif word == "hundred":
            current = (current or 1) * 100
        elif word == "thousand":
            total, current = total + (current or 1) * 1000, 0
        elif word not in ("a", "and"):
            return None
    return float(total + current)
