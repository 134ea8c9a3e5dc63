"""Two programs on one database file, and a program that is killed."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

from shutong.conversations.store import StoredMessage
from shutong.conversations.turns import Request
from tests.doubles.model_server import ModelServer, hang
from tests.support import rows, service_at

POSTS = 6
_POSTER = """
import asyncio, sys
from shutong.conversations.turns import Request
from shutong.service import open_service
from shutong.settings import load_settings

async def main(name, count):
    async with open_service(load_settings()) as service:
        sys.stdout.write("open\\n"); sys.stdout.flush(); sys.stdin.readline()
        for i in range(count):
            outcome = await service.ask(Request(f"hello {name} {i}", conversation_id="c"))
            assert outcome.state == "completed", outcome.error

asyncio.run(main(sys.argv[1], int(sys.argv[2])))
"""


async def spawned(home: Path, *arguments: str, **environment: str) -> asyncio.subprocess.Process:
    env = {**os.environ, "SHUTONG_HOME": str(home), "SHUTONG_SAMPLE": "0", **environment}
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        sys.executable, *arguments, env=env, cwd=home, stdin=pipe, stdout=pipe, stderr=pipe
    )


async def ended(process: Any) -> None:
    _, errors = await process.communicate(b"\n")
    assert process.returncode == 0, errors.decode()


async def test_posts_of_two_processes_to_one_conversation_alternate(home):
    posters = [await spawned(home, "-c", _POSTER, name, str(POSTS)) for name in "ab"]
    for poster in posters:  # both are open before either begins
        assert await poster.stdout.readline() == b"open\n"
    await asyncio.gather(*(ended(poster) for poster in posters))
    async with service_at(home) as service:
        said = await service.store.get_messages("c")
        seqs = await rows(service.database, "SELECT state, count(*), max(seq) FROM runs GROUP BY state")
        pairs = await rows(
            service.database,
            "SELECT count(*) FROM messages q JOIN messages a ON a.id = q.id + 1 AND a.run_id = q.run_id "
            "WHERE q.role = 'user' AND a.role = 'assistant'",
        )
    assert [message.role for message in said] == ["user", "assistant"] * (2 * POSTS)
    for name in "ab":  # each process's own messages stay in order
        mine = [message.content for message in said if message.content.startswith(f"hello {name}")]
        assert mine == [f"hello {name} {i}" for i in range(POSTS)]
    assert seqs == [("completed", 2 * POSTS, 2 * POSTS)]
    assert pairs == [(2 * POSTS,)]


async def test_after_a_kill_the_next_program_closes_the_run_and_goes_on(home):
    async with ModelServer([hang()]) as server:
        asking = await spawned(
            home, "-m", "shutong", "ask", "first", "--conversation", "c", LLM_BASE_URL=server.url, LLM_MODEL="m"
        )
        async with asyncio.timeout(60):
            while not server.chats:  # noqa: ASYNC110 (the server double's own patience is shorter than a program's start)
                await asyncio.sleep(0.01)
        os.kill(asking.pid, signal.SIGKILL)
        await asking.communicate()
    async with service_at(home, heartbeat_seconds=0.2, dead_after_seconds=2) as service:
        outcome = await service.ask(Request("hello", conversation_id="c"))
        states = await rows(service.database, "SELECT state, message FROM runs ORDER BY seq")
        said = await service.store.get_messages("c")
    assert outcome.state == "completed"
    assert states == [("interrupted", "first"), ("completed", "hello")]
    assert said[0] == StoredMessage("user", "hello")
    assert len(said) == 2
