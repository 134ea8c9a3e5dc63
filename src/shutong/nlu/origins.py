"""Where an author comes from: 土耳其或者伊朗作家, 日本推理, 中国人写的, Japanese novels, by a Nigerian writer."""

from __future__ import annotations

from shutong.catalog import countries
from shutong.nlu.draft import Draft
from shutong.nlu.lexicon import Found, places
from shutong.nlu.sheet import Sheet, pattern

_JOIN = pattern(r"\s*(?:、|/|,|和|或者?|与|及|以及|还是|跟|\bor\b|\band\b|\bnor\b|&)+\s*(?:an?\s+)?")
_WRITERS_ZH = pattern(
    r"(?:的|籍|裔|本土|现代|当代|女|男|青年|年轻|新锐|古典|其他)*(?:作家|作者|诗人|小说家|漫画家|学者|哲学家|科学家|出身|人(?=写|创作|$|[,。;!?]))(?:们)?(?:所?写|创作|著|的)*"
    r"|(?:自己)?(?:所)?写的|籍(?:的)?"
)
_WORKS_ZH = pattern(
    r"(?:的|现代|当代|现当代|古典|近代|经典|本格|严肃|优秀|类型|最新|近年|女性|短篇|长篇|中篇|青春|硬|畅销)*(?=小说|文学|推理|侦探|科幻|悬疑|散文|随笔|诗|漫画|绘本|童话|短篇|长篇|言情|武侠|奇幻|轻小说|名著|作品|戏剧|回忆录|治愈"
    r"|恐怖|惊悚|纪实文学|爱情小说|儿童文学|图书|犯罪|间谍|魔幻|玄幻|(?:的)?书(?!法|店|写)|青春文学|[^,。;!?的和与、\s\x00]{2,5}(?:小说|文学(?!史)|漫画|散文))"
)
_ALONE_ZH = pattern(r"的?(?:吗|呢|吧|啊)?(?=\s*(?:$|[,。;!?、\x00]))")
_ABOUT = pattern(
    r"(?:关于|有关|讲|讲述|写|介绍|了解|去|到|在|研究|描写|懂|游|玩转)(?:了|一下|述)?\s*\Z|\b(?:about|on|of|in|to|around|through|visiting)\s+(?:modern\s+|ancient\s+|the\s+)?\Z"
)
_BY_EN = pattern(
    r"\b(?:by|from)\s+(?:(?:an?|some|any|the|other|modern|contemporary|young|new|living|great|women|female|male|native)\s+)*\Z"
)
_WRITERS_EN = pattern(
    r"(?:[ -](?:born|based|women|female|male|modern|contemporary|young|classic|crime|mystery|fiction|fantasy|sf))*\s+(?:authors?|writers?|novelists?|poets?|people|women|men|voices|philosophers?|thinkers?)\b(?:'s?)?"
)
_WORKS_EN = pattern(
    r"(?=(?:\s+(?:modern|contemporary|classic|short|literary|historical|detective|crime|science|magical|graphic|speculative|women's|young|adult|psychological|new|recent|best|award-winning|postwar|post-war|translated))*"
    r"\s+(?:fiction|novels?|novellas?|literature|lit|stories|story|mystery|mysteries|thrillers?|fantasy|sci-fi|sf|noir|classics?|poetry|poems|poets|comics|manga|memoirs?|essays?|essayists|plays|drama|realism|romances?|horror|crime|whodunits?|books?|cookbooks?|fairy|folk|picture|writing|titles)\b)"
)
_NATION = pattern(r"\bus\b")


def read_origins(sheet: Sheet, draft: Draft, language: str) -> None:
    """Claim and note authors' countries, as the usual names in the request's language.

    A country that is only spoken of (a book about Japan) is left for the topics.
    """
    found = [f for f in places().find(sheet.rest)] + _united_states(sheet)
    found.sort(key=lambda f: f.start)
    group: list[Found] = []
    for i, place in enumerate(found):
        group.append(place)
        following = found[i + 1] if i + 1 < len(found) else None
        if following and _JOIN.fullmatch(sheet.rest, place.end, following.start):
            continue
        _read_group(sheet, draft, language, group)
        group = []


def _united_states(sheet: Sheet) -> list[Found]:
    return [Found(m.start(), m.end(), "US") for m in sheet.find(_NATION) if sheet.text[m.start() : m.end()] == "US"]


def _read_group(sheet: Sheet, draft: Draft, language: str, group: list[Found]) -> None:
    start, end = group[0].start, group[-1].end
    claimed = _author_words(sheet, start, end)
    if claimed is None:
        return
    for place in group:
        draft.add("author_country", countries.usual(place.term, language), sheet.mode(place.start))
    sheet.claim(*claimed)
    if sheet.view[start : claimed[1]].endswith("的") or _WORKS_EN.match(sheet.view, end):
        sheet.end_refusal(claimed[1])


def _author_words(sheet: Sheet, start: int, end: int) -> tuple[int, int] | None:
    """The part of the text that says these countries are the authors', or None when they are not."""
    before, rest = sheet.rest[max(0, start - 60) : start], sheet.rest
    if rest[start].isascii():
        by = _BY_EN.search(before)
        begin = start - len(before) + by.start() if by else start
        for source in (_WRITERS_EN, _WORKS_EN):
            if (m := source.match(rest, end)) and not (_ABOUT.search(before) and source is _WORKS_EN and not by):
                return begin, m.end()
        judged = sheet.mode(start) != "ask" and not _ABOUT.search(before)
        return (begin, end) if by or judged else None
    # 女作家 may be claimed already, as something no field can tell; it is a writer's word all the same.
    if m := _WRITERS_ZH.match(sheet.view, end):
        return start, m.end()
    if _ABOUT.search(before):
        return None
    for source in (_WORKS_ZH, _ALONE_ZH):
        m = source.match(rest, end)
        if m and (source is _WORKS_ZH or m[0].startswith("的") or sheet.mode(start) == "not"):
            return start, m.end()
    return None
