"""The conditions of a query as small removable labels ("chips"), and the query without one of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from shutong.errors import InvalidRequestError
from shutong.nlu.condition_words import (
    ALREADY_SEEN,
    BOUNDS,
    SERIES_COMPLETE,
    SOFT,
    SORTS,
    TEMPLATES,
    Language,
    Script,
    Value,
    bounds_text,
    condition_text,
    fill,
    in_language,
)
from shutong.search.query import BookQuery, Conditions

_COUNTED = ("exclude_works", "exclude_ids")
_NO_CONDITION = frozenset({"prefer", "unknowable", "limit", "offset", "exact_title"})
_DEPENDS = {"title": "exact_title", "series": "series_complete"}


@dataclass(frozen=True, slots=True)
class Chip:
    """One condition in words. `field` and `value` are what `without` takes to remove it.

    `field` is a name of `BookQuery`, or `prefer.` and a name for a wish; `value` is None where a chip stands for the whole
    field. `soft` chips only order the books, they keep none out.
    """

    field: str
    value: Value | bool | None
    text: str
    soft: bool


def chips(query: BookQuery, language: Language, script: Script = "hans") -> list[Chip]:
    """All that was asked, in a fixed order: hard conditions, then wishes, then the order of the list.

    A list of alternatives is one chip for each. Two bounds with the same number are one chip (its field is the lower bound).
    """
    found = [Chip(field, value, text, False) for field, value, text in _labels(query, language, script)]
    if query.series_complete:
        found.append(Chip("series_complete", True, in_language(SERIES_COMPLETE, language, script), False))
    already = in_language(ALREADY_SEEN, language, script)
    seen = ((field, len(getattr(query, field))) for field in _COUNTED)
    found += [Chip(field, None, fill(already, number), False) for field, number in seen if number]
    soft = in_language(SOFT, language, script)
    wishes = _labels(query.prefer, language, script)
    found += [Chip(f"prefer.{field}", value, fill(soft, text), True) for field, value, text in wishes]
    if query.sort in SORTS:
        found.append(Chip("sort", query.sort, in_language(SORTS[query.sort], language, script), True))
    return found


def without(query: BookQuery, field: str, value: Value | bool | None = None) -> BookQuery:
    """The query without exactly one condition; without the whole field when `value` is None.

    A condition that is not there any more changes nothing. Removing one of two equal bounds removes both: they are one
    chip. Values may come as text ("8" for 8.0), as a page sends them. Raises `InvalidRequestError` for a name that is no
    condition.
    """
    wish, _, name = field.rpartition(".")
    if wish == "prefer" and name in Conditions.model_fields:
        return query.model_copy(update={"prefer": query.prefer.model_copy(update=_removal(query.prefer, name, value))})
    if wish or name not in BookQuery.model_fields or name in _NO_CONDITION:
        raise InvalidRequestError(f"There is no condition named {field!r}.")
    return query.model_copy(update=_removal(query, name, value))


def _labels(conditions: Conditions, language: Language, script: Script) -> Iterator[tuple[str, Value, str]]:
    equal = {low: i for i, (low, high, *_) in enumerate(BOUNDS) if _equal_bounds(conditions, low, high)}
    covered = {BOUNDS[i][1] for i in equal.values()}
    for field in TEMPLATES:
        for value in _values(conditions, field):
            if field in equal:
                yield field, value, bounds_text(equal[field], value, value, language, script)
            elif field not in covered:
                yield field, value, condition_text(field, [value], language, script)


def _values(conditions: Conditions, field: str) -> list[Value]:
    value = getattr(conditions, field, None)
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _equal_bounds(conditions: Conditions, low: str, high: str) -> bool:
    lower = getattr(conditions, low)
    return lower is not None and lower == getattr(conditions, high)


def _removal(conditions: Conditions, field: str, value: Value | bool | None) -> dict[str, Any]:
    """The fields to set so that the condition is gone."""
    old = getattr(conditions, field)
    default = getattr(type(conditions)(), field)
    if isinstance(old, list):
        kept = [] if value is None else [v for v in old if not _same(v, value)]
        gone: dict[str, Any] = {field: kept}
        emptied = not kept
    else:
        if value is not None and not _same(old, value):
            return {}
        gone = {field: default}
        emptied = True
    for low, high, *_ in BOUNDS:
        if field in (low, high) and _equal_bounds(conditions, low, high):
            gone |= {low: None, high: None}
    if emptied and field in _DEPENDS and isinstance(conditions, BookQuery):
        gone[_DEPENDS[field]] = False
    return gone


def _same(held: object, given: object) -> bool:
    """Whether a value is the one that a chip names; a number or a yes may come as text."""
    if held == given or isinstance(held, str):
        return held == given
    try:
        return float(str(held)) == float(str(given))
    except ValueError:
        return str(held).lower() == str(given).lower()
