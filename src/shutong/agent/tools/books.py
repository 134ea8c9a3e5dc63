"""The tools that find and read books: `search_books`, `get_book`."""

from __future__ import annotations

import json
from typing import Any

from pydantic import Field, model_validator

from shutong.agent.context import ToolContext
from shutong.agent.events import Books, NumberedHit, Understood
from shutong.agent.observation import book_facts, fenced
from shutong.agent.registry import ToolError, tool
from shutong.catalog import countries
from shutong.catalog.book import Book
from shutong.search import telling, thesaurus
from shutong.search.query import BookQuery, Texts
from shutong.search.result import SearchResult

MOST_BOOKS = 20
"""How many books one call gives, whatever limit was asked: more would only fill the window."""

_NEXT = {
    (
        "zh",
        True,
    ): "现在用中文回答读者：从上面挑合适的书，每本一行，写成《书名》[[n]]，用它的事实说一句理由；差一点的书另外说差在哪里。",
    ("zh", False): "现在用中文告诉读者：目录里没有完全合适的书；有差一点的书，就说差在哪里，写成《书名》[[n]]。",
    (
        "en",
        True,
    ): "Now answer the reader in English: a line for each fitting book, written as 《title》[[n]], with a reason made "
    "of its facts; say apart what the near misses miss.",
    (
        "en",
        False,
    ): "Now tell the reader in English that nothing in the catalogue fits; if there are near misses, say what "
    "they miss, written as 《title》[[n]].",
}
"""What is to be done with a result, said right behind it: small models forget what the prompt said."""

_WORDS = {"type": "array", "items": {"type": "string"}}
_NUMBER = {"type": "number"}
_WHOLE = {"type": "integer"}


def _field(kind: dict[str, Any], description: str) -> dict[str, Any]:
    return {**kind, "description": description}


SHOWN: dict[str, Any] = {
    "type": "object",
    "properties": {
        "keyword": _field({"type": "string"}, "topic words, all must match; blank between"),
        "title": _field(_WORDS, "exact book titles asked for"),
        "like": _field({"type": "string"}, "a book title; finds similar books"),
        "category": _field(_WORDS, "genre, e.g. 科幻, mystery"),
        "tags": _field(_WORDS, "form or theme, e.g. 短篇, picture book; all must match"),
        "author": _field(_WORDS, "author names"),
        "author_country": _field(_WORDS, "countries or regions"),
        "language": _field(_WORDS, "codes of the edition's language: zh, en"),
        "level": {"type": "string", "enum": ["beginner", "intermediate", "advanced"]},
        "min_rating": _field(_NUMBER, "0-10, included"),
        "year_from": _field(_WHOLE, "first year, included"),
        "year_to": _field(_WHOLE, "last year, included"),
        "max_pages": _field(_WHOLE, "included"),
        "exclude": _field(_WORDS, "authors, titles, countries or themes not wanted"),
        "sort": {"type": "string", "enum": ["overall", "relevance", "rating", "year", "hot"]},
        "limit": _field(_WHOLE, "how many books, 1-20"),
    },
    "required": [],
}
"""What models see of `SearchArguments`: a flat part of it, without references, in under 2,000 characters."""


class SearchArguments(BookQuery):
    """A `BookQuery` as models write it: nulls count as not said, and `exclude` takes any kind of word."""

    exclude: Texts = Field(default_factory=list)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, given: Any) -> Any:
        return {k: v for k, v in given.items() if v is not None} if isinstance(given, dict) else given

    def query(self) -> BookQuery:
        """The plain query, with every word of `exclude` put where it belongs."""
        fields = self.model_dump(exclude={"exclude"})
        for word in self.exclude:
            if countries.codes(word):
                fields["exclude_countries"].append(word)
            elif thesaurus.known(word):
                fields["exclude_tags"].append(word)
            else:
                fields["exclude_keywords"].append(word)
        return BookQuery.model_validate(fields)


@tool(arguments=SearchArguments, shown=SHOWN)
def search_books(arguments: SearchArguments, context: ToolContext) -> str:
    """Search the catalogue. Returns the total, the best books with their facts and numbers, and near misses."""
    query, added = _with_plain_conditions(arguments.query(), context)
    query = query.model_copy(update={"limit": min(query.limit, MOST_BOOKS)})
    context.emit(Understood(context.reading.act, query, context.reading.language, context.reading.script))
    result = context.engine.search(query, some_words=True, reader_language=context.reading.language)
    hits = tuple(NumberedHit(context.numbering.number(hit.book), hit) for hit in result.books)
    near = tuple((context.numbering.number(miss.book), miss) for miss in result.near_misses)
    context.found |= {hit.book.id for hit in result.books} | {miss.book.id for miss in result.near_misses}
    context.emit(Books(result.total, result.total_is_floor, hits, near, result.applied))
    data = fenced(_observation(result, context, added), context.observation_characters)
    return f"{data}\n{_NEXT[context.reading.language, result.total > 0]}"


@tool
def get_book(context: ToolContext, book_id: int = 0, number: int = 0) -> str:
    """Everything the catalogue knows of one book, by its number in this talk (or by book_id)."""
    wanted = book_id or context.numbering.book_id(number) or 0
    book = context.engine.book(wanted)
    if book is None:
        raise ToolError("There is no such book. Use a number or book_id from a search result.")
    facts = {"n": context.numbering.number(book), **book_facts(book)}
    return fenced({**facts, "editions": len(_editions(book, context))}, context.observation_characters)


def _editions(book: Book, context: ToolContext) -> list[Book]:
    return [other for other in context.engine.title(book.title) if other.work_id == book.work_id]


def _with_plain_conditions(query: BookQuery, context: ToolContext) -> tuple[BookQuery, dict[str, Any]]:
    """The query with every hard condition that the reader stated plainly and the model dropped, and which those are."""
    said = context.reading.query
    added = {
        name: getattr(said, name)
        for name in context.reading.plain
        if getattr(said, name) not in (None, [], "") and getattr(query, name) in (None, [], "")
    }
    return (query.model_copy(update=added) if added else query), added


def _observation(result: SearchResult, context: ToolContext, added: dict[str, Any]) -> dict[str, Any]:
    seen: dict[str, Any] = {"total": result.total, "more_than": result.total_is_floor, "applied": result.applied.said()}
    if added:
        seen["also_applied"] = f"The reader asked for these too: {json.dumps(added, ensure_ascii=False)}"
    if result.not_held:
        seen["not_held"] = result.not_held
    if result.unmet:
        seen["no_book_meets"] = list(result.unmet)
    if result.some_words:
        seen["note"] = "No book has all the words; these have some of them."
    wanted = telling.asked(result.applied)
    seen["books"] = [
        {
            "n": context.numbering.number(hit.book),
            **book_facts(hit.book, wanted),
            **({"editions": hit.editions} if hit.editions > 1 else {}),
            **({"in_common": list(hit.alike)} if hit.alike else {}),
            "why": list(hit.why),
        }
        for hit in result.books
    ]
    seen["near_misses"] = [
        {
            "n": context.numbering.number(miss.book),
            **book_facts(miss.book, wanted),
            "misses": [m.model_dump(mode="json") for m in miss.misses],
        }
        for miss in result.near_misses
    ]
    return seen
