"""A message being read: its text, a folded view of it with the same places, and what has been understood so far.

Grammars look only at what no grammar before them has claimed. Places are the same in `text` and `view`, so that a value is
found in the folded view and taken from the text as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Literal

from shutong.regex import later
from shutong.text import clean, fold

MAX_CHARACTERS = 8_000
HEAD_CHARACTERS = 700
TAIL_CHARACTERS = 300
"""Of a long message only its beginning and its end are read: that is where people put what they want."""

_LONG_RUN = re.compile(r"(\s)\s+|([^\s\d])\2{11,}|(\d)\3{19,}")
CLAIMED = "\x00"

Mode = Literal["ask", "not", "prefer"]
"""How a part of the message is meant: asked for, not wanted, or only liked."""


class Sheet:
    """One message. `rest` is the view with every claimed place replaced by `CLAIMED`; `asked` says that it has words of asking."""

    def __init__(self, message: str) -> None:
        self.text = _shorten(clean(message[:MAX_CHARACTERS]))
        self.view = "".join(map(_letter, self.text))
        self.rest = self.view
        self.asked = False
        self._modes: list[tuple[int, int, Mode]] = []

    def find(self, pattern: re.Pattern[str]) -> list[re.Match[str]]:
        """All places of the pattern in what is not claimed yet."""
        return list(pattern.finditer(self.rest))

    def take(self, pattern: re.Pattern[str]) -> list[re.Match[str]]:
        """`find`, and claim what was found."""
        found = self.find(pattern)
        self.claim_all((m.start(), m.end()) for m in found)
        return found

    def claim(self, start: int, end: int) -> None:
        """Say that this part is understood."""
        self.rest = self.rest[:start] + CLAIMED * (end - start) + self.rest[end:]

    def claim_all(self, spans: Iterable[tuple[int, int]]) -> None:
        """Claim many parts at once, in time linear in the text."""
        letters = None
        for start, end in spans:
            letters = letters if letters is not None else list(self.rest)
            letters[start:end] = CLAIMED * (end - start)
        if letters is not None:
            self.rest = "".join(letters)

    def said(self, start: int, end: int) -> str:
        """The text as it was written, without blanks around it."""
        return self.text[start:end].strip()

    def mark(self, start: int, end: int, mode: Mode) -> None:
        """Say how a part is meant. What is not wanted outweighs what is liked."""
        self._modes.append((start, end, mode))

    def end_refusal(self, place: int) -> None:
        """Let no refusal reach over this place: in 不要美国作者的科幻 the genre is not what is refused."""
        self._modes = [(s, min(e, place) if m == "not" and s < place else e, m) for s, e, m in self._modes]

    def mode(self, place: int) -> Mode:
        """How the text at this place is meant."""
        found = {mode for start, end, mode in self._modes if start <= place < end}
        if "not" in found:
            return "not"
        return "prefer" if found else "ask"


def pattern(source: str) -> re.Pattern[str]:
    """A pattern for the folded view: Chinese letters of the source are folded too, so it may be written in plain script."""
    return later(letters(source))


def letters(source: str) -> str:
    """A text with its Chinese letters folded as the view has them."""
    return "".join(_letter(c) if c >= "\u3400" and c.isalpha() else c for c in source)


def _shorten(text: str) -> str:
    """Blanks and endless repetitions become one; the middle of a long message is left out."""
    text = _LONG_RUN.sub(lambda m: m[1] or (m[2] or m[3]) * 3, text.replace(CLAIMED, ""))
    if len(text) <= HEAD_CHARACTERS + TAIL_CHARACTERS:
        return text
    return f"{text[:HEAD_CHARACTERS]}\n{text[-TAIL_CHARACTERS:]}"


@cache
def _letter(letter: str) -> str:
    folded = fold(letter)
    return folded if len(folded) == 1 else letter
