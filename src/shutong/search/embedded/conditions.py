"""Each condition of a `BookQuery` as a mask over the rows. A row whose value is unknown does not satisfy."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from stdnum.isbn import compact, is_valid, to_isbn13

from shutong.catalog import countries, people
from shutong.search import thesaurus
from shutong.search.embedded.columns import Array, Mask, stable_hash
from shutong.search.embedded.names import matching_names, name_key
from shutong.search.embedded.state import State
from shutong.search.query import BookQuery, Conditions
from shutong.text import fold, key

MOST_ROWS = 200_000
"""How many rows a word match may bring in as a condition."""

MOST_KEPT = 32
"""How many subjects are kept; a byte for each book and each of them."""

LARGEST_ID = 2**63 - 1

Condition = Callable[[State, Any], Mask]


def at_least(column: str, state: State, bound: float) -> Mask:
    """Known and not under the bound."""
    values = state.number(column)
    mask: Mask = known(values) & (values >= values.dtype.type(bound))
    return mask


def at_most(column: str, state: State, bound: float) -> Mask:
    """Known and not over the bound."""
    values = state.number(column)
    mask: Mask = known(values) & (values <= values.dtype.type(bound))
    return mask


def known(values: Array) -> Mask:
    """Which values are not "unknown"."""
    mask: Mask = ~np.isnan(values) if values.dtype.kind == "f" else values != -1
    return mask


def any_name(facet: str, state: State, names: list[str]) -> Mask:
    """A person, publisher or series that one of these names can mean."""
    column = state.columns.facets[facet]
    found = {column.values[i] for name in names for i in matching_names(name, column.values)}
    return state.rows_with(facet, sorted(found))


def any_author(state: State, names: list[str]) -> Mask:
    """A book by one of these people, by any spelling of their names that is known (馬奎斯, García Márquez)."""
    return any_name("author", state, [spelling for name in names for spelling in people.spellings(name)])


def any_subject(state: State, words: list[str]) -> Mask:
    """A tag or category that means one of these words, or a kind of it."""
    mask = state.columns.mask()
    for word in words:
        mask |= subject(state, word)
    return mask


def all_subjects(state: State, words: list[str]) -> Mask:
    """Tags or categories that mean all of these words."""
    mask = np.ones(state.columns.size, np.bool_)
    for word in words:
        mask &= subject(state, word)
    return mask


def subject(state: State, word: str) -> Mask:
    """Books of a subject: by their tags and category, and by the word itself standing in title, series or tags."""
    kept = state.subjects
    if (mask := kept.get(word)) is None:
        if len(kept) >= MOST_KEPT:
            kept.clear()
        mask = kept[word] = _subject(state, word)
        mask.flags.writeable = False
    return mask


def _subject(state: State, word: str) -> Mask:
    wanted = thesaurus.concept(word)
    narrower = thesaurus.narrower(wanted)
    mask = state.rows_with("subject", sorted(narrower))
    query = state.words.all_words([[word, *thesaurus.names(wanted)]], ("title", "series", "tags"))
    if query is not None:
        worded = state.columns.mask(state.words.match(query, MOST_ROWS).rows)
        if others := thesaurus.with_word(wanted) - narrower:
            # Science fiction is no science and time travel no travel, though the word stands in the tag.
            in_title = state.words.all_words([[word]], ("title", "series"))
            other = state.rows_with("subject", sorted(others))
            if in_title is not None:
                other[state.words.match(in_title, MOST_ROWS).rows] = False
            worded &= ~other
        mask |= worded
    return mask


def audience(state: State, word: str) -> Mask:
    """Books for these readers, as recorded or by their tags.

    A book that is only said to be for children answers for every age of children, unless its tags speak against that age.
    """
    wanted = thesaurus.concept(word)
    general = sorted(thesaurus.wider(wanted))
    recorded = state.rows_with("audience", [*sorted(thesaurus.narrower(wanted)), *general])
    mask = recorded | subject(state, word) | state.rows_with("subject", general)
    for other in thesaurus.against(wanted):
        mask &= ~tagged(state, other) | state.rows_with("audience", [wanted])
    return mask


def tagged(state: State, word: str) -> Mask:
    """Books whose tags or category mean this word: the narrow reading, for what is to be left out."""
    return state.rows_with("subject", sorted(thesaurus.narrower(thesaurus.concept(word))))


def any_country(state: State, names: list[str]) -> Mask:
    """An author from one of these countries or regions."""
    wanted = {code for name in names for code in (countries.codes(name) or {name_key(name)})}
    return state.rows_with("country", sorted(wanted))


def any_language(state: State, languages: list[str]) -> Mask:
    return state.rows_with("language", [language.lower() for language in languages])


def isbn(state: State, number: str) -> Mask:
    """The editions with this number, of ten or thirteen digits, however it is written."""
    digits = compact(fold(number).upper())
    if len(digits) == 10 and is_valid(digits):
        digits = to_isbn13(digits)
    mask: Mask = state.number("isbn") == (int(digits) if len(digits) == 13 and digits.isdecimal() else -2)
    return mask


def nothing(state: State, _: Any) -> Mask:
    """A condition on something that this catalogue has no field for: no book is known to meet it."""
    return state.columns.mask()


HARD: dict[str, Condition] = {
    "author": any_author,
    "author_country": any_country,
    "translator": partial(any_name, "translator"),
    "publisher": partial(any_name, "publisher"),
    "series": lambda state, name: any_name("series", state, [name]),
    "category": any_subject,
    "language": any_language,
    "tags": all_subjects,
    "level": lambda state, level: state.rows_with("level", [level]),
    "audience": audience,
    "award": nothing,
    "isbn": isbn,
    "year_from": partial(at_least, "year"),
    "year_to": partial(at_most, "year"),
    "first_year_from": partial(at_least, "first_year"),
    "first_year_to": partial(at_most, "first_year"),
    "min_pages": partial(at_least, "pages"),
    "max_pages": partial(at_most, "pages"),
    "max_price": partial(at_most, "price"),
    "min_rating": partial(at_least, "rating"),
    "min_rating_count": partial(at_least, "rating_count"),
}
"""Every hard condition that is a filter. `keyword`, `title` and `like` are matched by words and are not here."""


def masks(state: State, conditions: Conditions) -> dict[str, Mask]:
    """The mask of each condition that is set."""
    return {
        name: condition(state, value)
        for name, condition in HARD.items()
        if (value := getattr(conditions, name, None)) not in (None, [])
    }


def allowed(state: State, query: BookQuery) -> Mask:
    """Living rows that no exclusion of the query names."""
    mask = np.array(state.columns.alive)
    for word in (*query.exclude_tags, *query.exclude_categories):
        mask &= ~tagged(state, word)
    if query.exclude_authors:
        mask &= ~any_author(state, list(query.exclude_authors))
    if query.exclude_countries:
        mask &= ~any_country(state, list(query.exclude_countries))
    if query.exclude_series:
        mask &= ~any_name("series", state, list(query.exclude_series))
    for text in query.exclude_keywords:
        mask &= ~_with_words(state, text, ("title", "people", "series", "tags", "intro"))
    for title in query.exclude_titles:
        mask &= ~_of_title(state, title)
    if query.exclude_works:
        hashes = np.array([stable_hash(work) for work in query.exclude_works], np.int64)
        mask &= ~np.isin(state.number("work"), hashes)
    if query.exclude_ids:
        ids = np.array([i for i in query.exclude_ids if 0 < i <= LARGEST_ID], np.int64)
        mask &= ~np.isin(state.number("work"), state.number("work")[np.isin(state.number("book_id"), ids)])
    return mask


def _of_title(state: State, title: str) -> Mask:
    """All editions of the works that go by a title; when none does, books whose titles hold it."""
    rows = state.columns.rows_of_title(key(title))
    if not len(rows):
        return _with_words(state, title, ("title",))
    mask: Mask = np.isin(state.number("work"), state.number("work")[rows])
    return mask


def _with_words(state: State, text: str, fields: tuple[str, ...]) -> Mask:
    query = state.words.all_words([[text]], fields)
    return state.columns.mask(None if query is None else state.words.match(query, MOST_ROWS).rows)
