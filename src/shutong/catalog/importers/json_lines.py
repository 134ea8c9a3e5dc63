"""JSON Lines: one JSON object a line. A line that is none is reported and the next one is read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from shutong.catalog.importers.opening import LINE_CHARACTERS, Source, lines
from shutong.catalog.importers.record import Problem, Row
from shutong.errors import ImportFailedError


@dataclass(frozen=True, slots=True)
class JsonLines:
    """The format `jsonl`."""

    name: str = "jsonl"
    looks_for: str = "one JSON object a line, each {…}"

    def recognises(self, source: Source) -> bool:
        """True also for other JSON documents, so that `rows` can say what is wrong with them."""
        return source.text.lstrip().startswith(("{", "[{", "[\n", "[\r\n", "[ "))

    def rows(self, source: Source) -> Iterator[Row | Problem]:
        if _is_one_document(source.text.strip()):
            raise ImportFailedError(
                f"{source.path.name} is one JSON document and not JSON Lines: one object a line was looked for. "
                "`jq -c '.[]' FILE` writes an array so."
            )
        for number, line in enumerate(lines(source.stream()), 1):
            if line.isspace():
                continue
            yield _row(f"line {number}", line)


def _is_one_document(text: str) -> bool:
    """True for an array, and for an object that is spread over lines."""
    return text.startswith("[") or text.split("\n", 1)[0].strip() == "{"


def _row(place: str, line: str) -> Row | Problem:
    if len(line) >= LINE_CHARACTERS:
        return Problem(place, "", f"the line is longer than {LINE_CHARACTERS:,} characters")
    value = _parsed(line)
    if isinstance(value, str):
        return Problem(place, "", value)
    problems = (Problem(place, "", "holds � where a character was lost", "mended"),)
    return Row(place, value, problems if "\ufffd" in line else ())


def _parsed(line: str) -> dict[str, Any] | str:
    """The object on a line, or what is wrong with it."""
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        return f"not JSON: {error.msg} at character {error.colno}"
    except (ValueError, RecursionError):  # a number of thousands of digits; brackets nested without end
        return "not JSON that can be read"
    return value if isinstance(value, dict) else "a JSON value, but not an object {…}"
