"""What a model writes as content, told apart while it streams: text for the reader, reasoning, and calls of tools.

Models that know function calling still write calls into their text: as `<tool_call>`, as fenced or bare JSON, or as an
ACTION line after a polite sentence. The filter finds them wherever the stream is cut, and lets nothing through that could still
become one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from shutong.agent.protocols.markers import Marker, markers, places
from shutong.agent.protocols.objects import ObjectEnd, read_action, read_function
from shutong.llm.messages import ToolCall
from shutong.regex import later

CONTENT_ID = "content-"
"""How the ids of calls begin that were found in the content. Such calls never run a tool that writes."""


@dataclass(frozen=True, slots=True)
class Visible:
    """Text for the reader."""

    text: str


@dataclass(frozen=True, slots=True)
class Hidden:
    """Protocol, reasoning, or what came after a call: not for the reader."""

    text: str


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A closing think tag came without an opening one: all that was `Visible` before, `text`, was reasoning."""

    text: str


Piece = Visible | Hidden | Withdrawn

_UNTHINK = later(r"<[ \t]{0,8}/[ \t]{0,8}think(?:ing)?[ \t]{0,8}>", re.IGNORECASE)
_LONGEST_UNTHINK = 48
_CLOSE_CALL = "</tool_call>"
_CLOSE_FUNCTION = "</function>"
_NAMES = later(r"[a-z_]{2,}", re.IGNORECASE)
_NOT_NAMES = frozenset({"json", "action", "input", "tool", "call", "tool_call"})
_OPENS, _CLOSES = "“「『", "”」』"


