"""The answer as HTML, block by block while it grows: Markdown without raw HTML, links or pictures, sanitised after that.

Titles of the catalogue become links to their cards. They are put in last, as our own escaped markup, so that neither a
model nor a record can write any.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

import nh3
from markdown_it import MarkdownIt

FindBook = Callable[[str], int | None]
"""From a title as printed to the id of its book."""

_TITLE = re.compile(r"《([^《》]{1,400})》")
_OPEN, _CLOSE = "\ue000", "\ue001"
_PLACE = re.compile(f"{_OPEN}(\\d+){_CLOSE}")
_TAGS = {
    "p", "ul", "ol", "li", "strong", "em", "code", "pre", "br", "blockquote", "hr",
    "h3", "h4", "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip


def render(text: str, find: FindBook) -> str:
    """Markdown text as safe HTML."""
    links: list[str] = []

    def place(match: re.Match[str]) -> str:
        book_id = find(match[1])
        if book_id is None:
            return match[0]
        title = html.escape(f"《{match[1]}》")
        links.append(f'<a class="cite" href="#book-{book_id}" data-book="{book_id}">{title}</a>')
        return f"{_OPEN}{len(links) - 1}{_CLOSE}"

    marked = _TITLE.sub(place, text.replace(_OPEN, "").replace(_CLOSE, ""))
    safe = nh3.clean(_markdown().render(marked), tags=_TAGS, attributes={}, link_rel=None)
    return _PLACE.sub(lambda match: links[int(match[1])], safe).strip()


@dataclass(slots=True)
class Blocks:
    """An answer that grows: feed it the text, and it gives the blocks that changed."""

    find: FindBook
    texts: list[str] = field(default_factory=lambda: [""])

    def feed(self, text: str) -> list[tuple[int, str, str]]:
        """For each block that this text touches: its number, the new text in it, its whole HTML."""
        changed: list[tuple[int, str, str]] = []
        for number, piece in enumerate(text.split("\n\n")):
            if number > 0 and self.texts[-1].strip():
                self.texts.append("")
            if piece:
                self.texts[-1] += piece
                changed.append((len(self.texts) - 1, piece, render(self.texts[-1], self.find)))
        return changed

    def clear(self) -> None:
        """Begin again: what was shown is withdrawn."""
        self.texts = [""]


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "link", "autolink"])
