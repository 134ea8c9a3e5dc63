"""The database: one pool of connections, with reading and writing told apart.

`read()` and `write()` are the only ways in. Neither is held while a model talks.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from shutong.errors import SettingsError, StorageError
from shutong.settings import Settings

BUSY_MILLISECONDS = 10_000
RECYCLE_SECONDS = 1_800


class Database:
    """A pool over one database address. Close it with `close()`."""

    def __init__(self, settings: Settings) -> None:
        self.engine = _engine(settings)
        self.is_sqlite = self.engine.dialect.name == "sqlite"
        self._writer = asyncio.Lock()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection for reading. On SQLite it sees one unchanging state of the database."""
        async with self._connected() as connection, connection.begin():
            yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """A transaction: committed when the block ends, rolled back when it raises.

        SQLite has one writer at a time: within the process they queue here, which is fair and cheap, and over
        processes in the database's busy timeout. The write lock is taken at the start, so that a
        transaction that reads first never fails half-way.
        """
        if not self.is_sqlite:
            async with self._connected() as connection, connection.begin():
                yield connection
            return
        async with self._writer, self._connected() as connection:
            await connection.execution_options(shutong_write=True)
            async with connection.begin():
                yield connection

    async def close(self) -> None:
        await self.engine.dispose()

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[AsyncConnection]:
        try:
            connection = await self.engine.connect()
        except (OperationalError, DBAPIError, OSError) as error:
            raise StorageError(f"The database does not answer: {_reason(error)}.") from error
        try:
            yield connection
        finally:
            await connection.close()


def _reason(error: Exception) -> str:
    """The driver's own words, without the statement or the address (it may hold a password)."""
    return str(getattr(error, "orig", None) or error.__class__.__name__)[:200].rstrip(".")


def _server_engine(url: str) -> AsyncEngine:
    try:
        return create_async_engine(url, pool_pre_ping=True, pool_recycle=RECYCLE_SECONDS)
    except ImportError as error:
        raise SettingsError(f"DATABASE_URL needs a driver that is not installed: {error.name}.") from error
    except (SQLAlchemyError, ValueError):  # their words may hold the address, and with it a password
        raise SettingsError("DATABASE_URL is not the address of a database that Shutong can use.") from None


def _engine(settings: Settings) -> AsyncEngine:
    url = settings.url
    if not url.startswith("sqlite"):
        return _server_engine(url)
    if settings.embedded:
        settings.home.mkdir(parents=True, exist_ok=True)
    engine = create_async_engine(url, connect_args={"isolation_level": None})
    synchronous = "FULL" if settings.sqlite_full_sync else "NORMAL"

    @event.listens_for(engine.sync_engine, "connect")
    def _prepare(connection: Any, _record: Any) -> None:
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute(f"PRAGMA synchronous = {synchronous}")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def _begin(connection: Any) -> None:
        writes = connection.get_execution_options().get("shutong_write")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
