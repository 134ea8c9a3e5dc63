"""Runs in this process: each is a task that waits its turn, runs the loop, and stores how it ended.

The last event of a run is shown only after its transaction: what was said to be saved is saved.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from shutong.agent.events import AnswerDelta, Event, RunFailed, RunFinished, Understood
from shutong.agent.loop import run as run_loop
from shutong.agent.turn import Turn
from shutong.conversations.outcome import Outcome
from shutong.conversations.turns import OPEN, Claim, Request, Turns
from shutong.errors import ShutongError
from shutong.runs.live import REPLAYED_FROM, LiveRun
from shutong.settings import Settings
from shutong.text import clean

FIRST_POLL_SECONDS, LAST_POLL_SECONDS = 0.05, 0.5
MOST_KEPT_RUNS = 200
"""How many ended runs stay in memory, for readers that come back."""

log = logging.getLogger("shutong.runs")

Prepare = Callable[[Claim, Request], Awaitable[Turn]]
Restore = Callable[[str], Awaitable[Outcome | None]]


class LocalRuns:
    """Starts runs and keeps them reachable by id. `prepare` makes a run's input, `restore` reads an ended run back."""

    def __init__(
        self, settings: Settings, turns: Turns, prepare: Prepare, restore: Restore, model_name: str = ""
    ) -> None:
        self._settings = settings
        self._turns = turns
        self._prepare = prepare
        self._restore = restore
        self._model_name = model_name
        self._live: OrderedDict[str, LiveRun] = OrderedDict()
        self._working: dict[str, asyncio.Task[Event]] = {}
        self._lives: set[asyncio.Task[None]] = set()
        self._following: set[asyncio.Task[None]] = set()
        self._freed: dict[str, asyncio.Event] = {}

    async def submit(self, request: Request) -> LiveRun:
        """Accept a message and start its run, or attach to the run that its key already belongs to."""
        claim = await self._turns.claim(request)
        if not claim.is_new:
            return await self._known(claim, request)
        live = LiveRun(
            Outcome(claim.run_id, claim.conversation_id, request.message, model=self._model_name),
            self._settings.reader_seconds,
            lambda: self._abandon(claim.run_id),
        )
        self._keep(live)
        work = asyncio.create_task(self._work(live, claim, request), name=f"run {claim.run_id}")
        self._working[claim.run_id] = work
        _hold(self._lives, self._live_through(live, work))
        return live

    def watch(self, outcome: Outcome) -> LiveRun:
        """A run that may be here, or in another process, or has ended: `outcome` is how the database knows it."""
        if outcome.run_id in self._live:
            return self._live[outcome.run_id]
        live = LiveRun(outcome, self._settings.reader_seconds, lambda: self._leave(live, following), REPLAYED_FROM)
        self._keep(live)
        if outcome.state not in OPEN:
            _replay(live)
            return live
        following = _hold(self._following, self._follow(live))
        return live

    def get(self, run_id: str) -> LiveRun | None:
        """A run of this process that is running, or has ended not long ago."""
        return self._live.get(run_id)

    def cancel(self, run_id: str) -> bool:
        """Stop a run of this process at once. False when it is not at work here."""
        work = self._working.get(run_id)
        return work is not None and work.cancel()

    async def close(self) -> None:
        """Stop all runs and wait until how they ended is stored."""
        for task in (*self._working.values(), *self._following):
            task.cancel()
        await asyncio.gather(*self._lives, *self._following, return_exceptions=True)

    async def _known(self, claim: Claim, request: Request) -> LiveRun:
        """The run that a repeated key belongs to."""
        if claim.run_id in self._live:
            return self._live[claim.run_id]
        stored = await self._restore(claim.run_id)
        return self.watch(
            stored or Outcome(claim.run_id, claim.conversation_id, request.message, model=self._model_name)
        )

    def _keep(self, live: LiveRun) -> None:
        self._live[live.run_id] = live
        ended = [run_id for run_id, other in self._live.items() if other.done]
        for run_id in ended[: max(0, len(self._live) - MOST_KEPT_RUNS)]:
            del self._live[run_id]

    def _abandon(self, run_id: str) -> None:
        log.info("run %s is stopped: nobody has been reading", run_id)
        self.cancel(run_id)

    def _leave(self, live: LiveRun, following: asyncio.Task[None]) -> None:
        """Nobody watches a run of another process any more: it goes on there, and is looked up again when asked for."""
        if self._live.get(live.run_id) is live:
            del self._live[live.run_id]
        following.cancel()

    async def _live_through(self, live: LiveRun, work: asyncio.Task[Event]) -> None:
        """The whole life of a run of this process. Only its work is ever cancelled, so every run has a stored end."""
        beating = asyncio.create_task(self._beat(live.run_id))
        try:
            last = await work
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
            self._working.pop(live.run_id, None)
        await self._end(live, last)

    async def _work(self, live: LiveRun, claim: Claim, request: Request) -> Event:
        """Wait for the turn and run it; returns the last event."""
        await self._wait_turn(claim)
        return await self._loop(live, claim, request)

    async def _loop(self, live: LiveRun, claim: Claim, request: Request) -> Event:
        """Run the agent's loop and show its events, all but the last one, which is returned."""
        turn = await self._prepare(claim, request)
        async with asyncio.timeout(self._settings.run_seconds), aclosing(run_loop(turn)) as events:
            async for written in events:
                event = _cleaned(written)
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
            await self._end_barely(live.outcome)
        if live.conversation_id and (freed := self._freed.pop(live.conversation_id, None)):
            freed.set()
        live.append(last)

    async def _end_barely(self, outcome: Outcome) -> None:
        """Store that the run failed and nothing more, so that the conversation can go on at once."""
        bare = Outcome(outcome.run_id, outcome.conversation_id, outcome.message, outcome.state)
        bare.error_code, bare.error = outcome.error_code, outcome.error
        try:
            await self._turns.finish(bare, from_states=OPEN)
        except Exception:  # then the run is closed as dead, like that of a process that was killed
            log.exception("run %s could not be closed", outcome.run_id)

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
            try:
                alive = await self._turns.beat(run_id)
            except Exception:  # a busy or restarting database is no reason to give a run up
                log.exception("run %s could not say that it is alive; it tries again", run_id)
                continue
            if not alive:
                self.cancel(run_id)
                return

    async def _follow(self, live: LiveRun) -> None:
        """Show a run that another process has: its end, when there is one."""
        pause = FIRST_POLL_SECONDS
        outcome: Outcome | None = live.outcome
        try:
            while outcome is not None and outcome.state in OPEN:
                await asyncio.sleep(pause)
                pause = min(pause * 2, LAST_POLL_SECONDS)
                if pause == LAST_POLL_SECONDS:
                    await self._turns.close_dead()
                outcome = await self._restore(live.run_id)
        except asyncio.CancelledError:
            live.publish(RunFailed("interrupted", "interrupted", "This server is stopping.", ""))
            return
        except Exception:
            log.exception("run %s could not be followed", live.run_id)
            live.publish(RunFailed("failed", "storage", "The run cannot be read. Try again.", ""))
            return
        if outcome is None:
            live.publish(RunFailed("failed", "not_found", "The run is gone.", ""))
            return
        live.outcome = outcome
        _replay(live)


def _cleaned(event: Event) -> Event:
    """What a model wrote, as text that can be shown and stored: from here on nobody has to think of it again."""
    match event:
        case AnswerDelta():
            return replace(event, text=clean(event.text))
        case RunFinished():
            return replace(event, answer=clean(event.answer))
        case RunFailed():
            return replace(event, sentence=clean(event.sentence), partial=clean(event.partial))
        case _:
            return event


def _hold(tasks: set[asyncio.Task[None]], work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """A task that is kept from being forgotten until it has ended."""
    task = asyncio.create_task(work)
    tasks.add(task)
    task.add_done_callback(tasks.discard)
    return task


def _replay(live: LiveRun) -> None:
    for event in replay(live.outcome):
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
