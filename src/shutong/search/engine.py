"""What every search engine offers. The embedded one is in `embedded/`."""

from __future__ import annotations

from typing import Protocol

from shutong.catalog.book import Book
from shutong.search.query import BookQuery
from shutong.search.result import SearchResult


class Engine(Protocol):
    """Finds books. Searching is quick and does not wait for anything; it may be called from any thread."""

    @property
    def size(self) -> int:
        """How many editions can be found."""
        ...

    def search(
        self, query: BookQuery, *, some_words: bool = False, facets: bool = False, reader_language: str | None = None
    ) -> SearchResult:
        """Books that meet every hard condition of the query, best first, works counted once.

        `some_words`: when no book has all words of `keyword`, take those with most of them. `reader_language` (zh, en)
        lifts books in the language of the person who asks, when the query itself names none.
        """
        ...

    def book(self, book_id: int) -> Book | None:
        """One edition by its id."""
        ...

    def title(self, title: str) -> list[Book]:
        """The editions that go by this title (whole, without its subtitle, or in the original), best known first."""
        ...
