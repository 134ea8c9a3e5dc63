"""A shown book as every way in presents it: its record, why it is there, and the asked conditions with a tick or a miss."""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from typing import Any

from shutong.agent.events import Books
from shutong.agent.observation import book_facts
from shutong.catalog.book import Book
from shutong.llm.builtin.book_lines import fact, missed, reasons, telling
from shutong.llm.builtin.observations import Card, Missed, read_card
from shutong.llm.builtin.phrases import Voice
from shutong.nlu.chips import Chip, chips
from shutong.nlu.condition_words import fill
from shutong.search.query import BookQuery
from shutong.search.result import Miss
from shutong.search.telling import asked
from shutong.text import fold

_SEPARATOR = {"zh": "；", "en": "; "}
_UNMET = {"zh": "没有提到{}", "en": "nothing on {}"}


def card_jsons(books: Books, voice: Voice) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The found books and the near misses of one search, as JSON values."""
    query = books.applied
    found = [
        {
            "n": shown.number,
            "position": position,
            "editions": shown.hit.editions,
            "why": list(shown.hit.why),
            "scores": shown.hit.scores,
            **_presented(shown.hit.book, query, voice, met=frozenset(shown.hit.why), misses=()),
        }
        for position, shown in enumerate(books.hits, 1)
    ]
    near = [
        {
            "n": number,
            "misses": [miss.model_dump(mode="json") for miss in near.misses],
            **_presented(near.book, query, voice, met=None, misses=near.misses),
        }
        for number, near in books.near_misses
    ]
    return found, near


def _presented(
    book: Book, query: BookQuery, voice: Voice, *, met: frozenset[str] | None, misses: tuple[Miss, ...]
) -> dict[str, Any]:
    card = read_card(json.dumps(book_facts(book)))
    marks = _meets(card, query, voice, met, misses) if card else []
    said = {mark["text"] for mark in marks} | {fact(miss.field, card, voice) for miss in misses if card}
    return {
        "book": book.model_dump(mode="json"),
        "reason": _reason(card, query, voice, said) if card else "",
        "meets": marks,
    }


def _reason(card: Card, query: BookQuery, voice: Voice, said: Set[str | None]) -> str:
    """Why this book, out of its own record: what its intro says of the topic, else what is not `said` by the marks."""
    if told := telling(card, query, voice):
        return told[:1].upper() + told[1:]
    return _SEPARATOR[voice.language].join(reason for reason in reasons(card, query, voice) if reason not in said)


def _meets(
    card: Card, query: BookQuery, voice: Voice, met: frozenset[str] | None, misses: tuple[Miss, ...]
) -> list[dict[str, Any]]:
    """Every asked condition with the book's own value. `met` None: everything that is not missed is met."""
    missing = {miss.field: miss for miss in misses}
    marks: dict[str, bool] = {}
    for chip in chips(query, voice.language, voice.script):
        if chip.field in missing:
            marks[missed(_as_read(missing[chip.field]), card, voice)] = False
        elif chip.field.startswith("prefer."):
            holds = met is not None and chip.field in met and _has(card, chip)
            word = voice.value(chip.field.removeprefix("prefer."), chip.value) if chip.value is not None else chip.text
            if holds or met is not None:
                marks[str(word) if holds else fill(_UNMET[voice.language], word)] = holds
        elif chip.field in _FACTUAL and (value := fact(_FACT_OF.get(chip.field, chip.field), card, voice)):
            marks.setdefault(value, True)
        elif chip.field in ("keyword", "tags", "category"):
            marks.setdefault(str(chip.value), True)
        elif chip.field == "author_country":
            marks.setdefault(chip.text, True)
    return [{"text": text, "ok": ok} for text, ok in marks.items()]


def _has(card: Card, chip: Chip) -> bool:
    """Whether the record itself speaks of a preferred word or tag; any other wish is a figure that the search compared."""
    name = chip.field.removeprefix("prefer.")
    if name not in ("keyword", "tags", "category") or not isinstance(chip.value, str):
        return True
    wish = {"keyword": chip.value} if name == "keyword" else {name: [chip.value]}
    wanted = asked(BookQuery.model_validate(wish))
    return any(map(wanted.meets, (*card.tags, card.category or ""))) or bool(
        wanted.about(fold(f"{card.title} {card.intro or ''}"))
    )


_FACT_OF = {"year_from": "year", "year_to": "year", "min_pages": "pages", "max_pages": "pages"}
_FACTUAL = frozenset(
    "year_from year_to first_year_from first_year_to min_pages max_pages min_rating max_price author_country "
    "level language publisher series translator author".split()
)


def _as_read(miss: Miss) -> Missed:
    return Missed(miss.field, _plain(miss.asked), _plain(miss.has))


def _plain(value: Any) -> float | str | None:
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, Mapping):
        return None
    return "、".join(str(v) for v in value) if isinstance(value, list | tuple) else str(value)
