"""Runs in this process, from the message to the stored end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from shutong.agent.events import AnswerDelta, RunFailed, RunFinished, ToolCalled
from shutong.agent.registry import Tool, load_tools
from shutong.conversations.turns import Request
from shutong.runs.live import LiveRun
from shutong.service import Service
from tests.doubles.model_server import ModelServer, Scene, calls, chunks, hang, raw, status, text
from tests.support import change, failing, rows, service_at, settle

ANSWER = text("All is well. ", "It is done.")
FIRST = "First sentence. Second sentence."
MIDWAY = text("First sentence. ", "Second sentence. ", "Third", ending="hang")


@asynccontextmanager
async def talking(home: Path, *scenes: Scene, **settings: Any) -> AsyncIterator[tuple[Service, ModelServer]]:
    """A service whose model plays these scenes."""
    limits = {"llm_retries": 0, "heartbeat_seconds": 0.1, **settings}
    async with (
        ModelServer(scenes) as server,
        service_at(home, llm_base_url=server.url, llm_model="m", **limits) as service,
    ):
        yield service, server


async def until_text(live: LiveRun) -> None:
    async for numbered in live.events():
        if isinstance(numbered.event, AnswerDelta):
            return


async def stored(service: Service, run_id: str) -> tuple[Any, ...]:
    found = await rows(service.database, "SELECT state, partial, error_code FROM runs WHERE id = :id", id=run_id)
    return found[0]


async def said(service: Service, conversation_id: str = "c") -> list[tuple[str, str]]:
    return [(m.role, m.content) for m in await service.store.get_messages(conversation_id)]


async def test_a_turn_is_answered_and_stored(home):
    async with talking(home, ANSWER) as (service, _):
        outcome = await service.ask(Request("hello", conversation_id="c"))
        assert (outcome.state, outcome.answer) == ("completed", "All is well. It is done.")
        assert await said(service) == [("user", "hello"), ("assistant", outcome.answer)]


async def test_the_last_event_comes_after_the_transaction(home):
    async with talking(home, ANSWER) as (service, _):
        live = await service.submit(Request("hello", conversation_id="c"))
        async for numbered in live.events():
            if isinstance(numbered.event, RunFinished):
                assert len(await said(service)) == 2
                assert (await stored(service, live.run_id))[0] == "completed"


async def test_what_was_said_to_be_saved_was_saved(home):
    async with talking(home, ANSWER, ANSWER) as (service, _):
        with failing(service.database, "INSERT INTO messages"):
            outcome = await service.ask(Request("hello", conversation_id="c"))
        assert (outcome.state, outcome.error_code) == ("failed", "storage")
        assert await said(service) == []
        assert (await stored(service, outcome.run_id))[0] == "failed"
        again = await service.ask(Request("thanks", conversation_id="c"))
        assert [content for _, content in await said(service)] == ["thanks", again.answer]


GREETINGS = ["hello", "thanks", "hi", "你好", "谢谢"]
"""Messages that need no tool, so that the model is asked once for each."""


async def test_messages_to_one_conversation_are_answered_in_order(home):
    async with talking(home, *[ANSWER] * 5) as (service, server):
        requests = [Request(greeting, conversation_id="c") for greeting in GREETINGS]
        lives = [await service.submit(request) for request in requests]
        await asyncio.gather(*(live.finished() for live in lives))
        assert [content for role, content in await said(service) if role == "user"] == GREETINGS
        assert [body["messages"][-1]["content"] for body in server.chats] == GREETINGS


async def test_a_waiting_message_sees_the_answer_before_it(home):
    async with talking(home, text("It is called Ulysses, I think."), ANSWER) as (service, server):
        first = await service.submit(Request("hello", conversation_id="c"))
        second = await service.submit(Request("thanks", conversation_id="c"))
        outcome = await first.finished()
        await second.finished()
        assert outcome.answer in [message["content"] for message in server.chats[-1]["messages"]]


async def test_two_with_one_key_share_one_run(home):
    async with talking(home, ANSWER) as (service, server):
        request = Request("hello", conversation_id="c", key="k")
        first, second = await asyncio.gather(service.ask(request), service.ask(request))
        assert first.run_id == second.run_id
        assert first.answer == second.answer != ""
        assert len(server.chats) == 1


async def test_a_key_of_an_ended_run_gives_its_answer_after_a_restart(home):
    request = Request("hello", conversation_id="c", key="k")
    async with talking(home, ANSWER) as (service, _):
        before = await service.ask(request)
    async with talking(home) as (service, server):
        after = await service.ask(request)
        assert (after.run_id, after.state, after.answer) == (before.run_id, "completed", before.answer)
        assert not server.chats


async def test_a_key_of_a_failed_run_gives_its_failure_after_a_restart(home):
    request = Request("hello", conversation_id="c", key="k")
    async with talking(home, MIDWAY) as (service, _):
        live = await service.submit(request)
        await until_text(live)
        await service.cancel(live.run_id)
        await live.finished()
    async with talking(home) as (service, _):
        after = await service.ask(request)
        assert (after.state, after.answer) == ("cancelled", FIRST)


# ---- runs of another process


async def test_a_run_of_another_process_is_followed_to_its_end(home):
    request = Request("hello", conversation_id="c", key="k")
    scene = text("One. ", "Two.", delay=0.1)
    async with talking(home, scene) as (service, server), service_at(home, **wire(server)) as other:
        here = await service.submit(request)
        there = await other.submit(request)
        outcomes = await asyncio.gather(here.finished(), there.finished())
        assert [outcome.answer for outcome in outcomes] == ["One. Two."] * 2
        assert len(server.chats) == 1


async def test_stopping_a_run_of_another_process_ends_it_for_all_readers(home):
    request = Request("hello", conversation_id="c", key="k")
    async with talking(home, MIDWAY) as (service, server), service_at(home, **wire(server)) as other:
        here = await service.submit(request)
        await until_text(here)
        there = await other.submit(request)
        reading = asyncio.create_task(there.finished())
        await other.cancel(there.run_id)
        assert (await here.finished()).state == (await reading).state == "cancelled"
        await server.until(lambda s: s.aborted == 1)


async def test_a_run_of_another_process_goes_on_when_it_is_no_longer_watched(home):
    request = Request("hello", conversation_id="c", key="k")
    async with (
        talking(home, MIDWAY) as (service, server),
        service_at(home, reader_seconds=0.05, **wire(server)) as other,
    ):
        here = await service.submit(request)
        await until_text(here)
        reading = asyncio.create_task(here.finished())
        there = await other.submit(request)
        await settle(lambda: other.runs.get(there.run_id) is None)
        again = asyncio.create_task((await other.submit(request)).finished())
        await service.cancel(here.run_id)
        assert (await again).state == (await reading).state == "cancelled"


async def test_closing_a_process_ends_its_readers_of_other_processes_runs(home):
    request = Request("hello", conversation_id="c", key="k")
    async with talking(home, MIDWAY) as (service, server):
        here = await service.submit(request)
        reading = asyncio.create_task(here.finished())
        async with service_at(home, **wire(server)) as other:
            there = asyncio.create_task((await other.submit(request)).finished())
            await asyncio.sleep(0)
        assert (await there).state == "interrupted"
        assert not reading.done()


def wire(server: ModelServer) -> dict[str, Any]:
    return {"llm_base_url": server.url, "llm_model": "m", "llm_retries": 0}


# ---- stopping


@pytest.mark.parametrize(
    ("scene", "partial"),
    [(hang(), ""), (raw(ending="hang"), ""), (MIDWAY, FIRST)],
    ids=["before the status line", "before the first byte", "in the middle of the text"],
)
async def test_stop_closes_the_models_connection(home, scene, partial):
    async with talking(home, scene) as (service, server):
        live = await service.submit(Request("hello", conversation_id="c"))
        reading = asyncio.create_task(live.finished())
        await server.until(lambda s: len(s.chats) == 1)
        if partial:
            await until_text(live)
        await service.cancel(live.run_id)
        outcome = await reading
        await server.until(lambda s: s.aborted == 1 and s.connected == 0)
        assert outcome.state == "cancelled"
        assert await stored(service, live.run_id) == ("cancelled", partial, "cancelled")
        assert await said(service) == []


async def test_stop_in_the_middle_of_a_calls_arguments_closes_the_connection(home):
    started = chunks({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "search_books", "arguments": "{"}}]})
    async with talking(home, Scene(started.pieces[:1], ending="hang")) as (service, server):
        live = await service.submit(Request("hello", conversation_id="c"))
        reading = asyncio.create_task(live.finished())
        await server.until(lambda s: len(s.chats) == 1)
        await service.cancel(live.run_id)
        await server.until(lambda s: s.aborted == 1 and s.connected == 0)
        assert (await reading).state == "cancelled"


async def test_stop_during_a_tool_ends_the_run_without_waiting_for_the_tool(home, monkeypatch):
    entered, release = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow(self: Tool, arguments: Any, context: Any) -> str:
        loop.call_soon_threadsafe(entered.set)
        asyncio.run_coroutine_threadsafe(release.wait(), loop).result()
        return "{}"

    monkeypatch.setattr(type(load_tools()["calculator"]), "call", slow)
    asked = calls(("calculator", {"a": "1", "b": "2", "operation": "add"}))
    async with talking(home, asked) as (service, server):
        live = await service.submit(Request("hello", conversation_id="c"))
        reading = asyncio.create_task(live.finished())
        await entered.wait()
        await service.cancel(live.run_id)
        assert (await reading).state == "cancelled"
        assert any(isinstance(numbered.event, ToolCalled) for numbered in live.log)
        release.set()
        assert len(server.chats) == 1


async def test_stop_before_the_run_could_even_begin_ends_it(home):
    async with talking(home, ANSWER) as (service, server):
        live = await service.submit(Request("hello", conversation_id="c"))
        service.runs.cancel(live.run_id)
        assert (await live.finished()).state == "cancelled"
        assert (await stored(service, live.run_id))[0] == "cancelled"
        assert not server.chats


async def test_stop_of_a_waiting_message_leaves_the_one_before_it_alone(home):
    async with talking(home, MIDWAY, ANSWER) as (service, _):
        first = await service.submit(Request("hello", conversation_id="c"))
        second = await service.submit(Request("thanks", conversation_id="c"))
        reading = asyncio.create_task(first.finished())
        await until_text(first)
        await service.cancel(second.run_id)
        assert (await second.finished()).state == "cancelled"
        assert not reading.done()
        await service.cancel(first.run_id)
        assert (await reading).state == "cancelled"
        assert (await service.ask(Request("hi", conversation_id="c"))).state == "completed"


async def test_stopping_twice_is_stopping_once(home):
    async with talking(home, MIDWAY) as (service, server):
        live = await service.submit(Request("hello", conversation_id="c"))
        await until_text(live)
        await asyncio.gather(*(service.cancel(live.run_id) for _ in range(5)))
        assert (await live.finished()).state == "cancelled"
        assert (await stored(service, live.run_id))[0] == "cancelled"
        assert server.aborted <= 1


async def test_stopping_a_run_that_has_ended_changes_nothing(home):
    async with talking(home, ANSWER) as (service, _):
        outcome = await service.ask(Request("hello", conversation_id="c"))
        await service.cancel(outcome.run_id)
        assert (await stored(service, outcome.run_id))[0] == "completed"


async def test_a_run_that_nobody_reads_is_cancelled(home):
    async with talking(home, MIDWAY, reader_seconds=0.1) as (service, server):
        live = await service.submit(Request("hello", conversation_id="c"))
        await settle(lambda: live.done)
        await server.until(lambda s: s.aborted == 1)
        assert (await stored(service, live.run_id))[0] == "cancelled"


async def test_a_reader_who_comes_back_in_time_keeps_the_run_alive(home):
    async with talking(home, text(*["Word. "] * 10, delay=0.02), reader_seconds=5) as (service, _):
        live = await service.submit(Request("hello", conversation_id="c"))
        await until_text(live)
        assert (await live.finished()).state == "completed"


async def test_a_run_whose_row_says_stop_is_stopped_at_its_next_beat(home):
    async with talking(home, MIDWAY) as (service, server):
        live = await service.submit(Request("hello", conversation_id="c"))
        reading = asyncio.create_task(live.finished())
        await until_text(live)
        await service.turns.request_cancel(live.run_id)
        assert (await reading).state == "cancelled"
        await server.until(lambda s: s.aborted == 1)


async def test_a_beat_that_fails_is_no_reason_to_stop(home):
    async with talking(home, MIDWAY, heartbeat_seconds=0.02) as (service, _):
        live = await service.submit(Request("hello", conversation_id="c"))
        reading = asyncio.create_task(live.finished())
        await until_text(live)
        with failing(service.database, "UPDATE runs SET heartbeat_at"):
            await asyncio.sleep(0.1)
        assert not reading.done()
        await service.turns.request_cancel(live.run_id)
        assert (await reading).state == "cancelled"


async def test_deleting_a_talk_stops_what_is_at_work_in_it(home):
    async with talking(home, MIDWAY) as (service, server):
        live = await service.submit(Request("hello", conversation_id="c"))
        reading = asyncio.create_task(live.finished())
        await until_text(live)
        await service.store.delete("c")
        assert (await reading).state == "interrupted"
        await server.until(lambda s: s.aborted == 1)
        assert await rows(service.database, "SELECT count(*) FROM messages") == [(0,)]


# ---- ends without an answer


async def test_a_run_over_its_time_ends_as_timeout_with_what_it_has(home):
    async with talking(home, MIDWAY, ANSWER, run_seconds=1.5) as (service, server):
        outcome = await service.ask(Request("hello", conversation_id="c"))
        assert (outcome.state, outcome.answer) == ("timeout", FIRST)
        assert await stored(service, outcome.run_id) == ("timeout", FIRST, "timeout")
        await server.until(lambda s: s.aborted == 1)
        assert await said(service) == []


async def test_a_refusing_model_falls_back_to_the_built_in_one(home):
    async with talking(home, status(500)) as (service, _):
        outcome = await service.ask(Request("hello", conversation_id="c"))
        assert outcome.state == "completed"
        assert "builtin" in outcome.model.lower() or "built-in" in outcome.model.lower()
        assert outcome.notices


async def test_a_model_that_breaks_off_in_its_text_fails_the_run(home):
    async with talking(home, text("First sentence. ", "Second sentence. ", "Third", ending="cut"), ANSWER) as (
        service,
        _,
    ):
        outcome = await service.ask(Request("hello", conversation_id="c"))
        assert (outcome.state, outcome.answer) == ("failed", FIRST)
        assert outcome.error_code.startswith("model_")
        assert await said(service) == []
        assert (await service.ask(Request("hello", conversation_id="c"))).state == "completed"


async def test_a_run_closed_elsewhere_says_so_and_stores_nothing(home):
    async with talking(home, text("One. ", "Two. ", "Three.", delay=0.05), heartbeat_seconds=30) as (service, _):
        live = await service.submit(Request("hello", conversation_id="c"))
        await until_text(live)
        await change(service.database, "UPDATE runs SET state = 'interrupted' WHERE id = :id", id=live.run_id)
        outcome = await live.finished()
        assert outcome.state == "interrupted"
        assert isinstance(live.log[-1].event, RunFailed)
        assert await said(service) == []


# ---- closing


async def test_closing_cancels_what_is_at_work_and_stores_it(home):
    async with talking(home, MIDWAY) as (service, server):
        live = await service.submit(Request("hello", conversation_id="c"))
        waiting = await service.submit(Request("thanks", conversation_id="c"))
        await until_text(live)
        await service.close()
        assert live.done
        assert waiting.done
        await server.until(lambda s: s.aborted == 1)
    async with service_at(home) as service:
        assert await stored(service, live.run_id) == ("cancelled", FIRST, "cancelled")
        assert (await stored(service, waiting.run_id))[0] == "cancelled"


async def test_closing_waits_for_a_run_that_is_being_stored(home):
    async with talking(home, MIDWAY) as (service, _):
        live = await service.submit(Request("hello", conversation_id="c"))
        await until_text(live)
        service.runs.cancel(live.run_id)
        await asyncio.sleep(0)
        await service.close()
        assert live.done
    async with service_at(home) as service:
        assert (await stored(service, live.run_id))[0] == "cancelled"


async def test_after_closing_no_conversation_is_taken(home):
    async with talking(home, MIDWAY) as (service, _):
        await service.submit(Request("hello", conversation_id="c"))
        await service.close()
    async with talking(home, ANSWER) as (service, _):
        assert (await service.ask(Request("hello", conversation_id="c"))).state == "completed"
