"""Well-known authors whose names are written in several ways: 馬奎斯, 马尔克斯 and García Márquez are one person.

The names lie in `people.txt` beside this file. All look-ups go through `shutong.text.key`. A name that is not in the
list stands for itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from shutong.lists import lines
from shutong.text import key


def usual(name: str, language: str) -> str:
    """The usual name of a person in "zh" or "en"; the name itself when it is not known.

    >>> usual("馬奎斯", "zh"), usual("marquez", "en")
    ('加西亚·马尔克斯', 'Gabriel García Márquez')
    """
    person = _table().by_key.get(key(name))
    if person is None:
        return name
    return person.chinese[0] if language == "zh" else person.english[0]


def spellings(name: str) -> tuple[str, ...]:
    """All names of a person, the usual ones first; only the name itself when it is not known."""
    person = _table().by_key.get(key(name))
    if person is None:
        return (name,)
    return tuple(dict.fromkeys((person.chinese[0], person.english[0], *person.chinese, *person.english)))


def known(name: str) -> bool:
    """Whether the name is one of the list's."""
    return key(name) in _table().by_key


def phrases() -> tuple[str, ...]:
    """Every name as it is written. For finding people inside a text."""
    return _table().phrases


@dataclass(frozen=True, slots=True)
class _Person:
    chinese: tuple[str, ...]
    english: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Table:
    by_key: Mapping[str, _Person]
    phrases: tuple[str, ...]


@cache
def _table() -> _Table:
    by_key: dict[str, _Person] = {}
    phrases: list[str] = []
    for line in lines("shutong.catalog", "people.txt"):
        chinese, english = (tuple(name.strip() for name in side.split(",")) for side in line.split("|"))
        person = _Person(chinese, english)
        for name in (*chinese, *english):
            by_key.setdefault(key(name), person)
            phrases.append(name)
    return _Table(MappingProxyType(by_key), tuple(phrases))
