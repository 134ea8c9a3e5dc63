"""Reading a request without a model: one message and the talk so far become a dialogue act and a whole `BookQuery`.

Grammars claim parts of the text in a fixed order; what is left becomes keywords. No model, no network; about a millisecond.
"""

from __future__ import annotations

import json
from datetime import date
from typing import Any

from pydantic import ValidationError

from shutong.nlu import changes, followups, titles
from shutong.nlu.acts import plain_act
from shutong.nlu.arithmetic import read_expression
from shutong.nlu.authorship import Authorship, read_authorship
from shutong.nlu.condition_words import Language, Script, condition_text, fill, in_language
from shutong.nlu.dialogue import Act, DialogueState, Reading, ShownBook
from shutong.nlu.draft import Draft
from shutong.nlu.feelings import read_feelings
from shutong.nlu.filler import claim_filler
from shutong.nlu.held_titles import Held, read_held, read_question
from shutong.nlu.identifiers import read_isbn
from shutong.nlu.kinds import read_kinds
from shutong.nlu.languages import read_language
from shutong.nlu.memory import soften_memory
from shutong.nlu.merging import carry_over, is_change, is_refinement
from shutong.nlu.names import read_names
from shutong.nlu.origins import read_origins
from shutong.nlu.periods import read_periods
from shutong.nlu.quantities import read_quantities
from shutong.nlu.scopes import mark_scopes
from shutong.nlu.script import language_of, script_of
from shutong.nlu.sheet import Sheet, pattern
from shutong.nlu.topics import read_topics, read_whole
from shutong.nlu.unknown_fields import read_awards, read_unknown_fields
from shutong.search.query import MAX_LIST, NOT_HARD, BookQuery, Conditions
from shutong.text import key

_WHOSE = ("您指的是哪一本的作者？", "Which book's author do you mean?")
_NOTHING_DROPPED = ("这一项本来就没有限制。", "There was no such limit to begin with.")
_ASSUMED = ("这里按{}来找", "I took that as {}")
_NOT_PLAIN = NOT_HARD | {"keyword", "tags", "category", "like", "exclude_works"}


def read(message: str, state: DialogueState, today: date, held: Held = lambda title: None) -> Reading:
    """Read one message. `today` decides what "this year" and "recent" mean.

    `held` tells whether words are a title of this catalogue (her, the lord of the rings), and how long a book is that others
    are to be shorter than. Without it only what is written like a title is taken for one. Never raises, whatever the text;
    only the first 8,000 characters are read. Without an earlier query a follow-up is read as a new request.
    """
    reading = _read(message, state, today, held)
    if any(letter.isalpha() for letter in message):
        return reading
    # Figures alone (an ISBN) are answered in the language of the talk.
    return reading.model_copy(update={"language": _language_of_talk(state) or reading.language})


def _read(message: str, state: DialogueState, today: date, held: Held) -> Reading:
    sheet = Sheet(message)
    expression = read_expression(sheet.view, going_on=state.last_result is not None)
    if expression:
        return _reading(sheet, "arithmetic", state.query or BookQuery(), expression=expression)
    act = plain_act(sheet)
    if act:
        return _reading(sheet, act, state.query or BookQuery())
    if not key(message):  # nothing but signs: nothing can be meant by it
        return _reading(sheet, "help", state.query or BookQuery())
    if state.query is not None and followups.asks_oldest_of_counted(sheet, state):
        return _reading(sheet, "count", state.query)
    draft = Draft()
    bare_count = state.query is not None and followups.read_bare_count(sheet, draft)
    author = read_authorship(sheet, state)
    reference = None if author or bare_count else followups.read_reference(sheet, state)
    another = not author and followups.read_another(sheet, draft)
    counting = followups.is_count(sheet)
    relative = _read_conditions(sheet, draft, state, today, held)
    soften_memory(sheet, draft)
    if author:
        return _by_author(sheet, draft, state, author)
    if reference:
        return _about_shown(sheet, draft, state, reference)
    if draft.about and draft.hard.get("title"):
        return _reading(sheet, "about_item", _query(_fields(draft)), draft)
    if another and state.query is not None:
        query = _query(carry_over(state.query, draft, exclude_works=_had_enough_of(state)))
        return _reading(sheet, "another_batch", query, draft)
    counting = counting or (state.act == "count" and is_change(sheet) and set(draft.hard) <= {"author", "keyword"})
    changed: Act = "count" if counting else "refine"
    if state.query is not None and (relative or bare_count or is_refinement(sheet, draft, counting)):
        idle_drop = _drops_nothing(draft, state.query)
        return _reading(sheet, changed, _refined(sheet, draft, state.query), draft, idle_drop=idle_drop)
    if not another:
        read_whole(sheet, draft, held)
    return _new_request(sheet, draft, state, counting)


