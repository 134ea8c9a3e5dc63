"""Migrations: they make exactly the tables that the program is written against, once, whoever comes first."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from shutong.errors import StorageError
from shutong.settings import Settings, load_settings
from shutong.storage import migrate
from shutong.storage.database import Database
from shutong.storage.tables import metadata

START = """
import asyncio, sys
from pathlib import Path
from shutong.settings import load_settings
from shutong.storage import migrate
from shutong.storage.database import Database

async def main():
    settings = load_settings(home=Path(sys.argv[1]))
    database = Database(settings)
    print("ready", flush=True)
    sys.stdin.readline()
    await migrate.prepare(settings, database)
    print(await migrate.version(database), flush=True)
    await database.close()

asyncio.run(main())
"""


def differences(connection: Connection) -> list[Any]:
    context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
    return list(compare_metadata(context, metadata))


async def test_the_migrations_make_exactly_the_tables_of_the_program(database: Database) -> None:
    async with database.read() as connection:
        assert await connection.run_sync(differences) == []


async def test_primary_keys_and_uniqueness_are_as_the_program_says(database: Database) -> None:
    def look(connection: Connection) -> None:
        found = inspect(connection)
        for table in metadata.sorted_tables:
            assert found.get_pk_constraint(table.name)["constrained_columns"] == [c.name for c in table.primary_key]

    async with database.read() as connection:
        await connection.run_sync(look)


def test_the_newest_version_is_the_last_migration() -> None:
    config = Config()
    config.set_main_option("script_location", "shutong:storage/migrations")
    assert ScriptDirectory.from_config(config).get_current_head() == migrate.HEAD


async def test_an_empty_database_has_no_version(settings: Settings) -> None:
    opened = Database(settings)
    assert await migrate.version(opened) is None
    await opened.close()


async def test_preparing_twice_changes_nothing(database: Database, settings: Settings) -> None:
    async with database.write() as connection:
        await connection.execute(text("INSERT INTO index_changes (book_id) VALUES (1)"))
    await migrate.prepare(settings, database)
    await migrate.upgrade(database)
    async with database.read() as connection:
        assert (await connection.execute(text("SELECT count(*) FROM index_changes"))).scalar_one() == 1
    assert await migrate.version(database) == migrate.HEAD


async def test_a_database_of_the_operator_is_not_migrated_by_itself(nowhere: Path, tmp_path: Path) -> None:
    settings = load_settings(database_url=f"sqlite:///{tmp_path}/operator.db")
    opened = Database(settings)
    with pytest.raises(StorageError, match="shutong db upgrade"):
        await migrate.prepare(settings, opened)
    assert await migrate.version(opened) is None
    await migrate.upgrade(opened)
    await migrate.prepare(settings, opened)
    await opened.close()


async def test_a_database_of_a_newer_program_is_left_alone(database: Database, settings: Settings) -> None:
    async with database.write() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StorageError, match="newer"):
        await migrate.prepare(settings, database)
    assert await migrate.version(database) == "9999"


def test_processes_that_start_at_once_on_a_fresh_home_all_come_up(nowhere: Path, tmp_path: Path) -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", START, str(tmp_path / "home")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for process in started:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    for process in started:
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out.strip()) == (0, migrate.HEAD), err
