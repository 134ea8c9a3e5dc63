"""Text into terms: one function for every engine, for the index and for the query alike.

Scripts written without blanks (Chinese, kana, Hangul, Thai …) go in as single characters and overlapping pairs; every
other run of letters and digits is one term, whole. Measured on 50 titles with every substring of 1-4 characters
as a query, singles and pairs lose none, dictionary words lose half of the two-character ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from shutong.text import fold

# Han, kana, Hangul, Bopomofo, Thai, Lao, Myanmar, Khmer, and the rare Han planes.
_GLUED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31a0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_RUN = re.compile(rf"(?P<glued>[{_GLUED}]+)|(?P<word>[^\W_{_GLUED}](?:[^\W_{_GLUED}]|'(?=[^\W_{_GLUED}]))*[+#]{{0,2}})")
MAX_TERM = 60
MAX_QUERY_TERMS = 64


@dataclass(frozen=True, slots=True)
class Group:
    """A piece of a query whose terms belong together in one field: a Latin word, or a run of glued script."""

    terms: tuple[str, ...]


def index_terms(text: str) -> list[str]:
    """All terms of a text, as they go into an index; repeated as often as they stand in it."""
    terms: list[str] = []
    for match in _RUN.finditer(fold(text)):
        if run := match["glued"]:
            terms += run
            if len(run) > 1:
                terms += pairs(run)
        else:
            terms += _words(match["word"])
    return terms


def query_groups(text: str) -> list[Group]:
    """The pieces of a query. A text of only symbols has none, and finds nothing.

    A glued run of one character asks for that character, a longer one for all its pairs: whatever is a substring of an
    indexed text asks only for terms that the text has.
    """
    groups: list[Group] = []
    room = MAX_QUERY_TERMS
    for match in _RUN.finditer(fold(text)):
        if room <= 0:
            break
        run = match["glued"]
        terms = pairs(run) if run else _words(match["word"])[-1:]
        groups.append(Group(tuple(terms[:room])))
        room -= len(terms)
    return groups


def pairs(run: str) -> list[str]:
    """The overlapping pairs of a run, or the run itself when it is one character."""
    return [run[i : i + 2] for i in range(len(run) - 1)] if len(run) > 1 else [run]


def _words(word: str) -> list[str]:
    """A Latin word, whole at the end: without apostrophes (Don't = dont), bounded.

    Before it stand the parts that it is also found by: `C++` as `C`, `L'Étranger` as `étranger`.
    """
    parts = word.split("'")
    whole = "".join(parts)[:MAX_TERM]
    bare = whole.rstrip("+#")
    others = [part[:MAX_TERM] for part in parts if len(parts) > 1] + ([bare] if bare != whole else [])
    return [*others, whole]
