"""The word index: Tantivy, fed with terms that are already cut, asked only through terms.

Every document carries its row number in the columns, so that word scores and column masks meet in numpy. The whole
record is stored beside the terms: what a search shows comes from one place and needs no second look-up.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import numpy as np
import tantivy
from numpy.typing import NDArray

from shutong.catalog.book import Book
from shutong.catalog.title_aliases import same_work
from shutong.search.analysis import Group, index_terms, query_groups
from shutong.text import key

FIELDS = {"title": 4.0, "people": 3.0, "series": 2.0, "tags": 2.0, "intro": 1.0, "publisher": 0.6}
"""The searched fields and how much a match in each weighs."""

EXACT_TITLE = 24.0
SYNONYM = 0.75
TIE = 0.2
SOME = 0.3
WRITER_BYTES = 64_000_000

Rows = NDArray[np.int64]
Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Matches:
    """Rows with their scores, best first; `total` documents matched in all, of which these are the best."""

    rows: Rows
    scores: Scores
    total: int

    @property
    def complete(self) -> bool:
        return len(self.rows) >= self.total


class WordIndex:
    """One Tantivy index in a folder (None: in memory, empty), as it was when it was opened or last committed here.

    Many readers; a single writer at a time. What others commit is not seen: open the folder again for that.
    """

    def __init__(self, folder: Path | None) -> None:
        self._schema = _schema()
        self._folder = folder
        if folder is None:
            self._index = tantivy.Index(self._schema)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            self._index = tantivy.Index(self._schema, path=str(folder), reuse=True)
        self._index.register_tokenizer("terms", tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())
        self._index.config_reader("manual")  # by itself it would reload, and leave the columns behind
        self._writer: tantivy.IndexWriter | None = None

    # --- writing

    def add(self, row: int, book: Book) -> None:
        """Put a book in, to be seen after `commit`."""
        document = tantivy.Document()
        document.add_unsigned("row", row)
        document.add_unsigned("book_id", book.id)
        document.add_bytes("book", book.model_dump_json(exclude_defaults=True).encode())
        for title_key in title_keys(book):
            document.add_text("title_key", title_key)
        for field, texts in _texts(book).items():
            terms = [term for text in texts for term in index_terms(text)]
            if terms:
                document.add_text(field, " ".join(terms))
        self._writing().add_document(document)

    def remove(self, book_ids: Iterable[int]) -> None:
        """Take books out, to be gone after `commit`."""
        for book_id in book_ids:
            self._writing().delete_documents_by_query(tantivy.Query.term_query(self._schema, "book_id", book_id))

    def commit(self) -> None:
        """Make everything written since the last commit visible, and let the write lock go."""
        if self._writer is not None:
            self._writer.commit()
            self._writer.wait_merging_threads()
            self._writer = None
        self._index.reload()

    def _writing(self) -> tantivy.IndexWriter:
        if self._writer is None:
            self._writer = self._index.writer(heap_size=WRITER_BYTES, num_threads=1)
        return self._writer

    # --- reading

    @property
    def commit_number(self) -> int:
        """The number of the newest commit in the folder, by whomever. Raises OSError, ValueError or KeyError."""
        if self._folder is None:
            return 0
        return int(json.loads((self._folder / "meta.json").read_text("utf-8"))["opstamp"])

    @property
    def count(self) -> int:
        return int(self._index.searcher().num_docs)

    def books(self, rows: Sequence[int]) -> list[Book]:
        """The stored records of these rows, in the order asked."""
        searcher = self._index.searcher()
        found: list[Book] = []
        for row in rows:
            hits = searcher.search(tantivy.Query.term_query(self._schema, "row", int(row)), 1, count=False).hits
            if hits:
                found.append(Book.model_validate_json(bytes(searcher.doc(hits[0][1])["book"][0])))
        return found

    def match(self, query: tantivy.Query, limit: int) -> Matches:
        """The best documents of a query built by the functions below."""
        searcher = self._index.searcher()
        result = searcher.search(query, max(limit, 1), count=True)
        hits = result.hits
        rows = searcher.fast_field_values("row", [address for _, address in hits])
        return Matches(
            np.fromiter(rows, np.int64, len(hits)),
            np.fromiter((score for score, _ in hits), np.float32, len(hits)),
            int(result.count),  # type: ignore[attr-defined]  # missing from the library's stubs
        )

    def within(self, query: tantivy.Query, rows: Rows) -> tantivy.Query:
        """The same query over these rows only: for filters that leave few rows of a large catalogue."""
        allowed = tantivy.Query.term_set_query(self._schema, "row", [int(row) for row in rows])
        return tantivy.Query.boolean_query(
            [(tantivy.Occur.Must, query), (tantivy.Occur.Must, tantivy.Query.const_score_query(allowed, 0.0))]
        )

    def all_words(
        self, pieces: Sequence[Sequence[str]], fields: Sequence[str] = tuple(FIELDS), title: str | None = None
    ) -> tantivy.Query | None:
        """Books in which every piece stands. A piece is a list of texts of one meaning, the asked one first.

        `title` is the title that counts as exact, by default the pieces together. None when they hold nothing to look for.
        """
        queries = [query for piece in pieces if (query := self._piece(piece, fields)) is not None]
        if not queries:
            return None
        must = [(tantivy.Occur.Must, query) for query in queries]
        whole = key(title if title is not None else "".join(piece[0] for piece in pieces))
        if whole and "title" in fields:
            exact = tantivy.Query.const_score_query(
                tantivy.Query.term_query(self._schema, "title_key", whole), EXACT_TITLE
            )
            must.append((tantivy.Occur.Should, exact))
        return tantivy.Query.boolean_query(must)

    def some_words(self, text: str) -> tantivy.Query | None:
        """Books in which `SOME` of the text's known terms stand: for whole sentences. None as above.

        Which of them are few is left to the scores: a rare term weighs most.
        """
        searcher = self._index.searcher()
        terms = list(dict.fromkeys(term for group in query_groups(text) for term in group.terms))
        known = [t for t in terms if any(searcher.doc_freq(field, t) for field in FIELDS)]
        if not known:
            return None
        should = [(tantivy.Occur.Should, self._in_any_field(Group((term,)), tuple(FIELDS))) for term in known]
        return tantivy.Query.boolean_query(should, minimum_number_should_match=ceil(SOME * len(known)))

    def like(self, book: Book) -> tantivy.Query | None:
        """Books that share a book's tags, category and authors; rare ones weigh most. None when it has none of them."""
        wanted = {"tags": [*book.tags, book.category or ""], "people": [a.name for a in book.authors]}
        should = [
            (tantivy.Occur.Should, query)
            for field, texts in wanted.items()
            for text in texts
            if text and (query := self._piece([text], (field,))) is not None
        ]
        return tantivy.Query.boolean_query(should) if should else None

    def _piece(self, alternatives: Sequence[str], fields: Sequence[str]) -> tantivy.Query | None:
        queries: list[tantivy.Query] = []
        for position, text in enumerate(alternatives):
            groups = query_groups(text)
            if not groups:
                continue
            inner = tantivy.Query.boolean_query(
                [(tantivy.Occur.Must, self._in_any_field(group, fields)) for group in groups]
            )
            queries.append(inner if position == 0 else tantivy.Query.boost_query(inner, SYNONYM))
        return tantivy.Query.disjunction_max_query(queries, TIE) if queries else None

    def _in_any_field(self, group: Group, fields: Sequence[str]) -> tantivy.Query:
        inner: list[tantivy.Query] = []
        for field in fields:
            terms = [
                (tantivy.Occur.Must, tantivy.Query.term_query(self._schema, field, term, index_option="freq"))
                for term in group.terms
            ]
            inner.append(tantivy.Query.boost_query(tantivy.Query.boolean_query(terms), FIELDS[field]))
        return tantivy.Query.disjunction_max_query(inner, TIE)


