"""The store and the turns while the database misbehaves: lost connections, failed statements, a full disk, a small pool."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from sqlalchemy import insert, text
from sqlalchemy.exc import DBAPIError

from shutong.conversations.sql_store import SqlStore
from shutong.conversations.turns import Request, Turns
from shutong.errors import StorageError
from shutong.service import open_service
from shutong.settings import Settings
from shutong.storage.database import Database
from shutong.storage.tables import messages
from tests.doubles.model_server import ModelServer, hang
from tests.servers import SERVERS
from tests.support import an_end, change, rows

on_servers = pytest.mark.parametrize("talk_settings", SERVERS, indirect=True)

END_OTHERS = {
    "mysql": "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()",
    "postgresql": "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()",
}


@pytest.fixture
def store(talk_database: Database) -> SqlStore:
    return SqlStore(talk_database)


async def contents(store: SqlStore) -> list[str]:
    return [message.content for message in await store.get_messages("c")]


async def end_all_connections(settings: Settings) -> None:
    """What a restarting server or a firewall does to connections that lie in the pool."""
    administrator = Database(settings)
    async with administrator.write() as connection:
        found = await connection.execute(text(END_OTHERS[connection.dialect.name]))
        if connection.dialect.name == "mysql":
            for (number,) in found.all():
                await connection.execute(text(f"KILL {number}"))
    await administrator.close()


@on_servers
async def test_connections_that_the_server_closed_are_made_again(talk_settings, talk_database, store):
    await store.ensure_conversation("c")
    await end_all_connections(talk_settings)
    await store.add_message("c", "user", "hello")
    await end_all_connections(talk_settings)
    assert await contents(store) == ["hello"]


async def test_a_connection_that_was_idle_for_too_long_is_made_again(on_kind: Callable[[str], Settings]):
    database = Database(on_kind("mariadb"))
    store = SqlStore(database)
    await store.ensure_conversation("c")
    async with database.read() as connection:
        await connection.execute(text("SET SESSION wait_timeout = 1"))
    await asyncio.sleep(2.2)
    await store.add_message("c", "user", "hello")
    assert await contents(store) == ["hello"]
    await database.close()


@on_servers
async def test_a_connection_that_breaks_within_a_transaction_is_a_storage_error_and_writes_nothing(
    talk_settings, talk_database, store
):
    await store.ensure_conversation("c")

    async def broken() -> None:
        async with talk_database.write() as connection:
            await connection.execute(insert(messages).values(conversation_id="c", role="user", content="half"))
            await end_all_connections(talk_settings)
            await connection.execute(insert(messages).values(conversation_id="c", role="user", content="other half"))

    with pytest.raises(StorageError, match="broke off"):
        await broken()
    await store.add_message("c", "user", "whole")
    assert await contents(store) == ["whole"]


async def test_a_statement_that_fails_takes_its_transaction_back_and_nothing_else(talk_database, store):
    await store.ensure_conversation("c")

    async def failing() -> None:
        async with talk_database.write() as connection:
            await connection.execute(insert(messages).values(conversation_id="c", role="user", content="half"))
            await connection.execute(text("INSERT INTO messages (conversation_id, role) VALUES ('c', 'user')"))

    with pytest.raises((DBAPIError, StorageError)):  # MySQL counts a missing value among its own failures
        await failing()
    await store.add_message("c", "user", "whole")
    assert await contents(store) == ["whole"]


async def test_messages_of_one_moment_keep_their_order(talk_database, store):
    await store.ensure_conversation("c")
    for i in range(20):
        await store.add_message("c", "assistant" if i % 2 else "user", str(i))
    await change(talk_database, "UPDATE messages SET created_at = '2026-01-01 00:00:00'")
    assert await contents(store) == [str(i) for i in range(20)]


async def test_messages_that_plain_sql_wrote_come_in_their_place(talk_database, store):
    await store.ensure_conversation("c")
    await store.add_message("c", "user", "one")
    await change(
        talk_database, "INSERT INTO messages (conversation_id, role, content) VALUES ('c', 'assistant', 'two')"
    )
    await store.add_message("c", "user", "three")
    assert await contents(store) == ["one", "two", "three"]


async def test_times_are_those_of_greenwich(talk_database, store):
    await store.ensure_conversation("c")
    now = "datetime('now')" if talk_database.is_sqlite else "CURRENT_TIMESTAMP"
    if talk_database.engine.dialect.name == "mysql":
        now = "UTC_TIMESTAMP()"
    elif not talk_database.is_sqlite:
        now = "(now() AT TIME ZONE 'UTC')"
    found = await rows(talk_database, f"SELECT count(*) FROM conversations WHERE created_at > {now}")
    assert found == [(0,)]


async def test_a_full_disk_is_a_storage_error_and_the_next_message_is_stored(on_kind: Callable[[str], Settings]):
    database = Database(on_kind("sqlite").model_copy(update={"database_connections": 1}))
    store, turns = SqlStore(database), Turns(database, on_kind("sqlite"))
    await store.ensure_conversation("c")
    claim = await turns.claim(Request("question", conversation_id="d"))
    assert await turns.start(claim)
    async with database.read() as connection:
        pages = (await connection.execute(text("PRAGMA page_count"))).scalar_one()
        await connection.execute(text(f"PRAGMA max_page_count = {pages}"))
    with pytest.raises(StorageError, match="full"):
        await store.add_message("c", "user", "书" * 100_000)
    with pytest.raises(StorageError, match="full"):
        await turns.finish(an_end(claim, answer="书" * 100_000))
    assert await contents(store) == []
    assert await turns.state(claim.run_id) == "running"
    async with database.read() as connection:
        await connection.execute(text("PRAGMA max_page_count = 1000000"))
    await store.add_message("c", "user", "书" * 100_000)
    assert await turns.finish(an_end(claim))
    assert await contents(store) == ["书" * 100_000]
    await database.close()


async def test_no_connection_is_held_while_a_model_talks(talk_settings):
    async with ModelServer([hang()]) as server:
        settings = talk_settings.model_copy(
            update={"database_connections": 1, "llm_base_url": server.url, "llm_model": "m"}
        )
        async with open_service(settings) as service, asyncio.timeout(60):
            live = await service.submit(Request("first", conversation_id="c"))
            await server.until(lambda s: bool(s.chats))
            await service.store.ensure_conversation("d")
            assert list(await service.store.get_messages("d")) == []
            await service.cancel(live.run_id)
            assert (await live.finished()).state == "cancelled"


@on_servers
async def test_a_transaction_that_a_deadlock_undid_is_done_again(talk_database, store):
    for conversation_id in "ab":
        await store.ensure_conversation(conversation_id)
    both = asyncio.Barrier(2)
    tries = 0

    async def crossing(first: str, second: str) -> None:
        async def work(connection) -> None:
            nonlocal tries
            tries += 1
            change = "UPDATE conversations SET next_seq = next_seq + 1 WHERE conversation_id = :id"
            await connection.execute(text(change), {"id": first})
            if tries <= 2:
                await both.wait()
            await connection.execute(text(change), {"id": second})

        await talk_database.transaction(work)

    await asyncio.gather(crossing("a", "b"), crossing("b", "a"))
    assert tries >= 3
    assert await rows(talk_database, "SELECT next_seq FROM conversations") == [(3,), (3,)]
