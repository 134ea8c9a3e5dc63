"""Several programs on one database, and programs that are killed: on SQLite, MariaDB and PostgreSQL."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shutong.conversations.turns import Request
from shutong.service import Service, open_service
from shutong.settings import Settings
from shutong.storage.database import Database
from tests.conversations import jobs
from tests.conversations.conftest import KINDS
from tests.conversations.jobs import Job, together
from tests.doubles.model_server import ModelServer, hang
from tests.support import rows, settings_for

POSTS = 5
KILLS, MANY_KILLS = 10, 200
SEED = 20_260_101


def options(settings: Settings, **more: Any) -> dict[str, Any]:
    """The settings, for another process."""
    url = settings.database_url.get_secret_value() if settings.database_url else None
    return {"home": settings.home, "sample": False, "database_url": url, **more}


async def messages_of(database: Database, conversation_id: str = "c") -> list[tuple[Any, ...]]:
    query = "SELECT role, content, run_id FROM messages WHERE conversation_id = :id ORDER BY id"
    return await rows(database, query, id=conversation_id)


# ---- appending and claiming


async def test_messages_that_processes_append_at_once_are_all_there_and_in_order(talk_settings, talk_database):
    count = 25
    together(*(Job(jobs.append, options(talk_settings), name, count) for name in "abcd"))
    said = [content for _, content, _ in await messages_of(talk_database)]
    assert len(said) == 4 * count
    for name in "abcd":
        assert [content for content in said if content.startswith(name)] == [f"{name} {i}" for i in range(count)]


async def test_eight_processes_append_to_a_fresh_file(nowhere, tmp_path):
    settings = settings_for(tmp_path / "fresh")
    together(Job(jobs.upgrade, options(settings)))
    together(*(Job(jobs.append, options(settings), name, 50) for name in "abcdefgh"))
    database = Database(settings)
    assert len(await messages_of(database)) == 400
    await database.close()


async def test_processes_that_claim_at_once_get_numbers_without_a_gap_and_at_most_six_places(
    talk_settings, talk_database
):
    said = together(*(Job(jobs.claim, options(talk_settings), name, 5, None) for name in "abcd"))
    assert [code for code, is_new in said if not is_new] == ["conversation_busy"] * 14
    assert await rows(talk_database, "SELECT seq FROM runs ORDER BY seq") == [(i,) for i in range(1, 7)]


async def test_of_processes_that_use_one_key_at_once_one_starts_a_run(talk_settings, talk_database):
    said = together(*(Job(jobs.claim, options(talk_settings), name, 3, "k") for name in "abcd"))
    assert len({run_id for run_id, _ in said}) == 1
    assert sum(is_new for _, is_new in said) == 1
    assert await rows(talk_database, "SELECT count(*) FROM runs") == [(1,)]


# ---- posting


async def test_posts_of_two_processes_to_one_conversation_alternate(talk_settings, talk_database):
    together(*(Job(jobs.post, options(talk_settings), name, "c", POSTS) for name in "ab"))
    said = await messages_of(talk_database)
    assert [role for role, _, _ in said] == ["user", "assistant"] * (2 * POSTS)
    assert all(asked[2] == answered[2] for asked, answered in zip(said[::2], said[1::2], strict=True))
    for name in "ab":  # each process's own messages stay in order
        mine = [content for _, content, _ in said if content.startswith(f"hello {name}")]
        assert mine == [f"hello {name} {i}" for i in range(POSTS)]
    ended = await rows(talk_database, "SELECT state, count(*), max(seq) FROM runs GROUP BY state")
    assert ended == [("completed", 2 * POSTS, 2 * POSTS)]


# ---- being killed


async def test_a_killed_program_s_run_is_closed_within_ten_seconds_and_the_talk_goes_on(
    on_kind: Callable[[str], Settings],
):
    """With the default settings, on all databases side by side, because it is mostly waiting."""
    await asyncio.gather(*(_closed_in_time(on_kind(kind)) for kind in KINDS))


async def _closed_in_time(settings: Settings) -> None:
    async with ModelServer([hang()]) as server:
        asking = Job(jobs.post, options(settings, llm_base_url=server.url, llm_model="m"), "a", "c", 1)
        await asyncio.to_thread(asking.heard)
        asking.go()
        await server.until(lambda s: bool(s.chats))
        await asyncio.to_thread(asking.kill)
    killed = time.monotonic()
    async with open_service(settings) as service:
        after = await service.submit(Request("hello b", conversation_id="c"))
        [(left,)] = await rows(service.database, "SELECT id FROM runs WHERE seq = 1")
        while await service.turns.state(left) == "running":  # noqa: ASYNC110 (a state in the database, not an event)
            await asyncio.sleep(0.1)
        waited = time.monotonic() - killed
        outcome = await after.finished()
        states = await rows(service.database, "SELECT state, error_code FROM runs ORDER BY seq")
        said = [content for _, content, _ in await messages_of(service.database)]
    assert outcome.state == "completed"
    assert states == [("interrupted", "interrupted"), ("completed", None)]
    assert said[0] == "hello b"
    assert len(said) == 2
    assert waited < 10


async def test_a_kill_at_any_moment_leaves_whole_turns_and_a_talk_that_goes_on(talk_settings):
    await _kill_often(talk_settings, KILLS)


@pytest.mark.long
@pytest.mark.timeout(1_200)
async def test_kills_at_many_moments_leave_whole_turns_and_talks_that_go_on(talk_settings):
    await _kill_often(talk_settings, MANY_KILLS)


async def _kill_often(settings: Settings, kills: int) -> None:
    """Kill a posting process at random moments, each in a talk of its own; then look at every talk and go on with it."""
    chance = random.Random(SEED)
    answered: dict[str, list[str]] = {}
    for number in range(kills):
        answered[f"c{number}"] = await asyncio.to_thread(_posted_until_killed, settings, f"c{number}", chance)
    patient = settings.model_copy(update={"dead_after_seconds": 1.0, "heartbeat_seconds": 0.2})
    async with open_service(patient) as service:
        talks = list(answered)
        for start in range(0, len(talks), 10):
            await asyncio.gather(*(_goes_on(service, talk, answered[talk]) for talk in talks[start : start + 10]))
        left = await rows(service.database, "SELECT count(*) FROM runs WHERE state IN ('queued', 'running')")
        locked = await rows(service.database, "SELECT count(*) FROM conversations WHERE active_run IS NOT NULL")
    assert (left, locked) == ([(0,)], [(0,)])


def _posted_until_killed(settings: Settings, conversation_id: str, chance: random.Random) -> list[str]:
    """The runs that the process said were answered before it was killed."""
    job = Job(jobs.post, options(settings), "a", conversation_id, 0)
    assert job.heard() == "ready"
    job.go()
    first = job.heard() if chance.random() < 0.7 else None  # now and then within the first turn of a talk
    time.sleep(chance.uniform(0, 0.05))
    job.kill()
    return [*([first] if first else []), *job.all_heard()]


async def _goes_on(service: Service, conversation_id: str, answered: list[str]) -> None:
    outcome = await service.ask(Request("hello again", conversation_id=conversation_id))
    assert outcome.state == "completed", (SEED, conversation_id, outcome.error)
    said = await messages_of(service.database, conversation_id)
    query = "SELECT id FROM runs WHERE conversation_id = :id AND state = 'completed' ORDER BY seq"
    completed = [run_id for (run_id,) in await rows(service.database, query, id=conversation_id)]
    assert [role for role, _, _ in said] == ["user", "assistant"] * len(completed), (SEED, conversation_id)
    assert [run_id for _, _, run_id in said] == [run_id for run_id in completed for _ in range(2)]
    assert completed[: len(answered)] == answered, (SEED, conversation_id)  # what was said to be saved is saved
    seqs = await rows(
        service.database, "SELECT seq FROM runs WHERE conversation_id = :id ORDER BY seq", id=conversation_id
    )
    assert [seq for (seq,) in seqs] == list(range(1, len(seqs) + 1))
    states = "SELECT DISTINCT state FROM runs WHERE conversation_id = :id"
    assert {state for (state,) in await rows(service.database, states, id=conversation_id)} <= {
        "completed",
        "interrupted",
    }


def test_a_process_for_the_tests_starts_quickly(nowhere: Path, tmp_path: Path) -> None:
    """Otherwise something is imported anew in each, and the kills all fall into the start."""
    settings = settings_for(tmp_path / "home")
    together(Job(jobs.upgrade, options(settings)))
    began = time.monotonic()
    together(Job(jobs.upgrade, options(settings)))
    assert time.monotonic() - began < 5
