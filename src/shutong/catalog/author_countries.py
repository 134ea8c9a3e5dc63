"""Where well-known authors are from, for catalogues that do not record it.

The names lie in `author_countries.txt` beside this file. A name counts only whole: many a pen name is an ordinary word.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from shutong.lists import lines
from shutong.text import key


def code_of(author: str) -> str | None:
    """The ISO 3166 alpha-2 code of an author's country; None for an author who is not in the list.

    >>> code_of("刘慈欣"), code_of("Gabriel Garcia Marquez"), code_of("刘")
    ('CN', 'CO', None)
    """
    return _table().get(key(author))


@cache
def _table() -> Mapping[str, str]:
    countries = (line.partition(":") for line in lines("shutong.catalog", "author_countries.txt"))
    return {key(name): code for code, _, names in countries for name in names.split(";")}
