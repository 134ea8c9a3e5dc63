"""What a talk has come to: the state that "the second one" and "another batch" stand on."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from shutong.catalog.book import Book
from shutong.search.query import BookQuery

Act = Literal[
    "new_request",
    "refine",
    "exclude",
    "more_like_this",
    "another_batch",
    "about_item",
    "compare",
    "count",
    "arithmetic",
    "recall",
    "go_back",
    "small_talk",
    "help",
    "care",
    "out_of_scope",
]
"""What a message does in the talk.

`count` asks how many there are, `recall` asks for an earlier result of a calculation or of the talk, `go_back`
returns to an earlier list, `care` is a message that needs kindness before books.
"""


SEARCHING_ACTS: frozenset[str] = frozenset(
    {"new_request", "refine", "exclude", "more_like_this", "another_batch", "go_back", "count"}
)
"""The acts that are answered by a search with the reading's query."""

LISTING_ACTS: frozenset[str] = SEARCHING_ACTS - {"count"}
"""The acts whose answer is a list of what a search of this very run found."""


class ShownBook(BaseModel):
    """A book shown in the talk. `number` is its short number in this talk, `position` its place in its list (from 1)."""

    model_config = ConfigDict(frozen=True)

    number: int
    position: int
    book_id: int
    work_id: str
    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    pages: int | None = None
    rating: float | None = None
    price: float | None = None
    near: bool = False
    """Offered as a near miss: it did not meet every condition."""

    @classmethod
    def of(cls, book: Book, number: int, position: int, *, near: bool = False) -> ShownBook:
        """A record as it stands in a list."""
        return cls(
            number=number,
            position=position,
            book_id=book.id,
            work_id=book.work_id,
            title=book.title,
            authors=tuple(author.name for author in book.authors),
            year=book.year,
            pages=book.pages,
            rating=book.rating,
            price=book.price.amount if book.price else None,
            near=near,
        )


class DialogueState(BaseModel):
    """`query` is the last search of the talk; `shown` its list, in the order shown; `lists` the earlier lists, newest first.

    `seen_works` are all works shown in the talk, so that "another batch" never repeats one.
    """

    model_config = ConfigDict(frozen=True)

    query: BookQuery | None = None
    shown: tuple[ShownBook, ...] = ()
    lists: tuple[tuple[ShownBook, ...], ...] = ()
    queries: tuple[BookQuery, ...] = ()
    seen_works: tuple[str, ...] = ()
    act: str | None = None
    """What the reader's last message did."""

    last_result: str | None = None
    """The newest figure that a calculation came to, as it was said."""

    focus: int | None = None
    """The position in `shown` of the one book that the last answer spoke of: what "it" and "the author" mean."""


class Reading(BaseModel):
    """What one message means: the act, the whole query that follows from it and the talk, and whom it speaks about.

    `language` is the message's (zh or en), `script` hans or hant for Chinese. `items` are positions in the list
    last shown (1-based) that the message speaks of. `plain` are the names of the hard fields that the reader stated in plain
    figures or words in this message, so that a model that drops them can be told. `assumed` are readings that
    deserve to be said ("new" as the last three years). `ambiguous` is a question back when the reference is unclear.
    """

    model_config = ConfigDict(frozen=True)

    act: Act
    query: BookQuery
    language: Literal["zh", "en"] = "zh"
    script: Literal["hans", "hant"] = "hans"
    items: tuple[int, ...] = ()
    plain: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    ambiguous: str | None = None
    expression: tuple[tuple[str, str, str], ...] = ()
    """For arithmetic: (a, operation, b) in order; `$` stands for the result before."""
