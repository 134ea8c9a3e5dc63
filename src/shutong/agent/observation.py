"""How catalogue facts are written for a model: as JSON, inside a fence, within a bound.

What stands in a record is data. It is fenced, and the fence cannot be closed from inside: every `<` of the data is
written as an escape that JSON reads back.
"""

from __future__ import annotations

import json
from typing import Any

from shutong.catalog.book import Book
from shutong.search.telling import Asked, passages, tags_first
from shutong.text import clean

INTRO_CHARACTERS = 90
TAGS = 6
FENCE = "catalogue_data"
_BRIEF = ("title", "year", "pages", "rating", "rating_source", "category", "level", "series", "series_index")
_WHOLE = (
    *_BRIEF,
    "subtitle",
    "original_title",
    "first_year",
    "rating_count",
    "publisher",
    "language",
    "audience",
    "isbn13",
)


def book_facts(book: Book, wanted: Asked | None = None) -> dict[str, Any]:
    """The known facts of a book; unknown ones are left out.

    As an answer to a request (`wanted`), as in a list: what tells books apart and why they fit, because a small model
    reads some tens of tokens a second. Without one: every field, and the whole introduction.
    """
    whole = wanted is None
    facts: dict[str, Any] = {"book_id": book.id}
    for name in _WHOLE if whole else _BRIEF:
        value = getattr(book, name)
        if value is not None:
            facts[name] = value
    facts["authors"] = [author.model_dump(exclude_none=True, exclude={"role"}) for author in book.authors]
    if book.translators and whole:
        facts["translators"] = list(book.translators)
    facts["tags"] = list(book.tags) if wanted is None else tags_first(book.tags, wanted)[:TAGS]
    if book.price is not None:
        facts["price"] = f"{book.price.amount:g} {book.price.currency or ''}".strip()
    if book.intro:
        facts["intro"] = book.intro if wanted is None else _telling(book.intro, wanted)
    return facts


def fenced(data: dict[str, Any], most_characters: int) -> str:
    """The data as JSON in its fence. Too long: introductions go first, then tags, then the last books."""
    for shorten in (_nothing, _without_intros, _without_tags):
        text = _json(shorten(data))
        if len(text) <= most_characters:
            return _in_fence(text)
    while len(_json(data)) > most_characters and (data.get("books") or data.get("near_misses")):
        data["near_misses" if data.get("near_misses") else "books"].pop()
    return _in_fence(_json(data)[:most_characters])


def unfenced(observation: str) -> str:
    """The JSON inside a fence, without what stands behind it; any other observation as it is."""
    text = observation.strip()
    start, end = f"<{FENCE}>", f"</{FENCE}>"
    return text[len(start) : text.index(end)].strip() if text.startswith(start) and end in text else text


def _in_fence(text: str) -> str:
    return f"<{FENCE}>\n{text}\n</{FENCE}>"


def _json(data: dict[str, Any]) -> str:
    return clean(json.dumps(data, ensure_ascii=False, separators=(",", ":"))).replace("<", "\\u003c")


def _telling(intro: str, wanted: Asked) -> str:
    told = passages(intro, wanted)
    whole = next((sentence for sentence in told if len(sentence) <= INTRO_CHARACTERS), None)
    return whole or _clipped(told[0] if told else intro)


def _clipped(text: str) -> str:
    return text if len(text) <= INTRO_CHARACTERS else text[:INTRO_CHARACTERS].rstrip() + "…"


def _nothing(data: dict[str, Any]) -> dict[str, Any]:
    return data


def _without_intros(data: dict[str, Any]) -> dict[str, Any]:
    for book in (*data.get("books", ()), *data.get("near_misses", ())):
        book.pop("intro", None)
    if isinstance(data.get("intro"), str):
        data["intro"] = _clipped(data["intro"])
    return data


def _without_tags(data: dict[str, Any]) -> dict[str, Any]:
    for book in (*data.get("books", ()), *data.get("near_misses", ())):
        for name in ("tags", "subtitle", "publisher", "rating_count"):
            book.pop(name, None)
    return data
