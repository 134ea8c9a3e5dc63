"""What the tools gave back, read without trust: whatever is missing or of the wrong kind is unknown, and nothing raises."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from shutong.catalog.book import Author
from shutong.regex import later
from shutong.search.query import BookQuery
from shutong.text import clean

_FENCE = later(r"<catalogue_data>\s*(.*?)\s*</catalogue_data>", re.DOTALL)
_SPACE = later(r"\s+")
_FIGURE = later(r"[-−+]?\d[\d,.]*(?:[eE][-+]?\d+)?%?\Z")
_MARKS = str.maketrans({"《": "〈", "》": "〉"})
_CITATION = later(r"\[\[|\]\]")

_MAX_TITLE = 300
_MAX_FIGURE = 60
_MAX_BOOKS = 500
_INTRO_KEPT = 600


@dataclass(frozen=True, slots=True)
class Missed:
    """One condition that a near miss does not meet; `has` is None when the catalogue does not know."""

    field: str
    asked: float | str | None
    has: float | str | None


@dataclass(frozen=True, slots=True)
class Card:
    """A book as an observation told it. `number` is what it is cited by; `demo` says that its rating is made up."""

    title: str
    number: int | None = None
    book_id: int | None = None
    authors: tuple[Author, ...] = ()
    year: int | None = None
    first_year: int | None = None
    pages: int | None = None
    rating: float | None = None
    rating_count: int | None = None
    demo: bool = False
    publisher: str | None = None
    category: str | None = None
    tags: tuple[str, ...] = ()
    level: str | None = None
    audience: str | None = None
    series: str | None = None
    series_index: float | None = None
    language: str | None = None
    price: str | None = None
    isbn: str | None = None
    intro: str | None = None
    editions: int = 1
    why: tuple[str, ...] = ()
    in_common: tuple[str, ...] = ()
    misses: tuple[Missed, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came to. `applied` is the query as it was run, when it could be read; `unmet` what no book meets.

    `partly`: no book has all the words, these have some.
    """

    total: int
    more: bool
    applied: BookQuery | None
    books: tuple[Card, ...]
    near: tuple[Card, ...]
    not_held: str | None
    corrected: tuple[tuple[str, str], ...]
    partly: bool = False
    unmet: tuple[str, ...] = ()


def read_object(content: str) -> dict[str, Any] | None:
    """The JSON object of an observation, out of its fence; None when there is none, or when it reports an error."""
    fenced = _FENCE.search(content)
    text = fenced.group(1) if fenced else content[max(content.find("{"), 0) :]
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and "error" not in value else None


def read_found(content: str) -> Found | None:
    """A search's observation; None when it says nothing about books."""
    data = read_object(content)
    if data is None or not ({"total", "books"} & data.keys()):
        return None
    books = _cards(data.get("books"))
    total = _whole(data.get("total"), 0, 10**9)
    return Found(
        total=max(total or 0, len(books)),
        more=data.get("more_than") is True,
        applied=_query(data.get("applied")),
        books=books,
        near=_cards(data.get("near_misses")),
        not_held=safe_title(data.get("not_held")),
        corrected=_corrected(data.get("corrected")),
        partly=_line(data.get("note")) is not None,
        unmet=_lines(data.get("no_book_meets")),
    )


def read_card(content: str) -> Card | None:
    """A single book's observation."""
    return _card(read_object(content))


def read_figure(content: str) -> str | None:
    """A calculator's result as it is to be said; None when it is no number."""
    value = (read_object(content) or {}).get("result")
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    figure = str(value).strip()
    return figure if len(figure) <= _MAX_FIGURE and _FIGURE.match(figure) else None


def safe_title(value: Any) -> str | None:
    """A title that can stand in 《》 without breaking out of it; None when there is none."""
    line = _line(value, _MAX_TITLE)
    if line is None:
        return None
    if line.startswith("《") and line.find("》") == len(line) - 1:
        line = line[1:-1].strip()
    return line.translate(_MARKS).strip() or None


