"""The words for each condition of a `BookQuery`, in Chinese and in English.

One table that the page's chips and the written answers both read, so that a condition is called the same everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Literal

from shutong.nlu.traditional import to_traditional

Language = Literal["zh", "en"]
Script = Literal["hans", "hant"]
Value = str | int | float

_SLOT = re.compile(r"\{(\w*)\}")

# Field → (Chinese, English); `{}` is where the value goes. The order is the order in which conditions are said.
TEMPLATES: dict[str, tuple[str, str]] = {
    "title": ("书名：{}", "title: {}"),
    "isbn": ("ISBN {}", "ISBN {}"),
    "like": ("类似《{}》", "like 《{}》"),
    "keyword": ("{}", "{}"),
    "category": ("{}", "{}"),
    "tags": ("{}", "{}"),
    "level": ("{}", "{} level"),
    "audience": ("适合{}", "for {}"),
    "author": ("作者：{}", "author: {}"),
    "author_country": ("{}作者", "author from {}"),
    "translator": ("译者：{}", "translator: {}"),
    "publisher": ("出版社：{}", "publisher: {}"),
    "series": ("系列：{}", "series: {}"),
    "language": ("语言：{}", "in {}"),
    "award": ("获奖：{}", "award: {}"),
    "year_from": ("{}年及以后", "{} or later"),
    "year_to": ("{}年及以前", "{} or earlier"),
    "first_year_from": ("初版 {}年及以后", "first published {} or later"),
    "first_year_to": ("初版 {}年及以前", "first published {} or earlier"),
    "min_pages": ("至少 {}页", "{}+ pages"),
    "max_pages": ("{}页以内", "up to {} pages"),
    "max_price": ("价格不超过 {}", "price up to {}"),
    "min_rating": ("评分 ≥ {}", "rated {}+"),
    "min_rating_count": ("评分人数 ≥ {}", "{}+ ratings"),
    "reading_state": ("书架：{}", "shelf: {}"),
    "exclude_tags": ("不要 {}", "no {}"),
    "exclude_keywords": ("不要 {}", "no {}"),
    "exclude_categories": ("不要 {}", "no {}"),
    "exclude_authors": ("不要 {}", "not by {}"),
    "exclude_countries": ("不要 {}作者", "no author from {}"),
    "exclude_series": ("不要系列：{}", "not the series {}"),
    "exclude_titles": ("不要《{}》", "not 《{}》"),
}

# Lower bound, upper bound, the words when both are the same number, the words for a span.
BOUNDS: tuple[tuple[str, str, tuple[str, str], tuple[str, str]], ...] = (
    ("year_from", "year_to", ("{}年", "in {}"), ("{}–{} 年", "{}–{}")),
    (
        "first_year_from",
        "first_year_to",
        ("初版 {}年", "first published in {}"),
        ("初版 {}–{} 年", "first published {}–{}"),
    ),
    ("min_pages", "max_pages", ("{}页", "{} pages"), ("{}–{} 页", "{}–{} pages")),
)

SOFT = ("最好：{}", "prefers: {}")
LIKE_PICKED = ("类似你选的那本", "like the one you picked")
SERIES_COMPLETE = ("要整套", "the complete series")
ALREADY_SEEN = ("不重复列过的 {}本", "not the {} already listed")
SORTS: dict[str, tuple[str, str]] = {
    "relevance": ("最贴题的在前", "closest first"),
    "rating": ("口碑好的在前", "best rated first"),
    "year": ("新的在前", "newest first"),
    "oldest": ("旧的在前", "oldest first"),
    "hot": ("热门的在前", "most popular first"),
}

LEVELS: dict[str, tuple[str, str]] = {
    "beginner": ("入门", "beginner"),
    "intermediate": ("进阶", "intermediate"),
    "advanced": ("高阶", "advanced"),
}
LANGUAGES: dict[str, tuple[str, str]] = {
    "zh": ("中文", "Chinese"),
    "en": ("英文", "English"),
    "ja": ("日文", "Japanese"),
    "ko": ("韩文", "Korean"),
    "fr": ("法文", "French"),
    "de": ("德文", "German"),
    "es": ("西班牙文", "Spanish"),
    "ru": ("俄文", "Russian"),
    "it": ("意大利文", "Italian"),
    "pt": ("葡萄牙文", "Portuguese"),
    "ar": ("阿拉伯文", "Arabic"),
}
AUDIENCES: dict[str, tuple[str, str]] = {
    "children": ("儿童", "children"),
    "teen": ("青少年", "teenagers"),
    "adult": ("成人", "adults"),
}
_NAMED: dict[str, dict[str, tuple[str, str]]] = {"level": LEVELS, "language": LANGUAGES, "audience": AUDIENCES}
_YEARS = frozenset({"year_from", "year_to", "first_year_from", "first_year_to"})


def condition_text(field: str, values: Sequence[Value], language: Language, script: Script = "hans") -> str:
    """The words for one condition; several values are read as alternatives (or, for `exclude_`, as all of them)."""
    template = in_language(TEMPLATES[field], language, script)
    if field == "like" and str(values[0]).startswith("#"):
        return in_language(LIKE_PICKED, language, script)
    together = field == "tags"
    return fill(template, join([value_text(field, v, language, script) for v in values], language, together=together))


def bounds_text(which: int, low: Value, high: Value, language: Language, script: Script = "hans") -> str:
    """The words for both bounds at once; `which` is a place in `BOUNDS`."""
    field, _, same, span = BOUNDS[which]
    first, last = (value_text(field, v, language, script) for v in (low, high))
    if low == high:
        return fill(in_language(same, language, script), first)
    return fill(in_language(span, language, script), first, last)


def value_text(field: str, value: Value, language: Language, script: Script = "hans") -> str:
    """One value as a reader says it: 8.0, 公元前 500, 入门, Spanish."""
    named = _NAMED.get(field, {}).get(str(value).lower())
    if named is not None:
        return in_language(named, language, script)
    if isinstance(value, str):
        return value
    if field == "min_rating":
        return rating_text(float(value))
    if field in _YEARS:
        return year_text(int(value), language)
    return number_text(value)


def year_text(year: int, language: Language) -> str:
    """A year without its unit; years before our era are negative numbers."""
    if year < 0:
        return f"公元前 {-year}" if language == "zh" else f"{-year} BC"
    return str(year)


def rating_text(rating: float) -> str:
    """A rating with one decimal at least, and no more than it has (at most two)."""
    short = f"{rating:.1f}"
    return short if abs(float(short) - rating) < 0.001 else f"{rating:.2f}"


def number_text(value: int | float) -> str:
    """A plain number without a useless fraction."""
    return str(int(value)) if float(value).is_integer() else f"{value:.2f}".rstrip("0")


def join(values: Sequence[str], language: Language, *, together: bool = False) -> str:
    """Values in one phrase: any of them, or with `together` all of them."""
    if together:
        return "、".join(values) if language == "zh" else " and ".join(values)
    return "或".join(values) if language == "zh" else " or ".join(values)


def in_language(pair: tuple[str, str], language: Language, script: Script = "hans") -> str:
    """One of a (Chinese, English) pair, the Chinese in the wanted script."""
    if language == "en":
        return pair[1]
    return to_traditional(pair[0]) if script == "hant" else pair[0]


def fill(template: str, *places: object, **values: object) -> str:
    """Put values into a template's slots, with a space where Latin letters or digits would touch Chinese ones."""
    parts = _parts(template)
    given = iter(places)
    filled = [parts[0]]
    for name, after in zip(parts[1::2], parts[2::2], strict=True):
        value = str(values[name] if name else next(given))
        before = filled[-1]
        left = " " if before and _is_han(before[-1]) and _is_latin(value[:1]) else ""
        right = " " if after and _is_han(after[0]) and _is_latin(value[-1:]) else ""
        filled += [left, value, right, after] if after else [left, value, right]
    return "".join(filled)


@cache
def _parts(template: str) -> list[str]:
    """A template's texts and slot names by turns; templates are ours, so there are few."""
    return _SLOT.split(template)


def _is_latin(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _is_han(char: str) -> bool:
    return "\u4e00" <= char <= "\u9fff"
