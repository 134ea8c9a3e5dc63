"""Ways on after an answer. Each is known to give something: it has been read as if the reader said it, and looked up.

A look-up only counts, without books, preferences or near misses; there are at most `MOST_LOOKUPS` of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from shutong.conversations.outcome import Outcome
from shutong.nlu.condition_words import in_language
from shutong.nlu.dialogue import SEARCHING_ACTS, DialogueState
from shutong.nlu.reader import read
from shutong.search.engine import Engine
from shutong.search.query import BookQuery, Conditions

MOST = 4
MOST_LOOSENED = 3
MOST_LOOKUPS = 6

_BATCH = ("换一批", "Show me others")
_LIKE = ("类似第一本的还有吗", "More like the first one")
_NARROWER: dict[str, tuple[tuple[str, ...], tuple[str, str]]] = {
    "author_country": (("author_country", "author"), ("有中国作者写的吗", "Any by British authors?")),
    "max_pages": (("max_pages", "min_pages"), ("要 200 页以内的", "Under 200 pages, please")),
    "min_rating": (("min_rating",), ("评分 8.5 以上的", "Rated 8.5 or higher")),
}
"""By a condition that could be added: the fields that must not be asked yet, and the words for it."""

_WIDER: tuple[tuple[tuple[str, ...], tuple[str, str]], ...] = (
    (("min_rating", "min_rating_count"), ("评分不限", "Any rating")),
    (("year_from", "year_to", "first_year_from", "first_year_to"), ("年份不限", "Any year")),
    (("min_pages", "max_pages"), ("页数不限", "Any length")),
    (("max_price",), ("价格不限", "Any price")),
    (("author_country",), ("国别不限", "Any country")),
    (("language",), ("语言不限", "Any language")),
    (("level",), ("难度不限", "Any level")),
    (("publisher",), ("出版社不限", "Any publisher")),
)
"""What can be taken back in one short sentence: the fields it frees, and the words for it."""


@dataclass(frozen=True, slots=True)
class Way:
    """A sentence that the reader could say next, and how many works it would find (a floor when there are very many)."""

    text: str
    total: int


def suggestions(outcome: Outcome, state: DialogueState, engine: Engine, today: date) -> list[Way]:
    """At most `MOST` sentences to go on with after an answer that has books. `state` is the talk's, with this answer."""
    if outcome.books is None or not outcome.hits:
        return []
    found: list[Way] = []
    for text, narrows in _ways_on(outcome, state):
        way = _way(text, state, engine, today)
        if way is None or (narrows and way.total >= outcome.books.total and not outcome.books.total_is_floor):
            continue  # nothing comes of it, or just what is there already
        found.append(way)
        if len(found) == MOST:
            break
    return found


def loosened(outcome: Outcome, state: DialogueState, engine: Engine, today: date) -> list[Way]:
    """After an answer that found nothing: at most `MOST_LOOSENED` conditions to take back, the most fruitful first."""
    if outcome.books is None or outcome.books.total or state.query is None:
        return []
    asked = [(fields, words) for fields, words in _WIDER if _asks(state.query, fields)]
    ways = (_way(_said(words, outcome), state, engine, today, frees=fields) for fields, words in asked[:MOST_LOOKUPS])
    return sorted((way for way in ways if way), key=lambda way: -way.total)[:MOST_LOOSENED]


def _ways_on(outcome: Outcome, state: DialogueState) -> Iterator[tuple[str, bool]]:
    """Each sentence, and whether it only adds a condition."""
    query = state.query or BookQuery()
    yield _said(_BATCH, outcome), False
    for taken, words in _NARROWER.values():
        if not _asks(query, taken):
            yield _said(words, outcome), True
    yield _said(_LIKE, outcome), False


def _said(words: tuple[str, str], outcome: Outcome) -> str:
    return in_language(words, outcome.language, outcome.script)


def _asks(query: BookQuery, fields: tuple[str, ...]) -> bool:
    return any(getattr(query, field) not in (None, []) for field in fields)


def _way(text: str, state: DialogueState, engine: Engine, today: date, frees: tuple[str, ...] = ()) -> Way | None:
    """The sentence with what it would find; None when that is nothing, or it would not be read as it is meant."""
    reading = read(text, state, today)
    if reading.act not in SEARCHING_ACTS or _asks(reading.query, frees):
        return None
    # Only the count is wanted: a page that is not the first has no near misses, and wishes change no count.
    counting = reading.query.model_copy(update={"limit": 1, "offset": 1, "prefer": Conditions()})
    total = engine.search(counting).total
    return Way(text, total) if total else None
