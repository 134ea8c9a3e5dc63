"""MariaDB and PostgreSQL: the addresses they are known by, and what the migrations make there."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, text

from shutong.conversations.sql_store import SqlStore
from shutong.errors import SettingsError
from shutong.settings import load_settings
from shutong.storage import migrate
from shutong.storage.clock import now_epoch
from shutong.storage.database import Database
from tests.conversations import jobs
from tests.conversations.jobs import Job, together
from tests.servers import SERVERS, migrated_database, new_database
from tests.storage.test_migrate import differences

LONG = {
    ("messages", "content"),
    ("runs", "message"),
    ("runs", "answer"),
    ("runs", "partial"),
    ("run_steps", "reply"),
    ("run_steps", "thought"),
    ("tool_calls", "arguments"),
    ("tool_calls", "result"),
    ("books", "intro"),
}


@pytest.fixture(scope="module", params=SERVERS)
def server_url(request: pytest.FixtureRequest) -> Iterator[str]:
    with migrated_database(request.param) as url:
        yield url


@pytest.fixture(scope="module")
def latin1_url() -> Iterator[str]:
    """A database whose own character set cannot hold Chinese."""
    with new_database("mariadb", "CHARACTER SET latin1") as url:
        yield url


async def facts(url: str, query: str) -> list[tuple[object, ...]]:
    database = Database(load_settings(database_url=url))
    async with database.read() as connection:
        found = [tuple(row) for row in await connection.execute(text(query))]
    await database.close()
    return found


# ---- addresses


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("mysql://u@h/b", "mysql+asyncmy://u@h/b"),
        ("mariadb://u@h/b", "mysql+asyncmy://u@h/b"),
        ("mysql+pymysql://u@h:3307/b?charset=latin1", "mysql+asyncmy://u@h:3307/b"),
        ("postgres://u@h/b", "postgresql+asyncpg://u@h/b"),
        ("postgresql://u@h/b?sslmode=require", "postgresql+asyncpg://u@h/b?ssl=require"),
        ("postgresql+psycopg2://u@h/b", "postgresql+asyncpg://u@h/b"),
    ],
)
def test_an_address_as_people_write_it_gets_our_driver(nowhere, given, used):
    assert Database(load_settings(database_url=given)).engine.url.render_as_string() == used


def test_the_names_of_a_mysql_database_are_an_address_too(nowhere):
    settings = load_settings(db_host="h", db_port=3307, db_user="u@x", db_password="p:/ w", db_name="b")
    url = Database(settings).engine.url
    assert (url.drivername, url.host, url.port, url.database) == ("mysql+asyncmy", "h", 3307, "b")
    assert (url.username, url.password) == ("u@x", "p:/ w")


@pytest.mark.parametrize(
    ("url", "driver", "extra"),
    [("mysql://u:hush@h/b", "asyncmy", "mysql"), ("postgres://u:hush@h/b", "asyncpg", "postgres")],
)
def test_a_missing_driver_is_a_sentence_that_names_the_extra(nowhere, monkeypatch, url, driver, extra):
    monkeypatch.setitem(sys.modules, driver, None)
    with pytest.raises(SettingsError, match=rf"^DATABASE_URL .*{driver}.*pip install 'shutong\[{extra}\]'") as refused:
        Database(load_settings(database_url=url))
    assert "hush" not in str(refused.value)


def test_a_missing_driver_names_the_setting_that_asked_for_it(nowhere, monkeypatch):
    monkeypatch.setitem(sys.modules, "asyncmy", None)
    with pytest.raises(SettingsError, match=r"^DB_HOST needs"):
        Database(load_settings(db_host="h"))


# ---- what the migrations make


async def test_the_migrations_make_exactly_the_tables_of_the_program(nowhere, server_url):
    database = Database(load_settings(database_url=server_url))
    async with database.read() as connection:
        assert await connection.run_sync(differences) == []
    await database.close()


async def test_the_clock_of_a_server_counts_seconds_since_1970(nowhere, server_url):
    database = Database(load_settings(database_url=server_url))
    async with database.read() as connection:
        now = float((await connection.execute(select(now_epoch()))).scalar_one())
    await database.close()
    assert abs(now - time.time()) < 30


async def test_every_session_waits_for_locks_and_idles_in_transactions_for_a_bounded_time(nowhere, server_url):
    if server_url.startswith("mariadb"):
        query = "SELECT @@time_zone, @@tx_isolation, @@innodb_lock_wait_timeout, @@idle_transaction_timeout"
        assert await facts(server_url, query) == [("+00:00", "READ-COMMITTED", 10, 60)]
        return
    names = ("TimeZone", "transaction_isolation", "lock_timeout", "idle_in_transaction_session_timeout")
    query = "SELECT " + ", ".join(f"current_setting('{name}')" for name in names)
    assert await facts(server_url, query) == [("UTC", "read committed", "10s", "1min")]


async def test_on_a_latin1_server_every_table_keeps_every_text_and_every_transaction(nowhere, latin1_url):
    database = Database(load_settings(database_url=latin1_url))
    await migrate.upgrade(database)
    store = SqlStore(database)
    await store.ensure_conversation("书📚")
    await store.add_message("书📚", "user", "𠮷野家 📚")
    assert [message.content for message in await store.get_messages("书📚")] == ["𠮷野家 📚"]
    await database.close()
    ours = "table_schema = DATABASE() AND table_name <> 'alembic_version'"
    assert await facts(latin1_url, f"SELECT DISTINCT engine FROM information_schema.tables WHERE {ours}") == [
        ("InnoDB",)
    ]
    sets = (
        f"SELECT DISTINCT character_set_name FROM information_schema.columns WHERE {ours} AND character_set_name <> ''"
    )
    assert await facts(latin1_url, sets) == [("utf8mb4",)]
    exact = (
        "SELECT DISTINCT collation_name FROM information_schema.columns "
        "WHERE table_schema = DATABASE() AND column_name = 'conversation_id'"
    )
    assert await facts(latin1_url, exact) == [("utf8mb4_bin",)]
    long = (
        "SELECT table_name, column_name FROM information_schema.columns "
        "WHERE table_schema = DATABASE() AND data_type = 'mediumtext'"
    )
    assert set(await facts(latin1_url, long)) == LONG


@pytest.mark.parametrize("kind", ["sqlite", *SERVERS])
def test_processes_that_upgrade_at_once_all_come_up(nowhere: Path, tmp_path: Path, kind: str):
    if kind == "sqlite":
        assert _upgraded_by_three(tmp_path, f"sqlite:///{tmp_path}/books.db") == [migrate.HEAD] * 3
        return
    with new_database(kind) as url:
        assert _upgraded_by_three(tmp_path, url) == [migrate.HEAD] * 3


def _upgraded_by_three(home: Path, url: str) -> list[str]:
    return together(*(Job(jobs.upgrade, {"home": home, "database_url": url}) for _ in range(3)))


async def test_a_server_s_database_waits_for_the_operator(nowhere):
    with new_database("postgresql") as url:
        settings = load_settings(database_url=url)
        database = Database(settings)
        with pytest.raises(Exception, match="shutong db upgrade"):
            await migrate.prepare(settings, database)
        await database.close()
