"""No invented book reaches the reader: each unit of an answer is checked against the catalogue before it is released.

A claimed title is resolved by its [[n]], else by the catalogue, else by what the tools observed, else by what the reader said; a
unit with a claim that none of these knows is refused, and so is one that states a wrong fact beside a title.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, field

from shutong.agent.claims import Claim, find_claims
from shutong.agent.events import Citation
from shutong.agent.facts import BookRef, Fact, FactKind, agrees, recorded
from shutong.agent.observation import unfenced
from shutong.regex import later
from shutong.text import fold, key

__all__ = ["BookRef", "Grounder", "Refused", "Released", "evidence", "feedback"]

NOT_HELD = {"zh": "（目录里没有）", "en": " (not in this catalogue)"}

MOST_CHARACTERS = 2_000
"""A unit longer than this is refused unread: no sentence is that long, and the search for claims takes quadratic time."""


@dataclass(frozen=True, slots=True)
class Released:
    """A unit as it is to be shown. A citation's title is the text as printed; citations are in the order of the text."""

    text: str
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """A unit that must not be shown. `reason` is a sentence for the model, in the answer's language."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class _Edit:
    start: int
    end: int
    text: str


@dataclass(slots=True)
class _Outcome:
    """What the claims of one unit came to."""

    edits: list[_Edit] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    books: list[tuple[Claim, BookRef]] = field(default_factory=list)
    marked: set[str] = field(default_factory=set)


class _RefusedError(Exception):
    """Ends the check of a unit; its text is the reason."""


class Grounder:
    """Checks the units of one answer.

    `lookup` finds a book by a title as written (it folds by `shutong.text.key`: title, main title, original title, series,
    contained works); `numbers` by its number in the talk. `observations` is the `evidence` of all tool results so
    far: a title that stands in it is free, so it must not repeat what the model itself asked for. `reader_texts` are the reader's messages.
    `found` are the ids of the books that this run's searches found, where the answer is to list those: an item may then be headed by
    no other book. Small models list the books of an earlier answer again.
    """

    def __init__(
        self,
        lookup: Callable[[str], BookRef | None],
        numbers: Callable[[int], BookRef | None],
        observations: Callable[[], str],
        reader_texts: Sequence[str],
        language: str,
        found: Callable[[], Set[int]] = frozenset,
    ) -> None:
        self._lookup = lookup
        self._found = found
        self._numbers = numbers
        self._observations = observations
        self._reader = _Haystack("\n".join(reader_texts))
        self._observed = _Haystack("")
        self._language = "en" if language == "en" else "zh"

    def check(self, unit: str) -> Released | Refused:
        """Whether a unit may be shown, and how. Never raises for any text."""
        outcome = _Outcome()
        if len(unit) > MOST_CHARACTERS:
            return Refused(unit, self._say("too_long", most=MOST_CHARACTERS))
        try:
            for claim in find_claims(unit, lambda title: self._find(title) is not None):
                self._resolve(unit, claim, outcome)
            self._compare_with_found(unit, outcome.books)
            self._compare_facts(unit, outcome.books)
        except _RefusedError as refusal:
            return Refused(unit, str(refusal))
        text = _WIKI_MARKS.sub(r"《\1》", _INNER_IDS.sub("", _edited(unit, outcome.edits)))
        return Released(text, tuple(outcome.citations))

    def _resolve(self, unit: str, claim: Claim, outcome: _Outcome) -> None:
        numbered = self._numbers(claim.number) if claim.number is not None else None
        if claim.cite:
            outcome.edits.append(_Edit(_blank_before(unit, claim), claim.cite[1], ""))
        if numbered is not None and not self._number_is_a_slip(claim, numbered):
            self._print_record(unit, claim, numbered, outcome)
        elif claim.number is not None and not claim.title:
            raise _RefusedError(self._say("no_number", number=claim.number))
        elif found := self._named(claim):
            title, book = found
            outcome.books.append((claim, book))
            outcome.citations.append(Citation(title, book.book_id))
        elif not self._observations_hold(claim.title):
            self._print_unheld(unit, claim, outcome)

    def _number_is_a_slip(self, claim: Claim, numbered: BookRef) -> bool:
        """Whether title and facts together speak of another book of the catalogue than the [[n]] does."""
        if not claim.title or all(agrees(fact, numbered) for fact in claim.facts):
            return False
        named = self._named(claim)
        return named is not None and all(agrees(fact, named[1]) for fact in claim.facts)

    def _print_record(self, unit: str, claim: Claim, book: BookRef, outcome: _Outcome) -> None:
        """Print the record's own title over whatever was spelled."""
        start, end = _borders(unit, claim, book)
        title = book.title
        text = title if start < end else (f"《{title}》" if self._language == "zh" or "《" in unit else f"“{title}”")
        outcome.edits.append(_Edit(start, end, text))
        outcome.books.append((claim, book))
        outcome.citations.append(Citation(title, book.book_id))

    def _print_unheld(self, unit: str, claim: Claim, outcome: _Outcome) -> None:
        """A title that only the reader named is printed with a mark, unless the unit itself says that it is not held."""
        if not self._reader.holds(claim.title):
            raise _RefusedError(self._say("invented", title=claim.title))
        folded = key(claim.title)
        if folded in outcome.marked or _SAYS_NOT_HELD.search(unit):
            return
        outcome.marked.add(folded)
        after = max(claim.after, claim.cite[1]) if claim.cite else claim.after
        outcome.edits.append(_Edit(after, after, NOT_HELD[self._language]))

    def _named(self, claim: Claim) -> tuple[str, BookRef] | None:
        """The book that the catalogue has under a claimed title, with the title as it is printed."""
        if book := self._find(claim.title):
            return claim.title, book
        if claim.loose:
            # An unmarked run of words may begin before its title ("Try Dune by …").
            words = claim.title.split(" ")
            for first in range(1, len(words)):
                rest = " ".join(words[first:])
                if not words[first].islower() and (book := self._find(rest)):
                    return rest, book
        return None

    def _find(self, title: str) -> BookRef | None:
        """Look a title up, whole or before its subtitle; a subtitle must be the record's own."""
        if not key(title):
            return None
        if book := self._lookup(title):
            return book
        for parting in _SUBTITLE.finditer(title):
            book = self._lookup(title[: parting.start()].strip())
            if book is not None and _is_subtitle(title[parting.start() :], book):
                return book
        return None

    def _observations_hold(self, title: str) -> bool:
        text = self._observations()
        if text != self._observed.text:
            self._observed = _Haystack(text)
        return self._observed.holds(title)

    def _compare_with_found(self, unit: str, books: Sequence[tuple[Claim, BookRef]]) -> None:
        found = self._found()
        if not found or not books or _BEFORE_A_HEAD.fullmatch(unit[: books[0][0].start]) is None:
            return
        book = books[0][1]
        if book.book_id not in found and not self._reader.holds(book.title):
            raise _RefusedError(self._say("not_found_now", title=book.title))

    def _compare_facts(self, unit: str, books: Sequence[tuple[Claim, BookRef]]) -> None:
        shared = len(books) > 1 and _COMPARES.search(unit) is not None
        for claim, book in books:
            for fact in claim.facts:
                fits = any(agrees(fact, other) for _, other in books) if shared else agrees(fact, book)
                if not fits:
                    raise _RefusedError(self._wrong_fact(claim, fact, book))

    def _wrong_fact(self, claim: Claim, fact: Fact, book: BookRef) -> str:
        right = recorded(fact.kind, book)
        title = book.title if claim.number is None else f"{book.title} [[{claim.number}]]"
        name = "wrong_fact" if right is not None else "unknown_fact"
        what = _KINDS[self._language][fact.kind]
        return self._say(name, title=title, what=what, stated=fact.value, right=right)

    def _say(self, name: str, **values: object) -> str:
        return _REASONS[self._language][name].format(**values)


