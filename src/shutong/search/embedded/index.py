"""The embedded index on disk: made from the database, kept up to date from its changes, swapped atomically.

Under the index folder lies a numbered folder for every rebuild; `CURRENT` names the one in use, the columns that
belong to it, the commit of the words and how far it has read the changes. One process at a time writes (a file lock, which dies with
its holder); all others notice `CURRENT` and follow. What is lost or damaged is made anew.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from shutong.catalog.book import Book
from shutong.catalog.repository import Catalogue
from shutong.search.embedded.columns import Columns, ColumnsBuilder, no_columns
from shutong.search.embedded.state import State
from shutong.search.embedded.words import WordIndex

FORMAT = 5
"""Raise this when the terms, the schema or the columns change: older indexes are then made anew."""

REBUILD_CHANGES = 20_000
"""From so many changes on, making the index anew is quicker than mending it."""

REBUILD_DEAD_SHARE = 0.3
log = logging.getLogger("shutong.index")


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh did. `rebuilt` says why, when the index was made anew."""

    books: int = 0
    rebuilt: str | None = None


class EmbeddedIndex:
    """Holds the current state; `state` is always whole and may be used from any thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stamp: tuple[int, int] | None = None
        self._pointer: dict[str, object] = {}
        self._database: str | None = None
        self.state = State(WordIndex(None), no_columns(), -1)

    @property
    def updated_at(self) -> str | None:
        """When the current state was written (ISO 8601, UTC); None while there is none."""
        if self._stamp is None:
            return None
        return datetime.fromtimestamp(self._stamp[0] / 1e9, UTC).isoformat(timespec="seconds")

    def follow(self) -> bool:
        """Take over what another process, or an earlier one, has written. False when there is nothing usable."""
        current = self._folder / "CURRENT"
        try:
            stamp = _stamp(current)
            if stamp == self._stamp:
                return (self._words_folder / "meta.json").exists()
            pointer = json.loads(current.read_text("utf-8"))
            if pointer["format"] != FORMAT:
                return False
            folder = self._folder / pointer["folder"]
            if not (folder / "words" / "meta.json").exists():
                return False  # opening would make an empty one
            columns = Columns.load(folder / pointer["columns"])
            words = WordIndex(folder / "words")
            if words.commit_number != pointer["commit"] or words.count != int(columns.alive.sum()):
                return False  # another process is between its commit and CURRENT, or was killed there
        except (OSError, ValueError, KeyError, TypeError) as error:
            log.debug("the index cannot be opened: %s", error)
            return False
        self.state, self._stamp, self._pointer = State(words, columns, int(pointer["seq"])), stamp, pointer
        return True

    async def refresh(self, catalogue: Catalogue, *, rebuild: bool = False) -> Refreshed:
        """Bring the index up to the database. Does nothing while another process is at it."""
        self._folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self._folder / "lock", thread_local=False)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            self.follow()
            return Refreshed()
        try:
            self._database = self._database or await catalogue.identity()
            if rebuild or not self.follow():
                return await self._rebuild(catalogue, "asked for" if rebuild else "missing or damaged")
            if self._pointer["database"] != self._database:
                return await self._rebuild(catalogue, "made from another database")
            return await self._mend(catalogue)
        finally:
            lock.release()

    @property
    def _words_folder(self) -> Path:
        return self._folder / str(self._pointer["folder"]) / "words"

    async def _mend(self, catalogue: Catalogue) -> Refreshed:
        """Take the changes in; make everything anew when that fails on the files of the index."""
        try:
            return await self._drain(catalogue)
        except (OSError, ValueError) as error:
            log.warning("the index cannot be written to: %s", error)
            return await self._rebuild(catalogue, "missing or damaged")

    async def _drain(self, catalogue: Catalogue) -> Refreshed:
        changes = await catalogue.changes(self.state.seq, REBUILD_CHANGES)
        if changes is None:
            return await self._rebuild(catalogue, "of another history")
        seq, ids = changes
        if not ids:
            return Refreshed()
        columns = self.state.columns
        dead = columns.size - int(columns.alive.sum()) + len(ids)
        if len(ids) >= REBUILD_CHANGES or len(ids) > columns.size or dead > 100 + REBUILD_DEAD_SHARE * columns.size:
            return await self._rebuild(catalogue, "many changes")
        books = await catalogue.get(ids)
        builder = ColumnsBuilder(columns, ids)

        def write() -> tuple[WordIndex, Columns]:
            words = WordIndex(self._words_folder)  # the one in use keeps showing the state it belongs to
            words.remove(ids)
            _add(words, builder, books.values())
            built = builder.build()
            built.save(self._folder / str(self._pointer["folder"]) / f"columns-{seq}")
            words.commit()
            return words, built

        words, built = await asyncio.to_thread(write)
        self._point(str(self._pointer["folder"]), seq, words.commit_number)
        self.state = State(words, built, seq)
        await catalogue.forget_changes(seq)
        return Refreshed(len(ids))

    async def _rebuild(self, catalogue: Catalogue, reason: str) -> Refreshed:
        seq = await catalogue.last_change()
        name = self._next_folder()
        words, builder = WordIndex(self._folder / name / "words"), ColumnsBuilder(no_columns())
        count = 0
        async for batch in catalogue.everything():
            await asyncio.to_thread(_add, words, builder, batch)
            count += len(batch)

        def finish() -> Columns:
            built = builder.build()
            built.save(self._folder / name / f"columns-{seq}")
            words.commit()
            return built

        columns = await asyncio.to_thread(finish)
        self._point(name, seq, words.commit_number)
        self.state = State(words, columns, seq)
        if count:
            log.info("index made anew (%s): %d books", reason, count)
        return Refreshed(count, reason)

    def _next_folder(self) -> str:
        numbers = [int(p.name) for p in self._folder.iterdir() if p.name.isdigit()]
        return f"{max(numbers, default=0) + 1:06d}"

    def _point(self, folder: str, seq: int, commit: int) -> None:
        """Make a written state the current one, in one step, and clear away what nobody needs any more."""
        pointer = {
            "format": FORMAT,
            "database": self._database,
            "folder": folder,
            "columns": f"columns-{seq}",
            "commit": commit,
            "seq": seq,
        }
        fresh = self._folder / "CURRENT.new"
        fresh.write_text(json.dumps(pointer), "utf-8")
        fresh.replace(self._folder / "CURRENT")
        self._stamp = _stamp(self._folder / "CURRENT")
        self._pointer = dict(pointer)
        self._clear(folder, f"columns-{seq}")

    def _clear(self, folder: str, columns: str) -> None:
        """Old folders go, but not the newest two: a reader may just be opening one."""
        with contextlib.suppress(OSError):
            older = sorted(p for p in self._folder.iterdir() if p.name.isdigit() and p.name != folder)
            for path in older[:-1]:
                shutil.rmtree(path, ignore_errors=True)
            states = [p for p in (self._folder / folder).glob("columns-*") if p.name != columns]
            for path in sorted(states, key=lambda p: p.stat().st_mtime)[:-1]:
                shutil.rmtree(path, ignore_errors=True)


def _stamp(file: Path) -> tuple[int, int]:
    """What tells one writing of a file from the next, even within one tick of the clock."""
    found = file.stat()
    return found.st_mtime_ns, found.st_ino


def _add(words: WordIndex, builder: ColumnsBuilder, books: Iterable[Book]) -> None:
    for book in books:
        words.add(builder.add(book), book)
