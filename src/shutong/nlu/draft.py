"""What the grammars have gathered from one message, before it becomes a `BookQuery`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from shutong.nlu.sheet import Mode
from shutong.search.query import MAX_LIST, MAX_TEXT, Conditions
from shutong.text import key

EXCLUDES = {
    "tags": "exclude_tags",
    "author": "exclude_authors",
    "keyword": "exclude_keywords",
    "category": "exclude_categories",
    "author_country": "exclude_countries",
    "series": "exclude_series",
    "title": "exclude_titles",
}
LISTS = frozenset(name for name, info in Conditions.model_fields.items() if info.default == [])


@dataclass(slots=True)
class Draft:
    """`hard` and `prefer` hold field values by the names of `BookQuery`; `dropped` the fields whose condition is taken back."""

    hard: dict[str, Any] = field(default_factory=dict)
    prefer: dict[str, Any] = field(default_factory=dict)
    topics: list[tuple[int, int, str, Mode]] = field(default_factory=list)
    dropped: set[str] = field(default_factory=set)
    unknowable: list[str] = field(default_factory=list)
    assumed: dict[str, int] = field(default_factory=dict)
    each: bool = False
    """The number of books is meant of every author named."""

    about: bool = False
    """The message asks something about the book of `title`, rather than for it."""

    def add(self, name: str, value: Any, mode: Mode = "ask") -> None:
        """Add a value; lists grow, a single field keeps its first value. What is not wanted goes to its `exclude_` field."""
        if mode == "not":
            if name in EXCLUDES:
                _append(self.hard, EXCLUDES[name], value)
            return
        target = self.prefer if mode == "prefer" and name in Conditions.model_fields else self.hard
        if name in LISTS or name.startswith("exclude_"):
            _append(target, name, value)
        else:
            target.setdefault(name, value)

    def bound(self, name: str, value: float, mode: Mode = "ask") -> None:
        """Set a numeric bound. The first one said stays."""
        target = self.prefer if mode == "prefer" else self.hard
        target.setdefault(name, value)

    def cannot_tell(self, what: str) -> None:
        """Note something that was asked and that no field holds, in the reader's words."""
        if what and what not in self.unknowable and len(self.unknowable) < MAX_LIST:
            self.unknowable.append(what[:MAX_TEXT])

    def assume(self, field: str, value: int) -> None:
        """Note what a vague word was taken for, because that deserves to be said."""
        self.assumed[field] = value


def _append(target: dict[str, Any], name: str, value: str) -> None:
    values: list[str] = target.setdefault(name, [])
    value = value.strip()[:MAX_TEXT]
    if key(value) and len(values) < MAX_LIST and all(key(value) != key(other) for other in values):
        values.append(value)
    if not values:
        del target[name]
