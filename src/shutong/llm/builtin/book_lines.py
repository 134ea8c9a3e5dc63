"""One book in one line: its citation, its facts, and a reason made of its own record."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from shutong.llm.builtin.conditions import leans_on_ratings, tidy
from shutong.llm.builtin.observations import Card, Missed
from shutong.llm.builtin.phrases import PHRASES, Voice
from shutong.nlu.condition_words import number_text, rating_text, year_text
from shutong.regex import later
from shutong.search.query import BookQuery, Conditions
from shutong.search.telling import Asked, asked, passages, sentences, speaks_of
from shutong.text import fold, key

_MAX_AUTHORS = 3
_MAX_REASONS = 3
_MAX_TAGS = 3
_INTRO_READ = 300  # letters of an intro that are looked through for the topic
_MAX_QUOTE = {"zh": 60, "en": 160}
_MAX_TELLING = {"zh": 90, "en": 240}

# A sentence of an intro is repeated only when it is plain prose: no figures or names that could be taken for this book's
# facts, no other titles, no markup or addresses, and nothing that speaks to whoever is reading the record.
_NOT_REPEATED = later(
    r"(?:…|\.\.|⋯)\Z|[\d《》〈〉\[\]<>*_#`|@]|https?|www\.|\bby (?-i:[A-Z])|\b(?:Mr|Mrs|Ms|Dr|St|Jr|[A-Z])\.\Z"
    r"|\b(?:ignore|disregard|instruct\w*|prompt|system|assistant|free|e-?mail|address|click|you must|recommend)\b"
    r"|忽略|无视|指令|提示词|系统|助手|必须|请你|推荐|免费|点击|邮箱|地址|微信|扫码",
    re.IGNORECASE,
)


def cite(card: Card) -> str:
    """The title as the answer's checker wants it: 《title》[[n]]."""
    return f"《{card.title}》" + (f"[[{card.number}]]" if card.number is not None else "")


def item(card: Card, query: BookQuery, voice: Voice) -> str:
    """A list item: facts, then why this book."""
    return _item(card, [voice.facts(base_facts(card, voice)), *reasons(card, query, voice)], voice)


def near_item(card: Card, query: BookQuery, voice: Voice) -> str:
    """A list item for a near miss: who wrote it, by how much it misses, and what speaks for it."""
    told = {fact(miss.field, card, voice) for miss in card.misses}
    speaking = [reason for reason in reasons(card, query, voice) if reason not in told]
    return _item(card, [authors(card, voice), *(missed(m, card, voice) for m in card.misses), *speaking[:1]], voice)


def facts_item(card: Card, voice: Voice) -> str:
    """A list item of facts alone."""
    return _item(card, [voice.facts(all_facts(card, voice))], voice)


def base_facts(card: Card, voice: Voice) -> list[str]:
    """Author, year, pages: what everybody asks first."""
    facts = [authors(card, voice), FACTS["year"](card, voice) or FACTS["first_year"](card, voice)]
    return [fact for fact in (*facts, FACTS["pages"](card, voice)) if fact]


def all_facts(card: Card, voice: Voice) -> list[str]:
    """What is known, in a fixed order; enough to judge a book by, short enough for a sentence."""
    more = (FACTS[name] for name in ("level", "audience", "category", "rating"))
    return [*base_facts(card, voice), *(fact for f in more if (fact := f(card, voice)))]


def fact(field: str, card: Card, voice: Voice) -> str | None:
    """One fact in words, by the name of a field or of a condition on it; None when it is unknown."""
    return FACTS[field](card, voice) if field in FACTS else None


def reasons(card: Card, query: BookQuery, voice: Voice) -> list[str]:
    """Why this book: the topic it meets, then the facts that were asked for and are not said anyway, then what it has."""
    found = [voice.say("fact.in_common", voice.listed(card.in_common))] if card.in_common else []
    found += _topic_reasons(card, query, voice)
    for field in _asked_fields(query):
        if (said := fact(field, card, voice)) and said not in found:
            found.append(said)
    if not found:
        fallback = (f(card, voice) for f in (_opening, _tags, _series, _category, _editions))
        found = [reason for reason in fallback if reason][:1]
    return found[:_MAX_REASONS]


def telling(card: Card, query: BookQuery, voice: Voice) -> str | None:
    """What the intro says of the topic: its sentence that speaks of most of it, else its first one that tells of the book.

    None when no sentence of it can be repeated.
    """
    told = _quotable(card, asked(query), _MAX_TELLING[voice.language])
    return voice.say("fact.intro", told[0]) if told else None


def missed(miss: Missed, card: Card, voice: Voice) -> str:
    """By how much a book misses one condition. The figure asked for is never said beside the title, only the distance."""
    if miss.has is None:
        return voice.say("near.unknown", noun=voice.noun(miss.field))
    if miss.field == "tags" and isinstance(miss.asked, str):
        return voice.say("near.tags", asked=miss.asked)
    measured = f"near.{miss.field}" in PHRASES
    if measured and isinstance(miss.has, float) and isinstance(miss.asked, float):
        gap = number_text(round(abs(miss.has - miss.asked), 2))
        return voice.say(f"near.{miss.field}", has=voice.value(miss.field, miss.has), gap=gap)
    if measured or not isinstance(miss.has, str):
        return voice.say("near.not_met", noun=voice.noun(miss.field))
    named = voice.listed([str(voice.value(miss.field, one)) for one in miss.has.split(", ")])
    return voice.say("near.other", noun=voice.noun(miss.field), has=named)


def authors(card: Card, voice: Voice) -> str:
    """The by-line with countries; empty when nobody is recorded."""
    template = "{}（{}）" if voice.language == "zh" else "{} ({})"
    named = [template.format(a.name, a.country) if a.country else a.name for a in card.authors]
    line = voice.listed(named[:_MAX_AUTHORS])
    return voice.say("authors.more", line) if len(named) > _MAX_AUTHORS else line


