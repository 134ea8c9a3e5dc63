"""Titles without marks that only the catalogue can tell from other words: 有三体吗, 除了百年孤独, 活着讲的是什么.

A pattern finds where a title may stand; it is one when the catalogue holds a book that goes by it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from shutong.catalog import countries, people
from shutong.catalog.book import Book
from shutong.nlu.draft import Draft
from shutong.nlu.sheet import Sheet, pattern
from shutong.search import thesaurus
from shutong.text import key

Held = Callable[[str], Book | None]
"""The catalogue's book that goes by exactly this title, if it holds one."""

_SHORTEST = 2
_LONG_ENOUGH = 4
"""A shorter title stands in too many other titles to look for it there."""

_QUESTION = (
    r"(?:这(?:一)?(?:本|部)(?:书|小说)?)?(?:(?:到底|主要|大概|究竟)?(?:讲|说|写)(?:的|了)?(?:是|些)?(?:什么|啥)|怎么样|如何|好看吗|好不好看|好读吗|值得(?:一)?(?:看|读)吗|难不难|难(?:读|懂)吗"
    r"|(?:有)?(?:多少|几)页|(?:是)?谁写的|(?:的)?作者是谁|(?:是)?哪(?:一)?年(?:出|写)|(?:有|一共有)?(?:几|多少)个?版本|多少钱|适合(?:几岁|谁|我)|(?:的)?(?:评分|分数)(?:是)?(?:多少|怎么样|如何|几分|高吗|高不高)|多厚|多长)"
)
_ASKED_ABOUT = pattern(rf"(?P<t>[^,。;!?\x00]{{2,30}}?){_QUESTION}")
_ABOUT_MARKED = pattern(rf"(?<=\x00)\s*{_QUESTION}\s*[?。!]?\s*\Z")
_ASKED_FOR = pattern(
    r"(?:有没有|你们有|这里有|库里有|有|想找|想看|想读|想借|我要|找|借)(?P<t>[^,。;!?\x00]{2,24}?)(?:这(?:一)?(?:本|部)(?:书|小说)?)?(?:吗|么|嘛|没有)?\s*[?。!]?\s*\Z"
    r"|\b(?:do you have|have you got|got|is there|looking for|find me|what about|how about)\s+(?:a copy of )?(?P<u>[^,;!?\x00]{2,60}?)\s*[?.!]*\s*\Z"
)
_TITLE_BY_EN = pattern(r"\A\s*(?P<t>[^?!,;\n\x00]{1,80}?)\s+by\s+(?=[a-z])")
_NO_TITLE = pattern(
    r"\b(?:books?|novels?|stories|poems|essays|works?|anything|something|everything|more|others?|ones?)\Z"
)
_NOT_WANTED = pattern(
    r"(?:除了|不要|别推荐|不算|排除|去掉|看过|读过|读完了?)(?P<t>[^,。;!?\x00]{2,20}?)(?=[,。;!?]|以外|之外|了|都?看过|\Z)"
    r"|\b(?:besides|except(?: for)?|other than|apart from|not|already read|i(?:'ve| have) read)\s+(?P<u>[^,;!?\x00]{2,60}?)(?=[,;!?.]|\Z)"
)


def read_question(sheet: Sheet, draft: Draft) -> None:
    """Note that a title in marks is asked about rather than asked for (《呼吸》评分多少)."""
    for m in sheet.find(_ABOUT_MARKED):
        draft.about = True
        sheet.claim(m.start(), m.end())


def read_held(sheet: Sheet, draft: Draft, held: Held) -> None:
    """Claim and note titles that the catalogue holds: not wanted, asked about, or asked for."""
    for m in sheet.find(_NOT_WANTED):
        if found := _held(sheet, *_span(m), held):
            title, book = found
            draft.add("title", title, "not")
            if book.series and key(title) in key(book.series):
                draft.add("series", title, "not")
            sheet.claim(m.start(), m.end())
    if draft.hard.get("title"):
        return
    for source in (_ASKED_ABOUT, _ASKED_FOR, _TITLE_BY_EN):
        for m in sheet.find(source):
            start, end = _span(m)
            if found := _held(sheet, start, end, held):
                title, _ = found
                draft.add("title", title)
                if source is _TITLE_BY_EN or (title.isascii() and len(key(title)) < _LONG_ENOUGH):
                    draft.hard["exact_title"] = True
                draft.about = source is _ASKED_ABOUT
                sheet.claim(end - len(title), end if source is _TITLE_BY_EN else m.end())
                return


def _span(match: re.Match[str]) -> tuple[int, int]:
    group = "t" if match.groupdict().get("t") else "u"
    return match.start(group), match.end(group)


def _held(sheet: Sheet, start: int, end: int, held: Held) -> tuple[str, Book] | None:
    """The held title that this part ends with, and its book: the whole of it, or what stands behind 的 (余华的活着)."""
    said = sheet.said(start, end)
    tails = [said, *(said[i + 1 :] for i, letter in enumerate(said) if letter == "的")]
    for tail in tails:
        if len(key(tail)) >= _SHORTEST and not _is_other_word(tail) and (book := held(tail)):
            return tail, book
    return None


def _is_other_word(text: str) -> bool:
    """A topic, a person or a country is no title here, though a book may go by its name."""
    return thesaurus.known(text) or people.known(text) or bool(countries.codes(text) or _NO_TITLE.search(text))