def _new_request(sheet: Sheet, draft: Draft, state: DialogueState, counting: bool) -> Reading:
    """A request that stands by itself; in a talk, a message that nothing was understood of is asked back."""
    if state.query is not None and not _fields(draft) and not _OPEN_WISH.search(sheet.view):
        return _reading(sheet, "help", state.query)
    if draft.each and len(authors := draft.hard.get("author", ())) > 1:
        draft.hard["limit"] *= len(authors)
    return _reading(sheet, "count" if counting else "new_request", _query(_fields(draft)), draft)


def _drops_nothing(draft: Draft, query: BookQuery) -> bool:
    said = query.said()
    return bool(draft.dropped) and not draft.dropped & {*said, *said.get("prefer", ())}


def _language_of_talk(state: DialogueState) -> Language | None:
    said = json.dumps(state.query.said() if state.query else {}, ensure_ascii=False, default=str)
    if any("\u3400" <= letter <= "\u9fff" for letter in said):
        return "zh"
    return "en" if state.query is not None and state.query.said() else None


def _had_enough_of(state: DialogueState) -> tuple[str, ...]:
    """What another batch must not repeat: the works listed; near misses too when nothing else was left."""
    if any(not book.near for book in state.shown):
        return state.seen_works
    return tuple(dict.fromkeys((*state.seen_works, *(book.work_id for book in state.shown))))


_OPEN_WISH = pattern(
    r"书|推荐|随便|介绍|想[看读]|\b(?:books?|reads?|recommend\w*|suggest\w*|any(?:thing)?|something)\b"
)
"""Words of a wish for just any book."""


def _read_conditions(sheet: Sheet, draft: Draft, state: DialogueState, today: date, held: Held) -> bool:
    """Let every grammar claim its part, in order. Returns whether the message compares with the shown books."""
    language = language_of(sheet)
    read_isbn(sheet, draft)
    mentions = titles.claim_marked(sheet)
    changes.read_drops(sheet, draft)
    alike = bool(mentions) or titles.likens(sheet)
    relative = state.query is not None and not alike and changes.read_relative(sheet, draft, state.shown)
    read_awards(sheet, draft, language)
    read_unknown_fields(sheet, draft)
    titles.read_finished(sheet, draft)
    if len(mentions) == 1:
        read_question(sheet, draft)
    read_held(sheet, draft, held)
    mark_scopes(sheet)
    titles.read_marked(sheet, draft, mentions)
    titles.read_unmarked(sheet, draft)
    _compare_with_like(sheet, draft, state, held)
    changes.read_unbound_comparison(sheet, draft)
    read_periods(sheet, draft, today)
    read_quantities(sheet, draft)
    read_language(sheet, draft)
    read_kinds(sheet, draft)
    read_origins(sheet, draft, language)
    read_names(sheet, draft, language)
    read_feelings(sheet, draft)
    claim_filler(sheet)
    read_topics(sheet, draft)
    return relative


def _refined(sheet: Sheet, draft: Draft, base: BookQuery) -> BookQuery:
    changed = is_change(sheet) and ("keyword" in draft.hard or "category" in draft.hard)
    return _query(carry_over(base, draft, changed=changed))


def _compare_with_like(sheet: Sheet, draft: Draft, state: DialogueState, held: Held) -> None:
    """像《X》那样但短一点: shorter than X, when X was shown in this talk or the catalogue holds it."""
    named = draft.hard.get("like")
    books = tuple(book for shown in (state.shown, *state.lists) for book in shown if book.title == named)
    if named and not books and (book := held(named)) is not None:
        books = (ShownBook.of(book, 0, 0),)
    compared = Draft()
    if books and changes.read_relative(sheet, compared, books[:1]):
        draft.hard |= compared.hard


