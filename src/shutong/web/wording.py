"""The sentences that the page shows beside the answer."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from shutong.agent.events import Books
from shutong.agent.tools.books import SearchArguments
from shutong.llm.builtin.conditions import asked
from shutong.llm.builtin.phrases import Voice
from shutong.nlu.condition_words import fill, in_language
from shutong.search.result import NearMiss

_SEARCHING = ("在 {size} 册里找{asked}", "Looking through {size} books: {asked}")
_SEARCHING_ALL = ("在 {size} 册里找", "Looking through {size} books")
_NEAR = ("差一点点：{what}", "Just missed: {what}")
_ONE = ("只差一个条件。", "one condition away.")
_FEW = ("只差一两个条件。", "a condition or two away.")
_LOOSER = {
    "min_rating": ("评分放宽到 {has}", "at a rating of {has}"),
    "min_rating_count": ("评分人数放宽到 {has}", "at {has} ratings"),
    "year_from": ("年份放宽到 {has} 年", "from {has} on"),
    "year_to": ("年份放宽到 {has} 年", "up to {has}"),
    "first_year_from": ("初版放宽到 {has} 年", "first published from {has} on"),
    "first_year_to": ("初版放宽到 {has} 年", "first published up to {has}"),
    "min_pages": ("页数放宽到 {has} 页", "at {has} pages"),
    "max_pages": ("页数放宽到 {has} 页", "at {has} pages"),
    "max_price": ("价格放宽到 {has}", "at a price of {has}"),
}
_WOULD_FIT = ("{looser}，《{title}》就合适。", "{looser}, {title} would fit.")


def searching_text(arguments: dict[str, Any] | str, size: int, voice: Voice) -> str:
    """What is being looked for, in plain words."""
    words = ""
    if isinstance(arguments, dict):
        try:
            words = asked(SearchArguments.model_validate(arguments).query(), voice)
        except ValidationError:
            words = ""
    template = _SEARCHING if words else _SEARCHING_ALL
    return fill(_in(template, voice), size=f"{size:,}", asked=words)


def near_text(books: Books, voice: Voice) -> str:
    """The line over the near misses: which book one step would bring in, or how many conditions they are away."""
    if not books.near_misses:
        return ""
    near = [miss for _, miss in books.near_misses]
    away = _FEW if any(len(one.misses) > 1 for one in near) else _ONE
    return fill(_in(_NEAR, voice), what=_smallest_step(near, voice) or _in(away, voice))


def _smallest_step(near: list[NearMiss], voice: Voice) -> str | None:
    """How far one figure would have to be loosened for a book to fit; None when that is not all it takes for any of them."""
    single = [(one.misses[0], one.book.title) for one in near if len(one.misses) == 1]
    steps = [(miss, title) for miss, title in single if miss.field in _LOOSER and miss.has is not None]
    if not steps:
        return None
    same = [(miss, title) for miss, title in steps if miss.field == steps[0][0].field]
    miss, title = min(same, key=lambda step: abs(step[0].has - step[0].asked))
    looser = fill(_in(_LOOSER[miss.field], voice), has=voice.value(miss.field, miss.has))
    return fill(_in(_WOULD_FIT, voice), looser=looser, title=title)


def _in(words: tuple[str, str], voice: Voice) -> str:
    return in_language(words, voice.language, voice.script)
