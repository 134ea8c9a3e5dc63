"""A scripted model that pauses in mid-answer until it is told to go on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from tests.doubles.model_server import Scene, chunk, event, usage_chunk

BEAT_SECONDS = 0.02


class Pause:
    """An answer in two parts: the second one comes after `go_on()`. In between the model only shows that it is alive.

    The first character of the second part comes with the first one: a sentence is shown when the next one begins.
    """

    def __init__(self, before: str, after: str) -> None:
        self._before = before + after[:1]
        self._after = after[1:]
        self._over = False

    def go_on(self) -> None:
        self._over = True

    def scene(self) -> Scene:
        # The server walks through the pieces one by one, so they may be made while it does.
        return Scene(cast("tuple[bytes, ...]", self._pieces()), delay=BEAT_SECONDS)

    def _pieces(self) -> Iterator[bytes]:
        yield event(chunk({"content": self._before}))
        while not self._over:
            yield event(chunk({}))
        yield event(chunk({"content": self._after}))
        for last in (chunk({}, "stop"), usage_chunk(), "[DONE]"):
            yield event(last)
