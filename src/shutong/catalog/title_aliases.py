"""Works that go by several titles: 百年孤寂 is 百年孤独, Dune is 沙丘.

The titles lie in `title_aliases.txt` beside this file. All look-ups go through `shutong.text.key`, and a title counts only whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from shutong.lists import lines
from shutong.text import key


def same_work(title_key: str) -> tuple[str, ...]:
    """The `text.key`s of all titles of the work that goes by this one (itself among them); none when it is not in the list."""
    return _table().get(title_key, ())


@cache
def _table() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in lines("shutong.catalog", "title_aliases.txt"):
        titles = tuple(dict.fromkeys(key(title) for title in line.split("|")))
        for title in titles:
            found.setdefault(title, titles)
    return found
