"""The embedded engine: words from Tantivy, everything else from numpy columns, in one process."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from shutong.catalog.book import Book
from shutong.search import ranking
from shutong.search.embedded import conditions, near_misses, topic
from shutong.search.embedded.columns import Array, Mask
from shutong.search.embedded.conditions import known
from shutong.search.embedded.index import EmbeddedIndex
from shutong.search.embedded.state import State
from shutong.search.embedded.words import Rows
from shutong.search.query import BookQuery
from shutong.search.result import Hit, NearMiss, SearchResult
from shutong.search.thesaurus import concept

EXACT_TOTAL = 1_000
"""Up to here a total is counted exactly; beyond it is said as "more than"."""

SHOWN_FACETS = {"subject": "subjects", "language": "languages", "country": "countries", "level": "levels"}
FACET_VALUES = 20


class EmbeddedEngine:
    """Answers from whatever state the index is in at the moment of asking."""

    def __init__(self, index: EmbeddedIndex) -> None:
        self._index = index

    @property
    def size(self) -> int:
        return int(self._index.state.columns.alive.sum())

    def book(self, book_id: int) -> Book | None:
        found = topic.resolve(self._index.state, f"#{book_id}")
        return found[0] if found else None

    def title(self, title: str) -> list[Book]:
        return topic.resolve(self._index.state, title)

    def search(
        self, query: BookQuery, *, some_words: bool = False, facets: bool = False, reader_language: str | None = None
    ) -> SearchResult:
        started = time.perf_counter()
        state = self._index.state
        allowed = conditions.allowed(state, query)
        masks = conditions.masks(state, query)
        passing = allowed.copy()
        for mask in masks.values():
            passing &= mask
        about = topic.find(state, query, passing, some_words=some_words)
        rows = np.nonzero(passing)[0] if about is None else about.rows[passing[about.rows]]
        wishes = _wishes(state, query)
        order = _Order(state, query, about, wishes)
        if reader_language and not query.language and not query.prefer.language:
            order.own_language[state.rows_with("language", [reader_language])] = ranking.OWN_LANGUAGE_BONUS
        rows = rows[order.best_first(rows)]
        hits, total, is_floor = _hits(state, query, rows, order, masks, wishes)
        near: tuple[NearMiss, ...] = ()
        if masks and not query.offset:
            few = len(hits) < query.limit
            if few or not _all_preferred(hits, wishes):
                worth = allowed if few else allowed & order.wished
                near = _near(state, query, masks, worth, order, hits, some_words)
        return SearchResult(
            total=total,
            total_is_floor=is_floor or bool(about and about.is_floor),
            books=tuple(hits),
            applied=query,
            near_misses=near,
            facets=_facets(state, rows) if facets else None,
            milliseconds=round((time.perf_counter() - started) * 1000, 3),
            not_held=about.not_held if about else None,
            unmet=() if total else tuple(name for name, mask in masks.items() if not (mask & allowed).any()),
            some_words=bool(about and about.some_words),
        )


class _Order:
    """Puts rows in the order that a query asks for, and says what made each row's place."""

    def __init__(self, state: State, query: BookQuery, about: topic.Topic | None, wishes: Sequence[_Wish]) -> None:
        self.state, self.query = state, query
        self.has_topic = about is not None
        self.relevance = np.zeros(state.columns.size, np.float32)
        if about is not None and len(about.rows):
            self.relevance[about.rows] = 10 * about.scores / max(float(about.scores.max()), 1e-6)
        self.bonus = np.zeros(state.columns.size, np.float32)
        self.wished = _any(state, wishes)
        for wish in wishes:
            self.bonus[wish.rows] += wish.bonus
        for word in (*query.category, *query.tags):
            self.bonus[state.rows_with("subject", [concept(word)])] += ranking.NAMED_BONUS
        self.own_language = np.zeros(state.columns.size, np.float32)
        self.recency, self.overall = state.recency_and_overall(date.today().year)

    def fondness(self) -> Array:
        """For every row, how well it fits beside the hard conditions, 0-10 and the bonus of preferences."""
        lifted = self.bonus + self.own_language
        if not self.has_topic:
            return self.overall + lifted
        fond: Array = ranking.RELEVANCE_WEIGHT * self.relevance + ranking.SETTLING_WEIGHT * self.overall + lifted
        return fond

    def best_first(self, rows: Rows) -> Array:
        """The order of these rows as positions."""
        by = self.query.sort
        settled = self.fondness()[rows]
        if by == "overall" or (by == "relevance" and not self.has_topic):
            return np.argsort(-settled, kind="stable")
        column = {
            "relevance": self.relevance,
            "rating": np.nan_to_num(self.state.number("rating"), nan=-1),
            "year": self.state.number("year").astype(np.float32),
            "oldest": _oldest_first(self.state.number("year")),
            "hot": self.state.popularity_part,
        }[by][rows]
        return np.lexsort((-settled, -column))

    def scores(self, row: int) -> dict[str, float]:
        parts = {
            "rating": self.state.rating_part[row],
            "popularity": self.state.popularity_part[row],
            "recency": self.recency[row],
            "overall": self.overall[row],
            "preference": self.bonus[row],
            "own_language": self.own_language[row],
        }
        if self.has_topic:
            parts["relevance"] = self.relevance[row]
        return {name: round(float(value), 3) for name, value in parts.items()}


