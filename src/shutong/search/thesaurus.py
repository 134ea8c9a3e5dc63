"""Words of the same meaning, in Chinese and English: 推理, 侦探, mystery and detective fiction are one concept.

The words lie in `thesaurus.txt` beside this file. All look-ups go through `shutong.text.key`, so that script, case, width,
blanks and hyphens do not matter. A concept is named by the key of its first English word (`sciencefiction`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Literal, get_args

from shutong.lists import lines
from shutong.text import key

Kind = Literal["genre", "form", "mood", "occasion", "audience", "topic"]
"""What sort of word a concept is: genres are categories of books, forms and moods are tags, topics are subjects."""

_TAILS = ("小说", "类", "书籍", "方面", "fiction", "novels", "novel", "stories", "books", "book", "s")
_SHORTEST_STEM = 2
_SHORTEST_SINGULAR = 4


@lru_cache(maxsize=50_000)
def concept(term: str) -> str:
    """The one key for all words of this meaning; the term's own `text.key` when the word is not known.

    >>> concept("侦探小说") == concept("Detective Fiction") == concept("推理")
    True
    """
    words, wanted = _table().concept_of, key(term)
    if wanted in words:
        return words[wanted]
    if wanted.endswith("ies") and (single := f"{wanted[:-3]}y") in words:
        return words[single]
    for tail in _TAILS:
        stem = wanted.removesuffix(tail)
        shortest = _SHORTEST_SINGULAR if tail == "s" else _SHORTEST_STEM
        if stem != wanted and len(stem) >= shortest and stem in words:
            return words[stem]
    return wanted


def known(term: str) -> bool:
    """Whether the word itself stands in the thesaurus."""
    return key(term) in _table().concept_of


def kind(concept: str) -> Kind | None:
    """What sort of word a concept is; None for a word that is not known."""
    entry = _table().entries.get(concept)
    return entry.kind if entry else None


@lru_cache(maxsize=5_000)
def narrower(concept: str) -> frozenset[str]:
    """The concept itself and all that are kinds of it (fiction: mystery, and cosy mystery too)."""
    found, waiting, below = {concept}, [concept], _table().below
    while waiting:
        new = set(below.get(waiting.pop(), ())) - found
        found |= new
        waiting.extend(new)
    return frozenset(found)


def wider(concept: str) -> frozenset[str]:
    """The concepts that this one is a kind of, one step up."""
    return frozenset(parent for parent, kinds in _table().below.items() if concept in kinds)


def suiting(concept: str) -> frozenset[str]:
    """What to look for when no book says that it is for this occasion (bedtime: calm, short stories); itself included."""
    entry = _table().entries.get(concept)
    return frozenset({concept, *(entry.suits if entry else ())})


def against(concept: str) -> frozenset[str]:
    """What a book must not be filed under to answer to this mood or age (healing: dark, gore)."""
    entry = _table().entries.get(concept)
    return frozenset(entry.against if entry else ())


@lru_cache(maxsize=5_000)
def with_word(concept: str) -> frozenset[str]:
    """The other concepts that have an English word of this one's as a part of theirs (science: science fiction, science writing)."""
    single = {key(word) for word in names(concept) if word.isascii() and " " not in word}
    return frozenset(
        other
        for other, entry in _table().entries.items()
        if other != concept and any(key(part) in single for word in entry.words if " " in word for part in word.split())
    )


def names(concept: str) -> tuple[str, ...]:
    """All words of a concept as they are written, Chinese first; only the concept itself when it is not known."""
    entry = _table().entries.get(concept)
    return entry.words if entry else (concept,)


def vocabulary() -> Mapping[str, str]:
    """Every known word as it is written, with its concept. For finding known words inside a text."""
    return {word: concept for concept, entry in _table().entries.items() for word in entry.words}


@dataclass(frozen=True, slots=True)
class _Entry:
    kind: Kind
    words: tuple[str, ...]
    suits: tuple[str, ...] = ()
    against: tuple[str, ...] = ()


@dataclass(slots=True)
class _Table:
    entries: dict[str, _Entry] = field(default_factory=dict)
    concept_of: dict[str, str] = field(default_factory=dict)
    below: dict[str, list[str]] = field(default_factory=dict)


@cache
def _table() -> _Table:
    table = _Table()
    kinds = {f"[{name}]": name for name in get_args(Kind)}
    current: Kind = "genre"
    for line in lines("shutong.search", "thesaurus.txt"):
        if line in kinds:
            current = kinds[line]
        else:
            _add(table, current, line)
    return table


def _add(table: _Table, kind: Kind, line: str) -> None:
    line, _, against = line.partition("!")
    line, _, suits = line.partition(">")
    head, _, rest = line.partition(":")
    words, _, wider = rest.partition("<")
    chinese, _, english = words.partition("|")
    concept = key(head)
    spelled = dict.fromkeys((*chinese.split(), head, *(word.strip() for word in english.split(";"))))
    mine = tuple(word for word in spelled if table.concept_of.setdefault(key(word), concept) == concept)
    table.entries[concept] = _Entry(kind, mine, _keys(suits), _keys(against))
    for parent in wider.split(","):
        if parent.strip():
            table.below.setdefault(key(parent), []).append(concept)


def _keys(listed: str) -> tuple[str, ...]:
    return tuple(key(one) for one in listed.split(",") if one.strip())
