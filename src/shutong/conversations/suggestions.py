"""Ways on after an answer, each of which is known to give something, because it has been looked up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from shutong.conversations.outcome import Outcome
from shutong.search.engine import Engine
from shutong.search.query import BookQuery

MOST = 4
_SHORT_PAGES, _HIGH_RATING = 199, 8.5

_WORDS: dict[str, dict[str, str]] = {
    "batch": {"zh": "换一批", "en": "Show me others"},
    "author_country": {"zh": "有中国作者写的吗", "en": "Any by British authors?"},
    "max_pages": {"zh": "要 200 页以内的", "en": "Under 200 pages, please"},
    "min_rating": {"zh": "评分 8.5 以上的", "en": "Rated 8.5 or higher"},
    "like": {"zh": "类似第一本的还有吗", "en": "More like the first one"},
}
_COUNTRY = {"zh": "中国", "en": "United Kingdom"}


def suggestions(outcome: Outcome, engine: Engine, language: Literal["zh", "en"]) -> list[str]:
    """At most `MOST` sentences that the reader could say next."""
    if outcome.understood is None or not outcome.hits:
        return []
    found: list[str] = []
    for name, query in _candidates(outcome, outcome.understood, language):
        if len(found) < MOST and engine.search(query.model_copy(update={"limit": 1})).total:
            found.append(_WORDS[name][language])
    return found


def _candidates(outcome: Outcome, query: BookQuery, language: Literal["zh", "en"]) -> Iterator[tuple[str, BookQuery]]:
    def with_(**changes: Any) -> BookQuery:
        return query.model_copy(update=changes)

    shown = [hit.hit.book for hit in outcome.hits]
    yield "batch", with_(exclude_works=[*query.exclude_works, *(book.work_id for book in shown)])
    if not query.author_country and not query.author:
        yield "author_country", with_(author_country=[_COUNTRY[language]])
    if query.max_pages is None and query.min_pages is None:
        yield "max_pages", with_(max_pages=_SHORT_PAGES)
    if query.min_rating is None:
        yield "min_rating", with_(min_rating=_HIGH_RATING)
    yield "like", BookQuery(like=f"#{shown[0].id}")
