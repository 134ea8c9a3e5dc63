"""What a search gives back."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from shutong.catalog.book import Book
from shutong.search.query import BookQuery


class Hit(BaseModel):
    """A found book. `scores` are the parts that placed it; `why` names what of the query it meets.

    `why` holds field names of `BookQuery` (`year_from`, `keyword`, `prefer.tags`…), so that every way in can
    say it in its own words from the book's own facts.
    """

    model_config = ConfigDict(frozen=True)

    book: Book
    scores: dict[str, float] = {}
    why: tuple[str, ...] = ()
    editions: int = 1
    alike: tuple[str, ...] = ()
    """What it has in common with the book of `like`: authors, then tags, the rarest first."""


class Miss(BaseModel):
    """One condition that a near miss does not meet: the field, what was asked, what the book has (None: unknown)."""

    model_config = ConfigDict(frozen=True)

    field: str
    asked: Any
    has: Any = None


class NearMiss(BaseModel):
    """A book that meets the topic and every exclusion but not every hard condition."""

    model_config = ConfigDict(frozen=True)

    book: Book
    misses: tuple[Miss, ...]


class SearchResult(BaseModel):
    """`total` counts works; when `total_is_floor`, there are more than that."""

    model_config = ConfigDict(frozen=True)

    total: int
    total_is_floor: bool = False
    books: tuple[Hit, ...] = ()
    applied: BookQuery
    near_misses: tuple[NearMiss, ...] = ()
    facets: dict[str, dict[str, int]] | None = None
    milliseconds: float = 0.0
    not_held: str | None = None
    """The title named in `like` or `title` that the catalogue does not hold."""

    unmet: tuple[str, ...] = ()
    """When nothing was found: the hard conditions that no book of the catalogue meets, whatever else is asked."""

    some_words: bool = False
    """No book has all the words of the keyword; these have most of them."""


def search_json(result: SearchResult) -> dict[str, Any]:
    """The object of `shutong search --json` and `GET /api/search`. Other programs rely on its keys."""
    return {
        "total": result.total,
        "total_is_floor": result.total_is_floor,
        "books": [hit.book.model_dump(mode="json") for hit in result.books],
        "scores": [hit.scores for hit in result.books],
        "applied": result.applied.said(),
        "near_misses": [near.model_dump(mode="json") for near in result.near_misses],
        "facets": result.facets,
        "milliseconds": result.milliseconds,
        "some_words": result.some_words,
    }
