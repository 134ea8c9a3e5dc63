"""Words for an author whom the talk has named: by the same author, anything else by her, something similar by someone else."""

from __future__ import annotations

from dataclasses import dataclass

from shutong.nlu.dialogue import DialogueState, ShownBook
from shutong.nlu.followups import named_books, spoken_of
from shutong.nlu.sheet import Sheet, pattern

_MORE = r"(?:(?:what|is there|are there|any|anything|some|something|more|others?|another|else|books?|novels?|works?|stories|titles?|ones?|written)\s+)*"
_END = r"(?=\s*(?:\Z|[,.;:!?\x00]|\b(?:but|with|in|from|under|over|that|which|about|as|and|or|please|then|before|after|since|published|rated|instead|too|on|shorter|longer|newer|older)\b))"
_SAME_ZH = pattern(
    r"(?:这|那)?(?:个|位)?(?:作者|作家)(?:还|的其他|的其它|的别的|别的|其他)(?:写|有|书|作品).{0,8}|(?:同一?(?:个|位)?|这(?:一)?(?:个|位)?|那(?:一)?(?:个|位)?)(?:作者|作家)(?:写|的|还|有|所)?.{0,10}(?:书|作品|别的|其他|其它|吗|写)|[他她](?:还)?(?:写过|有)(?:什么|哪些|没有)?(?:别的|其他|其它)?.{0,4}(?:书|作品|吗|什么|哪些|啥)|[他她]的(?:其他|其它|别的)(?:书|作品)"
)
_SAME = (
    _SAME_ZH,
    pattern(
        rf"\b{_MORE}by (?:him|her|them|(?:the|this|that) (?:same )?(?:author|writer)|the same (?:person|one))(?: (?:as|of))?\b{_END}"
    ),
    pattern(rf"\b{_MORE}by the (?:author|writer) of\b"),
    pattern(r"\b(?:more|others?|else|another|anything|something) by (?:the )?same (?:author|writer)\b"),
    pattern(
        r"\b(?:what|which|anything|did|does|do|has|have)\b[^?.!\x00]{0,30}\b(?:he|she|they|(?:the|this|that|same) (?:author|writer))\b"
        r"(?: (?:has|have|had|did|do))?(?: also| ever)? (?:write|wrote|written|writes|publish|published)\b(?! (?:it|this|that)\b)[^?.!\x00]*"
    ),
    pattern(
        r"\b(?:his|her|their|(?:the|this|that) (?:same )?(?:author|writer)'s)\s+(?:(?:other|earlier|later|best|latest|newest|famous|next|early|late|short|shorter|recent|most)\s+)*"
        r"(?:books?|novels?|works?|stories|poems|essays|writings?|titles)\b"
    ),
)
_WROTE = 4
_ELSE = pattern(r"\b(?:else|others?|more|another|also|books?|novels?|stories)\b")
_OTHER = pattern(
    rf"\bby (?:another|an?other|a different|some other|any other|other|different|someone else|somebody else|anyone else|anybody else)(?: (?:authors?|writers?|person|people))?\b{_END}"
)
_SUPERLATIVE = pattern(r"\bwhich\b.*\bthe \w+est\b")
_HINT = pattern(r"\b(?:by|he|she|they|his|her|their|author|author's|writer|writer's)\b|作者|作家|[他她]")


@dataclass(frozen=True, slots=True)
class Authorship:
    """Books by the author of `books`, or (`other`) by anybody else. `names` are the authors; empty when it is unclear who."""

    books: tuple[ShownBook, ...]
    names: tuple[str, ...]
    other: bool


def read_authorship(sheet: Sheet, state: DialogueState) -> Authorship | None:
    """Claim words for an author of the talk. None when the message has no such words."""
    if state.query is None or not _HINT.search(sheet.rest):
        return None
    if _SUPERLATIVE.search(sheet.rest):  # "which of her novels is the shortest" asks about the list
        return None
    other = bool(sheet.take(_OTHER))
    same = not other and any(_take_same(sheet, place) for place in range(len(_SAME)))
    if not other and not same:
        return None
    named = named_books(sheet, state)
    books = named or _of_one_hand(state)
    names = tuple(dict.fromkeys(book.authors[0] for book in books if book.authors))
    if not named and not names and len(state.query.author) == 1:
        names = (state.query.author[0],)
    return Authorship(books, names, other)


def _take_same(sheet: Sheet, place: int) -> bool:
    if place == _WROTE and not _ELSE.search(sheet.rest):  # "when did she write it" asks about the book
        return False
    return bool(sheet.take(_SAME[place]))


def _of_one_hand(state: DialogueState) -> tuple[ShownBook, ...]:
    """The book whose author can be meant: the one spoken of, or any one of a list that is all by one author."""
    one = spoken_of(state)
    if one is not None:
        return tuple(book for book in state.shown if book.position == one)
    return state.shown[:1] if len({book.authors[:1] for book in state.shown}) == 1 else ()
