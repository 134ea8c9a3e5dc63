"""Which parts of a message are not wanted, and which are only liked: the reach of 不要, 除了, no, besides, 最好, ideally."""

from __future__ import annotations

import re

from shutong.nlu.sheet import Sheet, letters, pattern

_STOP = r"[。;!?\n\x01]|但是?|不过|而是|其他的?都?|只要|\bbut\b|\bhowever\b|\bthough\b|(?<!\b[a-z])\.(?=\s|$)|\bjust\b|\bonly\b|\binstead\b|\bplease\b"
_END_ZH = pattern(rf",|{_STOP}|最好|优先")
_END_EN = pattern(
    rf"{_STOP}|,(?!\s*(?:[\w'-]+\s+){{0,3}}[\w'-]+,?\s+(?:or|nor)\b)(?!\s*(?:or|nor)\b)|\bideally\b|\bpreferably\b"
)
_NOT_ZH = pattern(
    r"(?<!要)(?:也|都|千万)?(?:不要|不想要?|不想看|不想读|不看|不读|不喜欢|讨厌|排除|避开|避免|拒绝|剔除|不考虑|不含|不包括|不包含|(?<![特区个分级性识差辨类派离告])别(?![的处致样墅离人国出忘急]|买错|担心|介意|客气)"
    r"|除了|除去|除开|(?<!有)没有(?!任何|什么|基础|经验|读过|看过)(?=[^吗,。]{1,10}(?:的|情节|内容|元素|描写))|不带|不能有|不要有|无(?=血腥|恐怖|暴力|虐)|不再要|换掉|去掉|反感)(?:看|读|有|再|推荐|给我|那种|太(?![厚长难深])|是|任何|过于|教人)*+(?!\s*(?:超过|低于|早于|太?[厚长难深](?![山情海])|[太那](?:么)?[厚长难]|太?(?:专业|复杂|深奥|学术|高深|艰深|晦涩)|\d|[一二两三四五六七八九][百十千]))"
)
_NOT_EN = pattern(
    r"\b(?:no|not|without|except(?:ing)?(?: for)?|excluding|exclude|besides|other than|apart from|aside from|avoid(?:ing)?|nothing|none of (?:them|these|those|it)|never(?!\s+(?:been|had|done|read|written|used|learnt|(?!liked|enjoyed|loved|wanted|cared|interested)\w{2,20}ed)\b)|"
    r"don't (?:want|like|recommend|show me|give me|include)|do not (?:want|include|like|show me)|doesn't (?:have|include|involve)|isn't|aren't|"
    r"hate|dislike|skip|minus|sick of|tired of|anything but|(?:some|any)(?:one|body)(?: else)? (?:than|but)|free of|non(?=[- ](?!fiction)))\b(?!\s+(?:only|sure|matter|least|more than|less than|idea|much|bad|yet|longer than|older than|earlier than|before|over|under|above|below|"
    r"fewer than|later than|newer than|lower than|higher than|too (?:long|thick|hard|difficult|technical|dense|heavy)|so long|very long|exceeding|problem|matter what|limit|restriction|\d+ ?p))"
    r"(?:\s+(?:too|any|about|another|more|the|a|an|interested in|really|into|recommend|show me|include)\b)*"
)
_AFTER_ZH = pattern(
    r"(?:已经|都|我|全|也)*(?:看过|读过|看完|读完|看腻|看够|读腻|听过|买过|有)了?(?:,?\s*(?:就|的|都|也)*(?:不要|别|不用|不必|跳过|排除)(?:了|再|推荐|给我|重复)*)(?:的|啦|哦|了)?(?=[,。;!?、\n]|$)"
    r"|(?:已经|都|我|全)+(?:看过|读过|看完|读完|看腻|看够)了?(?:的)?(?=[,。;!\n]|$)|(?:看过|读过|看完|读完|看腻|看够)了(?=[,。;!\n]|$)"
    r"|(?:就|的|都|也)*(?:不要|不看|不考虑|不喜欢|除外|排除|免了|算了|不行|跳过|不用|不想看|不想要|出局)(?:了|的|啦|吧|推荐)*(?=[,。;!?\n]|$)"
)
_OUTSIDE = pattern(r"(?P<what>[^,。;!?\s想读看点些找要除了\x00]{1,12})(?:以外|之外)(?:的|(?=[,。;!?\n还]|$))")
_AFTER_EN = pattern(
    r"\b(?:(?:are|is)\s+(?:out|off the table|not wanted|excluded)|excluded|not wanted|(?:I(?:'ve| have)?\s+)?(?:already\s+)(?:read|seen|own|have)(?:\s+(?:it|them|that|all))?)\b"
)
_READ_EN = pattern(
    r"(?<!should )(?<!can )(?<!could )(?<!might )\b(?:i(?:'ve| have)?|we(?:'ve| have)?)\s+(?:already\s+)?(?:read|seen|finished|own)\b(?!\s+(?:about|everything|a lot|mostly|on|to|in))"
)
_PREFER_ZH = pattern(
    r"(?:最好是?|优先|尽量|如果能|要是能|能(?=.{1,15}(?:更好|最好))|偏好|倾向于?|希望是|更喜欢|可以的话)(?:能|有|是|讲|选|考虑)*"
)
_PREFER_EN = pattern(
    r"\b(?:ideally|preferably|prefer(?:ring)?|would prefer|if possible|bonus (?:points )?(?:if|for)|with luck|hopefully|would be (?:nice|great) if|i'd rather|rather)\b"
)
_PREFER_AFTER = pattern(
    r"(?:更好|最好|优先|为佳|为宜|就更好了?|更佳)(?:了|吧)?(?=[,。;!\n]|$)|\b(?:preferred|if possible|would be (?:nice|great|a bonus|a plus|ideal))\b"
)
_START = pattern(r"[,。;!?\n\x01]|但是?|不过|\.\s|\bbut\b|\band\b(?=[^,.;]{0,40}$)|以及")
_MAX_REACH = 160


