"""Databases on the real servers, each with a name of its own, made for the tests and dropped after them.

A test whose server is not there is skipped by name; where `CI=true` it fails instead, so that nothing goes unnoticed.
"""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

import pytest
from sqlalchemy import delete, make_url
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from shutong.settings import load_settings
from shutong.storage import migrate
from shutong.storage.database import Database
from shutong.storage.tables import conversations, runs

SERVERS = ("mariadb", "postgresql")
ADDRESSES = {
    "mariadb": os.environ.get("SHUTONG_TEST_MARIADB", "mysql+asyncmy://root@127.0.0.1:3306/mysql"),
    "postgresql": os.environ.get("SHUTONG_TEST_POSTGRESQL", "postgresql+asyncpg://postgres@127.0.0.1:5432/postgres"),
}

T = TypeVar("T")


def address(kind: str, database: str, **parts: Any) -> str:
    """The plain address of a database on a server, as an operator would write it."""
    url = make_url(ADDRESSES[kind]).set(drivername=kind, database=database, **parts)
    return url.render_as_string(hide_password=False)


def administer(kind: str, *statements: str) -> list[tuple[Any, ...]]:
    """Run statements as the server's administrator; the rows of the last one."""

    async def work() -> list[tuple[Any, ...]]:
        engine = create_async_engine(ADDRESSES[kind], poolclass=NullPool, isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            for statement in statements:
                result = await connection.exec_driver_sql(statement)
            return [tuple(row) for row in result] if result.returns_rows else []

    return in_a_thread(work())


def require(kind: str) -> None:
    """Skip the test, or fail it in CI, when the server is not there."""
    problem = _problem(kind)
    if problem is None:
        return
    sentence = f"needs {kind} at {make_url(ADDRESSES[kind]).host}: {problem}"
    if os.environ.get("CI") == "true":
        pytest.fail(sentence)
    pytest.skip(sentence)


@contextmanager
def new_database(kind: str, options: str = "") -> Iterator[str]:
    """An empty database for the block; its address. `options` are those of CREATE DATABASE."""
    require(kind)
    name = f"shutong_test_{uuid.uuid4().hex[:12]}"
    administer(kind, f"CREATE DATABASE {name} {options}")
    try:
        yield address(kind, name)
    finally:
        administer(kind, f"DROP DATABASE {name}" + (" WITH (FORCE)" if kind == "postgresql" else ""))


@contextmanager
def migrated_database(kind: str) -> Iterator[str]:
    """A database at the newest version for the block; its address."""
    with new_database(kind) as url:
        in_a_thread(_with_database(url, migrate.upgrade))
        yield url


def empty(url: str) -> None:
    """Take all talks out of a database."""

    async def work(database: Database) -> None:
        async with database.write() as connection:
            await connection.execute(delete(conversations))
            await connection.execute(delete(runs))

    in_a_thread(_with_database(url, work))


def in_a_thread(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end in a thread of its own: whoever asks may already be inside an event loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


async def _with_database(url: str, work: Any) -> None:
    database = Database(load_settings(database_url=url))
    try:
        await work(database)
    finally:
        await database.close()


@cache
def _problem(kind: str) -> str | None:
    try:
        administer(kind, "SELECT 1")
    except Exception as error:
        return type(error).__name__
    return None
