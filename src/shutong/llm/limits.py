"""The time limits of one model call. All its waiting goes through here, so that nothing can hang."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Literal, TypeVar

from shutong.errors import ModelError
from shutong.llm.failures import Origin, timed_out
from shutong.settings import Settings

T = TypeVar("T")
Phase = Literal["turn", "first", "next", "rest"]

REST_SECONDS = 2.0
"""How long the rest of a stream is waited for when the reply is over: the usage comes last."""


class CallLimits:
    """The limits count from now, the whole call's always.

    `turn` is the wait for a free place, `first` one attempt up to its first byte, `next` each wait after that, `rest`
    all waits after the reply is over.
    """

    def __init__(self, settings: Settings, origin: Origin) -> None:
        self._settings = settings
        self._origin = origin
        self._loop = asyncio.get_running_loop()
        self._end = self._loop.time() + settings.llm_call_seconds
        self._first_by = self._end
        self._rest_by: float | None = None

    def attempt(self) -> None:
        """Another request begins: its first byte may take the whole time again."""
        self._first_by = self._loop.time() + self._settings.llm_first_byte_seconds

    async def wait(self, step: Awaitable[T], phase: Phase) -> T:
        """The step's result, or `ModelError(kind="timeout")` naming the limit that was reached. Cancels the step then."""
        by = min(self._end, self._phase_end(phase))
        try:
            async with asyncio.timeout_at(by):
                return await step
        except TimeoutError:
            raise self._timed_out(phase, by) from None

    def _phase_end(self, phase: Phase) -> float:
        now = self._loop.time()
        if phase == "first":
            return self._first_by
        if phase == "next":
            return now + self._settings.llm_between_bytes_seconds
        if phase == "rest":
            self._rest_by = self._rest_by or now + REST_SECONDS
            return self._rest_by
        return self._end

    def _timed_out(self, phase: Phase, by: float) -> ModelError:
        settings, origin = self._settings, self._origin
        if by >= self._end:
            waited_for = "free place" if phase == "turn" else "whole answer"
            return timed_out(origin, waited_for, "llm_call_seconds", settings.llm_call_seconds)
        if phase == "first":
            return timed_out(origin, "first word", "llm_first_byte_seconds", settings.llm_first_byte_seconds)
        return timed_out(origin, "further word", "llm_between_bytes_seconds", settings.llm_between_bytes_seconds)
