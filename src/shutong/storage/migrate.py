"""Bringing a database to the version this program knows.

The embedded SQLite file migrates by itself at start; any other database waits for `shutong db upgrade`, because
an operator wants to choose the moment.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, inspect, text

from shutong.errors import StorageError
from shutong.settings import Settings
from shutong.storage.database import Database

HEAD = "0001"
"""The newest migration under `migrations/versions`."""


async def prepare(settings: Settings, database: Database) -> None:
    """Make sure that the database is at `HEAD`. Raises `StorageError` when an operator has to act."""
    if await version(database) == HEAD:
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
    """Apply what is missing, in one transaction; safe to call from several processes at once."""
    async with database.write() as connection:
        await connection.run_sync(_upgrade)


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    row = connection.execute(text("SELECT version_num FROM alembic_version")).first()
    return str(row[0]) if row else None


def _upgrade(connection: Connection) -> None:
    if _version(connection) == HEAD:  # another process was first
        return
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
