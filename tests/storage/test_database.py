"""The database: one writer at a time, whole transactions, and tables that are what the program says they are."""

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select, text
from sqlalchemy.exc import IntegrityError

from shutong.errors import SettingsError, StorageError
from shutong.settings import load_settings
from shutong.storage.clock import now_epoch
from shutong.storage.database import Database
from shutong.storage.tables import conversations, index_changes, messages

SECRET = "do-not-print-me"


async def count_changes(database: Database) -> int:
    async with database.read() as connection:
        return int((await connection.execute(select(func.count()).select_from(index_changes))).scalar_one())


async def append(database: Database, book_id: int) -> None:
    async with database.write() as connection:
        await connection.execute(insert(index_changes).values(book_id=book_id))


@pytest.mark.parametrize(("pragma", "value"), [("journal_mode", "wal"), ("foreign_keys", 1), ("synchronous", 1)])
async def test_every_connection_is_prepared(database: Database, pragma: str, value: object) -> None:
    async with database.read() as one, database.read() as other:
        for connection in (one, other):
            assert (await connection.execute(text(f"PRAGMA {pragma}"))).scalar_one() == value


async def test_full_sync_is_a_setting(nowhere: Path, tmp_path: Path) -> None:
    opened = Database(load_settings(home=tmp_path, sqlite_full_sync=True))
    async with opened.read() as connection:
        assert (await connection.execute(text("PRAGMA synchronous"))).scalar_one() == 2
    await opened.close()


async def test_a_message_without_its_conversation_is_refused(database: Database) -> None:
    with pytest.raises(IntegrityError):
        async with database.write() as connection:
            await connection.execute(insert(messages).values(conversation_id="nobody", role="user", content="?"))


async def test_a_conversation_takes_its_messages_along(database: Database) -> None:
    async with database.write() as connection:
        await connection.execute(insert(conversations).values(conversation_id="c"))
        await connection.execute(insert(messages).values(conversation_id="c", role="user", content="?"))
        await connection.execute(conversations.delete())
    async with database.read() as connection:
        assert (await connection.execute(select(func.count()).select_from(messages))).scalar_one() == 0


async def test_a_block_that_raises_writes_nothing_and_the_next_one_writes(database: Database) -> None:
    async def fail() -> None:
        async with database.write() as connection:
            await connection.execute(insert(index_changes).values(book_id=1))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fail()
    assert await count_changes(database) == 0
    await append(database, 2)
    assert await count_changes(database) == 1


async def test_a_failed_statement_leaves_the_connection_usable(database: Database) -> None:
    async def fail() -> None:
        async with database.write() as connection:
            await connection.execute(insert(index_changes).values(book_id=1))
            await connection.execute(text("INSERT INTO index_changes (book_id) VALUES (NULL)"))

    with pytest.raises(IntegrityError):
        await fail()
    await append(database, 2)
    assert await count_changes(database) == 1


async def test_a_write_that_is_cancelled_is_rolled_back(database: Database) -> None:
    inside = asyncio.Event()

    async def endless() -> None:
        async with database.write() as connection:
            await connection.execute(insert(index_changes).values(book_id=1))
            inside.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(endless())
    await inside.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await append(database, 2)
    assert await count_changes(database) == 1


async def test_many_writers_at_once_never_find_the_database_locked(database: Database) -> None:
    async def fifty(start: int) -> None:
        for i in range(50):
            await append(database, start + i)

    await asyncio.gather(*(fifty(50 * n) for n in range(8)))
    assert await count_changes(database) == 400


async def test_a_writer_that_reads_first_waits_for_the_writer_of_another_pool(database: Database) -> None:
    other = Database(load_settings(home=Path(str(database.engine.url.database)).parent))

    async def one_more(pool: Database) -> None:
        async with pool.write() as connection:
            highest = (await connection.execute(select(func.max(index_changes.c.book_id)))).scalar() or 0
            await asyncio.sleep(0)
            await connection.execute(insert(index_changes).values(book_id=highest + 1))

    await asyncio.gather(*(one_more(pool) for pool in (database, other) for _ in range(20)))
    await other.close()
    async with database.read() as connection:
        assert (await connection.execute(select(func.max(index_changes.c.book_id)))).scalar() == 40


async def test_a_reader_sees_one_state_while_others_write(database: Database) -> None:
    await append(database, 1)
    async with database.read() as connection:
        counting = select(func.count()).select_from(index_changes)
        before = (await connection.execute(counting)).scalar_one()
        await append(database, 2)
        assert (await connection.execute(counting)).scalar_one() == before
    assert await count_changes(database) == 2


async def test_a_writer_of_another_process_is_waited_for(database: Database) -> None:
    held = (
        "import sqlite3, sys, time\n"
        "c = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "c.execute('BEGIN IMMEDIATE'); print('held', flush=True); sys.stdin.readline(); c.execute('COMMIT')\n"
    )
    path = str(database.engine.url.database)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", held, path, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin
    assert process.stdout
    await process.stdout.readline()
    writing = asyncio.create_task(append(database, 1))
    assert await count_changes(database) == 0  # reading goes on
    process.stdin.write(b"\n")
    process.stdin.close()
    await writing
    await process.wait()
    assert await count_changes(database) == 1


async def test_the_clock_of_the_database_counts_seconds_since_1970(database: Database) -> None:
    async with database.read() as connection:
        first, of_sqlite = (await connection.execute(select(now_epoch(), text("unixepoch()")))).one()
    assert abs(first - of_sqlite) < 5


# Addresses that cannot be used


@pytest.mark.parametrize("url", ["books", f"nosql://u:{SECRET}@db/books", f"mysql://u:{SECRET}@db:port/books"])
def test_an_address_that_means_no_database_names_its_variable_and_no_secret(nowhere: Path, url: str) -> None:
    with pytest.raises(SettingsError, match=r"^DATABASE_URL ") as refused:
        Database(load_settings(database_url=url))
    assert SECRET not in str(refused.value)


def test_a_driver_that_is_not_there_is_named(nowhere: Path) -> None:
    with pytest.raises(SettingsError, match="pymssql") as refused:
        Database(load_settings(database_url=f"mssql+pymssql://u:{SECRET}@db/books"))
    assert SECRET not in str(refused.value)


async def test_a_database_that_does_not_answer_is_a_storage_error(nowhere: Path, tmp_path: Path) -> None:
    opened = Database(load_settings(database_url=f"sqlite:///{tmp_path}/nowhere/books.db"))
    with pytest.raises(StorageError, match="does not answer"):
        async with opened.read():
            pass
    await opened.close()
    for thread in threading.enumerate():  # the driver reports its failure to this loop once more, a little later
        if thread.name.endswith("(_connection_worker_thread)"):
            await asyncio.to_thread(thread.join)
