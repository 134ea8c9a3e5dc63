"""The sample catalogue: real books with true facts, and demo ratings that say that they are demo ratings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import resources

from shutong.catalog.book import Book
from shutong.catalog.works import work_id

SOURCE = "sample"


def sample_books() -> Iterator[Book]:
    """Every book of the sample, ready to be stored."""
    text = resources.files("shutong.catalog.sample").joinpath("books.jsonl").read_text(encoding="utf-8")
    for line in text.splitlines():
        book = Book.model_validate(json.loads(line) | {"source": SOURCE})
        yield book.model_copy(update={"work_id": work_id(book.title, book.authors)})
