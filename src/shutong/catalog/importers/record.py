"""What passes through an importer: rows out of a file, books out of rows, and what was wrong on the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from shutong.catalog.book import Book

Kind = Literal["refused", "mended"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that was wrong. `place` says where ("line 12"); `field` is a book's field or "" for the whole row.

    "refused": the value (or, with no field, the row) was left out. "mended": it was read after a repair.
    """

    place: str
    field: str
    reason: str
    kind: Kind = "refused"


@dataclass(frozen=True, slots=True)
class Row:
    """One record as the file has it: cells by header. A cell is text, or any JSON value where the format has those."""

    place: str
    cells: Mapping[str, Any]
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """What became of a row: a book (with `id` 0), or None when it had to be refused; `problems` then says why."""

    book: Book | None
    problems: tuple[Problem, ...] = ()
