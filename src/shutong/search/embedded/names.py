"""Comparing names: "le guin" is Ursula K. Le Guin, 马尔克斯 is 加西亚·马尔克斯, "king" is not Kingsley."""

from __future__ import annotations

import re
from functools import lru_cache

from shutong.search.analysis import index_terms
from shutong.text import fold

_WORD = re.compile(r"\w+")
_SHORT = 3


@lru_cache(maxsize=50_000)
def name_key(name: str) -> str:
    """A name as folded words with one blank between them: what facets hold and `same_name` compares."""
    return " ".join(_WORD.findall(fold(name)))


def matching_names(asked: str, names: list[str]) -> list[int]:
    """Positions of the names (made by `name_key`) that the asked name can mean.

    Every asked word must be a word of the name, or its initial; words without blanks between them (Chinese) may be a part
    of it. When nothing fits, whole words are also compared written together ("leguin", "Mc Carthy").
    """
    wanted = name_key(asked).split()
    if not wanted:
        return []
    hint = max(wanted, key=len)
    hint = hint[:2] if _glued(hint) else hint  # a quick look before the slow one
    found = [i for i, name in enumerate(names) if hint in name and _fits(wanted, name)]
    if found or len("".join(wanted)) <= _SHORT:
        return found
    return [i for i, name in enumerate(names) if _fits_together(wanted, name)]


def _fits(wanted: list[str], name: str) -> bool:
    words = name.split()
    return all(_word_fits(word, words, name) for word in wanted)


def _fits_together(wanted: list[str], name: str) -> bool:
    """Whether each asked word, or all of them joined, is made of whole neighbouring words of the name."""
    run = name.replace(" ", "")
    if not all(word in run for word in wanted):
        return False
    words = name.split()
    joined = {"".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, len(words) + 1)}
    return "".join(wanted) in joined or all(word in joined or _glued(word) for word in wanted)


def _word_fits(word: str, words: list[str], name: str) -> bool:
    if word in words:
        return True
    if _glued(word):
        return word in name.replace(" ", "")
    return len(word) == 1 and any(w.startswith(word) for w in words)


def _glued(word: str) -> bool:
    return len(word) > 1 and len(index_terms(word)) > 1
