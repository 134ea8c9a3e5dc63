"""Numbers and facets of all books as numpy arrays in one row order, for conditions, order and counts.

Unknown is -1 (NaN for real numbers), so that a comparison with a bound is false for it by itself. A row is never
moved: a changed book gets a new row, and its old one is marked dead until the next rebuild.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shutong.catalog import countries
from shutong.catalog.book import Book
from shutong.search.embedded.names import name_key
from shutong.search.embedded.words import title_keys
from shutong.search.thesaurus import concept

NUMBERS: dict[str, Any] = {
    "book_id": np.int64,
    "work": np.int64,
    "isbn": np.int64,
    "year": np.int16,
    "first_year": np.int16,
    "pages": np.int32,
    "rating": np.float32,
    "rating_count": np.int64,
    "popularity": np.float32,
    "price": np.float32,
    "alive": np.bool_,
}
FACETS = (
    "subject",
    "country",
    "author",
    "translator",
    "publisher",
    "series",
    "language",
    "level",
    "audience",
)

Mask = NDArray[np.bool_]
Array = NDArray[Any]


def stable_hash(text: str) -> int:
    """A 63-bit number for a text, the same in every process."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big") >> 1


@dataclass(frozen=True, slots=True)
class Facet:
    """Which rows have which value: `rows[starts[i]:starts[i + 1]]` are the rows of `values[i]`."""

    values: list[str]
    index: dict[str, int]
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]

    def rows_of(self, value: str) -> NDArray[np.int32]:
        """Rows with this very value; none for a value that nothing has."""
        position = self.index.get(value)
        if position is None:
            return self.rows[:0]
        return self.rows[self.starts[position] : self.starts[position + 1]]

    def with_pairs(self, pairs: Sequence[tuple[int, str]]) -> Facet:
        """The same facet with more (row, value) pairs."""
        values, index = list(self.values), dict(self.index)
        numbers = np.empty(len(pairs), np.int64)
        for i, (_, value) in enumerate(pairs):
            number = index.setdefault(value, len(values))
            if number == len(values):
                values.append(value)
            numbers[i] = number
        old = np.repeat(np.arange(len(self.values), dtype=np.int64), np.diff(self.starts))
        all_numbers = np.concatenate([old, numbers])
        all_rows = np.concatenate([self.rows, np.fromiter((row for row, _ in pairs), np.int32, len(pairs))])
        order = np.argsort(all_numbers, kind="stable")
        starts = np.zeros(len(values) + 1, np.int64)
        np.cumsum(np.bincount(all_numbers, minlength=len(values)), out=starts[1:])
        return Facet(values, index, starts, all_rows[order].astype(np.int32))


NO_FACET = Facet([], {}, np.zeros(1, np.int64), np.zeros(0, np.int32))


