"""Bringing a file of books into the catalogue, with progress, a report, and a count of what became of every row."""

from __future__ import annotations

import asyncio
import csv
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TextIO

from shutong.catalog.book import Book
from shutong.catalog.importers.record import Problem
from shutong.catalog.importers.run import Reader, read_books
from shutong.catalog.repository import BATCH, Catalogue
from shutong.errors import ImportFailedError

READ_AHEAD = BATCH * 4
"""Rows that are parsed in one go, off the event loop, before they are written."""

Progress = Callable[["FileReport", int, int], None]
"""Called after every batch with the report so far, bytes read and bytes in all."""


@dataclass(slots=True)
class FileReport:
    """What became of one file. `read` = `new` + `updated` + `unchanged` + `refused` (a repeated row counts as unchanged)."""

    file: str
    format: str | None = None
    encoding: str | None = None
    mapping: dict[str, list[str]] = field(default_factory=dict)
    ignored_columns: list[str] = field(default_factory=list)
    read: int = 0
    new: int = 0
    updated: int = 0
    unchanged: int = 0
    refused: int = 0
    mended: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    report: str | None = None
    sample_removed: bool = False
    error: str | None = None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


async def import_file(
    catalogue: Catalogue,
    path: Path,
    *,
    dry_run: bool = False,
    report: Path | None = None,
    progress: Progress | None = None,
    format: str | None = None,
    encoding: str | None = None,
    source: str | None = None,
) -> FileReport:
    """Read a file into the catalogue; with `dry_run` only say what would happen to its rows.

    `report` is a CSV that gets a line for every refused or mended row. Raises `ImportFailedError` when the file cannot be
    read at all or holds no book. What was written before a stop stays written; importing again goes on from there.
    """
    if not path.is_file():
        raise ImportFailedError(f"There is no file {path}.")
    started = time.perf_counter()
    with read_books(path, format=format, encoding=encoding, source=source) as reader:
        result = FileReport(str(path), reader.detected.format, reader.detected.encoding)
        with _ReportFile(report) as problems:
            await _read_all(catalogue, reader, result, problems, progress, dry_run)
        mapping = reader.detected.mapping
    result.mapping = {name: list(headers) for name, headers in mapping.fields.items()}
    result.ignored_columns = list(mapping.unknown)
    result.seconds = round(time.perf_counter() - started, 3)
    result.report = str(report) if report else None
    if result.read == result.refused:
        worst = next(iter(result.reasons), "no row was recognised")
        raise ImportFailedError(f"{path.name}: none of its {result.read} rows could be read as a book ({worst}).")
    return result


async def _read_all(
    catalogue: Catalogue,
    reader: Reader,
    result: FileReport,
    problems: _ReportFile,
    progress: Progress | None,
    dry_run: bool,
) -> None:
    reasons: Counter[str] = Counter()
    while True:
        books, found = await asyncio.to_thread(_next_books, reader)
        written = await (catalogue.compare(books) if dry_run else catalogue.upsert(books))
        result.read, result.refused, result.mended = reader.read, reader.refused, reader.mended
        result.new += written.new
        result.updated += written.updated
        result.unchanged += written.unchanged + len(books) - written.new - written.updated - written.unchanged
        for problem in found:
            problems.add(problem)
            reasons[f"{problem.field}: {problem.reason}" if problem.field else problem.reason] += 1
        if progress is not None:
            progress(result, reader.bytes_read, reader.bytes_total)
        if not books and not found:
            break
    result.reasons = dict(reasons.most_common(20))


def _next_books(reader: Reader) -> tuple[list[Book], list[Problem]]:
    books: list[Book] = []
    problems: list[Problem] = []
    for record in reader:
        problems += record.problems
        if record.book is not None:
            books.append(record.book)
        if len(books) >= READ_AHEAD or len(problems) >= READ_AHEAD:
            break
    return books, problems


class _ReportFile:
    """A CSV of problems; nothing without a path."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file: TextIO | None = None

    def __enter__(self) -> _ReportFile:
        if self._path is not None:
            try:
                self._file = self._path.open("w", encoding="utf-8-sig", newline="")
            except OSError as error:
                raise ImportFailedError(f"The report {self._path} cannot be written: {error.strerror}.") from None
            csv.writer(self._file).writerow(["place", "field", "kind", "reason"])
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, problem: Problem) -> None:
        if self._file is not None:
            row = [problem.place, problem.field, problem.kind, problem.reason]
            csv.writer(self._file).writerow([_harmless(cell) for cell in row])


def _harmless(cell: str) -> str:
    """A cell that a spreadsheet does not take for a formula."""
    return f"'{cell}" if cell[:1] in "=+-@\t\r" else cell
