"""Books without a talk: search by words, one book, and what a sentence is understood as."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query

from shutong.nlu.chips import chips
from shutong.nlu.dialogue import DialogueState
from shutong.nlu.reader import read
from shutong.search.query import MAX_LIMIT, BookQuery, Sort
from shutong.search.result import search_json
from shutong.web.deps import Open

router = APIRouter(prefix="/api", tags=["books"])

Words = Annotated[str, Query(max_length=400)]
Several = Annotated[list[str] | None, Query(max_length=20)]
Year = Annotated[int | None, Query(ge=-3000, le=2200)]


@router.get("/search")
async def search(
    service: Open,
    q: Words = "",
    min_rating: Annotated[float | None, Query(ge=0, le=10)] = None,
    year_from: Year = None,
    year_to: Year = None,
    min_pages: Annotated[int | None, Query(ge=0, le=1_000_000)] = None,
    max_pages: Annotated[int | None, Query(ge=0, le=1_000_000)] = None,
    author: Several = None,
    author_country: Several = None,
    category: Several = None,
    tags: Several = None,
    language: Several = None,
    level: Literal["beginner", "intermediate", "advanced"] | None = None,
    sort: Sort = "overall",
    limit: Annotated[int, Query(ge=1, le=MAX_LIMIT)] = 20,
    offset: Annotated[int, Query(ge=0, le=100_000)] = 0,
    facets: bool = False,
) -> dict[str, Any]:
    """Literal words with conditions beside them; nothing is read out of the words."""
    query = BookQuery(
        keyword=q or None,
        min_rating=min_rating,
        year_from=year_from,
        year_to=year_to,
        min_pages=min_pages,
        max_pages=max_pages,
        author=author or [],
        author_country=author_country or [],
        category=category or [],
        tags=tags or [],
        language=language or [],
        level=level,
        sort=sort,
        limit=limit,
        offset=offset,
    )
    return search_json(service.search(query, facets=facets))


@router.get("/books/{book_id}")
async def book(book_id: int, service: Open) -> dict[str, Any]:
    """One book, its other editions, and books like it."""
    found = await service.book(book_id)
    return {
        "book": found["book"].model_dump(mode="json"),
        "editions": [other.model_dump(mode="json") for other in found["editions"]],
        "similar": [other.model_dump(mode="json") for other in found["similar"]],
    }


@router.get("/understand")
async def understand(q: Annotated[str, Query(min_length=1, max_length=8_000)]) -> dict[str, Any]:
    """What a sentence asks, by itself: the act, the query and its chips."""
    reading = read(q, DialogueState(), date.today())
    shown = chips(reading.query, reading.language, reading.script)
    return {
        "act": reading.act,
        "query": reading.query.said(),
        "language": reading.language,
        "chips": [{"field": c.field, "value": c.value, "text": c.text, "soft": c.soft} for c in shown],
    }
