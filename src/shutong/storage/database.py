"""The database: one pool of connections, with reading and writing told apart.

`read()`, `write()` and `transaction()` are the only ways in. None is held while a model talks.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TypeVar

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from shutong.errors import StorageError
from shutong.settings import Settings
from shutong.storage import failures
from shutong.storage.engine import POOL_SECONDS, make_engine

CONNECT_SECONDS = 5
MOST_TRIES = 8
FIRST_PAUSE_SECONDS = 0.005

T = TypeVar("T")


class Database:
    """A pool over one database address. Close it with `close()`."""

    def __init__(self, settings: Settings) -> None:
        self.engine = make_engine(settings)
        self.is_sqlite = self.engine.dialect.name == "sqlite"
        self._writer = asyncio.Lock()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection for reading. On SQLite it sees one unchanging state of the database."""
        with self._told():
            async with self._connected() as connection, connection.begin():
                yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """A transaction: committed when the block ends, rolled back when it raises.

        SQLite has one writer at a time: within the process they queue here, which is fair and cheap, and over
        processes in the database's busy timeout. The write lock is taken at the start, so that a
        transaction that reads first never fails half-way. Raises `StorageError` when the database fails.
        """
        with self._told():
            if not self.is_sqlite:
                async with self._connected() as connection, connection.begin():
                    yield connection
                return
            async with self._writer, self._connected() as connection:
                await connection.execution_options(shutong_write=True)
                async with connection.begin():
                    yield connection

    async def transaction(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Do `work` in a transaction, and do it again when it was undone because of another one (a deadlock).

        `work` must change nothing but the database, for what an undone try did is gone.
        """
        pause = FIRST_PAUSE_SECONDS
        for _ in range(MOST_TRIES - 1):
            try:
                async with self.write() as connection:
                    return await work(connection)
            except StorageError as error:
                if not failures.may_try_again(error.__cause__):
                    raise
            await asyncio.sleep(pause * random.uniform(0.5, 1.5))
            pause *= 2
        async with self.write() as connection:
            return await work(connection)

    async def close(self) -> None:
        await self.engine.dispose()

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with asyncio.timeout(POOL_SECONDS + CONNECT_SECONDS):  # a driver may wait for ever for a first word
                connection = await self.engine.connect()
        except Exception as error:  # each driver has errors of its own for this
            raise StorageError(failures.connecting(error, self.engine.url)) from error
        try:
            yield connection
        finally:
            await connection.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Errors of the database leave as `StorageError`; those of a statement or its values stay what they are."""
        try:
            yield
        except DBAPIError as error:
            sentence = failures.working(error, self.engine.url)
            if sentence is None:
                raise
            raise StorageError(sentence) from error
