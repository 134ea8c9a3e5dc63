"""Books named in a message: 《…》, quoted titles, "do you have It?", 像《…》那样的, like Dune, not 1984."""

from __future__ import annotations

import re
from dataclasses import dataclass

from shutong.catalog import countries, people
from shutong.nlu.draft import Draft
from shutong.nlu.sheet import Sheet, pattern
from shutong.search import thesaurus
from shutong.text import key

MAX_TITLE = 120
MAX_MENTIONS = 30
"""Titles in marks beyond these are left unread; nobody asks for so many books in one message."""

_MARKED = pattern(r"[《〈<](?P<t>[^《》〈〉<>\n]{1,120})[》〉>]")
_QUOTED = pattern(r"\"(?P<t>[^\"\n]{1,120})\"|(?<![\w])'(?P<s>[^'\n]{2,80})'(?!\w)")
_LIKE_BEFORE = pattern(
    r"(?:像|类似于?|近似|跟|和|同|与|喜欢看?|爱看|爱|看完了?|读完了?|刚看了?|刚读了?|看了|读了|参照|比照|接近)(?:了)?\s*\Z"
    r"|\b(?:like|similar to|in the (?:vein|spirit|style) of|reminiscent of|reminds me of|liked|loved?|enjoyed|adored?|devoured|tore through|finished|fan of|fans of|after reading|along the lines of|comparable to|as good as|more of)\s+(?:the (?:book|novel) )?\Z"
)
_LIKE_AFTER = pattern(
    r"\s*(?:那样|这样|那种|这种|一样|似的|类似|相似|相近|相像|差不多|同类|同款|风格|之类|那类|这类)(?:类型|风格|感觉)?的?"
)
_BARE_LIKE_ZH = pattern(
    r"(?:像|类似于?|跟|和)(?P<t>[^,。;!?\x00的]{1,20}?)(?:(?:那样|这样|一样|似的|那种|这种|差不多|类似|相似|相近|风格)的?)|(?:类似于?|像)(?P<u>[^,。;!?\x00]{1,20}?)的(?=书|小说|作品|科幻|推理|故事)"
    r"|(?<![想好画偶图影录头])像(?P<v>[^,。;!?\x00的]{1,20}?)(?=但是?|可是?|不过|却|,|$)"
)
_BARE_LIKE_EN = pattern(
    r"\b(?:(?:books?|something|anything|novels?|stories|more|reads?|one|ones|titles?|similar|series)(?: that(?:'s| is| are| feel)?)? (?:like|similar to)|similar to|in the (?:vein|spirit|style) of|along the lines of|reminiscent of)\s+"
    r"(?P<t>(?!a\b|an\b|that\b|this\b|those\b|these\b|it\b|them\b|the (?:first|second|third|fourth|fifth|last)\b|to\b|number\b|#)[^,;!?\n\x00]{1,80}?)(?=[,;!?\n\x00.]|$|\s+(?:but|with|for|without|and|except|set|by|that|only|shorter|longer|please|in|from|under|over)\b)"
)
_LOVED_EN = pattern(
    r"\b(?:liked|loved|enjoyed|adored|devoured|tore through|finished|after finishing|after reading|just read|is obsessed with|obsessed with|crazy about)\s+(?P<t>[^,;!?\n\x00]{1,80}?)(?=[,;!?\n\x00.]|$|\s+(?:but|and|so|by)\b)"
)
_READ_ALL = pattern(r"tore through|devoured|finished")
_FINISHED_EN = pattern(
    r"\bi(?:'ve| have)? (?:already |just )?(?:read|finished|own) (?P<t>[^,;!?\n\x00.]{1,80}?)(?=[,;!?\n\x00.]|$|\s+(?:but|so|already|and (?:want|would|i)\b))"
)
_HAVE_EN = pattern(
    r"\A\s*(?:hi[,!]? |hello[,!]? )?(?:do you (?:guys )?(?:have|carry|stock|hold)|have you got|have you|got|is there|who wrote|who is the author of|can you find(?: me)?|can i (?:get|borrow)|i(?:'m| am) (?:looking|searching) for|looking for|find(?: me)?|where (?:is|can i find))\s+(?:a copy of |copies of |the book |the novel )?"
    r"(?P<t>[^?!\n\x00]{1,100}?)(?=\s*(?:\?|!|\Z|\.\Z|\x00)|\s+by\s|,| in (?:stock|paperback|the library)| (?:available|please)\b)"
)
_REFUSED_EN = re.compile(
    r"(?:(?<=\bnot )|(?<=\bNot )|(?<=\bbesides )|(?<=\bexcept )|(?<=\bexcept for )|(?<=\bapart from )|(?<=\bother than )|(?<=\bexcluding )|(?<=\bnor )|(?<=\bor )|(?<=\band ))"
    r"(?P<t>[A-Z][\w'’]*\.?(?:[ -](?:of|the|and|a|an|in|on|at|to|for|with|from)(?=[ -])|[ -][A-Z0-9][\w'’]*)*)(?=\s*(?:[,.;!?]|\Z|\b(?:and|or|nor|but|please)\b))"
)
_NAMED = pattern(
    r"(?:书名(?:是|叫|为|:)|名叫|名为|叫做|一本叫)(?P<t>[^,。;!?\x00的]{1,30})(?:的书?)?|叫(?P<u>[^,。;!?\x00的什啥]{1,30})的(?:那本)?(?:书|小说)|\b(?:called|titled|entitled|named)\s+(?P<v>[^,;!?\n\x00]{1,80}?)(?=[,;!?\n\x00.]|$|\s+by\s)"
    r"|(?<![\w])(?P<w>\d{3,4}|\d[a-z]\d\d)\s*(?:那|这)本(?:书|小说)?|\bthe (?:book|novel) (?P<x>\d{3,4})\b|\A\s*(?:有没有|有|找|我要|想看)(?P<y>\d{3,4})(?:这本书|那本书)?(?:吗)?[?。]?\s*\Z"
)
_NOT_NUMBER = pattern(r"\b(?P<t>\d{3,4}|\d[a-z]\d\d)\b")
_HAVE_ZH = pattern(r"(?:有没有|有|找|要|买|借|查)\s*\Z")
_SMALL = frozenset("a an the and or of in on at to for with by from is was that it as".split())


