"""Books that fit the topic but miss a hard condition by little: what a good librarian would offer instead.

The topic and every exclusion hold. Among the best of the topic each book has the set of conditions it misses; what meets a
wish comes first, then the smallest sets, then the smallest distance.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shutong.catalog import countries
from shutong.catalog.book import Book
from shutong.search.embedded.columns import Array, Mask
from shutong.search.embedded.conditions import known
from shutong.search.embedded.state import State
from shutong.search.embedded.words import Rows
from shutong.search.query import BookQuery
from shutong.search.result import Miss, NearMiss

MOST_SHOWN = 3
MOST_MISSES = 2
MOST_TAGS = 5
"""How many of a book's tags are told where a tag is missed."""

MOST_LOOKED_AT = 20_000
ANCHORS = ("isbn", "author", "series", "translator", "category", "tags")
"""Without words, the first of these that is asked is the topic, and is not loosened."""

PEOPLE_AND_SERIES = frozenset({"isbn", "author", "series", "translator"})
"""Whoever asks for these wants them before anything else: all other conditions may be missed."""

UNRECORDED = frozenset({"award"})
"""What no record tells: when nothing else is asked, no book is nearer to it than any other."""

NUMERIC: dict[str, tuple[str, float]] = {
    "year_from": ("year", 10.0),
    "year_to": ("year", 10.0),
    "first_year_from": ("first_year", 10.0),
    "first_year_to": ("first_year", 10.0),
    "min_pages": ("pages", 200.0),
    "max_pages": ("pages", 200.0),
    "max_price": ("price", 50.0),
    "min_rating": ("rating", 1.0),
    "min_rating_count": ("rating_count", 1000.0),
}
"""For each bound its column and what counts as one whole step away."""

ON_TOPIC = 0.25
"""The least part of the best relevance that a near miss has: a book that mentions the topic in passing is not near."""

OTHER_DISTANCE = 0.8
NEIGHBOUR_DISTANCE = 0.4
UNKNOWN_DISTANCE = 1.2


def find(
    state: State,
    query: BookQuery,
    masks: Mapping[str, Mask],
    topic_rows: Rows | None,
    allowed: Mask,
    fondness: Array,
    wished: Mask,
    relevance: Array,
    shown_works: Array,
) -> list[NearMiss]:
    """Up to `MOST_SHOWN` near misses.

    For every row, `fondness` is how well it fits beside the hard conditions, `relevance` (0-10) how well it fits the words
    alone; `wished` are the rows that meet a preference: one of those is offered before any other, because that is what the
    hits may lack.
    """
    loosened, anchor, about_words = dict(masks), None, topic_rows is not None
    if topic_rows is None:
        anchor = next((name for name in ANCHORS if name in loosened), None)
        if anchor is not None:
            allowed = allowed & loosened.pop(anchor)
        topic_rows = np.nonzero(allowed)[0]
    if not loosened or (anchor is None and not about_words and set(loosened) <= UNRECORDED):
        return []
    rows = topic_rows[allowed[topic_rows]][:MOST_LOOKED_AT]
    rows = rows[~np.isin(state.number("work")[rows], shown_works)]
    if about_words and len(rows):
        rows = rows[relevance[rows] >= ON_TOPIC * float(relevance[rows].max())]
    missed = np.stack([~mask[rows] for mask in loosened.values()])
    count = missed.sum(axis=0)
    most = len(loosened) if anchor in PEOPLE_AND_SERIES else min(MOST_MISSES, len(loosened))
    # What is not recorded may well be met: only what a book is known to miss keeps it from being near.
    known_missed = sum(
        (missed[i] & _recorded(state, name)[rows] for i, name in enumerate(loosened)), np.zeros(len(rows), int)
    )
    near = (count > 0) & (known_missed <= most)
    rows, missed, count = rows[near], missed[:, near], count[near]
    if not len(rows):
        return []
    distance = sum(np.where(missed[i], _distance(state, query, name, rows), 0.0) for i, name in enumerate(loosened))
    closeness = np.round(distance - 0.15 * fondness[rows], 2)
    order = np.lexsort((-fondness[rows], closeness, count, ~wished[rows]))
    return _first_works(state, query, list(loosened), rows[order], missed[:, order])


def _recorded(state: State, name: str) -> Mask:
    """The rows that have any value where a condition asks something."""
    if name in NUMERIC:
        return known(state.number(NUMERIC[name][0]))
    facet = FACETS.get(name)
    return state.columns.mask(state.columns.facets[facet].rows) if facet else np.ones(state.columns.size, np.bool_)


FACETS = {"level": "level", "audience": "audience", "author_country": "country", "language": "language"}
"""For conditions on words that many records leave out, the facet that holds them."""


def _first_works(state: State, query: BookQuery, names: list[str], rows: Rows, missed: Array) -> list[NearMiss]:
    works = state.number("work")[rows]
    _, first = np.unique(works, return_index=True)
    chosen = np.sort(first)[:MOST_SHOWN]
    books = state.words.books(rows[chosen].tolist())
    return [
        NearMiss(
            book=book,
            misses=tuple(
                Miss(field=name, asked=getattr(query, name), has=has(book, name))
                for i, name in enumerate(names)
                if missed[i, place]
            ),
        )
        for book, place in zip(books, chosen, strict=True)
    ]


def _distance(state: State, query: BookQuery, name: str, rows: Rows) -> Array:
    """How far each row is from a condition, in steps of the field; the unknown is farther than a near value."""
    if name == "author_country":
        return _distance_of_country(state, query.author_country, rows)
    if name not in NUMERIC:
        return np.full(len(rows), OTHER_DISTANCE)
    column, step = NUMERIC[name]
    values = state.number(column)[rows]
    away = np.abs(values.astype(np.float64) - float(getattr(query, name))) / step
    return np.where(known(values), np.minimum(away, 5.0), UNKNOWN_DISTANCE)


def _distance_of_country(state: State, asked: list[str], rows: Rows) -> Array:
    """Another country of the same region is near, any other one farther, an unknown one too."""
    wanted = frozenset[str]().union(*map(countries.codes, asked))
    near = state.rows_with("country", sorted(countries.neighbours(wanted))) if wanted else state.columns.mask()
    return np.where(near[rows], NEIGHBOUR_DISTANCE, UNKNOWN_DISTANCE)


def has(book: Book, field: str) -> Any:
    """What a book has where a condition asks something: a value, a list of names, or None when unknown."""
    if field in NUMERIC:
        column = NUMERIC[field][0]
        return book.price.amount if column == "price" and book.price else getattr(book, column, None)
    if field == "author_country":
        return [author.country for author in book.authors if author.country] or None
    if field == "author":
        return [author.name for author in book.authors] or None
    if field == "translator":
        return list(book.translators) or None
    if field == "tags":
        return list(book.tags[:MOST_TAGS]) or None
    if field == "isbn":
        return book.isbn13
    return getattr(book, field, None)
