"""CSV and TSV: a line of headers, then one record after the other, quotes as spreadsheets write them.

One bad record never takes its neighbours along: when a quote that is not closed swallows the lines after it, its
own line is reported and the swallowed ones are read again.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass

from shutong.catalog.importers.mapping import known_headers
from shutong.catalog.importers.opening import Source, lines
from shutong.catalog.importers.record import Problem, Row

DELIMITERS = ",\t;|"
SNIFFED_RECORDS = 30
SPAN_LINES = 1_000
"""A record over more lines than this is a quote that was never closed."""


@dataclass(frozen=True, slots=True)
class Delimited:
    """One format of this kind: its name, and the delimiters that make it."""

    name: str
    delimiters: str

    @property
    def looks_for(self) -> str:
        marks = " or ".join("tabs" if d == "\t" else f"“{d}”" for d in self.delimiters)
        return f"a line of headers, then records of as many cells, split by {marks}"

    def recognises(self, source: Source) -> bool:
        delimiter = sniff(source.text)
        return delimiter != "" and delimiter in self.delimiters

    def rows(self, source: Source) -> Iterator[Row | Problem]:
        feed = _Feed(lines(source.stream()))
        delimiter = sniff(source.text, self.delimiters) or self.delimiters[0]
        records = csv.reader(feed, delimiter=delimiter, strict=True)
        headers = _header(records, feed, delimiter)
        while True:
            place = f"line {feed.start()}"
            try:
                cells = next(records)
            except StopIteration:
                return
            except (csv.Error, _UnclosedQuoteError):
                cells = feed.loosely(delimiter)
            if len(cells) == len(headers) and not feed.odd and not feed.broken:
                yield Row(place, dict(zip(headers, cells, strict=True)))
            elif any(cells) or feed.broken:
                row = _uneven(place, headers, cells, feed)
                if isinstance(row, Problem):
                    feed.read_again()
                yield row


def sniff(text: str, delimiters: str = DELIMITERS) -> str:
    """The delimiter of a text by its first records, or "" when it is no table.

    Known headers tell most; then how many records have as many cells as the first; then the number of cells.
    """
    best, best_score = "", (0, 0.0, 0)
    for delimiter in delimiters:
        records = _first_records(text, delimiter)
        if not records:
            continue
        width = len(records[0])
        even = sum(len(record) == width for record in records) / len(records)
        score = (known_headers(records[0]), even, width)
        is_table = width > 1 and even > 0.5 and "\x00" not in text
        if (score[0] or is_table) and score > best_score:
            best, best_score = delimiter, score
    return best


def _first_records(text: str, delimiter: str) -> list[list[str]]:
    records: list[list[str]] = []
    try:
        for record in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            if any(cell.strip() for cell in record):
                records.append(record)
            if len(records) == SNIFFED_RECORDS:
                break
    except csv.Error:  # a broken record further down does not change what the first ones show
        return records
    return records


def _header(records: Iterator[list[str]], feed: _Feed, delimiter: str) -> list[str]:
    """The first record that is not blank, without the nameless columns at its end."""
    try:
        found = next((record for record in records if any(cell.strip() for cell in record)), [])
    except (csv.Error, _UnclosedQuoteError):
        found = feed.loosely(delimiter)
    headers = [header.strip().removeprefix("\ufeff") for header in found]
    while headers and not headers[-1]:
        headers.pop()
    return headers


def _uneven(place: str, headers: list[str], cells: list[str], feed: _Feed) -> Row | Problem:
    """A record with too many or too few cells, loose quotes, or bytes that were replaced."""
    while len(cells) > len(headers) and not cells[-1].strip():
        cells.pop()
    counts = f"{len(cells)} cells where the header has {len(headers)}"
    if feed.broken and len(cells) != len(headers):
        return Problem(place, "", "a quote is opened and not closed as it should be")
    if len(cells) > len(headers):
        return Problem(place, "", f"{counts}: which is which is unknown")
    if len(cells) < len(headers) and len(headers) > 2 and sum(map(bool, cells)) == 1:
        return Problem(place, "", f"one cell where the header has {len(headers)}")
    reasons = (
        (feed.broken, "quotes inside a quoted cell are not doubled"),
        (len(cells) < len(headers), f"{counts}: the last are unknown"),
        (feed.odd, "holds � where a character was lost"),
    )
    problems = tuple(Problem(place, "", reason, "mended") for is_so, reason in reasons if is_so)
    return Row(place, dict(zip(headers, cells, strict=False)), problems)


class _UnclosedQuoteError(Exception):
    """A record goes on for too many lines."""


class _Feed:
    """The lines for one record after the other, remembered until the record is whole, so that they can be read again.

    `broken`: its quotes are not as they should be. `odd`: it holds bytes that were replaced.
    """

    def __init__(self, source: Iterator[str]) -> None:
        self.broken = self.odd = False
        self._source = source
        self._taken: list[str] = []
        self._again: list[str] = []  # the next line is the last one
        self._line = 1

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._again.pop() if self._again else next(self._source)
        self._taken.append(line)
        if len(self._taken) > SPAN_LINES:
            raise _UnclosedQuoteError
        if "\ufffd" in line:
            self.odd = True
        return line

    def start(self) -> int:
        """Begin a record; the number of its first line."""
        self._line += len(self._taken)
        self._taken.clear()
        self.broken = self.odd = False
        return self._line

    def loosely(self, delimiter: str) -> list[str]:
        """The cells of this record's first line, its quotes taken as they come; later lines are read again."""
        self.broken = True
        self.read_again()
        try:
            return next(csv.reader(self._taken, delimiter=delimiter), [])
        except csv.Error:
            return []

    def read_again(self) -> None:
        """Give back all lines of this record but the first."""
        self._again.extend(reversed(self._taken[1:]))
        del self._taken[1:]
