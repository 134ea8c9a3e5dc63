"""A run as it can be watched: its events so far, and those to come, for any number of readers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager

from shutong.agent.events import Event, Numbered, RunFailed, RunFinished
from shutong.conversations.outcome import Outcome

REPLAYED_FROM = 1_000_001
"""The first number of a log that was made anew from the database, so that a place in it is never taken for one in the
log that the run had while it was live."""


class LiveRun:
    """The log of one run. `on_abandoned` is called when nobody has been reading for `patience` seconds.

    Its events are numbered from `first` on.
    """

    def __init__(self, outcome: Outcome, patience: float, on_abandoned: Callable[[], None], first: int = 1) -> None:
        self.outcome = outcome
        self.first = first
        self.log: list[Numbered] = []
        self.done = False
        self._patience = patience
        self._on_abandoned = on_abandoned
        self._changed = asyncio.Event()
        self._readers = 0
        self._timer: asyncio.TimerHandle | None = None
        self._watch()

    @property
    def run_id(self) -> str:
        return self.outcome.run_id

    @property
    def conversation_id(self) -> str | None:
        return self.outcome.conversation_id

    @property
    def last(self) -> int:
        """The number of the newest event; `first - 1` when there is none yet."""
        return self.first + len(self.log) - 1

    def publish(self, event: Event) -> None:
        """Add an event; readers see it at once."""
        self.outcome.take(event)
        self.append(event)

    def append(self, event: Event) -> None:
        """Add an event that the outcome knows already."""
        self.log.append(Numbered(self.run_id, self.last + 1, event))
        if isinstance(event, RunFinished | RunFailed):
            self.done = True
            self._stop_timer()
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    def since(self, after: int) -> list[Numbered]:
        """The events so far with a number over `after`, in order."""
        return self.log[max(0, after - self.first + 1) :]

    async def events(self, after: int = 0) -> AsyncGenerator[Numbered, None]:
        """Every event with a number over `after`, in order, until the run has ended."""
        with self.reading():
            while True:
                for numbered in self.since(after):
                    yield numbered
                    after = numbered.seq
                if self.is_over(after):
                    return
                await self.more(after)

    async def finished(self) -> Outcome:
        """Wait for the end; the waiting counts as reading."""
        async for _ in self.events(self.last):
            pass
        return self.outcome

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Somebody is reading for the time of the block."""
        self._readers += 1
        self._stop_timer()
        try:
            yield
        finally:
            self._readers -= 1
            self._watch()

    async def more(self, after: int, seconds: float | None = None) -> bool:
        """Wait until there are events over `after`. False when `seconds` went by without any."""
        if self.last > after or self.done:
            return True
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except TimeoutError:
            return False
        return True

    def is_over(self, after: int) -> bool:
        """Whether the run has ended and nothing comes after this number."""
        return self.done and after >= self.last

    def _watch(self) -> None:
        if self._readers == 0 and not self.done:
            self._stop_timer()
            self._timer = asyncio.get_running_loop().call_later(self._patience, self._on_abandoned)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
