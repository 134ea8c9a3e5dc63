"""Runs in this process: each is a task that waits its turn, runs the loop, and stores how it ended.

The last event of a run is shown only after its transaction: what was said to be saved is saved.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import aclosing

from shutong.agent.events import AnswerDelta, Event, RunFailed, RunFinished, Understood
from shutong.agent.loop import run as run_loop
from shutong.agent.turn import Turn
from shutong.conversations.outcome import Outcome
from shutong.conversations.turns import OPEN, Claim, Request, Turns
from shutong.errors import ShutongError
from shutong.runs.live import LiveRun
from shutong.settings import Settings

FIRST_POLL_SECONDS, LAST_POLL_SECONDS = 0.05, 0.5
MOST_KEPT_RUNS = 200
"""How many ended runs stay in memory, for readers that come back."""

log = logging.getLogger("shutong.runs")

Prepare = Callable[[Claim, Request], Awaitable[Turn]]
Restore = Callable[[str], Awaitable[Outcome | None]]


class LocalRuns:
    """Starts runs and keeps them reachable by id. `prepare` makes a run's input, `restore` reads an ended run back."""

    def __init__(self, settings: Settings, turns: Turns, prepare: Prepare, restore: Restore) -> None:
        self._settings = settings
        self._turns = turns
        self._prepare = prepare
        self._restore = restore
        self._live: OrderedDict[str, LiveRun] = OrderedDict()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._freed: dict[str, asyncio.Event] = {}

    async def submit(self, request: Request) -> LiveRun:
        """Accept a message and start its run, or attach to the run that its key already belongs to."""
        claim = await self._turns.claim(request)
        if claim.run_id in self._live:
            return self._live[claim.run_id]
        outcome = Outcome(claim.run_id, claim.conversation_id, request.message)
        live = self._keep(outcome)
        work = self._execute(live, claim, request) if claim.is_new else self._follow(live)
        self._tasks[claim.run_id] = task = asyncio.create_task(work, name=f"run {claim.run_id}")
        task.add_done_callback(lambda _: self._tasks.pop(claim.run_id, None))
        return live

    def get(self, run_id: str) -> LiveRun | None:
        """A run of this process that is running, or has ended not long ago."""
        return self._live.get(run_id)

    def cancel(self, run_id: str) -> bool:
        """Stop a run of this process at once. False when it is not here, or has ended."""
        task = self._tasks.get(run_id)
        return task is not None and task.cancel()

    async def close(self) -> None:
        """Stop all runs and wait until how they ended is stored."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _keep(self, outcome: Outcome) -> LiveRun:
        live = LiveRun(outcome, self._settings.reader_seconds, lambda: self._abandon(outcome.run_id))
        self._live[outcome.run_id] = live
        ended = [run_id for run_id, other in self._live.items() if other.done]
        for run_id in ended[: max(0, len(self._live) - MOST_KEPT_RUNS)]:
            del self._live[run_id]
        return live

    def _abandon(self, run_id: str) -> None:
        log.info("run %s is stopped: nobody has been reading", run_id)
        self.cancel(run_id)

    async def _execute(self, live: LiveRun, claim: Claim, request: Request) -> None:
        """The whole life of a run of this process."""
        beating = asyncio.create_task(self._beat(live.run_id))
        last: Event
        try:
            await self._wait_turn(claim)
            last = await self._loop(live, claim, request)
        except asyncio.CancelledError:
            last = RunFailed("cancelled", "cancelled", "Stopped.", live.outcome.answer)
        except TimeoutError:
            seconds = self._settings.run_seconds
            last = RunFailed("timeout", "timeout", f"No answer within {seconds:g} seconds.", live.outcome.answer)
        except ShutongError as error:
            last = RunFailed("failed", error.code, error.sentence, live.outcome.answer)
        except Exception:
            log.exception("run %s failed", live.run_id)
            last = RunFailed("failed", "internal", "Something went wrong inside. Try again.", live.outcome.answer)
        finally:
            beating.cancel()
        await asyncio.shield(asyncio.ensure_future(self._end(live, last)))

    async def _loop(self, live: LiveRun, claim: Claim, request: Request) -> Event:
        """Run the agent's loop and show its events, all but the last one, which is returned."""
        turn = await self._prepare(claim, request)
        async with asyncio.timeout(self._settings.run_seconds), aclosing(run_loop(turn)) as events:
            async for event in events:
                if isinstance(event, RunFinished | RunFailed):
                    return event
                live.publish(event)
        raise RuntimeError("the loop ended without a last event")

    async def _end(self, live: LiveRun, last: Event) -> None:
        live.outcome.take(last)
        try:
            if not await self._turns.finish(live.outcome, from_states=OPEN):
                last = RunFailed("interrupted", "interrupted", "The run was closed elsewhere.", live.outcome.answer)
                live.outcome.take(last)
        except Exception:
            log.exception("how run %s ended could not be stored", live.run_id)
            last = RunFailed("failed", "storage", "The answer could not be saved. Try again.", live.outcome.answer)
            live.outcome.take(last)
        if live.conversation_id and (freed := self._freed.pop(live.conversation_id, None)):
            freed.set()
        live.append(last)

    async def _wait_turn(self, claim: Claim) -> None:
        """Until no earlier message of the conversation is open: woken within the process, polling across processes."""
        pause = FIRST_POLL_SECONDS
        while not await self._turns.start(claim):
            if claim.conversation_id is not None:
                freed = self._freed.setdefault(claim.conversation_id, asyncio.Event())
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(freed.wait(), pause)
            pause = min(pause * 2, LAST_POLL_SECONDS)
            if pause == LAST_POLL_SECONDS:
                await self._turns.close_dead()
                if await self._turns.state(claim.run_id) not in OPEN:
                    raise asyncio.CancelledError

    async def _beat(self, run_id: str) -> None:
        """Say that the run is alive, and notice that it is to stop."""
        while True:
            await asyncio.sleep(self._settings.heartbeat_seconds)
            with contextlib.suppress(ShutongError):
                if not await self._turns.beat(run_id):
                    self.cancel(run_id)
                    return

    async def _follow(self, live: LiveRun) -> None:
        """Show a run that another process has, or that ended before this one began: its end, when there is one."""
        pause = FIRST_POLL_SECONDS
        while (outcome := await self._restore(live.run_id)) is not None and outcome.state in OPEN:
            await asyncio.sleep(pause)
            pause = min(pause * 2, LAST_POLL_SECONDS)
            if pause == LAST_POLL_SECONDS:
                await self._turns.close_dead()
        if outcome is None:
            live.publish(RunFailed("failed", "not_found", "The run is gone.", ""))
            return
        live.outcome = outcome
        for event in replay(outcome):
            live.append(event)


def replay(outcome: Outcome) -> list[Event]:
    """The events that a reader needs to see of a run that has ended."""
    events: list[Event] = []
    if outcome.act is not None:
        events.append(Understood(outcome.act, outcome.understood, outcome.language, outcome.script))  # type: ignore[arg-type]
    if outcome.books is not None:
        events.append(outcome.books)
    events += outcome.notices
    if outcome.answer:
        events.append(AnswerDelta(outcome.answer))
    if outcome.state in ("completed", "step_limit"):
        return [*events, RunFinished(outcome.state, outcome.answer, outcome.usage, outcome.model)]
    sentence = outcome.error or "The run did not finish."
    return [*events, RunFailed(outcome.state, outcome.error_code or outcome.state, sentence, outcome.answer)]
