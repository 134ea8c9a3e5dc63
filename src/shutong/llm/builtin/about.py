"""Answers about books that were shown: one of them, several side by side, or the whole earlier list."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from shutong.catalog.book import Author
from shutong.llm.builtin import conditions
from shutong.llm.builtin.book_lines import all_facts, cite, fact, facts_item, intro_sentences, reasons
from shutong.llm.builtin.booklist import book_list
from shutong.llm.builtin.decide import GET, MAX_COMPARED, SEARCH
from shutong.llm.builtin.observations import Card, read_card, safe_title
from shutong.llm.builtin.phrases import Voice
from shutong.llm.builtin.view import View
from shutong.nlu.condition_words import number_text
from shutong.nlu.dialogue import ShownBook
from shutong.regex import later
from shutong.search.query import BookQuery

_SHORT, _LONG = 200, 450
_MAX_SENTENCES = 2
_LEVELS = ("beginner", "intermediate", "advanced")

# What a question is after, the first that fits.
_ASPECTS = (
    ("why", r"为什么|為什麼|为何|為何|为啥|凭什么|適合我|适合我|怎么会推荐|\b(?:why|what makes)\b"),
    ("translator", r"译者|譯者|谁译|誰譯|谁翻|\btranslat(?:ed|or|ion)\b"),
    ("reviews", r"书评|書評|\bcritics?|\breview(?:s|ed|ers?)?\b"),
    ("adaptations", r"改编|改編|拍成|\b(?:film|movie|adapt(?:ed|ations?))\b"),
    (
        "difficulty",
        r"难|難|好读|好讀|好懂|看得懂|看懂|新手|零基础|\b(?:hard|difficult|easy|dense|readable|beginners?)\b",
    ),
    ("pages", r"多少页|多少頁|几页|几頁|页数|頁數|多厚|厚|多长|篇幅|\b(?:pages?|long|length|thick|short)\b"),
    ("price", r"多少钱|多少錢|价格|價格|定价|贵|貴|便宜|\b(?:price|cost|cheap|expensive)\b"),
    ("year", r"哪年|哪一年|什么时候|什麼時候|几几年|何时|\b(?:when|what year|how old)\b"),
    ("author", r"谁写|誰寫|作者|哪国人|\b(?:who wrote|author|written by|by whom)\b"),
    ("publisher", r"出版社|\bpublish(?:er|ed by)\b"),
    ("rating", r"评分|評分|口碑|几分|好看吗|好看嗎|\b(?:rating|rated|score|good|worth)\b"),
    ("series", r"系列|第几部|续集|續集|\b(?:series|sequel|volume)\b"),
    ("audience", r"几岁|幾歲|孩子|小学生|适合谁|\b(?:kids?|child(?:ren)?|age|suitable)\b"),
    ("content", r"讲什么|講什麼|讲的|讲了|内容|內容|简介|關於|关于|\b(?:about|plot|story|summary|synopsis)\b"),
    ("isbn", r"isbn"),
    ("editions", r"版本|\beditions?\b"),
    ("language", r"什么语言|哪种语言|原文|\blanguage\b"),
)
_ASKED = tuple((name, later(words, re.IGNORECASE)) for name, words in _ASPECTS)


def one_book(view: View, voice: Voice) -> list[list[str]]:
    """Facts about a shown book, then what was asked about it; a judgement last and marked as one."""
    if len(view.reading.items) > 1 and len(view.items()) > 1:
        return several_books(view, voice)
    records = _records(view)
    if view.results(SEARCH) and not records:
        return book_list(view, voice)
    if not records:
        return _ask_which(view, voice, "ask.which")
    card, whole = records[0]
    if (most := _standing_out(card, view, voice)) is not None:
        return [[*most, _summary(card, voice)]]
    said = [_summary(card, voice)] if whole else [voice.say("about.failed"), _summary(card, voice)]
    aspect = next((name for name, words in _ASKED if words.search(view.text)), "content")
    if not whole and (aspect in ("difficulty", "content") or fact(aspect, card, voice) is None):
        return [[*said, voice.say("about.not_fetched", noun=voice.noun(aspect))]]
    answered = [*_aspect(aspect, card, view, voice), *_against_request(aspect, card, view, voice)]
    return [said, answered] if answered else [said]


def several_books(view: View, voice: Voice) -> list[list[str]]:
    """The facts of each, then what sets them apart."""
    if view.results(SEARCH):
        return book_list(view, voice)
    records = _records(view)
    if len(records) < 2:
        return _ask_which(view, voice, "ask.which_two")
    cards = [card for card, _ in records]
    lead = [voice.say("compare.lead", demo=_demo(cards, voice))]
    if not all(whole for _, whole in records):
        lead.insert(0, voice.say("about.failed"))
    return [lead, [facts_item(card, voice) for card in cards], _differences(cards, voice)]


def earlier_list(view: View, voice: Voice) -> list[list[str]]:
    """The list that the talk goes back to: searched again when its query is known, otherwise book by book."""
    if view.results(SEARCH) or (view.reading.query.said() and not view.state.shown):
        return book_list(view, voice)
    shown = view.state.shown[:MAX_COMPARED]
    if not shown:
        return [[voice.say("back.nothing")]]
    records = {card.book_id: card for content in view.results(GET) if (card := read_card(content)) is not None}
    cards = [records.get(book.book_id) or _from_shown(book) for book in shown]
    return [[voice.say("open.go_back", demo=_demo(cards, voice))], [facts_item(card, voice) for card in cards]]


def shown_lines(shown: Sequence[ShownBook], voice: Voice) -> list[str]:
    """Shown books as list items, from what was known when they were shown."""
    return [facts_item(_from_shown(book), voice) for book in shown]


def _records(view: View) -> list[tuple[Card, bool]]:
    """The books spoken of, in the order spoken of, each with whether its whole record was fetched."""
    fetched = {card.book_id: card for content in view.results(GET) if (card := read_card(content)) is not None}
    books = view.items()[:MAX_COMPARED]
    if not view.reading.items:
        return [(card, True) for card in fetched.values()]
    return [
        (_numbered(fetched[b.book_id], b), True) if b.book_id in fetched else (_from_shown(b), False) for b in books
    ]


def _numbered(card: Card, shown: ShownBook) -> Card:
    """The record with the number that the book has in this talk."""
    return replace(card, number=card.number or shown.number)


def _from_shown(book: ShownBook) -> Card:
    return Card(
        title=safe_title(book.title) or "…",
        number=book.number,
        book_id=book.book_id,
        authors=tuple(Author(name=name) for name in book.authors),
        year=book.year,
        pages=book.pages,
        rating=book.rating,
        price=None if book.price is None else number_text(book.price),
    )


def _standing_out(card: Card, view: View, voice: Voice) -> list[str] | None:
    """That a book is the oldest or shortest of its list, and of how many that could not be said; None when nobody asked."""
    listed = view.state.shown
    found = next(((name, field) for name, field, words in _MOST if words.search(view.text)), None)
    if found is None or len(listed) < 2:
        return None
    phrase, field = found
    said = [voice.say(phrase, count=len(listed))]
    if unknown := sum(getattr(book, field) is None for book in listed):
        said.append(voice.say("most.unknown", count=unknown, noun=voice.noun(field)))
    return said


_MOST = tuple(
    (phrase, field, later(words, re.IGNORECASE))
    for phrase, field, words in (
        ("most.oldest", "year", r"最[早老旧舊]|\b(?:oldest|earliest)\b"),
        ("most.newest", "year", r"最新|\b(?:newest|latest|most recent)\b"),
        ("most.shortest", "pages", r"最[短薄]|页数最少|\b(?:shortest|thinnest)\b"),
        ("most.longest", "pages", r"最[长長厚]|\b(?:longest|thickest)\b"),
        ("most.cheapest", "price", r"最便宜|\bcheapest\b"),
        ("most.rated", "rating", r"(?:评分|評分|分数)最高|\b(?:best|highest)[ -]rated\b"),
    )
)


def _ask_which(view: View, voice: Voice, question: str) -> list[list[str]]:
    shown = view.state.shown
    if not shown:
        return [[voice.say("ask.nothing_shown")]]
    return [[voice.say(question)], [voice.end(f"- {cite(_from_shown(book))}") for book in shown[:10]]]


def _summary(card: Card, voice: Voice) -> str:
    facts = all_facts(card, voice)
    if not facts:
        return voice.say("about.bare", title=cite(card))
    return voice.say("about.facts", title=cite(card), facts=voice.facts(facts) + _demo([card], voice))


def _aspect(aspect: str, card: Card, view: View, voice: Voice) -> list[str]:
    """The sentences that answer what was asked."""
    if aspect == "difficulty":
        return [voice.say(f"opinion.{_difficulty(card)}")]
    if aspect == "why":
        return _why(card, view, voice)
    if aspect == "content":
        told = intro_sentences(card, _MAX_SENTENCES)
        if not told:
            return [voice.say("about.unknown", noun=voice.noun(aspect))]
        return [voice.end(voice.say("about.intro", told[0])), *(voice.end(sentence) for sentence in told[1:])]
    said = fact(aspect, card, voice)
    noun = voice.noun(aspect)
    if said is None:
        return [voice.say("about.unknown", noun=noun)]
    bare = said.startswith(noun) or aspect in _SAID_IN_FULL
    return (
        [] if aspect in _IN_SUMMARY else [voice.end(said) if bare else voice.say("about.aspect", noun=noun, fact=said)]
    )


def _why(card: Card, view: View, voice: Voice) -> list[str]:
    """What of the record answers to the request that the book was shown for."""
    query = view.state.query or BookQuery()
    wanted, found = conditions.asked(query, voice), reasons(card, query, voice)
    asked_for = [voice.say("about.why_asked", asked=wanted)] if wanted else []
    return (
        [*asked_for, voice.say("about.why", reasons=voice.clauses([r.rstrip("。.") for r in found]))]
        if found
        else asked_for
    )


_IN_SUMMARY = frozenset({"author", "year", "pages", "rating", "audience"})
_SAID_IN_FULL = frozenset({"editions", "publisher", "series", "isbn", "language", "price"})


def _demo(cards: Sequence[Card], voice: Voice) -> str:
    """The note that ratings are made up, for answers that state them."""
    return voice.say("note.demo") if any(card.demo and card.rating is not None for card in cards) else ""


def _difficulty(card: Card) -> str:
    if card.level in _LEVELS:
        return card.level
    if card.pages is None:
        return "unknown"
    return "short" if card.pages < _SHORT else "long" if card.pages >= _LONG else "middle"


def _against_request(aspect: str, card: Card, view: View, voice: Voice) -> list[str]:
    """Whether the length is what was asked for earlier, when length or effort is the question."""
    query = view.state.query
    most = (query.max_pages or query.prefer.max_pages) if query else None
    if aspect not in ("difficulty", "pages") or most is None or card.pages is None:
        return []
    return [voice.say("about.fits_pages" if card.pages <= most else "about.over_pages")]


def _differences(cards: list[Card], voice: Voice) -> list[str]:
    """One sentence for each measure by which one book stands out; what is unknown of any of them is not compared."""
    said = []
    for phrase, measure in _MEASURES:
        values = [measure(card) for card in cards]
        known = [value for value in values if value is not None]
        if len(known) < len(cards) or known.count(min(known)) != 1:
            continue
        best = cards[values.index(min(known))]
        said.append(voice.say(phrase, title=cite(best)))
    return said or [voice.say("compare.same")]


# The smallest value stands out.
_MEASURES: tuple[tuple[str, Callable[[Card], float | None]], ...] = (
    ("compare.shorter", lambda card: card.pages),
    ("compare.newer", lambda card: None if card.year is None else -card.year),
    ("compare.rated", lambda card: None if card.rating is None else -card.rating),
    ("compare.easier", lambda card: _LEVELS.index(card.level) if card.level in _LEVELS else None),
)
