"""The catalogue in the database: the only place that reads and writes the `books` table."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from shutong.catalog.book import Book
from shutong.storage.database import Database
from shutong.storage.tables import books, index_changes, installation

BATCH = 500
KEPT_CHANGES = 200_000
_FIELDS = tuple(Book.model_fields)
Batch = dict[tuple[str, str], Book]
Known = dict[tuple[str, str], tuple[int, str]]
_COLUMNS = [books.c[name] for name in _FIELDS]


@dataclass(slots=True)
class Written:
    """What an upsert did, in books."""

    new: int = 0
    updated: int = 0
    unchanged: int = 0

    def add(self, other: Written) -> None:
        self.new += other.new
        self.updated += other.updated
        self.unchanged += other.unchanged


class Catalogue:
    """The books of one database. Every write also notes what the index has to learn, in the same transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, book_ids: Sequence[int]) -> dict[int, Book]:
        """The books with these ids; an id that is not there is left out."""
        async with self._database.read() as connection:
            rows = await connection.execute(select(*_COLUMNS).where(books.c.id.in_(list(book_ids))))
            return {row.id: _book(row) for row in rows}

    async def editions(self, work_id: str, limit: int = 50) -> list[Book]:
        """All editions of a work, newest first."""
        query = (
            select(*_COLUMNS).where(books.c.work_id == work_id).order_by(books.c.year.desc(), books.c.id).limit(limit)
        )
        async with self._database.read() as connection:
            return [_book(row) for row in await connection.execute(query)]

    async def identity(self) -> str:
        """What tells this database from every other."""
        async with self._database.read() as connection:
            return str((await connection.execute(select(installation.c.id))).scalar_one())

    async def count(self, source: str | None = None) -> int:
        """How many editions there are, in all or from one source."""
        query = select(func.count()).select_from(books)
        if source is not None:
            query = query.where(books.c.source == source)
        async with self._database.read() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def sources(self) -> dict[str, int]:
        """How many editions came from each source."""
        query = select(books.c.source, func.count()).group_by(books.c.source)
        async with self._database.read() as connection:
            return {row[0]: int(row[1]) for row in await connection.execute(query)}

    async def everything(self, batch: int = 2_000) -> AsyncIterator[list[Book]]:
        """All books in order of id, a batch at a time, with no connection held in between."""
        last = 0
        while True:
            query = select(*_COLUMNS).where(books.c.id > last).order_by(books.c.id).limit(batch)
            async with self._database.read() as connection:
                found = [_book(row) for row in await connection.execute(query)]
            if not found:
                return
            yield found
            last = found[-1].id

    async def upsert(self, incoming: Iterable[Book]) -> Written:
        """Write books by (source, source_id), in transactions of `BATCH`; within a call the last of a pair wins.

        Writing the same book again changes nothing and is counted as unchanged.
        """
        written = Written()
        for batch in _batches(incoming):
            written.add(await self._write(batch))
        return written

    async def compare(self, incoming: Iterable[Book]) -> Written:
        """What `upsert` would do, without doing it."""
        found = Written()
        for batch in _batches(incoming):
            async with self._database.read() as connection:
                _, _, counts = _told_apart(batch, await _known(connection, batch))
            found.add(counts)
        return found

    async def remove_source(self, source: str) -> int:
        """Remove every book of a source; returns how many there were."""
        ours = select(books.c.id).where(books.c.source == source)
        async with self._database.write() as connection:
            await connection.execute(insert(index_changes).from_select(["book_id"], ours))
            return (await connection.execute(delete(books).where(books.c.source == source))).rowcount

    async def last_change(self) -> int:
        """The number of the newest change; 0 when nothing was ever written."""
        async with self._database.read() as connection:
            return int((await connection.execute(select(func.max(index_changes.c.seq)))).scalar() or 0)

    async def changes(self, after: int, limit: int) -> tuple[int, list[int]] | None:
        """Ids of the books changed after a point, and the point they reach to.

        None when that point is forgotten, or not yet reached: whoever knows of it has read another database.
        """
        async with self._database.read() as connection:
            ends = select(func.min(index_changes.c.seq), func.max(index_changes.c.seq))
            oldest, newest = (await connection.execute(ends)).one()
            if after > (newest or 0) or (oldest is not None and after < oldest - 1):
                return None
            query = (
                select(index_changes.c.seq, index_changes.c.book_id)
                .where(index_changes.c.seq > after)
                .order_by(index_changes.c.seq)
                .limit(limit)
            )
            rows = (await connection.execute(query)).all()
        return (int(rows[-1].seq) if rows else after), list(dict.fromkeys(int(row.book_id) for row in rows))

    async def forget_changes(self, upto: int) -> None:
        """Drop changes that every index has long read. An index that slept longer than that is made anew."""
        async with self._database.write() as connection:
            await connection.execute(delete(index_changes).where(index_changes.c.seq <= upto - KEPT_CHANGES))

    async def _write(self, batch: dict[tuple[str, str], Book]) -> Written:
        async with self._database.write() as connection:
            new, changed, counts = _told_apart(batch, await _known(connection, batch))
            if new:
                await connection.execute(insert(books), new)
                await _note_new(connection, new)
            if changed:
                await _update(connection, changed)
        return counts