def _cards(value: Any) -> tuple[Card, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(card for item in value[:_MAX_BOOKS] if (card := _card(item)) is not None)


def _card(data: Any) -> Card | None:
    if not isinstance(data, dict):
        return None
    title = safe_title(data.get("title"))
    if title is None:
        return None
    return Card(
        title=title,
        number=_whole(data.get("n"), 1, 10**9),
        book_id=_whole(data.get("book_id"), 1, 2**63),
        authors=_authors(data.get("authors")),
        year=_whole(data.get("year"), -3000, 2200),
        first_year=_whole(data.get("first_year"), -3000, 2200),
        pages=_whole(data.get("pages"), 1, 10**6),
        rating=_number(data.get("rating"), 0, 10),
        rating_count=_whole(data.get("rating_count"), 0, 10**9),
        demo=data.get("rating_source") == "demo",
        publisher=_line(data.get("publisher")),
        category=_line(data.get("category")),
        tags=_lines(data.get("tags")),
        level=_line(data.get("level")),
        audience=_line(data.get("audience")),
        series=_line(data.get("series")),
        series_index=_number(data.get("series_index"), 0, 10**4),
        language=_line(data.get("language")),
        price=_price(data.get("price")),
        isbn=_line(data.get("isbn13")),
        intro=_intro(data.get("intro")),
        editions=_whole(data.get("editions"), 1, 10**6) or 1,
        why=_lines(data.get("why")),
        in_common=_lines(data.get("in_common")),
        misses=_misses(data.get("misses")),
    )


def _line(value: Any, most: int = 200) -> str | None:
    """Text in one line, with nothing that looks like a citation; None for anything else and for more than `most` letters."""
    if not isinstance(value, str):
        return None
    # Most values need none of the cleaning, and an answer has hundreds of them.
    line = value if value.isprintable() else clean(value)
    line = _CITATION.sub(" ", line) if "[[" in line or "]]" in line else line
    line = line if line.isprintable() and "  " not in line else _SPACE.sub(" ", line)
    line = line.strip()
    return line if 0 < len(line) <= most else None


def _intro(value: Any) -> str | None:
    return _line(value[:_INTRO_KEPT], _INTRO_KEPT) if isinstance(value, str) else None


def _lines(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(line for item in value[:50] if (line := _line(item, 60)) is not None)


def _authors(value: Any) -> tuple[Author, ...]:
    if not isinstance(value, list):
        return ()
    people = [item if isinstance(item, dict) else {"name": item} for item in value[:50]]
    named = ((_line(p.get("name")), _line(p.get("country"), 60)) for p in people)
    return tuple(Author(name=name, country=country) for name, country in named if name)


def _number(value: Any, least: float, most: float) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and least <= value <= most else None


def _whole(value: Any, least: int, most: int) -> int | None:
    """A whole number in range; not by way of a float for whole ones, so that large ids stay exact."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if least <= value <= most else None


def _price(value: Any) -> str | None:
    """A price in words, from {amount, currency}, a number or a text."""
    currency = None
    if isinstance(value, dict):
        currency, value = _line(value.get("currency"), 10), value.get("amount")
    amount = _number(value, 0, 10**9)
    if amount is None:
        return _line(value, 30)
    figure = f"{amount:.2f}".removesuffix(".00")
    return f"{figure} {currency}" if currency else figure


def _misses(value: Any) -> tuple[Missed, ...]:
    if not isinstance(value, list):
        return ()
    named = ((_line(item.get("field"), 60), item) for item in value[:20] if isinstance(item, dict))
    return tuple(Missed(field, _plain(item.get("asked")), _plain(item.get("has"))) for field, item in named if field)


def _plain(value: Any) -> float | str | None:
    """A value to be said: a number, a text, or a list's texts in one."""
    if isinstance(value, list):
        return ", ".join(_lines(value)) or None
    number = _number(value, -(10**9), 10**9)
    return number if number is not None else _line(value)


def _query(value: Any) -> BookQuery | None:
    if not isinstance(value, dict):
        return None
    try:
        return BookQuery.model_validate(value)
    except (ValidationError, RecursionError):
        return None


def _corrected(value: Any) -> tuple[tuple[str, str], ...]:
    """What was written and what it was read as, from {written: read} or a list of such; a bare text has no first half."""
    if isinstance(value, str):
        read = _line(value)
        return (("", read),) if read else ()
    if isinstance(value, list):
        return tuple(pair for item in value[:5] for pair in _corrected(item))
    if not isinstance(value, Mapping):
        return ()
    pairs = ((_line(k), _line(v)) for k, v in list(value.items())[:5])
    return tuple((written, read) for written, read in pairs if written and read)
