"""A query's conditions as words for a sentence: alternatives in one phrase, two bounds as a span, no titles.

Titles (`title`, `like`, excluded ones) have sentences of their own, because a year or a rating said beside a title
would be read as that book's.
"""

from __future__ import annotations

from shutong.llm.builtin.phrases import Voice
from shutong.nlu.condition_words import (
    BOUNDS,
    SERIES_COMPLETE,
    TEMPLATES,
    Value,
    bounds_text,
    condition_text,
    in_language,
)
from shutong.search.query import BookQuery, Conditions

_TITLED = frozenset({"title", "like", "exclude_titles"})
_MAX_WORDS = 60
_RATED = frozenset({"min_rating", "min_rating_count"})


def hard_words(query: BookQuery, voice: Voice) -> list[str]:
    """What must hold."""
    words = _words(query, voice)
    if query.series_complete:
        words.append(in_language(SERIES_COMPLETE, voice.language, voice.script))
    return words


def soft_words(query: BookQuery, voice: Voice) -> list[str]:
    """What would be nice."""
    return _words(query.prefer, voice)


def asked(query: BookQuery, voice: Voice) -> str:
    """All conditions in one phrase; empty when there is no hard one."""
    hard, soft = voice.listed(hard_words(query, voice)), voice.listed(soft_words(query, voice))
    return voice.say("asked.preferring", hard=hard, soft=soft) if hard and soft else hard


def field_words(query: BookQuery, field: str, voice: Voice) -> str | None:
    """One hard condition by itself; None when the query has none of that name, or it is a title."""
    values = _values(query, field)
    if not values or field not in TEMPLATES or field in _TITLED:
        return None
    return condition_text(field, values, voice.language, voice.script)


def leans_on_ratings(query: BookQuery) -> bool:
    """Whether ratings decide which books come or in which order."""
    rated = any(_values(c, field) for c in (query, query.prefer) for field in _RATED)
    return rated or query.sort == "rating"


def tidy(text: str) -> str:
    """A reader's words fit to stand in our sentence: one line, not too long, nothing that looks like a citation."""
    line = " ".join(text.replace("[[", " ").replace("]]", " ").split())
    return line if len(line) <= _MAX_WORDS else line[:_MAX_WORDS].rstrip() + "…"


def _words(conditions: Conditions, voice: Voice) -> list[str]:
    spans = {
        low: i for i, (low, high, *_) in enumerate(BOUNDS) if _values(conditions, low) and _values(conditions, high)
    }
    covered = {BOUNDS[i][1] for i in spans.values()}
    words = []
    for field in TEMPLATES:
        values = _values(conditions, field)
        if field in spans:
            high = _values(conditions, BOUNDS[spans[field]][1])[0]
            words.append(bounds_text(spans[field], values[0], high, voice.language, voice.script))
        elif values and field not in covered and field not in _TITLED:
            words.append(condition_text(field, values, voice.language, voice.script))
    return words


def _values(conditions: Conditions, field: str) -> list[Value]:
    value = getattr(conditions, field, None)
    values = value if isinstance(value, list) else [] if value is None else [value]
    return [tidy(v) if isinstance(v, str) else v for v in values]