@dataclass(frozen=True, slots=True)
class Columns:
    """All columns of one state of the index. Never changed in place: `extended` makes the next state."""

    numbers: dict[str, Array]
    facets: dict[str, Facet]
    title_hash: NDArray[np.int64]
    title_row: NDArray[np.int32]

    @property
    def size(self) -> int:
        """Rows, dead ones included."""
        return len(self.numbers["book_id"])

    @property
    def alive(self) -> Mask:
        return self.numbers["alive"]

    def mask(self, rows: Array | None = None) -> Mask:
        """Rows as a mask over all rows; none of them without an argument."""
        mask = np.zeros(self.size, np.bool_)
        if rows is not None:
            mask[rows] = True
        return mask

    def rows_of_title(self, title_key: str) -> NDArray[np.int32]:
        """Living rows that go by this title (see `title_keys`). Hashes may collide: compare the records."""
        wanted = stable_hash(title_key)
        low, high = np.searchsorted(self.title_hash, [wanted, wanted + 1])
        rows = self.title_row[low:high]
        return rows[self.alive[rows]]

    def save(self, folder: Path) -> None:
        """Write all columns into a folder, in place of what an interrupted write has left there."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name, array in self.numbers.items():
            np.save(folder / f"{name}.npy", array)
        for name, facet in self.facets.items():
            np.save(folder / f"{name}.starts.npy", facet.starts)
            np.save(folder / f"{name}.rows.npy", facet.rows)
            (folder / f"{name}.json").write_text(json.dumps(facet.values, ensure_ascii=False), "utf-8")
        np.save(folder / "title_hash.npy", self.title_hash)
        np.save(folder / "title_row.npy", self.title_row)

    @staticmethod
    def load(folder: Path) -> Columns:
        """Map the columns of a folder into memory. Raises OSError or ValueError when they are damaged."""

        def array(name: str) -> Array:
            loaded: Array = np.load(folder / f"{name}.npy", mmap_mode="r")
            return loaded

        facets = {}
        for name in FACETS:
            values = json.loads((folder / f"{name}.json").read_text("utf-8"))
            index = {value: i for i, value in enumerate(values)}
            facets[name] = Facet(values, index, array(f"{name}.starts"), array(f"{name}.rows"))
        numbers = {name: array(name) for name in NUMBERS}
        if len({len(column) for column in numbers.values()}) != 1:
            raise ValueError("columns of different lengths")
        return Columns(numbers, facets, array("title_hash"), array("title_row"))


def no_columns() -> Columns:
    """The columns of an empty catalogue."""
    return Columns(
        {name: np.zeros(0, dtype) for name, dtype in NUMBERS.items()},
        dict.fromkeys(FACETS, NO_FACET),
        np.zeros(0, np.int64),
        np.zeros(0, np.int32),
    )


class ColumnsBuilder:
    """Makes the next state of the columns: books get new rows at the end, their older rows die."""

    def __init__(self, previous: Columns, removed: Iterable[int] = ()) -> None:
        self._previous = previous
        self._gone = set(removed)
        self._numbers: dict[str, list[Any]] = {name: [] for name in NUMBERS}
        self._pairs: dict[str, list[tuple[int, str]]] = {name: [] for name in FACETS}
        self._titles: list[tuple[int, int]] = []
        self._next = previous.size

    def add(self, book: Book) -> int:
        """Take a book in and return its row."""
        row, self._next = self._next, self._next + 1
        self._gone.add(book.id)
        for name, value in _numbers(book).items():
            self._numbers[name].append(value)
        for name, values in _facet_values(book).items():
            self._pairs[name] += [(row, value) for value in dict.fromkeys(values)]
        self._titles += [(stable_hash(k), row) for k in title_keys(book)]
        return row

    def build(self) -> Columns:
        """The new state; the builder is done with."""
        old = self._previous
        numbers = {
            name: np.concatenate([old.numbers[name], np.array(self._numbers[name], dtype)])
            for name, dtype in NUMBERS.items()
        }
        gone = np.fromiter(self._gone, np.int64, len(self._gone))
        numbers["alive"][: old.size] &= ~np.isin(old.numbers["book_id"], gone)
        facets = {name: old.facets[name].with_pairs(self._pairs[name]) for name in FACETS}
        return Columns(numbers, facets, *_sorted_titles(old.title_hash, old.title_row, self._titles))


def _numbers(book: Book) -> dict[str, Any]:
    return {
        "book_id": book.id,
        "work": stable_hash(book.work_id),
        "isbn": int(book.isbn13) if book.isbn13 else -1,
        "year": -1 if book.year is None else book.year,
        "first_year": -1 if book.first_year is None else book.first_year,
        "pages": -1 if book.pages is None else book.pages,
        "rating": np.nan if book.rating is None else book.rating,
        "rating_count": -1 if book.rating_count is None else book.rating_count,
        "popularity": np.nan if book.popularity is None else book.popularity,
        "price": np.nan if book.price is None else book.price.amount,
        "alive": True,
    }


def _facet_values(book: Book) -> dict[str, list[str]]:
    return {
        "subject": [c for word in (*book.tags, book.category) if word and (c := concept(word))],
        "country": _countries(book),
        "author": [k for a in book.authors if (k := name_key(a.name))],
        "translator": [k for name in book.translators if (k := name_key(name))],
        "publisher": [name_key(book.publisher)] if book.publisher else [],
        "series": [name_key(book.series)] if book.series else [],
        "language": [book.language] if book.language else [],
        "level": [book.level] if book.level else [],
        "audience": [concept(book.audience)] if book.audience else [],
    }


def _countries(book: Book) -> list[str]:
    """Where the authors are from; when no record says it, the one country whose literature the tags speak of."""
    stated = [countries.code(a.country) or name_key(a.country) for a in book.authors if a.country]
    if stated:
        return stated
    tagged = {code for tag in book.tags if (code := _country_of_tag(tag))}
    return list(tagged) if len(tagged) == 1 else []


_country_of_tag = lru_cache(maxsize=50_000)(countries.of_literature)


def _sorted_titles(
    hashes: NDArray[np.int64], rows: NDArray[np.int32], more: list[tuple[int, int]]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    all_hashes = np.concatenate([hashes, np.fromiter((h for h, _ in more), np.int64, len(more))])
    all_rows = np.concatenate([rows, np.fromiter((row for _, row in more), np.int32, len(more))])
    order = np.argsort(all_hashes, kind="stable")
    return all_hashes[order], all_rows[order].astype(np.int32)
