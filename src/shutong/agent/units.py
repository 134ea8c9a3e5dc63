"""Cutting an answer into units while it streams: a sentence, a list item, a table row, a heading, a line of code.

A unit is what is checked and released as one. The units joined are the text, and they do not depend on how the stream is cut.
"""

from __future__ import annotations

import re

_WIDE_ENDS = "。！？；…"
_ENDS = frozenset(_WIDE_ENDS + ".!?")
_OPENS = {"《": "》", "〈": "〉", "“": "”", "「": "」", "『": "』", '"': '"', "**": "**", "*": "*"}
_CLOSES = frozenset(_OPENS.values())
_TITLE_CLOSES = "》〉"
_AFTER = frozenset("）)】］]》〉」』”’'")
_QUOTED_ENDS = "。."
"""Ends that also count right before a closing quote. A ? or ! there is often part of a title."""
_LAST_NARROW = "\u2e7f"
"""Beyond this lie the Chinese characters and marks, before which no blank is written."""
_WHOLE_LINE = re.compile(
    r"[ \t]*(?:```|\||#{1,6} |[-*+•·] |\d{1,3}[.)](?!\d)|\d{1,3}[、）]|[①-⑳]"
    r"|[（(][\d一二三四五六七八九十]{1,3}[)）]|[一二三四五六七八九十]{1,3}、)"
)
_FENCE = re.compile(r"[ \t]*```")
_BLANKS = re.compile(r"[ \t]+")
_WORD_BEFORE = re.compile(r"[A-Za-z.]*\Z")
_ABBREVIATIONS = frozenset(
    "dr mr mrs ms prof st jr sr vs etc vol ed eds pp p ch fig inc ltd co trans approx cf al e.g i.e".split()
)
_CITATION = re.compile(r" ?\[\[\d{1,4}\]\]")
_CITATION_BEGINNING = re.compile(r" ?(?:\[(?:\[(?:\d{1,4}(?:\](?:\]?))?)?)?)?\Z")
_LONGEST_WORD = 24
_DEEPEST = 16
"""Marks open within one another beyond this are taken for text."""


class UnitCutter:
    """Feed it text, take whole units; `end` gives what is left. Titles and quotations are never cut inside."""

    def __init__(self) -> None:
        self._text = ""
        self._at = 0
        self._in_fence = False
        self._reset_line(0)

    def feed(self, text: str) -> list[str]:
        """The units that are whole now."""
        self._text += text
        units: list[str] = []
        start = 0
        while (end := self._next_end(start)) is not None:
            units.append(self._text[start:end])
            start = end
        self._text, self._at = self._text[start:], self._at - start
        self._line_start -= start
        return units

    def end(self) -> list[str]:
        """The rest as one unit, if there is any."""
        rest, self._text, self._at = self._text, "", 0
        self._in_fence = False
        self._reset_line(0)
        return [rest] if rest else []

    def _reset_line(self, start: int) -> None:
        """A new line begins: marks left open on the line before are forgotten."""
        self._line_start = start
        self._open: list[str] = []

    def _next_end(self, start: int) -> int | None:
        """The end of the unit that begins at `start`, or None when more text is needed to know it."""
        while self._at < len(self._text):
            char = self._text[self._at]
            if char == "\n":
                self._at += 1
                if self._end_line(start):
                    return self._at
                continue
            end = self._sentence_end(start)
            if end is None:
                return None
            if end:
                self._at = end
                return end
            self._step(char)
        return None

    def _end_line(self, start: int) -> bool:
        """Close the line that ends before `_at`; whether it is a unit (a blank one joins what follows)."""
        if self._line_start >= 0 and _FENCE.match(self._text, self._line_start):
            self._in_fence = not self._in_fence
        self._reset_line(self._at)
        return bool(self._text[start : self._at].strip())

    def _step(self, char: str) -> None:
        """Take one character into the account of open marks."""
        self._at += 1
        if char == "*" and self._text.startswith("*", self._at):
            self._at += 1
            char = "**"
        if char in self._open and char in _CLOSES:
            while self._open.pop() != char:
                pass
        elif len(self._open) < _DEEPEST and char in _OPENS and (char != "*" or not self._text[self._at].isspace()):
            self._open.append(_OPENS[char])

    def _sentence_end(self, start: int) -> int | None:
        """Where the sentence ends whose full stop stands at `_at`; 0 if it ends elsewhere, None if it is too early to say."""
        char = self._text[self._at]
        if char == "*" and self._at + 1 == len(self._text):
            return None
        if char not in _ENDS or self._whole_line():
            return 0
        stop = self._after_marks()
        if not stop:
            return stop
        if self._text[stop] == "\n":
            return 0
        end = self._after_citation(stop) if char in _WIDE_ENDS else self._latin_end(start, stop)
        if end:
            self._open = []
        return end

    def _whole_line(self) -> bool:
        """Whether the line is never cut inside. A line of which a sentence is already gone is none of that kind."""
        return self._in_fence or (self._line_start >= 0 and bool(_WHOLE_LINE.match(self._text, self._line_start)))

    def _after_marks(self) -> int | None:
        """The index after all full stops and closing marks from `_at` on; 0 if a mark is still open there, None if unknown."""
        still_open = list(self._open)
        at, stop = self._at, self._text[self._at]
        while at < len(self._text):
            char = self._text[at]
            if char == "*" and at + 1 == len(self._text):
                return None
            mark = "**" if self._text.startswith("**", at) else char
            if char in _ENDS:
                stop = char
            elif still_open and mark == still_open[-1]:
                if mark in _TITLE_CLOSES or stop not in _QUOTED_ENDS:
                    return 0
                still_open.pop()
            elif char not in _AFTER:
                return 0 if still_open else at
            at += len(mark)
        return None

    def _after_citation(self, stop: int) -> int | None:
        """`stop`, or the index after the [[n]] that stand there; None while one may still come."""
        while citation := _CITATION.match(self._text, stop):
            stop = citation.end()
        return None if _CITATION_BEGINNING.match(self._text, stop) else stop

    def _latin_end(self, start: int, stop: int) -> int | None:
        """As `_sentence_end`, for . ! ? and what follows its closing marks at `stop`."""
        after = self._after_citation(stop)
        if after is None or after > stop:
            return after
        blank = _BLANKS.match(self._text, stop)
        next_at = blank.end() if blank else stop
        if next_at == len(self._text):
            return None
        char = self._text[next_at]
        if char == "\n" or (next_at == stop and char <= _LAST_NARROW) or char.islower():
            return 0
        if self._text[self._at] == "." and self._is_abbreviation(start, char):
            return 0
        return stop

    def _is_abbreviation(self, start: int, following: str) -> bool:
        before = self._text[max(start, self._at - _LONGEST_WORD) : self._at]
        word = _WORD_BEFORE.search(before)[0].lower().lstrip(".")  # type: ignore[index]
        if not word:
            return following > _LAST_NARROW and before[-1:].isdigit()
        return len(word.rpartition(".")[2]) == 1 or word in _ABBREVIATIONS or (word == "no" and following.isdigit())