def title_keys(book: Book) -> list[str]:
    """Every name a book's title goes by, as keys: whole, without the subtitle, with it, in the original, in other translations."""
    main = book.title
    for mark in ("：", ":", "（", "("):
        main = main.split(mark, 1)[0]
    names = [book.title, main, f"{book.title}{book.subtitle}" if book.subtitle else "", book.original_title or ""]
    keys = list(dict.fromkeys(k for name in names if (k := key(name))))
    return list(dict.fromkeys([*keys, *(other for one in keys for other in same_work(one))]))


def _texts(book: Book) -> dict[str, list[str]]:
    return {
        "title": [t for t in (book.title, book.subtitle, book.original_title) if t],
        "people": [*(author.name for author in book.authors), *book.translators],
        "series": [book.series] if book.series else [],
        "tags": [*book.tags, *([book.category] if book.category else [])],
        "intro": [book.intro] if book.intro else [],
        "publisher": [book.publisher] if book.publisher else [],
    }


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("row", indexed=True, fast=True)
    builder.add_unsigned_field("book_id", indexed=True)
    builder.add_text_field("title_key", tokenizer_name="raw", index_option="basic")
    for field in FIELDS:
        builder.add_text_field(field, tokenizer_name="terms", index_option="freq")
    builder.add_bytes_field("book", stored=True)
    return builder.build()
