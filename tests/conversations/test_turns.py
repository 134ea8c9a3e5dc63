"""Who may run when, and how a run ends."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from shutong.agent.events import HeldBack, Notice
from shutong.conversations.sql_store import SqlStore
from shutong.conversations.turns import Request, Turns
from shutong.errors import NotFoundError
from tests.support import a_book, an_end, change, failing, rows, shown, statements

TABLES = ("messages", "run_steps", "tool_calls", "run_books")
NOW = {
    "sqlite": "(julianday('now') - 2440587.5) * 86400.0",
    "mysql": "UNIX_TIMESTAMP(NOW(6))",
    "postgresql": "EXTRACT(EPOCH FROM clock_timestamp())",
}
WITHOUT_ANSWER = ("failed", "timeout", "cancelled", "interrupted")


async def counts(database) -> dict[str, int]:
    return {table: (await rows(database, f"SELECT count(*) FROM {table}"))[0][0] for table in TABLES}


async def started(turns: Turns, conversation_id: str | None = "c", message: str = "question") -> Any:
    claim = await turns.claim(Request(message, conversation_id=conversation_id))
    assert await turns.start(claim)
    return claim


async def active(database, conversation_id: str = "c") -> str | None:
    query = "SELECT active_run FROM conversations WHERE conversation_id = :id"
    return (await rows(database, query, id=conversation_id))[0][0]


async def sleep_long(database, run_id: str) -> None:
    await change(database, "UPDATE runs SET heartbeat_at = heartbeat_at - 3600 WHERE id = :id", id=run_id)


async def test_the_earliest_message_goes_first(turns):
    first, second, third = [await turns.claim(Request(str(i), conversation_id="c")) for i in range(3)]
    assert not await turns.start(third)
    assert not await turns.start(second)
    assert await turns.start(first)
    assert not await turns.start(second)
    await turns.finish(an_end(first))
    assert not await turns.start(third)
    assert await turns.start(second)


async def test_conversations_run_side_by_side(turns):
    await started(turns, "c")
    await started(turns, "d")


async def test_a_run_is_started_once(turns, talk_database, talk_settings):
    claim = await turns.claim(Request("a", conversation_id="c"))
    others = [Turns(talk_database, talk_settings) for _ in range(5)]
    assert sum(await asyncio.gather(*(other.start(claim) for other in others))) == 1


async def test_a_run_with_its_own_history_waits_for_nobody(turns):
    claims = [await turns.claim(Request("a", history=())) for _ in range(2)]
    assert [await turns.start(claim) for claim in claims] == [True, True]


async def test_a_finished_turn_is_stored_whole(turns, talk_database):
    claim = await started(turns)
    outcome = an_end(claim, "question", "answer")
    outcome.books = shown(a_book(1), a_book(2))
    assert await turns.finish(outcome)
    said = await rows(talk_database, "SELECT role, content, run_id FROM messages ORDER BY id")
    assert said == [("user", "question", claim.run_id), ("assistant", "answer", claim.run_id)]
    assert await counts(talk_database) == {"messages": 2, "run_steps": 1, "tool_calls": 1, "run_books": 2}
    assert await turns.state(claim.run_id) == "completed"
    assert await active(talk_database) is None


@pytest.mark.parametrize("talk_settings", ["sqlite"], indirect=True)  # the others' plans depend on what a table holds
async def test_no_statement_of_a_turn_looks_through_all_talks(turns, talk_database):
    with statements(talk_database) as seen:
        claim = await started(turns)
        outcome = an_end(claim)
        outcome.books = shown(a_book(1), a_book(2))
        await turns.finish(outcome)
    asked = [one for one in seen if one[0].startswith(("SELECT", "UPDATE"))]
    assert len(asked) > 5
    for statement, values in asked:
        async with talk_database.read() as connection:
            plan = (await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)).all()
        assert not [row[-1] for row in plan if row[-1].startswith("SCAN")], statement


async def test_a_turn_at_its_step_limit_is_stored_like_a_completed_one(turns, talk_database):
    claim = await started(turns)
    await turns.finish(an_end(claim, state="step_limit"))
    assert (await counts(talk_database))["messages"] == 2


async def test_a_run_ends_once(turns, talk_database):
    claim = await started(turns)
    assert await turns.finish(an_end(claim))
    assert not await turns.finish(an_end(claim, answer="another"))
    assert await rows(talk_database, "SELECT content FROM messages ORDER BY id") == [("question",), ("answer",)]


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO run_steps",
        "INSERT INTO tool_calls",
        "INSERT INTO run_books",
        "INSERT INTO messages",
        "UPDATE conversations SET updated_at",
        "UPDATE conversations SET active_run",
    ],
)
async def test_a_turn_that_cannot_be_stored_whole_is_not_stored_at_all(turns, talk_database, statement):
    claim = await started(turns)
    outcome = an_end(claim)
    outcome.books = shown(a_book(1))
    with failing(talk_database, statement), pytest.raises(OSError):
        await turns.finish(outcome)
    assert await counts(talk_database) == dict.fromkeys(TABLES, 0)
    assert await turns.state(claim.run_id) == "running"
    assert await turns.finish(outcome)
    await started(turns)


@pytest.mark.parametrize("state", WITHOUT_ANSWER)
async def test_a_run_without_an_answer_stores_no_messages(turns, talk_database, state):
    claim = await started(turns, message="my words")
    await turns.finish(an_end(claim, "my words", "half an ans", state))
    assert (await counts(talk_database))["messages"] == 0
    kept = await rows(talk_database, "SELECT state, message, partial, answer, error_code FROM runs")
    assert kept == [(state, "my words", "half an ans", None, state)]


@pytest.mark.parametrize("state", WITHOUT_ANSWER)
async def test_a_run_without_an_answer_keeps_its_trace_and_frees_the_conversation(turns, talk_database, state):
    claim = await started(turns)
    await turns.finish(an_end(claim, state=state))
    assert (await counts(talk_database))["run_steps"] == 1
    assert await active(talk_database) is None
    await started(turns)


async def test_a_waiting_run_may_be_ended_before_it_began(turns, talk_database):
    first = await started(turns)
    second = await turns.claim(Request("b", conversation_id="c"))
    assert await turns.finish(an_end(second, state="cancelled"), from_states=("queued",))
    assert await active(talk_database) == first.run_id


async def test_odd_text_anywhere_in_a_run_can_be_stored(turns, talk_database):
    odd = "\x00📚\ud83d"
    claim = await started(turns)
    outcome = an_end(claim, odd, odd)
    outcome.model = outcome.result = outcome.error = odd
    outcome.notices, outcome.held_back = [Notice("n", odd)], [HeldBack(odd, "r")]
    step = outcome.steps[0]
    step.model = step.reply = step.thought = odd
    step.messages = [{"role": "user", "content": odd}]
    step.calls[0].call_id = step.calls[0].tool = step.calls[0].result = step.calls[0].arguments = odd
    assert await turns.finish(outcome)
    assert await rows(talk_database, "SELECT content FROM messages") == [("📚\ufffd",)] * 2


async def test_a_turn_of_long_texts_is_stored_whole(turns, talk_database):
    long = "书📚" * 50_000
    claim = await started(turns)
    outcome = an_end(claim, "question", long)
    step = outcome.steps[0]
    step.reply = step.thought = step.calls[0].result = step.calls[0].arguments = long
    step.messages = [{"role": "user", "content": long}]
    assert await turns.finish(outcome)
    said = await rows(talk_database, "SELECT content FROM messages ORDER BY id")
    assert said == [("question",), (long,)]
    assert await rows(talk_database, "SELECT reply, thought FROM run_steps") == [(long, long)]
    assert await rows(talk_database, "SELECT arguments, result FROM tool_calls") == [(long, long)]


async def test_a_talk_is_named_after_its_first_message(turns, talk_database):
    for message in ("推荐\n一本  书" + "好" * 50, "second"):
        claim = await started(turns, message=message)
        await turns.finish(an_end(claim, message))
    assert await rows(talk_database, "SELECT title FROM conversations") == [("推荐 一本 书" + "好" * 33,)]


async def test_plain_sql_against_the_history_works(turns, talk_database):
    claim = await started(turns)
    await turns.finish(an_end(claim))
    found = await rows(
        talk_database,
        "SELECT m.role, m.content, m.created_at, c.created_at FROM messages m JOIN conversations c "
        "ON c.conversation_id = m.conversation_id ORDER BY m.id",
    )
    assert [row[0] for row in found] == ["user", "assistant"]
    assert all(row[2] and row[3] for row in found)


async def test_deleting_a_talk_removes_all_that_belongs_to_it(turns, talk_database):
    claim = await started(turns)
    outcome = an_end(claim)
    outcome.books = shown(a_book(1))
    await turns.finish(outcome)
    await SqlStore(talk_database).delete("c")
    assert await counts(talk_database) == dict.fromkeys(TABLES, 0)
    assert await rows(talk_database, "SELECT id FROM runs") == []


# ---- runs whose process died


async def test_a_run_that_stopped_beating_is_closed_as_interrupted(turns, talk_database):
    claim = await started(turns)
    await sleep_long(talk_database, claim.run_id)
    assert await turns.close_dead() == [claim.run_id]
    kept = await rows(talk_database, "SELECT state, error_code, message, finished_at IS NOT NULL FROM runs")
    assert kept == [("interrupted", "interrupted", "question", 1)]
    assert await active(talk_database) is None


async def test_a_run_that_beats_is_left_alone(turns, talk_database):
    claim = await started(turns)
    await sleep_long(talk_database, claim.run_id)
    assert await turns.beat(claim.run_id)
    assert await turns.close_dead() == []
    assert await turns.state(claim.run_id) == "running"


async def test_a_run_beats_by_the_clock_of_the_database(turns, talk_database):
    with statements(talk_database) as seen:
        claim = await started(turns)
        await turns.beat(claim.run_id)
        await turns.close_dead()
    assert [statement for statement, _ in seen if "heartbeat_at" in statement]
    own_times = re.compile(r"\b1\d{9}\b")  # seconds since 1970
    assert not [values for _, values in seen if own_times.search(str(values))]
    [(age,)] = await rows(talk_database, f"SELECT {NOW[talk_database.engine.dialect.name]} - heartbeat_at FROM runs")
    assert 0 <= float(age) < 30


async def test_a_waiting_run_whose_process_died_is_closed_too(turns, talk_database):
    claim = await turns.claim(Request("a", conversation_id="c"))
    await sleep_long(talk_database, claim.run_id)
    after = await turns.claim(Request("b", conversation_id="c"))
    assert not await turns.start(after)
    assert await turns.close_dead() == [claim.run_id]
    assert await turns.start(after)


async def test_a_run_that_was_closed_as_dead_can_store_nothing_more(turns, talk_database):
    claim = await started(turns)
    await sleep_long(talk_database, claim.run_id)
    await turns.close_dead()
    assert not await turns.beat(claim.run_id)
    assert not await turns.finish(an_end(claim))
    assert (await counts(talk_database))["messages"] == 0


async def test_only_one_process_closes_a_dead_run(turns, talk_database, talk_settings):
    claim = await started(turns)
    await sleep_long(talk_database, claim.run_id)
    closed = await asyncio.gather(*(Turns(talk_database, talk_settings).close_dead() for _ in range(5)))
    assert [run_id for ids in closed for run_id in ids] == [claim.run_id]


# ---- stopping


async def test_a_run_that_is_to_be_stopped_learns_it_with_its_next_beat(turns):
    claim = await started(turns)
    await turns.request_cancel(claim.run_id)
    assert not await turns.beat(claim.run_id)


async def test_stopping_a_run_that_has_ended_changes_nothing(turns):
    claim = await started(turns)
    await turns.finish(an_end(claim))
    await turns.request_cancel(claim.run_id)
    assert await turns.state(claim.run_id) == "completed"


async def test_nobody_stops_another_persons_run(turns):
    claim = await started(turns)
    with pytest.raises(NotFoundError):
        await turns.request_cancel(claim.run_id, owner="somebody")
    for nobodys in ("no-such-run", "0" * 32, claim.run_id.upper(), f"{claim.run_id} ", "\x00" * 32, "\ud800" * 32):
        with pytest.raises(NotFoundError):
            await turns.request_cancel(nobodys)
    assert await turns.beat(claim.run_id)
