"""Places in streamed text where something of a protocol may begin.

A marker is a pattern made of atoms. Made that way, a text can be asked not only "does the marker stand here?" but also "could it
still come to stand here, when more text arrives?", which is what decides how long text is held back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

Kind = Literal["think", "unthink", "call", "function", "action", "json", "observation", "code"]
Standing = Literal["full", "partial", "none"]


@dataclass(frozen=True, slots=True)
class Marker:
    """`whole` matches the marker, `beginning` any beginning of it. The last atom is one definite character, so that a
    match never grows with later text."""

    kind: Kind
    whole: re.Pattern[str]
    beginning: re.Pattern[str]
    line_start: bool
    fenced: bool

    def stands(self, text: str, at: int) -> tuple[Standing, int]:
        """Whether the marker stands at `at`, and where it ends. `partial`: the text is too short to tell."""
        if match := self.whole.match(text, at):
            return "full", match.end()
        return ("partial" if self.beginning.match(text, at) else "none"), at


def _marker(kind: Kind, atoms: list[str], *, line_start: bool = False, fenced: bool = False) -> Marker:
    nested = ""
    for atom in reversed(atoms):
        nested = f"(?:{atom}{nested})?"
    whole = re.compile("".join(f"(?:{atom})" for atom in atoms), re.IGNORECASE)
    return Marker(kind, whole, re.compile(nested + r"\Z", re.IGNORECASE), line_start, fenced)


def _letters(word: str) -> list[str]:
    return [re.escape(letter) for letter in word]


def _maybe(word: str) -> list[str]:
    """Each letter optional: sloppy, but a marker that holds it must still end in a brace."""
    return [re.escape(letter) + "?" for letter in word]


_BLANKS = r"[ \t]{0,8}"
_DECORATION = r"[*_#\-]{0,4} ?"
_FENCE = [
    r"`",
    r"`",
    r"`{1,4}",
    *_maybe("json"),
    *_maybe("tool"),
    "_?",
    *_maybe("call"),
    *_maybe("action"),
    _BLANKS,
    r"\r?",
    r"\n",
    r"\s{0,40}",
]
_OBJECT = [r"\{"]
_QUOTED_KEY = [r"\{", r"\s{0,40}", "[\"']"]


def _tag(kind: Kind, name: str, *, closing: bool = False) -> Marker:
    slash = ["/", _BLANKS] if closing else []
    return _marker(kind, ["<", _BLANKS, *slash, *_letters(name), _BLANKS, ">"])


def _action(word: str) -> list[str]:
    """ACTION: {, **Action:** {, 行动:{, ACTION: search_books {, Action: x / Action Input: {, and a fence before the brace."""
    name = ["[a-z_]{0,60}", r"\s{0,9}", r"\(?"]
    of_input = [*_maybe("Action"), "[ _]?", *_maybe("Input"), "[:：]?", r"\s{0,9}"]
    fence = ["`{0,4}", *_maybe("json"), r"\s{0,9}"]
    return [
        _DECORATION,
        *_letters(word),
        r"[*_ ]{0,6}",
        "[:：]",
        r"[*_ \t]{0,6}",
        r"\s{0,9}",
        *name,
        *of_input,
        *fence,
        *_OBJECT,
    ]


@cache
def markers() -> tuple[Marker, ...]:
    """All markers; the first that stands, or could still stand, at a place decides."""
    made: list[Marker] = []
    for name in ("think", "thinking"):
        made += [_tag("think", name), _tag("unthink", name, closing=True)]
    openings: list[tuple[Kind, list[str]]] = [
        ("call", ["<", *_letters("tool_call"), ">"]),
        ("function", ["<", *_letters("function"), "="]),
        ("action", _action("ACTION")),
        ("action", _action("行动")),
        ("action", _action("行動")),
    ]
    for kind, atoms in openings:
        made += [_marker(kind, atoms), _marker(kind, [*_FENCE, *atoms], line_start=True, fenced=True)]
    made.append(_marker("json", _QUOTED_KEY, line_start=True))
    made.append(_marker("json", [*_FENCE, *_QUOTED_KEY], line_start=True, fenced=True))
    made.append(
        _marker("observation", [_DECORATION, *_letters("OBSERVATION"), "[ ]{0,3}", r"[\d(（]"], line_start=True)
    )
    made.append(_marker("code", ["`", "`", "`{1,4}", r"[^`\n]*", r"\n"], line_start=True))
    return tuple(made)


_STARTS = re.compile(r"[<{`*_#\-AaOo行]")


def places(text: str) -> Iterator[int]:
    """The positions where a marker could begin at all."""
    for match in _STARTS.finditer(text):
        yield match.start()
