"""What a query is about: its words, its title or the book it resembles, as rows with a relevance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import tantivy

from shutong.catalog.book import Book
from shutong.search import thesaurus
from shutong.search.embedded.columns import Mask, stable_hash
from shutong.search.embedded.state import State
from shutong.search.embedded.words import Matches, Rows, Scores
from shutong.search.query import BookQuery
from shutong.text import fold, key

FIRST_FETCH, MOST_FETCHED = 2_000, 200_000
ENOUGH = 1_000
"""So many matches among the passing rows are plenty when only the most relevant are wanted."""

NARROW = 10_000
"""A filter that leaves no more rows than this goes into the word search itself."""

MOST_ALIKE = 60
"""Beyond these the books near a book are near no longer, whatever order they are put in."""

MOST_IN_COMMON = 4

EXACT_LIFT, EXACT_TITLE_LIFT = 1.5, 4.0
"""How far a book of exactly this title stands over the best other one: among words, and when titles were asked for."""

_STOP_WORDS = frozenset("a an the of and or in on for to with by about at from is are that 的 之".split())


@dataclass(frozen=True, slots=True)
class Topic:
    """Rows that the topic fits, best first. `is_floor`: there are more of them than were looked at."""

    rows: Rows
    scores: Scores
    is_floor: bool = False
    not_held: str | None = None
    some_words: bool = False


@dataclass(frozen=True, slots=True)
class Within:
    """Where to look: the rows that pass, and how many matches among them are enough to choose from."""

    passing: Mask
    enough: int


NOTHING = Topic(np.zeros(0, np.int64), np.zeros(0, np.float32))


def find(state: State, query: BookQuery, passing: Mask, *, some_words: bool) -> Topic | None:
    """The topic of a query among the rows of `passing`; None when it names none (a query of conditions alone)."""
    # An order of its own needs every match; relevance needs only the best.
    by_relevance = query.sort in ("overall", "relevance")
    within = Within(passing, max(ENOUGH, query.offset + query.limit) if by_relevance else MOST_FETCHED)
    topics: list[Topic] = []
    if query.title:
        topics.append(_titles(state, query, within))
    if query.like:
        topics.append(_like(state, query.like, within))
    if query.keyword is not None:
        topics.append(_keyword(state, query.keyword, within, some_words))
    if not topics:
        return None
    first, *others = topics
    for other in others:
        first = _both(first, other)
    return first


def pieces(text: str) -> list[list[str]]:
    """A keyword as its words, each with the other words of its meaning behind it.

    A phrase that the thesaurus knows stays whole (machine learning); little words fall away beside others.
    """
    if thesaurus.known(text):
        return [_with_synonyms(text)]
    words = text.split()
    meant = [word for word in words if fold(word) not in _STOP_WORDS] or words
    return [_with_synonyms(word) for word in meant]


def resolve(state: State, title: str) -> list[Book]:
    """The editions that go by a title, or the one that `#id` names; the best known first."""
    if title.startswith("#") and title[1:].isdecimal():
        named = np.nonzero((state.number("book_id") == int(title[1:])) & state.columns.alive)[0]
        return state.words.books(named[:1].tolist())
    wanted = key(title)
    if not wanted:
        return []
    rows = state.columns.rows_of_title(wanted)
    best = rows[np.argsort(-state.popularity_part[rows], kind="stable")]
    return state.words.books(best[:50].tolist())


def _with_synonyms(word: str) -> list[str]:
    if not thesaurus.known(word):
        return [word]
    return list(dict.fromkeys([word, *thesaurus.names(thesaurus.concept(word))]))


def _titles(state: State, query: BookQuery, within: Within) -> Topic:
    """Exact titles first, then (unless only exact ones are wanted) titles that hold all the words."""
    exact_rows: set[int] = set()
    scores: dict[int, float] = {}
    missing = None
    for title in query.title:
        exact = state.columns.rows_of_title(key(title)) if key(title) else state.columns.title_row[:0]
        exact_rows |= set(exact.tolist())
        if not len(exact):
            missing = missing or title
        if query.exact_title and len(exact):
            continue
        words = state.words.all_words([[title]], ("title", "series"))
        if words is not None and not query.exact_title:
            for row, score in zip(*_fetch(state, words, within)[:2], strict=True):
                scores[int(row)] = max(scores.get(int(row), 0.0), float(score))
    best = max(scores.values(), default=1.0)
    scores = dict.fromkeys(exact_rows, best * EXACT_TITLE_LIFT) | {
        r: s for r, s in scores.items() if r not in exact_rows
    }
    rows = np.fromiter(scores, np.int64, len(scores))
    return Topic(rows, np.fromiter(scores.values(), np.float32, len(scores)), not_held=missing)


def _like(state: State, title: str, within: Within) -> Topic:
    """Books near a book, without its own editions; for a book that is not held, books with the words of its title."""
    held = resolve(state, title)
    if not held:
        words = state.words.some_words(title)
        found = _fetch(state, words, within) if words is not None else (NOTHING.rows, NOTHING.scores, False)
        return Topic(*found, not_held=title, some_words=True)
    query = state.words.like(held[0])
    if query is None:
        return NOTHING
    rows, scores, is_floor = _fetch(state, query, within)
    other = state.number("work")[rows] != stable_hash(held[0].work_id)
    return Topic(rows[other][:MOST_ALIKE], scores[other][:MOST_ALIKE], is_floor)


def _keyword(state: State, text: str, within: Within, some_words: bool) -> Topic:
    query = state.words.all_words(pieces(text), title=text)  # little words count in a title: The Widow
    if query is not None:
        rows, scores, is_floor = _fetch(state, query, within)
        if len(rows):
            exact = np.isin(rows, state.columns.rows_of_title(key(text)))
            scores = np.where(exact, scores.max() * EXACT_LIFT, scores)
            order = np.argsort(-scores, kind="stable")
            return Topic(rows[order], scores[order], is_floor)
    if not some_words:
        return NOTHING
    query = state.words.some_words(text)
    return Topic(*_fetch(state, query, within), some_words=True) if query is not None else NOTHING


def _fetch(state: State, query: tantivy.Query, within: Within) -> tuple[Rows, Scores, bool]:
    """Matching rows among those that pass.

    A narrow filter is made part of the search; a wide one is applied to ever more of the best matches, until all have
    been seen or there are plenty.
    """
    passing = within.passing
    if int(passing.sum()) <= NARROW < state.columns.size:
        allowed = np.nonzero(passing)[0]
        if not len(allowed):
            return NOTHING.rows, NOTHING.scores, False
        found = state.words.match(state.words.within(query, allowed), NARROW)
        return found.rows, found.scores, False
    fetch = FIRST_FETCH
    while True:
        found = state.words.match(query, fetch)
        kept = passing[found.rows]
        if found.complete or int(kept.sum()) >= within.enough or fetch >= MOST_FETCHED:
            return found.rows[kept], found.scores[kept], not found.complete
        fetch *= 10


def _both(a: Topic, b: Topic) -> Topic:
    rows, in_a, in_b = np.intersect1d(a.rows, b.rows, assume_unique=True, return_indices=True)
    scores: Scores = a.scores[in_a] + b.scores[in_b]
    order = np.argsort(-scores, kind="stable")
    return Topic(
        rows[order],
        scores[order],
        a.is_floor or b.is_floor,
        a.not_held or b.not_held,
        a.some_words or b.some_words,
    )


def in_common(state: State, liked: Book, other: Book) -> tuple[str, ...]:
    """Authors and tags that two books share; of the tags the rarest first, because they say most."""
    people = {key(author.name) for author in liked.authors}
    names = [author.name for author in other.authors if key(author.name) in people]
    mine = {thesaurus.concept(tag) for tag in liked.tags} - people - {key(liked.title), key(other.title)}
    shared = {c: tag for tag in other.tags if (c := thesaurus.concept(tag)) in mine}
    facet = state.columns.facets["subject"]
    return (*names, *(shared[c] for c in sorted(shared, key=lambda c: len(facet.rows_of(c)))))[:MOST_IN_COMMON]


def filed_under(state: State, words: Sequence[str]) -> list[Mask]:
    """For each preferred tag, the rows whose tags or category mean it, or what suits it, and nothing that goes against it."""
    found = []
    for word in words:
        wanted = thesaurus.concept(word)
        mask = state.rows_with("subject", sorted(_kinds_of(thesaurus.suiting(wanted))))
        mask &= ~state.rows_with("subject", sorted(_kinds_of(thesaurus.against(wanted))))
        found.append(mask)
    return found


def _kinds_of(concepts: Iterable[str]) -> frozenset[str]:
    return frozenset[str]().union(*map(thesaurus.narrower, concepts))


def mentioning(state: State, words: Sequence[str]) -> list[Mask]:
    """For each preferred word or topic, the rows that have it."""
    found: list[Mask] = []
    for word in words:
        query = state.words.all_words([_with_synonyms(word)])
        match: Matches | None = state.words.match(query, MOST_FETCHED) if query is not None else None
        found.append(state.columns.mask(match.rows if match else None))
    return found