@dataclass(frozen=True, slots=True)
class Mention:
    """A marked title at its place. `quoted` titles stand in quotation marks, which other words use too."""

    start: int
    end: int
    title: str
    quoted: bool


def claim_marked(sheet: Sheet) -> list[Mention]:
    """Claim all titles in marks, before any other grammar can read words inside them."""
    found = []
    for source in (_MARKED, _QUOTED):
        for m in sheet.take(source):
            group = next(group for group, text in m.groupdict().items() if text)
            title = sheet.said(m.start(group), m.end(group))
            if key(title):
                found.append(Mention(m.start(), m.end(), title[:MAX_TITLE], source is _QUOTED))
    return found[:MAX_MENTIONS]


def read_marked(sheet: Sheet, draft: Draft, mentions: list[Mention]) -> None:
    """Decide what each marked title is for: asked for, a book to be like, or not wanted."""
    alike = False
    for mention in mentions:
        before, mode = sheet.view[max(0, mention.start - 40) : mention.start], sheet.mode(mention.start)
        after = sheet.view[mention.end : mention.end + 12]
        if mode == "not":
            draft.add("title", mention.title, "not")
        elif _LIKE_BEFORE.search(before) or _LIKE_AFTER.match(after) or (alike and _joined(before)):
            _like(draft, mention.title)
            alike = True
            if m := _LIKE_BEFORE.search(before):
                sheet.claim(mention.start - len(before) + m.start(), mention.start)
            if m := _LIKE_AFTER.match(after):
                sheet.claim(mention.end, mention.end + m.end())
        elif mention.quoted and not _is_title(sheet, mention, before):
            draft.topics.append((mention.start, mention.end, mention.title, mode))
        else:
            _title(draft, mention.title)


def likens(sheet: Sheet) -> bool:
    """Whether an English message names a book that others are to be like (something like Dune but shorter)."""
    return any(_title_case(sheet.said(m.start("t"), m.end("t"))) for m in sheet.find(_BARE_LIKE_EN))


def read_finished(sheet: Sheet, draft: Draft) -> None:
    """Titles that the reader has behind them ("I've already read Meditations")."""
    for m in sheet.find(_FINISHED_EN):
        title = sheet.said(m.start("t"), m.end("t"))
        if _title_case(title):
            draft.add("title", title[:MAX_TITLE], "not")
            sheet.claim(m.start(), m.end("t"))


