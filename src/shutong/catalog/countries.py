"""Countries, however people and catalogues say them: names in both languages and scripts, marks, dynasties, regions.

The names lie in `countries.txt` beside this file, one country a line, the usual name first. All look-ups go through
`shutong.text.key`, so that 中國, 中国 and ＣＨＩＮＡ, china are the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from shutong.lists import lines
from shutong.text import key

_SEPARATORS = re.compile(r"[/、,，;；|]")
_LITERATURE = re.compile(
    r"(?P<zh>[^\W\d_a-z]{2,8}?)(?:古典|现当代|近现代|现代|当代|近代)?(?:文学|小说|科幻|推理|漫画|诗歌|散文|作家)"
    r"|(?P<en>[a-z][a-z. ]{2,20}?)(?: (?:classic|modern|contemporary))? (?:literature|fiction|authors?|poetry)",
    re.IGNORECASE,
)
_TAILS = ("籍华人", "籍华裔", "籍", "人", "朝", "代", "国")


def code(name: str) -> str | None:
    """The ISO 3166 alpha-2 code of one country, or None when the name is unknown or means a region.

    >>> code("前蘇聯"), code("British"), code("[清]"), code("拉美")
    ('RU', 'GB', 'CN', None)
    """
    found = codes(name)
    return next(iter(found)) if len(found) == 1 else None


def codes(name: str) -> frozenset[str]:
    """All countries that a name means: one for a country, several for a region or a list ("美/英"), none if unknown."""
    whole = _one(name)
    if whole or not _SEPARATORS.search(name):
        return whole
    return frozenset().union(*(_one(part) for part in _SEPARATORS.split(name)))


def of_literature(tag: str) -> str | None:
    """The code of the country whose writers a tag speaks of (日本文学, Irish fiction); None for any other tag.

    >>> of_literature("中国当代文学"), of_literature("Russian literature"), of_literature("历史小说"), of_literature("日本")
    ('CN', 'RU', None, None)
    """
    found = _LITERATURE.fullmatch(tag.strip())
    meant = _table().by_key.get(key(found["zh"] or found["en"]), frozenset()) if found else frozenset()
    return next(iter(meant)) if len(meant) == 1 else None


def neighbours(codes: frozenset[str]) -> frozenset[str]:
    """The countries of the smallest region that holds all of these; they themselves are among them."""
    regions = (meant for meant in set(_table().by_phrase.values()) if len(meant) > len(codes) and codes <= meant)
    return min(regions, key=len, default=codes)


def name(code: str, language: str) -> str | None:
    """The usual name of a country in "zh" or "en"; None for a code that is no country's."""
    usual = _table().usual.get(code.upper())
    if usual is None:
        return None
    return usual[0] if language == "zh" else usual[1]


def usual(name: str, language: str) -> str:
    """The usual name, in "zh" or "en", of the country or the region that a name means; the name itself when unknown.

    >>> usual("Turkish", "en"), usual("Nordic", "zh")
    ('Turkey', '北欧')
    """
    meant = codes(name)
    chosen = _table().usual_of.get(meant)
    if chosen is None:
        return name
    return chosen[0] if language == "zh" else chosen[1]


def spellings() -> Mapping[str, frozenset[str]]:
    """Every known name, by its `text.key`, with the countries it means. For finding countries inside a text."""
    return _table().by_key


def phrases() -> Mapping[str, frozenset[str]]:
    """Every known name as it is written (`United States`, 美国), with the countries it means. Marks of one letter too."""
    return _table().by_phrase


@dataclass(frozen=True, slots=True)
class _Table:
    by_key: Mapping[str, frozenset[str]]
    by_phrase: Mapping[str, frozenset[str]]
    usual: Mapping[str, tuple[str, str]]
    usual_of: Mapping[frozenset[str], tuple[str, str]]


def _one(name: str) -> frozenset[str]:
    known, wanted = _table().by_key, key(name)
    if wanted in known:
        return known[wanted]
    for tail in _TAILS:
        if wanted.endswith(tail) and wanted.removesuffix(tail) in known:
            return known[wanted.removesuffix(tail)]
    return frozenset()


@cache
def _table() -> _Table:
    by_phrase: dict[str, frozenset[str]] = {}
    usual: dict[str, tuple[str, str]] = {}
    usual_of: dict[frozenset[str], tuple[str, str]] = {}
    for line in lines("shutong.catalog", "countries.txt"):
        head, _, rest = line.partition(" ")
        chinese, english = ([word.strip() for word in side.split(",")] for side in rest.split("|"))
        meant = frozenset(head.removeprefix(">").split(","))
        usual_of.setdefault(meant, (chinese[0], english[0]))
        if not head.startswith(">"):
            usual[head] = (chinese[0], english[0])
            by_phrase.setdefault(head, meant)
        for word in (*chinese, *english):
            by_phrase.setdefault(word, meant)
    by_key: dict[str, frozenset[str]] = {}
    for word, meant in by_phrase.items():
        by_key.setdefault(key(word), meant)
    return _Table(
        MappingProxyType(by_key), MappingProxyType(by_phrase), MappingProxyType(usual), MappingProxyType(usual_of)
    )