def _oldest_first(years: Array) -> Array:
    """Years turned round, the unknown last."""
    turned: Array = np.where(known(years), -years.astype(np.float32), -np.inf)
    return turned


@dataclass(frozen=True, slots=True)
class _Wish:
    """One thing that is preferred: its field, the rows that have it, and what it adds to their place."""

    field: str
    rows: Mask
    bonus: float = ranking.PREFERENCE_BONUS


def _wishes(state: State, query: BookQuery) -> list[_Wish]:
    """Everything preferred; words and tags one by one, so that each that is met counts."""
    soft = query.prefer
    found: list[_Wish] = []
    if soft.keyword:
        words = [" ".join(piece[:1]) for piece in topic.pieces(soft.keyword)]
        found += [_Wish("keyword", rows) for rows in topic.mentioning(state, words)]
    if soft.tags:
        found += [_Wish("tags", rows, ranking.MENTION_BONUS) for rows in topic.mentioning(state, soft.tags)]
        filed = ranking.PREFERENCE_BONUS - ranking.MENTION_BONUS
        found += [_Wish("tags", rows, filed) for rows in topic.filed_under(state, soft.tags)]
    rest = soft.model_copy(update={"keyword": None, "tags": []})
    return found + [_Wish(name, rows) for name, rows in conditions.masks(state, rest).items()]


def _all_preferred(hits: list[Hit], wishes: Sequence[_Wish]) -> bool:
    return all(f"prefer.{wish.field}" in hit.why for wish in wishes for hit in hits)


def _any(state: State, wishes: Sequence[_Wish]) -> Mask:
    """Rows that meet any preference."""
    mask = state.columns.mask()
    for wish in wishes:
        mask |= wish.rows
    return mask


def _hits(
    state: State,
    query: BookQuery,
    rows: Rows,
    order: _Order,
    masks: Mapping[str, Mask],
    wishes: Sequence[_Wish],
) -> tuple[list[Hit], int, bool]:
    """The asked page of works, how many works there are, and whether there are more than that."""
    works = state.number("work")[rows[: EXACT_TOTAL * 10]]
    _, first, editions = np.unique(works, return_index=True, return_counts=True)
    is_floor = len(rows) > EXACT_TOTAL * 10 or len(first) > EXACT_TOTAL
    place = np.argsort(first)
    page = place[query.offset : query.offset + query.limit]
    chosen = rows[first[page]]
    liked = next(iter(topic.resolve(state, query.like)), None) if query.like else None
    hits = [
        Hit(
            book=book,
            scores=order.scores(int(row)),
            why=_why(query, order.has_topic, int(row), masks, wishes),
            editions=int(count),
            alike=topic.in_common(state, liked, book) if liked else (),
        )
        for book, row, count in zip(state.words.books(chosen.tolist()), chosen, editions[page], strict=True)
    ]
    return hits, min(len(first), EXACT_TOTAL) if is_floor else len(first), is_floor


def _why(
    query: BookQuery,
    has_topic: bool,
    row: int,
    masks: Mapping[str, Mask],
    wishes: Sequence[_Wish],
) -> tuple[str, ...]:
    words = [name for name in ("title", "like", "keyword") if getattr(query, name)] if has_topic else []
    met = dict.fromkeys(f"prefer.{wish.field}" for wish in wishes if wish.rows[row])
    return (*words, *masks, *met)


def _near(
    state: State,
    query: BookQuery,
    masks: Mapping[str, Mask],
    allowed: Mask,
    order: _Order,
    hits: list[Hit],
    some_words: bool,
) -> tuple[NearMiss, ...]:
    about = topic.find(state, query, allowed, some_words=some_words)
    if about is not None and about.not_held:
        return ()
    wide = _Order(state, query, about, ())
    wide.bonus, wide.own_language = order.bonus, order.own_language
    shown = np.isin(state.number("book_id"), [hit.book.id for hit in hits])
    found = near_misses.find(
        state,
        query,
        masks,
        about.rows if about is not None else None,
        allowed,
        wide.fondness(),
        order.wished,
        wide.relevance,
        state.number("work")[shown],
    )
    return tuple(found)


def _facets(state: State, rows: Rows) -> dict[str, dict[str, int]]:
    """How many editions among these rows have each value: the most frequent ones, and decades."""
    mask = state.columns.mask(rows)
    found: dict[str, dict[str, int]] = {}
    for name, shown in SHOWN_FACETS.items():
        facet = state.columns.facets[name]
        numbers = np.repeat(np.arange(len(facet.values)), np.diff(facet.starts))[mask[facet.rows]]
        counts = np.bincount(numbers, minlength=len(facet.values))
        top = np.argsort(-counts, kind="stable")[:FACET_VALUES]
        found[shown] = {facet.values[i]: int(counts[i]) for i in top if counts[i]}
    years = state.number("year")[rows]
    decades = Counter(int(y) // 10 * 10 for y in years[years >= 0])
    return found | {"decades": {f"{decade}s": n for decade, n in sorted(decades.items())}}
