"""What the other processes of the tests do. Each is forked from one that has everything imported, so that it starts at once."""

from __future__ import annotations

import asyncio
import itertools
import multiprocessing
import traceback
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from typing import Any

from shutong.conversations.sql_store import SqlStore
from shutong.conversations.turns import Request, Turns
from shutong.service import open_service
from shutong.settings import load_settings
from shutong.storage import migrate
from shutong.storage.database import Database

PATIENCE_SECONDS = 60.0

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["shutong.service", "sqlalchemy.dialects.sqlite", "aiosqlite", "asyncmy", "asyncpg"])

Options = dict[str, Any]


class Job:
    """A function of this module in a process of its own. It says "ready", waits for `go()`, and then does its work."""

    def __init__(self, work: Callable[..., Awaitable[None]], options: Options, *arguments: Any) -> None:
        self._ours, theirs = _context.Pipe()
        self.process = _context.Process(target=_run, args=(work, theirs, options, *arguments))
        self.process.start()
        theirs.close()

    def heard(self) -> Any:
        """The next thing that the job says. Raises `EOFError` when it has ended."""
        assert self._ours.poll(PATIENCE_SECONDS), "the other process says nothing"
        said = self._ours.recv()
        assert not isinstance(said, BaseException), said
        return said

    def all_heard(self) -> list[Any]:
        """Everything that the job has said until its end."""
        said = []
        while True:
            try:
                said.append(self.heard())
            except (EOFError, ConnectionResetError):
                return said

    def go(self) -> None:
        self._ours.send("go")

    def kill(self) -> None:
        self.process.kill()
        self.process.join()

    def ended(self) -> list[Any]:
        """Wait for the end; what the job said. Fails when the job failed."""
        said = self.all_heard()
        self.process.join(PATIENCE_SECONDS)
        assert self.process.exitcode == 0, said
        return said


def together(*jobs: Job) -> list[Any]:
    """Let jobs begin at the same moment, and wait for them all; what they said."""
    for job in jobs:
        assert job.heard() == "ready"
    for job in jobs:
        job.go()
    return [said for job in jobs for said in job.ended()]


async def append(pipe: Connection, options: Options, name: str, count: int) -> None:
    """Add messages to one conversation as fast as they go."""
    database = Database(load_settings(**options))
    store = SqlStore(database)
    await _begin(pipe)
    await store.ensure_conversation("c")
    for i in range(count):
        await store.add_message("c", "user", f"{name} {i}")
    await database.close()


async def upgrade(pipe: Connection, options: Options) -> None:
    """Bring the database to the newest version."""
    database = Database(load_settings(**options))
    await _begin(pipe)
    await migrate.upgrade(database)
    pipe.send(await migrate.version(database))
    await database.close()


async def claim(pipe: Connection, options: Options, name: str, count: int, key: str | None) -> None:
    """Claim messages in one conversation; says each run's id, or the error's code."""
    settings = load_settings(**options)
    database = Database(settings)
    turns = Turns(database, settings)
    await _begin(pipe)
    for i in range(count):
        try:
            claimed = await turns.claim(Request(key or f"{name} {i}", conversation_id="c", key=key))
            pipe.send((claimed.run_id, claimed.is_new))
        except Exception as error:
            pipe.send((getattr(error, "code", repr(error)), False))
    await database.close()


async def post(pipe: Connection, options: Options, name: str, conversation_id: str, count: int) -> None:
    """Ask in one conversation, one after the other, and say each run that was answered: `count` times, or (0) for ever."""
    async with open_service(load_settings(**options)) as service:
        await _begin(pipe)
        for i in range(count) if count else itertools.count():
            outcome = await service.ask(Request(f"hello {name} {i}", conversation_id=conversation_id))
            assert outcome.state == "completed", outcome.error
            pipe.send(outcome.run_id)


async def _begin(pipe: Connection) -> None:
    pipe.send("ready")
    await asyncio.to_thread(pipe.recv)


def _run(work: Callable[..., Awaitable[None]], pipe: Connection, *arguments: Any) -> None:
    try:
        asyncio.run(work(pipe, *arguments))  # type: ignore[arg-type]
    except BaseException as error:
        pipe.send(AssertionError("".join(traceback.format_exception(error))))
        raise
