"""What a tool may use during one run: the engine, what was read of the request, and the numbers of the talk's books."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from shutong.agent.events import Event
from shutong.catalog.book import Book
from shutong.nlu.dialogue import DialogueState, Reading
from shutong.search.engine import Engine


class Numbering:
    """The short numbers by which books are cited in one talk. A book keeps its number for the whole talk."""

    def __init__(self, shown: Iterable[tuple[int, int]] = ()) -> None:
        """`shown` are pairs (number, book id) from earlier turns."""
        self._by_number = dict(shown)
        self._by_book = {book_id: number for number, book_id in self._by_number.items()}
        self._next = max(self._by_number, default=0) + 1

    def number(self, book: Book) -> int:
        """The book's number; a new one when it is shown for the first time."""
        if book.id not in self._by_book:
            self._by_book[book.id] = self._next
            self._by_number[self._next] = book.id
            self._next += 1
        return self._by_book[book.id]

    def book_id(self, number: int) -> int | None:
        """The book with this number, if there is one."""
        return self._by_number.get(number)


@dataclass(slots=True)
class ToolContext:
    """Handed to every tool that asks for it. `emit` puts an event into the run's stream."""

    engine: Engine
    state: DialogueState
    reading: Reading
    numbering: Numbering
    emit: Callable[[Event], None]
    observation_characters: int = 6_000
    observed: list[str] = field(default_factory=list)
    """What the tools of this run told of records so far: text that a title in the answer may stand on."""

    found: set[int] = field(default_factory=set)
    """The ids of the books that the searches of this run found, near misses among them."""

    sum_results: list[str] = field(default_factory=list)
    """The results of the steps of the reader's sum that were worked out so far, in order."""
