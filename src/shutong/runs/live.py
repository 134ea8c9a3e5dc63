"""A run as it can be watched: its events so far, and those to come, for any number of readers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from shutong.agent.events import Event, Numbered, RunFailed, RunFinished
from shutong.conversations.outcome import Outcome


class LiveRun:
    """The log of one run. `on_abandoned` is called when nobody has been reading for `patience` seconds."""

    def __init__(self, outcome: Outcome, patience: float, on_abandoned: Callable[[], None]) -> None:
        self.outcome = outcome
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

    def publish(self, event: Event) -> None:
        """Add an event; readers see it at once."""
        self.outcome.take(event)
        self.append(event)

    def append(self, event: Event) -> None:
        """Add an event that the outcome knows already."""
        self.log.append(Numbered(self.run_id, len(self.log) + 1, event))
        if isinstance(event, RunFinished | RunFailed):
            self.done = True
            self._stop_timer()
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def events(self, after: int = 0) -> AsyncIterator[Numbered]:
        """Every event with a number over `after`, in order, until the run has ended."""
        self._readers += 1
        self._stop_timer()
        try:
            while True:
                changed = self._changed
                while after < len(self.log):
                    yield self.log[after]
                    after += 1
                if self.done:
                    return
                await changed.wait()
        finally:
            self._readers -= 1
            self._watch()

    async def finished(self) -> Outcome:
        """Wait for the end; the waiting counts as reading."""
        async for _ in self.events(len(self.log)):
            pass
        return self.outcome

    def _watch(self) -> None:
        if self._readers == 0 and not self.done:
            self._stop_timer()
            self._timer = asyncio.get_running_loop().call_later(self._patience, self._on_abandoned)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