def _batches(incoming: Iterable[Book]) -> Iterator[Batch]:
    batch: Batch = {}
    for book in incoming:
        batch[book.source, book.source_id] = book
        if len(batch) >= BATCH:
            yield batch
            batch = {}
    if batch:
        yield batch


def _told_apart(batch: Batch, known: Known) -> tuple[list[dict[str, Any]], list[dict[str, Any]], Written]:
    """The rows that are new, those that are changed (with their id as `b_id`), and how many of each there are."""
    new, changed = [], []
    for pair, book in batch.items():
        row = _row(book)
        if pair not in known:
            new.append(row)
        elif known[pair][1] != row["digest"]:
            changed.append(row | {"b_id": known[pair][0]})
    return new, changed, Written(len(new), len(changed), len(batch) - len(new) - len(changed))


async def _known(connection: AsyncConnection, batch: Batch) -> Known:
    """Which of these books are there already: their ids and digests."""
    known: Known = {}
    for source in {source for source, _ in batch}:
        ids = [source_id for name, source_id in batch if name == source]
        query = select(books.c.source_id, books.c.id, books.c.digest).where(
            books.c.source == source, books.c.source_id.in_(ids)
        )
        known |= {(source, row.source_id): (row.id, row.digest) for row in await connection.execute(query)}
    return known


async def _note_new(connection: AsyncConnection, rows: list[dict[str, Any]]) -> None:
    for source in {row["source"] for row in rows}:
        ids = [row["source_id"] for row in rows if row["source"] == source]
        query = select(books.c.id).where(books.c.source == source, books.c.source_id.in_(ids))
        await connection.execute(insert(index_changes).from_select(["book_id"], query))


async def _update(connection: AsyncConnection, rows: list[dict[str, Any]]) -> None:
    values: dict[str, Any] = {name: bindparam(name) for name in rows[0] if name != "b_id"}
    statement = update(books).where(books.c.id == bindparam("b_id"))
    await connection.execute(statement.values(values | {"updated_at": func.current_timestamp()}), rows)
    await connection.execute(insert(index_changes), [{"book_id": row["b_id"]} for row in rows])


def _row(book: Book) -> dict[str, Any]:
    row = book.model_dump(mode="json", exclude={"id"})
    content = book.model_dump_json(exclude={"id"}).encode()
    row["digest"] = hashlib.blake2b(content, digest_size=16).hexdigest()
    return row


def _book(row: Any) -> Book:
    return Book.model_validate(dict(zip(_FIELDS, row, strict=True)))
