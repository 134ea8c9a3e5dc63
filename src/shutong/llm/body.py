"""From the bytes of an answer to its chunks as objects: an event stream, or one JSON object by a server that does not stream."""

from __future__ import annotations

import json
from typing import Any

from shutong.llm.failures import Origin, unreadable, web_page
from shutong.llm.sse import SseDecoder

MAX_BODY_BYTES = 32_000_000
"""More than this is not an answer."""

_BLANK = b" \t\r\n"


class BodyReader:
    """A pure reader. What the body is, is told by its first character, because servers' content types lie."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin
        self._sse = SseDecoder()
        self._whole: list[bytes] | None = None  # the pieces of a body that is no event stream
        self.begun = False
        """True once anything of the body has come."""
        self._sniffed = False
        self._size = 0
        self.done = False
        """True once the end was marked, by `[DONE]` or by being one whole body."""

    def feed(self, data: bytes) -> list[dict[str, Any]]:
        """The chunks that these bytes complete. Raises `ModelError(kind="stream")` for what no chat server sends."""
        self._size += len(data)
        if self._size > MAX_BODY_BYTES:
            raise unreadable(self._origin, "an answer without an end")
        self.begun = True
        if not self._sniffed:
            start = data.removeprefix(b"\xef\xbb\xbf").lstrip(_BLANK)[:1]
            self._sniffed = bool(start)
            if start in (b"{", b"[", b"<"):
                self._whole = []
        if self._whole is not None:
            self._whole.append(data)
            return []
        return self._chunks(self._sse.feed(data))

    def close(self) -> list[dict[str, Any]]:
        """The chunks left when the body has ended. Raises as `feed` does; a web page is `ModelError(kind="http")`."""
        if self._whole is None:
            return self._chunks(self._sse.flush())
        self.done = True
        whole = b"".join(self._whole).decode("utf-8-sig", "replace").strip()
        if whole.startswith("<"):
            raise web_page(self._origin)
        return self._objects(whole)

    def _chunks(self, events: list[str]) -> list[dict[str, Any]]:
        chunks: list[dict[str, Any]] = []
        for event in events:
            if self.done:
                break
            data = event.strip()
            if data == "[DONE]":
                self.done = True
            elif data:
                chunks += self._objects(data)
        return chunks

    def _objects(self, text: str) -> list[dict[str, Any]]:
        """The objects in the text of one event. Values that are no objects are pings; what is no JSON is an error."""
        try:
            values = [json.loads(text)]
        except (ValueError, RecursionError):
            values = self._lines(text)
        return [value for value in values if isinstance(value, dict)]

    def _lines(self, text: str) -> list[Any]:
        """One value a line: what a server sends that forgets the empty line between two events."""
        lines = [line for line in text.split("\n") if line.strip()]
        if lines and lines[-1].strip() == "[DONE]":
            lines.pop()
            self.done = True
        try:
            return [json.loads(line) for line in lines]
        except (ValueError, RecursionError):
            raise unreadable(self._origin, "something that is no JSON") from None