def _by_author(sheet: Sheet, draft: Draft, state: DialogueState, author: Authorship) -> Reading:
    """A message about books by an author of the talk, or by anybody but them."""
    base, fields = state.query or BookQuery(), _fields(draft)
    if not author.names:
        question = in_language(_WHOSE, language_of(sheet), script_of(sheet))
        return _reading(sheet, "about_item", base, ambiguous=question)
    works = [book.work_id for book in author.books or state.shown if author.books or not book.near]
    if not author.other:
        known = {"author": list(author.names), "exclude_works": works}
        return _reading(sheet, "new_request", _query(known | fields | {"author": list(author.names)}), draft)
    refused = {"exclude_authors": [*author.names, *draft.hard.get("exclude_authors", [])]}
    if author.books:
        kept = {name: getattr(base, name) for name in ("language", "exclude_tags", "limit")}
        like = {"like": f"#{author.books[0].book_id}"}
        items = tuple(book.position for book in author.books[:1])
        query = _query(kept | _only_bounds(fields) | like | refused)
        return _reading(sheet, "more_like_this", query, draft, items=items)
    draft.hard |= refused
    return _reading(sheet, "refine", _query(carry_over(base, draft)), draft)


def _about_shown(sheet: Sheet, draft: Draft, state: DialogueState, reference: followups.Reference) -> Reading:
    """A message about books of the list last shown."""
    base, items = state.query or BookQuery(), reference.items
    books = [book for book in state.shown if book.position in items]
    if reference.aim == "go_back":
        return _reading(sheet, "go_back", state.queries[0] if state.queries else base)
    if reference.aim == "first_list":
        return _reading(sheet, "go_back", state.queries[-1] if state.queries else base)
    if reference.aim == "again":
        return _reading(sheet, "new_request", base)
    if reference.aim == "more_like_this" and books:
        fields = _fields(draft) | {"like": f"#{books[0].book_id}"}
        followed = {name: getattr(base, name) for name in ("language", "exclude_authors", "exclude_tags", "limit")}
        return _reading(sheet, "more_like_this", _query(followed | _only_bounds(fields)), draft, items=items)
    if reference.aim == "exclude":
        works = [*base.exclude_works, *(book.work_id for book in books)]
        fields = base.said() | {"exclude_works": list(dict.fromkeys(works))[:MAX_LIST]}
        return _reading(sheet, "exclude", _query(fields), items=items)
    act: Act = "compare" if reference.aim == "compare" else "about_item"
    return _reading(sheet, act, base, items=items, ambiguous=reference.question)


def _only_bounds(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in fields.items()
        if name not in ("keyword", "title", "exact_title", "prefer", "tags")
    }


def _fields(draft: Draft) -> dict[str, Any]:
    fields = dict(draft.hard)
    if draft.prefer:
        fields["prefer"] = dict(draft.prefer)
    if draft.unknowable:
        fields["unknowable"] = list(draft.unknowable)
    return fields


def _query(fields: dict[str, Any]) -> BookQuery:
    """A query of the fields that are valid; a value out of bounds is left out rather than refused."""
    try:
        return BookQuery(**fields)
    except ValidationError as error:
        bad = {str(problem["loc"][0]) for problem in error.errors() if problem["loc"]}
        if "prefer" in bad:
            fields = fields | {"prefer": _valid_wishes(fields["prefer"])}
            bad.discard("prefer")
        return BookQuery(**{name: value for name, value in fields.items() if name not in bad})


def _valid_wishes(wishes: dict[str, Any]) -> dict[str, Any]:
    try:
        Conditions(**wishes)
    except ValidationError as error:
        bad = {str(problem["loc"][0]) for problem in error.errors() if problem["loc"]}
        return {name: value for name, value in wishes.items() if name not in bad}
    return wishes


def _reading(
    sheet: Sheet, act: Act, query: BookQuery, draft: Draft | None = None, *, idle_drop: bool = False, **rest: Any
) -> Reading:
    hard = query.hard()
    plain = tuple(name for name in draft.hard if name in hard and name not in _NOT_PLAIN) if draft else ()
    language, script = language_of(sheet), script_of(sheet)
    vague = draft.assumed if draft else {}
    assumed = [_assumption(field, value, language, script) for field, value in vague.items()]
    if idle_drop:
        assumed.append(in_language(_NOTHING_DROPPED, language, script))
    return Reading(act=act, query=query, language=language, script=script, plain=plain, assumed=tuple(assumed), **rest)


def _assumption(field: str, value: int, language: Language, script: Script) -> str:
    """What a vague word was taken for, as a sentence."""
    return fill(in_language(_ASSUMED, language, script), condition_text(field, [value], language, script))
