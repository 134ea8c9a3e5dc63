"""Which tools to call next: a function of the act and of what came back so far. No calls means: answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from shutong.llm.builtin.observations import read_figure, read_found
from shutong.llm.builtin.view import View
from shutong.llm.messages import ToolCall
from shutong.search.query import BookQuery

SEARCH, GET, CALCULATE = "search_books", "get_book", "calculator"

CARE_TAGS = {"zh": ["治愈", "温暖", "希望"], "en": ["comfort", "hope", "gentle"]}
CARE_LIMIT = 3
HARSH_TAGS = {
    "zh": "自杀 死亡 谋杀 战争 大屠杀 犯罪 推理 悬疑 惊悚 恐怖 黑暗 绝望 悲伤 悲剧 暴力 抑郁 虐待 疾病 反乌托邦 末日".split(),
    "en": "suicide murder war holocaust crime mystery suspense thriller horror dark sad violence depression abuse grief illness "
    "dystopia apocalypse pandemic".split(),
}
HARSH_WORDS = {
    "zh": "死 杀 自尽 轻生 自残 葬 癌".split(),
    "en": "die dies dying death dead deadly suicide kill killed murder funeral cancer plague".split(),
}
"""What a book must not be filed under, and not speak of anywhere, that is offered to somebody in need."""

MAX_COMPARED = 5
_ASKS_OLDEST = re.compile(r"最早|最老|最舊|最旧|\b(?:earliest|oldest)\b", re.IGNORECASE)

Arguments = dict[str, Any]


def next_calls(view: View) -> tuple[ToolCall, ...]:
    """The calls of the next round, with ids that are their own within the turn."""
    if view.reading.ambiguous:
        return ()
    tool, wanted = _PLANS.get(view.reading.act, _nothing)(view)
    if not view.can_call(tool):
        return ()
    made = len(view.observations)
    return tuple(
        ToolCall(f"builtin-{made + i}", tool, json.dumps(arguments, ensure_ascii=False))
        for i, arguments in enumerate(wanted, start=1)
    )


def asks_oldest(view: View) -> bool:
    """Whether a count also wants to know the earliest."""
    return _ASKS_OLDEST.search(view.text) is not None


def operands(view: View, step: int) -> tuple[str, str] | None:
    """Both numbers of a step of the sum; None when it stands on a result that is not there."""
    a, _, b = view.reading.expression[step]
    if "$" not in (a, b):
        return a, b
    figures = view.results(CALCULATE)
    before = (
        read_figure(figures[step - 1]) if 0 < step <= len(figures) else view.state.last_result if not step else None
    )
    if before is None:
        return None
    return (before if a == "$" else a), (before if b == "$" else b)


def comfort_query(view: View) -> BookQuery:
    """Gentle books by wish alone; never by the words of somebody who is in need."""
    wish = view.reading.query.prefer
    tags = wish.tags or CARE_TAGS[view.reading.language]
    prefer = BookQuery().prefer.model_copy(update={"tags": tags})
    language = view.reading.language
    return BookQuery(
        prefer=prefer, exclude_tags=HARSH_TAGS[language], exclude_keywords=HARSH_WORDS[language], limit=CARE_LIMIT
    )


_Plan = tuple[str, Iterable[Arguments]]


def _nothing(view: View) -> _Plan:
    return SEARCH, ()


def _search(view: View) -> _Plan:
    return SEARCH, () if view.results(SEARCH) else (view.reading.query.said(),)


def _comfort(view: View) -> _Plan:
    return SEARCH, () if view.results(SEARCH) else (comfort_query(view).said(),)


def _look_up(view: View) -> _Plan:
    """The records of the books spoken of; a title that was named instead of a place is searched for."""
    if not view.reading.items and view.reading.query.title:
        return _look_up_title(view)
    books = view.items()[:MAX_COMPARED]
    return GET, () if view.results(GET) else tuple({"book_id": book.book_id} for book in books)


def _look_up_title(view: View) -> _Plan:
    """A search for the title, then the record of the book that goes by it."""
    results = view.results(SEARCH)
    found = read_found(results[0]) if results else None
    if found is None or found.not_held or not found.books or found.books[0].book_id is None:
        return _search(view)
    return GET, () if view.results(GET) else ({"book_id": found.books[0].book_id},)


def _go_back(view: View) -> _Plan:
    if view.reading.query.said():
        return _search(view)
    return GET, () if view.results(GET) else tuple({"book_id": b.book_id} for b in view.state.shown[:MAX_COMPARED])


def _count(view: View) -> _Plan:
    """First how many there are; then, if the earliest is asked for, the first of the list with the oldest first."""
    results = view.results(SEARCH)
    query = view.reading.query
    if not results:
        return SEARCH, (query.model_copy(update={"limit": 1, "offset": 0}).said() | {"limit": 1},)
    found = read_found(results[0])
    if len(results) > 1 or found is None or not found.total or not asks_oldest(view):
        return SEARCH, ()
    return SEARCH, (query.model_copy(update={"sort": "oldest", "limit": 1, "offset": 0}).said() | {"limit": 1},)


def _calculate(view: View) -> _Plan:
    done = view.results(CALCULATE)
    step = len(done)
    if step >= len(view.reading.expression) or any(read_figure(result) is None for result in done):
        return CALCULATE, ()
    numbers = operands(view, step)
    if numbers is None:
        return CALCULATE, ()
    return CALCULATE, ({"a": numbers[0], "b": numbers[1], "operation": view.reading.expression[step][1]},)


_PLANS: dict[str, Callable[[View], _Plan]] = {
    "new_request": _search,
    "refine": _search,
    "exclude": _search,
    "more_like_this": _search,
    "another_batch": _search,
    "about_item": _look_up,
    "compare": _look_up,
    "go_back": _go_back,
    "count": _count,
    "arithmetic": _calculate,
    "care": _comfort,
}
