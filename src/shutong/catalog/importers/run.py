"""Reading a whole file of books, whatever its format: the way in that the commands and the server use.

It knows nothing of the database: what comes out are `Record`s, to be stored by whoever reads them.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, Self

from shutong.catalog.importers import Importer, detect
from shutong.catalog.importers.building import IMPORT_SOURCE, Plan, build_book
from shutong.catalog.importers.mapping import HeaderMapping, map_headers
from shutong.catalog.importers.opening import Source
from shutong.catalog.importers.record import Problem, Record, Row
from shutong.errors import ImportFailedError

LOOKED_AT_ROWS = 200
"""Rows read ahead to see the headers (JSON objects leave out what is unknown) and the scale of ratings."""
PREVIEW_ROWS = 3
MAX_HEADERS = 1_000
"""A file of objects with ever new keys is read with the first ones."""
_ENOUGH_RATINGS = 5
_STARS, _TEN, _PERCENT = 5.0, 10.0, 100.0


@dataclass(frozen=True, slots=True)
class Detected:
    """What a file turned out to be. `preview` holds its first rows as they stand in it."""

    format: str
    encoding: str
    compressed: bool
    mapping: HeaderMapping
    source: str
    rating_scale: float
    preview: tuple[Row, ...]


def read_books(
    path: str | Path, *, format: str | None = None, encoding: str | None = None, source: str | None = None
) -> Reader:
    """Open a file of books and read it row by row, in flat memory.

    `source` names where the books come from; by default the file's stem when it has an id column, else "import".
    Raises `ImportFailedError` when the file cannot be read at all; single bad rows are records without a book.
    """
    importer, opened = detect(Path(path), format, encoding)
    try:
        return Reader(importer, opened, source)
    except BaseException:
        opened.close()
        raise


class Reader:
    """An iterator over the records of one file, with counters that are right at any moment.

    `read`: rows met. `refused`: those that gave no book. `mended`: books of which something was repaired or left
    out. Closes the file at its end; `close` (or `with`) does it earlier.
    """

    def __init__(self, importer: Importer, opened: Source, source: str | None) -> None:
        self.read = self.refused = self.mended = 0
        self._opened = opened
        self._rows = _until_broken(importer.rows(opened))
        first = list(islice(self._rows, LOOKED_AT_ROWS))
        rows = [row for row in first if isinstance(row, Row)]
        if not rows and any(first):
            raise ImportFailedError(f"{opened.path.name}: no row can be read. {_said(first[0])}")
        if not rows:
            raise ImportFailedError(f"{opened.path.name} holds no records, at most a line of headers.")
        mapping = map_headers(header for row in rows for header in row.cells)
        named = source or (_stem(opened.path) if "source_id" in mapping.fields else IMPORT_SOURCE)
        self._plan = Plan(mapping, named, _rating_scale(mapping, rows))
        self._headers = mapping.headers
        self._format, self._preview = importer.name, tuple(rows[:PREVIEW_ROWS])
        self._all = chain(first, self._rows)

    @property
    def detected(self) -> Detected:
        """Format, encoding, mapping and first rows; headers that only later rows have are added as they come."""
        plan, opened = self._plan, self._opened
        return Detected(
            self._format,
            opened.encoding,
            opened.compressed,
            plan.mapping,
            plan.source,
            plan.rating_scale,
            self._preview,
        )

    @property
    def bytes_read(self) -> int:
        """Bytes of the file (packed, if it is) that were read; a little ahead of the records."""
        return self._opened.position

    @property
    def bytes_total(self) -> int:
        """The size of the file."""
        return self._opened.total

    def __iter__(self) -> Iterator[Record]:
        return self

    def __next__(self) -> Record:
        try:
            row = next(self._all)
        except StopIteration:
            self.close()
            raise
        self.read += 1
        if isinstance(row, Problem):
            self.refused += 1
            return Record(None, (row,))
        if len(self._headers) < MAX_HEADERS and not row.cells.keys() <= self._headers:
            self._learn(row)
        record = build_book(row, self._plan)
        if record.book is None:
            self.refused += 1
        elif record.problems:
            self.mended += 1
        return record

    def close(self) -> None:
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _learn(self, row: Row) -> None:
        """Take in headers that were not met before."""
        mapping = map_headers((*_in_order(self._plan.mapping), *row.cells))
        self._plan = Plan(mapping, self._plan.source, self._plan.rating_scale)
        self._headers = mapping.headers | row.cells.keys()


def _until_broken(rows: Iterator[Row | Problem]) -> Iterator[Row | Problem]:
    """The rows; when the file itself ends too early (a cut archive, a failing disk), a last problem that says so."""
    place = "start"
    try:
        for row in rows:
            place = row.place
            yield row
    except (OSError, EOFError, zlib.error) as error:
        yield Problem(f"after {place}", "", f"the file breaks off: {error}")


def _said(problem: Row | Problem) -> str:
    return f"{problem.place}: {problem.reason}." if isinstance(problem, Problem) else ""


def _in_order(mapping: HeaderMapping) -> Iterator[str]:
    return chain(*mapping.fields.values(), mapping.unknown)


def _stem(path: Path) -> str:
    """books.jsonl.gz → books."""
    return path.name.split(".")[0] or path.stem


def _rating_scale(mapping: HeaderMapping, rows: list[Row]) -> float:
    """5, 10 or 100: the least scale that holds all ratings of the first rows; 10 when these are too few to tell."""
    found = [_number(row.cells.get(header)) for row in rows for header in mapping.fields.get("rating", ())[:1]]
    ratings = [rating for rating in found if rating > 0]
    if not ratings:
        return _TEN
    if max(ratings) <= _STARS and (len(ratings) >= _ENOUGH_RATINGS):
        return _STARS
    return _TEN if max(ratings) <= _TEN else _PERCENT


def _number(cell: Any) -> float:
    try:
        return float(cell)
    except (TypeError, ValueError):
        return 0.0
