"""A small factory of books, for tests that need a few of their own."""

from __future__ import annotations

from itertools import count
from typing import Any

from shutong.catalog.book import Author, Book
from shutong.catalog.works import work_id

_numbers = count(1)


def book(title: str, author: str | Author | list[Author] | None = None, **fields: Any) -> Book:
    """A book by the source "test" with a source id of its own; editions of one title and author are one work."""
    if isinstance(author, str):
        author = Author(name=author)
    authors = tuple(author) if isinstance(author, list) else (author,) if author else ()
    fields = {"source": "test", "source_id": f"t{next(_numbers)}", "authors": authors} | fields
    fields.setdefault("work_id", work_id(title, authors))
    return Book(title=title, **fields)
