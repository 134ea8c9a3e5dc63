"""Text that arrives in pieces."""

from __future__ import annotations

import re

_SURROGATES = re.compile("[\ud800-\udfff]")


class Pieces:
    """Text in pieces, joined once. Half a character (a high surrogate at the end) waits for its other half."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._half = ""

    def add(self, text: str) -> str:
        """The text that can be shown now."""
        text, self._half = self._half + text, ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        text = whole_characters(text)
        if text:
            self._pieces.append(text)
        return text

    def joined(self) -> str:
        return "".join(self._pieces)


def whole_characters(text: str) -> str:
    """The text with pairs of surrogates as the characters they stand for, and single ones as U+FFFD."""
    if not _SURROGATES.search(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
