"""The answer as HTML, block by block while it grows: Markdown without raw HTML, links or pictures, sanitised after that.

Titles of the catalogue become links to their cards. They are put in last, as our own escaped markup, so that neither a
model nor a record can write any.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from shutong.search.engine import Engine
from shutong.text import clean

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

FindBook = Callable[[str], int | None]
"""From a title as printed to the id of its book."""

_TITLE = re.compile(r"《([^《》]{1,400})》")
_OPEN, _CLOSE = "\ue000", "\ue001"
_BREAK = re.compile(r"\n{2,}")
_PLACE = re.compile(f"{_OPEN}([0-9]{{1,6}}){_CLOSE}")
_TAGS = {
    "p", "ul", "ol", "li", "strong", "em", "code", "pre", "br", "blockquote", "hr",
    "h3", "h4", "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
_ATTRIBUTES = {"ol": {"start"}}  # a list whose items stand apart is several blocks, and goes on counting


def finder(engine: Engine, shown: Mapping[str, int]) -> FindBook:
    """From titles to books: those that were just shown first, then whatever the catalogue holds under that title."""

    def find(title: str) -> int | None:
        if title in shown:
            return shown[title]
        held = engine.title(title)
        return held[0].id if held else None

    return find


def render(text: str, find: FindBook) -> str:
    """Markdown text as safe HTML."""
    import nh3

    links: list[str] = []

    def place(match: re.Match[str]) -> str:
        book_id = find(match[1])
        if book_id is None:
            return match[0]
        title = html.escape(f"《{match[1]}》")
        links.append(f'<a class="cite" href="#book-{book_id}" data-book="{book_id}">{title}</a>')
        return f"{_OPEN}{len(links) - 1}{_CLOSE}"

    marked = _TITLE.sub(place, clean(text).replace(_OPEN, "").replace(_CLOSE, ""))
    safe = nh3.clean(_markdown().render(marked), tags=_TAGS, attributes=_ATTRIBUTES, link_rel=None)
    return _PLACE.sub(lambda match: "".join(links[int(match[1]) :][:1]), safe).strip()


class Blocks:
    """An answer that grows, as blocks of HTML: feed it the text, and it gives those that changed.

    Only the last block is rendered again, so the cost does not grow with the answer.
    """

    def __init__(self, find: FindBook) -> None:
        self._find = find
        self.clear()

    def clear(self) -> None:
        """Begin again: what was shown is withdrawn."""
        self._done = 0
        self._open = ""

    @property
    def current(self) -> int:
        """The number of the block that is being written."""
        return self._done

    def feed(self, text: str) -> list[tuple[int, str]]:
        """Number and whole HTML of each block that this text changes."""
        *whole, self._open = _BREAK.split(self._open + text)
        changed = [(self._done + i, block) for i, block in enumerate([*whole, self._open]) if block.strip()]
        self._done += len(whole)
        return [(number, render(block, self._find)) for number, block in changed]


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "link", "autolink"])