def feedback(refusals: Iterable[Refused], language: str) -> str:
    """One message that tells the model which of its sentences were held back, why, and how to go on."""
    said = _FEEDBACK["en" if language == "en" else "zh"]
    reasons = dict.fromkeys(refusal.reason for refusal in refusals)
    return "\n".join([said[0], *(f"- {reason}" for reason in reasons), said[1]])


def evidence(observation: str) -> str:
    """What of a tool's observation a title may stand on: all but the fields that repeat what the model asked for.

    Without this a model could free an invented title by searching for it. Data that cannot be read is no evidence.
    """
    data = unfenced(observation)
    try:
        facts = json.loads(data)
    except (ValueError, RecursionError):
        return observation if data == observation.strip() else ""
    if isinstance(facts, dict):
        facts = {name: value for name, value in facts.items() if name not in _ECHOES}
    return json.dumps(facts, ensure_ascii=False)


class _Haystack:
    """A text in which titles are looked for: Chinese ones anywhere, Latin ones as whole words."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._letters = key(text)
        self._words = f" {_spaced(text)} "

    def holds(self, title: str) -> bool:
        letters = key(title)
        if len(letters) < 2:  # 她, V.: only where it stands as a title
            return bool(letters) and re.search(_AS_A_TITLE.format(re.escape(title.strip())), self.text) is not None
        return f" {_spaced(title)} " in self._words if title.isascii() else letters in self._letters


_AS_A_TITLE = r"[《〈\"“「『']\s*{0}\s*[》〉\"”」』']|(?<![\w'’]){0}(?![\w'’])"
_INNER_IDS = later(r"\s*[(（]?\bbook_id\s*[=:：]\s*\d+[)）]?|\s*\[\[[^\]《》]*\d[^\]《》]*\]\]")
"""What belongs to the talk with the model and not to the reader: ids, and citations that are none ([[36 CNY]])."""

_BEFORE_A_HEAD = later(r"[\s\-*•·\d.、)）《〈“\"*]*")
_ECHOES = frozenset({"applied", "also_applied", "not_held"})
_WIKI_MARKS = later(r"\[\[\s*([^\]\d\s][^\]\n]*?)\s*\]\]")
_SUBTITLE = later(r"\s*[:：(（]|\s+[—–-]\s+|——")
_EDITION = later(
    r"[\s:：(（—–-]*(?:第\s*[一二三四五六七八九十\d]+\s*[版册卷部]|全[一二三四五六七八九十\d]*[册集卷套]|[上中下][册卷]|(?:典藏|精装|平装|修订|纪念|珍藏|新|原书|中文|英文|全译)[版本]?"
    r"|(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|revised|new|updated)\s+edition|paperback|hardcover|(?:1[0-9]{3}|20[0-9]{2})\s*年?)[\s)）]*",
    re.IGNORECASE,
)
_SAYS_NOT_HELD = later(
    r"没有?(?:能)?(?:找到|查到|收录|搜到|收藏|馆藏)|未(?:能)?(?:找到|查到|收录|收藏|搜到)|找不到|查不到|搜不到|暂无|暂未|暂时没有|没有(?:这本|该书|此书|《|“)"
    r"|(?:目录|馆藏|书库|书目|库)(?:里|中|内)?[^，。,]{0,6}(?:没有|没收|缺)|不在[^，。,]{0,8}(?:目录|馆藏|书库|书目|库|里|中)"
    r"|沒有?(?:找到|查到|收錄)|未(?:找到|收錄)|目錄(?:裡|中)?沒有"
    r"|\b(?:not|isn['’]t|aren['’]t) (?:in|held|found|available|part of|among)|\bno (?:copy|record|such|match|trace)|(?:could|can|did|do|does|have|has)(?:n['’]t| ?not) "
    r"(?:find|found|have|hold|carry|include|contain|seem to have)|\bunavailable\b|\bmissing from\b",
    re.IGNORECASE,
)
_COMPARES = later(
    r"前者|后者|分别|两者|两本|二者|都|均|比|\b(?:former|latter|respectively|both|all|than|compared)\b", re.IGNORECASE
)
_KINDS: dict[str, dict[FactKind, str]] = {
    "zh": {"year": "出版年份", "rating": "评分", "pages": "页数", "author": "作者"},
    "en": {"year": "year", "rating": "rating", "pages": "number of pages", "author": "author"},
}
_REASONS = {
    "zh": {
        "invented": "《{title}》不在检索结果里,也不在目录里,不能写。",
        "too_long": "这一句超过 {most} 个字,请分成短句。",
        "not_found_now": "《{title}》不在这次的检索结果里,不能列出来。",
        "no_number": "没有编号为 [[{number}]] 的书。",
        "wrong_fact": "《{title}》的{what}是 {right},不是 {stated}。",
        "unknown_fact": "目录里没有《{title}》的{what},不能写 {stated}。",
    },
    "en": {
        "invented": "“{title}” is neither in the results nor in the catalogue and must not be named.",
        "too_long": "This sentence is longer than {most} characters; write shorter ones.",
        "not_found_now": "“{title}” is not among the results of this search and must not be listed.",
        "no_number": "There is no book with the number [[{number}]].",
        "wrong_fact": "The {what} of “{title}” is {right}, not {stated}.",
        "unknown_fact": "The catalogue does not know the {what} of “{title}”; do not write {stated}.",
    },
}
_FEEDBACK = {
    "zh": (
        "你刚才写的以下内容没有给读者看:",
        "请从被拦下的地方接着写:不要重复读者已经看到的内容,只写检索结果里的书,写成《书名》[[编号]],事实以检索结果为准。如果没有合适的书,就直说。",
    ),
    "en": (
        "These parts of what you just wrote were not shown to the reader:",
        "Continue from where you were held back: do not repeat what the reader has already seen, name only books of the results, as "
        "《title》[[number]], with the facts given there. If no book fits, say so.",
    ),
}


def _spaced(text: str) -> str:
    return " ".join(re.findall(r"[\w+#]+", fold(text).replace("'", "")))


def _is_subtitle(rest: str, book: BookRef) -> bool:
    """Whether what follows a main title belongs to the record: its subtitle, another of its titles, its author, or an edition."""
    if _EDITION.fullmatch(rest):
        return True
    folded = key(rest)
    whole = key(f"{book.title} {book.subtitle or ''}")
    return bool(folded) and any(
        folded in known for known in (whole, *map(key, book.other_titles), *map(key, book.authors))
    )


def _borders(unit: str, claim: Claim, book: BookRef) -> tuple[int, int]:
    """Where the written title stands. Before a bare [[n]] it is looked for in the text; else the claim's own guess holds."""
    if not claim.loose or claim.cite is None:
        return claim.start, claim.end
    end = (
        claim.start + len(unit[claim.start : claim.cite[0]].rstrip(" *_"))
        if claim.start < claim.end
        else len(unit[: claim.cite[0]].rstrip())
    )
    for title in (book.title, *book.other_titles):
        if title and unit[:end].endswith(title):
            return end - len(title), end
    return claim.start, claim.end


def _blank_before(unit: str, claim: Claim) -> int:
    """Where to begin to take a [[n]] away: with the blank before it, when another blank or the end of a clause follows."""
    assert claim.cite is not None
    start, end = claim.cite
    followed = unit[end : end + 1]
    return (
        start - 1
        if unit[start - 1 : start] == " " and (not followed or followed in " \n,.;:!?)|，。；：！？）、")
        else start
    )


def _edited(unit: str, edits: list[_Edit]) -> str:
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end), reverse=True):
        unit = unit[: edit.start] + edit.text + unit[edit.end :]
    return unit
