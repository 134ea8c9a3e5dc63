"""Tool calls put together from fragments, trusting neither their index nor their id."""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection
from typing import Any

from shutong.llm.messages import ToolCall
from shutong.llm.pieces import whole_characters


class OpenCall:
    """A call whose fragments are still coming. Pieces are joined when they are read."""

    def __init__(self, index: int | None, call_id: str) -> None:
        self.index = index
        self.id = call_id
        self.name = ""
        self._pieces: list[str] = []

    @property
    def arguments(self) -> str:
        self._pieces = ["".join(self._pieces)]
        return self._pieces[0]

    def add(self, name: str, arguments: str) -> None:
        """A fragment. A name may come whole, again and again, growing, or in pieces before the arguments."""
        if name.startswith(self.name):
            self.name = name
        elif name and not self._pieces:
            self.name += name
        if arguments:
            self._pieces.append(arguments)

    def is_whole(self) -> bool:
        """True when the arguments are a JSON object already, so that another object must be another call's."""
        text = self.arguments.strip()
        return text.endswith("}") and _is_object(text)


class CallParts:
    """The calls of one reply in the order in which they began.

    A fragment belongs to the call with its index, or else with its id, or else to the last one. A new id on a known
    index begins a call, and so does a second object of arguments that comes with a name. `taken` are ids that the
    talk has used already.
    """

    def __init__(self, taken: Collection[str] = ()) -> None:
        self._taken = set(taken)
        self._calls: list[OpenCall] = []
        self._by_index: dict[int, OpenCall] = {}
        self._by_id: dict[str, OpenCall] = {}

    def add(self, fragments: Any) -> None:
        """The `tool_calls` of one delta (or a whole message); anything that is no list of objects counts as nothing."""
        fragments = [fragments] if isinstance(fragments, dict) else fragments
        touched: list[OpenCall] = []
        for fragment in fragments if isinstance(fragments, list) else []:
            if isinstance(fragment, dict):
                touched.append(self._add(fragment, touched))

    def finish(self) -> tuple[ToolCall, ...]:
        """The calls, with ids that are unique in the talk and arguments that are never empty."""
        return tuple(ToolCall(self._fresh(call.id), call.name.strip(), _given(call)) for call in self._named())

    def _add(self, fragment: dict[str, Any], touched: list[OpenCall]) -> OpenCall:
        function = fragment.get("function")
        function = function if isinstance(function, dict) else fragment
        index, call_id = _index(fragment.get("index")), _text(fragment.get("id"))
        name, arguments = _text(function.get("name")), _arguments(function.get("arguments"))
        call = self._find(index, call_id, bool(name))
        if call is None or _begins(call, call_id, name, arguments, call in touched):
            call = self._open(index, call_id)
        call.id = call.id or call_id
        if call_id:
            self._by_id[call_id] = call
        call.add(name, arguments)
        return call

    def _find(self, index: int | None, call_id: str, named: bool) -> OpenCall | None:
        """The call that a fragment belongs to, if it has begun."""
        if index is not None:
            by_id = self._by_id.get(call_id)
            found = self._by_index.get(index) or (by_id if by_id and by_id.index is None else None)
            orphan = found is None and not call_id and not named  # a piece of arguments with an index of its own
            return self._last() if orphan else found
        if call_id:
            last = self._last()
            nameless = last if last and not last.id and not named else None
            return self._by_id.get(call_id) or nameless
        return self._last()

    def _open(self, index: int | None, call_id: str) -> OpenCall:
        call = OpenCall(index, call_id)
        self._calls.append(call)
        if index is not None:
            self._by_index[index] = call
        return call

    def _last(self) -> OpenCall | None:
        return self._calls[-1] if self._calls else None

    def _named(self) -> list[OpenCall]:
        """The calls without those that never got a name: their pieces belong to the call before them.

        Some servers give every fragment an id of its own.
        """
        kept: list[OpenCall] = []
        for call in self._calls:
            owner = next((one for one in reversed(kept) if one.index == call.index), None)
            if call.name.strip() or owner is None:
                kept.append(call)
            else:
                owner.add("", call.arguments)
        return [call for call in kept if call.name.strip() or call.arguments.strip()]

    def _fresh(self, call_id: str) -> str:
        if not call_id or call_id in self._taken:
            call_id = f"call_{uuid.uuid4().hex[:24]}"
        self._taken.add(call_id)
        return call_id


def _begins(call: OpenCall, call_id: str, name: str, arguments: str, touched: bool) -> bool:
    """True when a fragment that would go to `call` is the beginning of another call instead."""
    if call_id and call.id and call_id != call.id:
        return True
    if not name:
        return False
    return touched or (arguments.lstrip().startswith("{") and call.is_whole())


def _given(call: OpenCall) -> str:
    text = whole_characters(call.arguments.strip())
    return "{}" if text in ("", "null") else text


def _index(value: Any) -> int | None:
    if isinstance(value, str) and value.isdecimal():
        return int(value[:9])
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)


def _arguments(value: Any) -> str:
    """Arguments as text: some servers send the object itself."""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return _text(value)


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
