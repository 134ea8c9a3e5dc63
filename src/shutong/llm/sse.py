"""From the bytes of a server-sent event stream to the data of its events, one network chunk at a time."""

from __future__ import annotations

import codecs

from shutong.errors import ModelError

MAX_EVENT_CHARACTERS = 4_000_000
"""The longest line, and the longest event, that is read. More is a broken server, not an answer."""


class SseDecoder:
    """A pure decoder. The same bytes give the same events, wherever they are cut.

    Lines end in LF, CRLF or CR and nowhere else (U+2028 is text). Comments and all fields but `data` are passed over;
    several `data` lines of one event are joined by newlines. Bytes that are no UTF-8 become U+FFFD.
    """

    def __init__(self, max_characters: int = MAX_EVENT_CHARACTERS) -> None:
        self._max = max_characters
        self._decode = codecs.getincrementaldecoder("utf-8-sig")(errors="replace").decode
        self._line: list[str] = []  # the pieces of a line whose end has not come yet
        self._data: list[str] = []  # the data lines of an event whose end has not come yet
        self._size = 0  # characters held in both
        self._after_cr = False

    def feed(self, chunk: bytes) -> list[str]:
        """The data of the events that these bytes complete. Raises `ModelError(kind="stream")` for an endless event."""
        return self._read(self._decode(chunk))

    def flush(self) -> list[str]:
        """The data of a last event that the server did not end with an empty line. Nothing may be fed afterwards."""
        return self._read(self._decode(b"", final=True) + "\n\n")

    def _read(self, text: str) -> list[str]:
        first, *more = self._unified(text).split("\n")
        self._hold(self._line, first)
        events: list[str] = []
        for rest in more:
            self._end_line(events)
            self._hold(self._line, rest)
        return events

    def _unified(self, text: str) -> str:
        """The text with every line end as LF; a CRLF cut in two is still one."""
        if self._after_cr and text:
            text = text.removeprefix("\n")
            self._after_cr = False
        if "\r" not in text:
            return text
        self._after_cr = text.endswith("\r")
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def _hold(self, where: list[str], text: str) -> None:
        if not text:
            return
        where.append(text)
        self._size += len(text)
        if self._size > self._max:
            raise ModelError("The model's server sent an event that does not end.", kind="stream")

    def _end_line(self, events: list[str]) -> None:
        line = "".join(self._line)
        self._line.clear()
        self._size -= len(line)
        if not line:
            self._end_event(events)
            return
        name, _, value = line.partition(":")
        if name == "data":
            value = value.removeprefix(" ")
            self._data.append(value)
            self._size += len(value) + 1

    def _end_event(self, events: list[str]) -> None:
        if self._data:
            events.append("\n".join(self._data))
            self._data.clear()
            self._size = 0