def mark_scopes(sheet: Sheet) -> None:
    """Mark the reach of every word that denies or prefers, and claim the words themselves.

    A Chinese word of refusal reaches to the end of its clause; an English one also over "a, b or c". 帕慕克看过了不要 reaches back.
    """
    _mark_after(sheet, _AFTER_ZH, "not")
    _mark_after(sheet, _AFTER_EN, "not")
    for m in sheet.take(_OUTSIDE):
        sheet.mark(m.start(), m.end(), "not")
        sheet.rest = sheet.rest[: m.start()] + sheet.view[m.start() : m.end("what")] + sheet.rest[m.end("what") :]
    _mark_after(sheet, _PREFER_AFTER, "prefer")
    for opening, end, mode in (
        (_PREFER_ZH, _END_ZH, "prefer"),
        (_PREFER_EN, _END_EN, "prefer"),
        (_NOT_ZH, _END_ZH, "not"),
        (_NOT_EN, _END_EN, "not"),
        (_READ_EN, _END_EN, "not"),
    ):
        for m in sheet.take(opening):
            stop = _stop(sheet, m, end)
            sheet.mark(m.end(), stop, "not" if mode == "not" else "prefer")


def _stop(sheet: Sheet, opening: re.Match[str], end: re.Pattern[str]) -> int:
    limit = min(len(sheet.rest), opening.end() + _MAX_REACH)
    stop = end.search(sheet.rest, opening.end(), limit)
    reach = stop.start() if stop else limit
    closing = next((close for words, close in _CLOSINGS if opening[0].startswith(words)), None)
    closed = closing.search(sheet.rest, opening.end(), reach) if closing else None
    return closed.start() if closed else reach


# Words whose reach has an end of its own: 除了…以外, 没有血腥暴力的小说.
_CLOSINGS = (
    ("除", pattern(r"之外|以外|外(?=[,的还有])|还有")),
    (letters("没有"), pattern("的")),
    ("不带", pattern("的")),
    ("无", pattern("的")),
)


def _mark_after(sheet: Sheet, closing: re.Pattern[str], mode: str) -> None:
    for m in sheet.take(closing):
        before = sheet.view[max(0, m.start() - _MAX_REACH) : m.start()]
        starts = [found.end() for found in _START.finditer(before)]
        start = m.start() - len(before) + (starts[-1] if starts else 0)
        sheet.mark(start, m.start(), "not" if mode == "not" else "prefer")
