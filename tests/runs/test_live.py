"""A run's log, as its readers see it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from shutong.agent.events import AnswerDelta, Event, RunFailed, RunFinished
from shutong.conversations.outcome import Outcome
from shutong.llm.messages import Usage
from shutong.runs.live import REPLAYED_FROM, LiveRun
from tests.support import PATIENCE_SECONDS, settle, some_events

END = RunFinished("completed", "ab", Usage(), "scripted")
STOPPED = RunFailed("cancelled", "cancelled", "Stopped.", "a")


def a_run(patience: float = 60, on_abandoned: Callable[[], None] = lambda: None, first: int = 1) -> LiveRun:
    return LiveRun(Outcome("run", "c", "question"), patience, on_abandoned, first)


def published(live: LiveRun, *events: Event) -> LiveRun:
    for event in events:
        live.publish(event)
    return live


async def numbers(live: LiveRun, after: int = 0) -> list[int]:
    return [numbered.seq async for numbered in live.events(after)]


async def test_a_late_reader_sees_everything_from_the_start():
    live = published(a_run(), *some_events("a", "b"), END)
    seen = [numbered.event async for numbered in live.events()]
    assert seen == [*some_events("a", "b"), END]


async def test_events_are_numbered_from_one_within_the_run():
    live = published(a_run(), *some_events("a"), END)
    assert await numbers(live) == [1, 2, 3, 4]
    assert {numbered.run_id for numbered in live.log} == {"run"}


async def test_a_reader_sees_what_comes_while_it_waits():
    live = a_run()
    reading = asyncio.create_task(numbers(live))
    for event in (*some_events("a", "b"), END):
        await asyncio.sleep(0)
        live.publish(event)
    assert await reading == [1, 2, 3, 4, 5]


async def test_several_readers_see_the_same():
    live = published(a_run(), *some_events("a"))
    readers = [asyncio.create_task(numbers(live)) for _ in range(5)]
    await asyncio.sleep(0)
    published(live, AnswerDelta("b"), END)
    assert await asyncio.gather(*readers) == [[1, 2, 3, 4, 5]] * 5


async def test_a_slow_reader_loses_nothing():
    live = published(a_run(), *some_events("a"))
    seen: list[int] = []
    async for numbered in live.events():
        seen.append(numbered.seq)
        if numbered.seq == 1:
            published(live, *(AnswerDelta(str(i)) for i in range(100)), END)
        await asyncio.sleep(0)
    assert seen == list(range(1, 105))


@pytest.mark.parametrize(("after", "expected"), [(0, [1, 2, 3, 4]), (2, [3, 4]), (3, [4]), (4, []), (99, [])])
async def test_a_reader_goes_on_after_a_place(after, expected):
    assert await numbers(published(a_run(), *some_events("a"), END), after) == expected


async def test_a_replay_is_numbered_apart_from_every_place_of_the_first_telling():
    live = published(a_run(first=REPLAYED_FROM), *some_events("a"), END)
    assert await numbers(live, 3) == [REPLAYED_FROM + i for i in range(4)]
    assert await numbers(live, REPLAYED_FROM + 1) == [REPLAYED_FROM + 2, REPLAYED_FROM + 3]


@pytest.mark.parametrize("end", [END, STOPPED])
async def test_waiting_for_the_end_gives_the_outcome(end):
    live = a_run()
    waiting = asyncio.create_task(live.finished())
    await asyncio.sleep(0)
    published(live, *some_events("a"), end)
    assert (await waiting).state == end.state


async def test_the_end_of_a_run_that_has_ended_is_there_at_once():
    live = published(a_run(), END)
    assert (await asyncio.wait_for(live.finished(), PATIENCE_SECONDS)).answer == "ab"


async def test_a_pause_without_events_can_be_noticed():
    live = a_run()
    assert not await live.more(0, 0.01)
    live.publish(AnswerDelta("a"))
    assert await live.more(0, 0.01)


async def test_a_run_that_nobody_reads_is_abandoned():
    abandoned = asyncio.Event()
    a_run(0.01, abandoned.set)
    await asyncio.wait_for(abandoned.wait(), PATIENCE_SECONDS)


async def test_a_run_that_its_only_reader_leaves_is_abandoned():
    abandoned = asyncio.Event()
    live = published(a_run(0.05, abandoned.set), *some_events("a"))
    reading = asyncio.create_task(numbers(live))
    await asyncio.sleep(0)
    reading.cancel()
    await asyncio.wait_for(abandoned.wait(), PATIENCE_SECONDS)


async def test_a_run_with_a_reader_is_not_abandoned():
    abandoned: list[int] = []
    live = a_run(0.01, lambda: abandoned.append(1))
    leaving, staying = [asyncio.create_task(numbers(live)) for _ in range(2)]
    await asyncio.sleep(0)
    leaving.cancel()
    await asyncio.sleep(0.1)
    assert abandoned == []
    live.publish(END)
    assert await staying == [1]


async def test_a_run_that_has_ended_is_not_abandoned():
    abandoned: list[int] = []
    live = published(a_run(0.01, lambda: abandoned.append(1)), END)
    await numbers(live)
    await asyncio.sleep(0.05)
    assert abandoned == []


async def test_readers_that_leave_are_counted_once():
    abandoned: list[int] = []
    live = published(a_run(0.01, lambda: abandoned.append(1)), *some_events("a"))
    for _ in range(3):
        async for _numbered in live.events():
            break
    await settle(lambda: abandoned)
    assert abandoned == [1]