def intro_sentences(card: Card, count: int) -> list[str]:
    """The first sentences of the intro that can be repeated as they stand."""
    return [s for s in sentences(card.intro or "") if not _NOT_REPEATED.search(s)][:count]


def _item(card: Card, parts: Sequence[str], voice: Voice) -> str:
    said = voice.clauses([part.rstrip("。.") for part in parts if part])
    colon = "：" if voice.language == "zh" else ": "
    return voice.end(f"- {cite(card)}{colon}{said}" if said else f"- {cite(card)}")


def _topic_reasons(card: Card, query: BookQuery, voice: Voice) -> list[str]:
    wanted = asked(query)
    tagged = [tag for tag in card.tags if wanted.meets(tag)][:_MAX_TAGS]
    found = []
    if tagged:
        found.append(voice.say("fact.tags", voice.listed(tagged)))
    elif card.category and wanted.meets(card.category):
        found.append(voice.say("fact.category", card.category))
    said = fold(" ".join(tagged))
    unsaid = {word: folded for word, folded in wanted.words.items() if not speaks_of(folded, said)}
    return found + _intro_reason(card, replace(wanted, words=unsaid), voice)


def _intro_reason(card: Card, wanted: Asked, voice: Voice) -> list[str]:
    """What the intro says of the topic: a sentence that is about it, otherwise which words it mentions."""
    for sentence in _quotable(card, wanted, _MAX_QUOTE[voice.language]):
        if wanted.about(fold(sentence)):
            return [voice.say("fact.intro", sentence)]
    spoken_of = wanted.about(fold((card.intro or "")[:_INTRO_READ]))
    return [voice.say("fact.intro_mentions", voice.listed(_longest(spoken_of)))] if spoken_of else []


def _quotable(card: Card, wanted: Asked, most_letters: int) -> list[str]:
    """Sentences of the intro that can be repeated and are no longer than this, the most telling first."""
    told = passages(card.intro or "", wanted)
    return [s for s in told if len(s) <= most_letters and not _NOT_REPEATED.search(s)]


def _longest(terms: list[str]) -> list[str]:
    """Without the terms that are part of another one."""
    return [tidy(t) for t in terms if not any(t != other and t in other for other in terms)][:_MAX_TAGS]


def _asked_fields(query: BookQuery) -> list[str]:
    """The asked fields whose fact is not in every line already."""
    fields = [f for conditions in (query, query.prefer) for f in _BY_REQUEST if _is_set(conditions, f)]
    if leans_on_ratings(query):
        fields.append("min_rating")
    return list(dict.fromkeys(fields))


def _is_set(conditions: Conditions, field: str) -> bool:
    return getattr(conditions, field, None) not in (None, [])


def _opening(card: Card, voice: Voice) -> str | None:
    told = _quotable(card, asked(BookQuery()), _MAX_QUOTE[voice.language])
    return voice.say("fact.intro", told[0]) if told else None


def _tags(card: Card, voice: Voice) -> str | None:
    said = {key(name) for name in (card.title, card.series or "", *(a.name for a in card.authors))}
    told = [tag for tag in card.tags if key(tag) not in said][:_MAX_TAGS]
    return voice.say("fact.tags", voice.listed(told)) if told else None


def _series(card: Card, voice: Voice) -> str | None:
    if card.series is None:
        return None
    if card.series_index is None:
        return voice.say("fact.series", card.series)
    return voice.say("fact.series_place", card.series, number_text(card.series_index))


def _category(card: Card, voice: Voice) -> str | None:
    return voice.say("fact.category", card.category) if card.category else None


def _editions(card: Card, voice: Voice) -> str | None:
    return voice.say("fact.editions", card.editions) if card.editions > 1 else None


def _year(card: Card, voice: Voice) -> str | None:
    return voice.say("fact.year", year_text(card.year, voice.language)) if card.year is not None else None


def _first_year(card: Card, voice: Voice) -> str | None:
    if card.first_year is None:
        return None
    return voice.say("fact.first_year", year_text(card.first_year, voice.language))


def _rating(card: Card, voice: Voice) -> str | None:
    return voice.say("fact.rating", rating_text(card.rating)) if card.rating is not None else None


def _named(name: str, phrase: str) -> Callable[[Card, Voice], str | None]:
    """A fact that is one field's value put into one phrase."""

    def said(card: Card, voice: Voice) -> str | None:
        value = getattr(card, name)
        return voice.say(phrase, voice.value(name, value)) if value is not None else None

    return said


_Fact = Callable[[Card, Voice], str | None]

FACTS: dict[str, _Fact] = {
    "author": lambda card, voice: authors(card, voice) or None,
    "year": _year,
    "first_year": _first_year,
    "first_year_from": _first_year,
    "first_year_to": _first_year,
    "pages": _named("pages", "fact.pages"),
    "rating": _rating,
    "min_rating": _rating,
    "min_rating_count": _named("rating_count", "fact.rating_count"),
    "level": _named("level", "fact.level"),
    "audience": _named("audience", "fact.audience"),
    "publisher": _named("publisher", "fact.publisher"),
    "language": _named("language", "fact.language"),
    "price": _named("price", "fact.price"),
    "max_price": _named("price", "fact.price"),
    "isbn": _named("isbn", "fact.isbn"),
    "editions": _named("editions", "fact.editions"),
    "series": _series,
    "category": _category,
    "tags": _tags,
}
_BY_REQUEST = (
    "level",
    "audience",
    "publisher",
    "series",
    "language",
    "isbn",
    "max_price",
    "min_rating_count",
    "first_year_from",
    "first_year_to",
)