class ContentFilter:
    """Feed it the content of one reply piece by piece, then call `end` once.

    However the reply is cut, the pieces joined are the same, and their texts joined are the reply. `tools` are the
    known tools; `step` is the model's round in the run and goes into the ids of the calls.
    """

    def __init__(self, tools: Collection[str], step: int = 1) -> None:
        self._tools = frozenset(tools)
        self._step = step
        self._state = self._leading
        self._held = ""
        self._seen = 0
        self._over = False
        self._line = _Line()
        self._shown: list[str] = []
        self._thoughts: list[str] = []
        self._object = ObjectEnd()
        self._marker_end = 0
        self._named = ""
        self._fenced = False
        self._fence = ""
        self.actions: list[ToolCall] = []

    @property
    def reasoning(self) -> str:
        """What stood in think tags, joined."""
        return "".join(self._thoughts).strip()

    @property
    def visible(self) -> str:
        """All that is for the reader so far."""
        return "".join(self._shown)

    def feed(self, text: str) -> list[Piece]:
        """The pieces that are decided now. Never raises, whatever the text."""
        self._held += text
        return _joined(self._run())

    def end(self) -> list[Piece]:
        """The rest: what was held and came to nothing is visible."""
        self._over = True
        return _joined(self._run())

    def _run(self) -> Iterator[Piece]:
        """Let the state take from what is held until it cannot go on. A state yields pieces and sets the next state."""
        while self._held:
            before = (len(self._held), self._state)
            yield from self._state()
            if before == (len(self._held), self._state):
                return

    # Each state below takes what it can from the front of `_held`.

    def _text(self) -> Iterator[Piece]:
        """Plain text: release it up to the first marker, or up to what could still become one."""
        line, seen = self._line, 0
        for at in places(self._held):
            line, seen = line.after(self._held[seen:at]), at
            for marker in markers():
                standing, end = self._stands(marker, at, line)
                if standing == "none" or (standing == "partial" and self._over):
                    continue
                yield from self._show(at)
                if standing == "full":
                    yield from self._enter(marker, end - at)
                return
        yield from self._show(len(self._held))

    def _stands(self, marker: Marker, at: int, line: _Line) -> tuple[str, int]:
        if line.in_code or (marker.line_start and not line.blank):
            return "none", at
        if marker.kind not in ("think", "unthink", "code", "observation") and line.quoted:
            return "none", at
        if marker.kind == "action" and line.in_word and self._held[at].isascii() and self._held[at].isalpha():
            return "none", at
        standing, end = marker.stands(self._held, at)
        if standing == "full" and marker.kind == "action" and self._tool_named(self._held[at:end]) is None:
            return "none", at
        return standing, end

    def _tool_named(self, marker_text: str) -> str | None:
        """The tool named between ACTION: and the brace, "" when there is none, None when it is a word that is no tool."""
        words = _NAMES.findall(re.split("[:：]", marker_text, maxsplit=1)[-1])
        names = [word for word in words if word.lower() not in _NOT_NAMES]
        if not names:
            return ""
        return next((name for name in names if name in self._tools), None)

    def _enter(self, marker: Marker, length: int) -> Iterator[Piece]:
        if marker.kind == "think":
            yield self._hide(length)
            self._state = self._thinking
        elif marker.kind == "unthink":
            yield from self._withdraw(length)
        elif marker.kind == "observation":
            self._state = self._sink
        elif marker.kind == "code":
            self._fence = _ticks(self._held)
            yield from self._show(length)
            self._state = self._code
        else:
            self._hold_object(marker, length)

    def _hold_object(self, marker: Marker, length: int) -> None:
        self._fenced = marker.fenced
        self._fence = _ticks(self._held)
        self._seen = 0
        if marker.kind in ("action", "json"):
            self._marker_end = self._held.rindex("{", 0, length)
            self._named = (self._tool_named(self._held[:length]) or "") if marker.kind == "action" else ""
            self._object = ObjectEnd()
            self._state = self._action if marker.kind == "action" else self._json
        else:
            self._marker_end = length
            self._state = self._call if marker.kind == "call" else self._function

    def _thinking(self) -> Iterator[Piece]:
        if close := _UNTHINK.search(self._held):
            self._thoughts.append(self._held[: close.start()])
            yield self._hide(close.end())
            self._state = self._leading
            return
        take = len(self._held) - (0 if self._over else _held_back(self._held))
        if take:
            self._thoughts.append(self._held[:take])
            yield self._hide(take)

    def _leading(self) -> Iterator[Piece]:
        """Blank lines before the answer, or between reasoning and answer, belong to neither."""
        blank = len(self._held) - len(self._held.lstrip())
        if blank:
            yield self._hide(blank)
        if self._held:
            self._line = _Line()
            self._state = self._text

    def _withdraw(self, length: int) -> Iterator[Piece]:
        shown = self.visible
        self._shown.clear()
        self._thoughts.append(shown)
        if shown:
            yield Withdrawn(shown)
        yield self._hide(length)
        self._state = self._leading

    def _code(self) -> Iterator[Piece]:
        """Inside a fence of another language nothing is a protocol; only its closing line is looked for."""
        while self._held:
            end = self._held.find("\n") + 1
            line = self._held[:end] if end else self._held
            mark = line.strip()
            closing = len(mark) >= len(self._fence) and set(mark) == {"`"}
            if not end and not self._over and (not mark or set(mark) == {"`"}):
                return
            if not end and not self._over:
                # The rest of this line can no longer close the fence, but the next line must be seen from its start.
                yield from self._show(len(line))
                self._state = self._code_line
                return
            yield from self._show(len(line))
            if closing:
                self._state = self._text
                return

    def _code_line(self) -> Iterator[Piece]:
        end = self._held.find("\n") + 1
        yield from self._show(end or len(self._held))
        if end:
            self._state = self._code

    def _json(self) -> Iterator[Piece]:
        """An object at the head of a line: an action only when it names a tool that there is."""
        end = self._object.find(self._held, self._marker_end)
        if end is None and not self._over:
            return
        stop = len(self._held) if end is None else end
        found = read_action(self._held[self._marker_end : stop], self._tools)
        if found and found[0] in self._tools:
            yield from self._act(found, stop)
            return
        yield from self._show(stop)
        self._state = self._code_line if self._fenced else self._text

    def _action(self) -> Iterator[Piece]:
        """After ACTION: any object is a call, with whatever name, so that the model can be told what is wrong with it."""
        end = self._object.find(self._held, self._marker_end)
        if end is None and not self._over:
            return
        stop = len(self._held) if end is None else end
        text = self._held[self._marker_end : stop]
        yield from self._act(read_action(text, self._tools, self._named) or ("", text), stop)

    def _call(self) -> Iterator[Piece]:
        yield from self._tagged(_CLOSE_CALL)

    def _function(self) -> Iterator[Piece]:
        yield from self._tagged(_CLOSE_FUNCTION)

    def _tagged(self, close: str) -> Iterator[Piece]:
        start = max(self._marker_end, self._seen - len(close))
        at = self._held.find(close, start)
        self._seen = len(self._held)
        if at < 0 and not self._over:
            return
        stop = len(self._held) if at < 0 else at + len(close)
        body = self._held[self._marker_end : at if at >= 0 else stop].strip()
        if close == _CLOSE_FUNCTION:
            body = "<function=" + body
        found = read_function(body) if body.startswith("<function=") else read_action(body, self._tools)
        yield from self._act(found or ("", body), stop)
        if close == _CLOSE_CALL:
            self._state = self._between_calls

    def _between_calls(self) -> Iterator[Piece]:
        """Tagged calls may come several in a row; anything else after the first ends the reply."""
        yield self._hide(len(self._held) - len(self._held.lstrip()))
        opening = "<tool_call>"
        if self._held.startswith(opening):
            self._marker_end = len(opening)
            self._seen = 0
            self._state = self._call
        elif not opening.startswith(self._held) or self._over:
            self._state = self._sink

    def _sink(self) -> Iterator[Piece]:
        yield self._hide(len(self._held))

    def _act(self, found: tuple[str, str], length: int) -> Iterator[Piece]:
        name, arguments = found
        self.actions.append(ToolCall(f"{CONTENT_ID}{self._step}-{len(self.actions) + 1}", name, arguments))
        yield self._hide(length)
        self._state = self._sink

    def _show(self, length: int) -> Iterator[Piece]:
        if length:
            text, self._held = self._held[:length], self._held[length:]
            self._line = self._line.after(text)
            self._shown.append(text)
            yield Visible(text)

    def _hide(self, length: int) -> Hidden:
        text, self._held = self._held[:length], self._held[length:]
        return Hidden(text)


