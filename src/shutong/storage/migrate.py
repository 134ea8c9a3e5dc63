"""Bringing a database to the version this program knows.

The embedded SQLite file migrates by itself at start; any other database waits for `shutong db upgrade`, because
an operator wants to choose the moment.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, inspect, text

from shutong.errors import StorageError
from shutong.settings import Settings
from shutong.storage import health
from shutong.storage.database import Database

HEAD = "0001"
"""The newest migration under `migrations/versions`."""

LOCK_SECONDS = 60
"""How long a process waits while another one migrates."""

_POSTGRES_LOCK = 0x73687574  # any number that no other program takes for its own lock


async def prepare(settings: Settings, database: Database) -> None:
    """Make sure that the database is at `HEAD`. Raises `StorageError` when an operator has to act."""
    async with database.read() as connection:
        found = await connection.run_sync(_version)
        await connection.run_sync(health.check)
    if found == HEAD:
        return
    if settings.embedded:
        await upgrade(database)
        return
    raise StorageError("The database is of another version than this program. Run: shutong db upgrade")


async def version(database: Database) -> str | None:
    """The version that the database is at; None for an empty one."""
    async with database.read() as connection:
        return await connection.run_sync(_version)


async def upgrade(database: Database) -> None:
    """Apply what is missing; safe to call from several processes at once, of which one does it and the others wait.

    In one transaction, but on MySQL, which commits every change of a table by itself.
    """
    async with database.write() as connection:
        await connection.run_sync(_upgrade)


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    row = connection.execute(text("SELECT version_num FROM alembic_version")).first()
    return str(row[0]) if row else None


def _upgrade(connection: Connection) -> None:
    with _alone(connection):
        if _version(connection) != HEAD:  # otherwise another process was first
            health.check(connection)
            _migrate(connection)
        health.check(connection)


@contextmanager
def _alone(connection: Connection) -> Iterator[None]:
    """No other process migrates this database in the block. SQLite's writers are alone already."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _POSTGRES_LOCK})
    if connection.dialect.name not in ("mysql", "mariadb"):
        yield
        return
    name = {"name": f"shutong {connection.execute(text('SELECT MD5(DATABASE())')).scalar_one()}"}
    if connection.execute(text(f"SELECT GET_LOCK(:name, {LOCK_SECONDS})"), name).scalar() != 1:
        raise StorageError("Another process is upgrading the database. Try again when it is done.")
    try:
        yield
        connection.exec_driver_sql("COMMIT")  # the others must see the new version when the lock is gone
    finally:
        connection.execute(text("SELECT RELEASE_LOCK(:name)"), name)


def _migrate(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", "shutong:storage/migrations")
    options: dict[str, Any] = config.attributes
    options["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise StorageError(f"The database belongs to a newer Shutong than this one ({error}).") from error