def read_unmarked(sheet: Sheet, draft: Draft) -> None:
    """Titles without marks, where the words around say that it is one."""
    _read_refused(sheet, draft)
    for m in sheet.find(_NAMED):
        group = next(group for group, text in m.groupdict().items() if text)
        _title(draft, sheet.said(m.start(group), m.end(group)))
        sheet.claim(m.start(), m.end())
    for source in (_BARE_LIKE_ZH, _BARE_LIKE_EN, _LOVED_EN):
        _read_like(sheet, draft, source)
    for m in sheet.find(_HAVE_EN):
        title = sheet.said(m.start("t"), m.end("t"))
        if _title_case(title):
            _title(draft, title)
            sheet.claim(m.start(), m.end("t"))
    for m in sheet.find(_NOT_NUMBER):
        if sheet.mode(m.start()) == "not":
            draft.add("title", m["t"], "not")
            sheet.claim(m.start(), m.end())


def _read_refused(sheet: Sheet, draft: Draft) -> None:
    """Titles not wanted: not Brave New World, besides Dune or It. A known word or person is none."""
    for m in _REFUSED_EN.finditer(sheet.text):
        title = m["t"]
        whole = sheet.rest[m.start("t") : m.end("t")] == sheet.view[m.start("t") : m.end("t")]
        if not whole or sheet.mode(m.start("t")) != "not" or not _title_case(title):
            continue
        if people.known(title) or any(
            thesaurus.known(word) or countries.codes(word) for word in (title, *title.split())
        ):
            continue
        draft.add("title", title[:MAX_TITLE], "not")
        draft.add("series", title[:MAX_TITLE], "not")  # "besides Earthsea" means every book of it
        sheet.claim(m.start("t"), m.end("t"))


def _read_like(sheet: Sheet, draft: Draft, source: re.Pattern[str]) -> None:
    for m in sheet.find(source):
        group = next((group for group, text in m.groupdict().items() if text), None)
        if group is None or sheet.mode(m.start(group)) == "not":
            continue
        title = sheet.said(m.start(group), m.end(group))
        if people.known(title) or thesaurus.known(title) or not key(title):
            continue
        capital = _title_case(title)
        if source is _LOVED_EN and not capital:
            continue
        if source is _BARE_LIKE_EN and not capital and len(title.split()) > 6:
            continue
        _like(draft, title)
        if _READ_ALL.match(m[0]):
            # Somebody who raced through a series has it behind them.
            draft.add("series", title, "not")
        sheet.claim(m.start(), m.end())


def _like(draft: Draft, title: str) -> None:
    if "like" not in draft.hard:
        draft.hard["like"] = title[:MAX_TITLE]


def _title(draft: Draft, title: str) -> None:
    draft.add("title", title[:MAX_TITLE])
    draft.hard["exact_title"] = True


def _joined(before: str) -> bool:
    return before[-1:] in ("、", "和", "\x00", "》", "&") or before.rstrip().endswith((",", "and", "or"))


def _is_title(sheet: Sheet, mention: Mention, before: str) -> bool:
    alone = not key(sheet.text[: mention.start] + sheet.text[mention.end :])
    asked = bool(_HAVE_ZH.search(before)) or bool(
        re.search(r"\b(?:have|find|for|called|titled|book|novel|got)\s+\Z", before)
    )
    book_after = sheet.view[mention.end : mention.end + 4].lstrip().startswith(("这本", "那本", "这部", " by"))
    return alone or asked or book_after or _title_case(mention.title)


def _title_case(title: str) -> bool:
    """Whether every word of an English phrase is written like a title's (It, The Left Hand of Darkness, 1984)."""
    words = title.split()
    if not words or (not title.isascii() and not any("a" <= c.lower() <= "z" for c in title)):
        return False
    first = words[0][:1]
    if not (first.isupper() or first.isdigit()):
        return False
    if thesaurus.known(title) or words[-1].lower() in (
        "books",
        "book",
        "novels",
        "winner",
        "edition",
        "fiction",
        "stories",
        "ones",
    ):
        return False
    return all(
        word[:1].isupper() or word[:1].isdigit() or word.lower() in _SMALL or not word[:1].isalpha() for word in words
    )
