"""Reading an action out of the text of an object, and finding where such an object ends."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Any

NAME_KEYS = ("tool", "name", "function")
ARGUMENT_KEYS = ("params", "arguments", "parameters", "args", "input")
_BESIDE = frozenset({"id", "type", "thought", "reasoning"})

_RAW_NAME = re.compile(r"""["']?(?:tool|name|function)["']?\s*[:：]\s*["']([^"'\n]{1,80})["']""")
_RAW_ARGUMENTS = re.compile(r"""["']?(?:params|arguments|parameters|args|input)["']?\s*[:：]\s*""")
_PARAMETER = re.compile(r"<parameter=([^>\n]{1,80})>(.*?)(?=</parameter>|<parameter=|</function>|\Z)", re.DOTALL)
_FUNCTION = re.compile(r"<function=([^>\n]{1,80})>?")


class ObjectEnd:
    """Finds the brace that closes an object in text that arrives piece by piece; each character is looked at once.

    A single quote opens a string only where a value or a key can begin, so that `what's new` stays whole.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._quote = ""
        self._escaped = False
        self._before = "{"
        self._seen = 0

    def find(self, text: str, start: int = 0) -> int | None:
        """The index after the closing brace, or None. The object begins at `start`; `text` may only grow between calls."""
        for at in range(max(start, self._seen), len(text)):
            self._take(text[at])
            if not self._depth:
                return at + 1
        self._seen = len(text)
        return None

    def _take(self, char: str) -> None:
        if self._quote:
            if self._escaped:
                self._escaped = False
            elif char == "\\":
                self._escaped = True
            elif char == self._quote:
                self._quote = ""
        elif char == '"' or (char == "'" and self._before in "{[,:("):
            self._quote = char
        elif char in "{[":
            self._depth += 1
        elif char in "}]":
            self._depth -= 1
        if not char.isspace():
            self._before = char


def read_action(text: str, known: Collection[str], named: str = "") -> tuple[str, str] | None:
    """The (tool, arguments) of an object's text, or None when it names no tool.

    `named` is a tool that was named before the object: then the whole object is its arguments. What is not JSON is not
    mended: the text where the arguments stand is handed on as it is.
    """
    if named:
        return named, text
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return _read_raw(text)
    return _read_value(value, known) if isinstance(value, dict) else None


def read_function(text: str) -> tuple[str, str] | None:
    """The (tool, arguments) of `<function=name><parameter=key>value</parameter>…`, or None.

    Values are strings; lists, objects, true, false and null are read as JSON. Figures stay strings: only the tool
    knows whether 1984 is a title.
    """
    head = _FUNCTION.search(text)
    if head is None:
        return None
    values = {key.strip(): _plain(value.strip()) for key, value in _PARAMETER.findall(text)}
    return head[1].strip(), json.dumps(values, ensure_ascii=False)


def _read_value(value: dict[str, Any], known: Collection[str]) -> tuple[str, str] | None:
    inner = value.get("function")
    if isinstance(inner, dict):
        return _read_value(inner, known)
    name = next((value[key] for key in NAME_KEYS if isinstance(value.get(key), str)), None)
    if name is None:
        return None
    for key in ARGUMENT_KEYS:
        if key in value:
            return name, _as_text(value[key])
    rest = {k: v for k, v in value.items() if k not in NAME_KEYS and k not in _BESIDE} if name in known else {}
    return name, _as_text(rest)


def _as_text(arguments: object) -> str:
    if arguments is None or arguments == "":
        return "{}"
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def _read_raw(text: str) -> tuple[str, str] | None:
    name = _RAW_NAME.search(text)
    if name is None:
        return None
    arguments = _RAW_ARGUMENTS.search(text)
    if arguments is None:
        return name[1], text
    rest = text[arguments.end() :]
    end = ObjectEnd().find(rest) if rest.startswith("{") else None
    return name[1], rest[:end]


def _plain(value: str) -> object:
    if value in ("true", "false", "null") or value[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value
