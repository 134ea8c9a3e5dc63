"""The one layer that tries a model again."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing

from shutong.errors import ModelError
from shutong.llm.failures import NotConnectedError, ToolsRefusedError
from shutong.llm.messages import Model, ModelRequest, Part, TextPart
from shutong.settings import Settings

FIRST_DELAY_SECONDS = 0.5
"""The delay before the first further try when the server names none; each later one is twice as long."""

SPREAD = 0.25
"""How far a delay may differ by chance, as a share."""

_PASSING_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
_PASSING_KINDS = frozenset({"stream", "incomplete", "closed"})


def is_passing(error: ModelError) -> bool:
    """True when the same request may well succeed a moment later.

    A refused connection, an unknown name, a proxy or a certificate is not mended by waiting a second: the next model
    is asked at once. Of the time-outs only the one at connecting is short enough.
    """
    if isinstance(error, ToolsRefusedError):
        return False
    if error.http_status is not None:
        return error.http_status in _PASSING_STATUSES
    if error.kind == "timeout":
        return isinstance(error, NotConnectedError)
    return error.kind in _PASSING_KINDS


class Retrying:
    """A model that is asked again after an error that passes; never once any of its text was shown.

    At most `llm_retries` further tries, and none that would begin later than `llm_retry_total_seconds` after the
    first one began. A wait that the server asks for (`retry_after`) is kept to the full, or not begun.
    """

    def __init__(
        self, model: Model, settings: Settings, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._model = model
        self._retries = settings.llm_retries
        self._total = settings.llm_retry_total_seconds
        self._sleep = sleep

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def native_tools(self) -> bool | None:
        return getattr(self._model, "native_tools", None)

    @native_tools.setter
    def native_tools(self, works: bool | None) -> None:
        self._model.native_tools = works

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Part, None]:
        """The parts of the first try that succeeds. Raises the `ModelError` of the last one."""
        began, waited = time.monotonic(), 0.0
        for attempt in range(self._retries + 1):
            shown = False
            try:
                async with aclosing(self._model.stream(request)) as parts:
                    async for part in parts:
                        shown = shown or isinstance(part, TextPart)
                        yield part
                return
            except ModelError as error:
                delay = _delay(error, attempt)
                spent = max(time.monotonic() - began, waited)
                last = attempt == self._retries
                if shown or last or not is_passing(error) or spent + delay > self._total:
                    raise
            waited += delay
            await self._sleep(delay)


def _delay(error: ModelError, attempt: int) -> float:
    """Seconds to wait: never less than the server asks for, or else a growing delay; with some chance in it.

    The chance keeps those who failed together from coming back together.
    """
    if error.retry_after is not None:
        return error.retry_after + random.uniform(0, SPREAD * FIRST_DELAY_SECONDS)
    return FIRST_DELAY_SECONDS * 2.0**attempt * random.uniform(1 - SPREAD, 1 + SPREAD)