@dataclass(frozen=True, slots=True)
class _Line:
    """What matters of the line so far: whether it is blank, a quotation, inside quotes or code, or inside a word."""

    blank: bool = True
    quotation: bool = False
    depth: int = 0
    odd_quotes: bool = False
    in_code: bool = False
    in_word: bool = False

    @property
    def quoted(self) -> bool:
        return self.quotation or self.depth > 0 or self.odd_quotes or self.in_code

    def after(self, text: str) -> _Line:
        """The line after `text` more of it."""
        if not text:
            return self
        _, newline, tail = text.rpartition("\n")
        if newline:
            return _Line().after(tail)
        depth = self.depth
        for char in tail:
            depth = depth + 1 if char in _OPENS else max(0, depth - 1) if char in _CLOSES else depth
        return _Line(
            blank=self.blank and not tail.strip(),
            quotation=self.quotation or (self.blank and tail.lstrip().startswith(">")),
            depth=depth,
            odd_quotes=self.odd_quotes ^ bool(tail.count('"') % 2),
            in_code=self.in_code ^ bool(tail.count("`") % 2),
            in_word=tail[-1].isascii() and tail[-1].isalnum(),
        )


def _ticks(text: str) -> str:
    return text[: len(text) - len(text.lstrip("`"))]


def _held_back(text: str) -> int:
    """How many characters at the end of reasoning could be the beginning of its closing tag."""
    at = text.rfind("<", max(0, len(text) - _LONGEST_UNTHINK))
    return len(text) - at if at >= 0 else 0


def _joined(pieces: Iterator[Piece]) -> list[Piece]:
    joined: list[Piece] = []
    for piece in pieces:
        if not piece.text:
            continue
        last = joined[-1] if joined else None
        if last is not None and type(last) is type(piece):
            joined[-1] = type(piece)(last.text + piece.text)
        else:
            joined.append(piece)
    return joined
