"""Limits in figures: rating, number of ratings, pages, price, and how many books are wanted."""

from __future__ import annotations

import re

from shutong.nlu.bounds import LEFT, RIGHT, Bound, bound
from shutong.nlu.draft import Draft
from shutong.nlu.numbers import COUNT, NUMBER, value
from shutong.nlu.sheet import Sheet, pattern
from shutong.search.query import MAX_LIMIT

SHORT_PAGES = 199
NOT_LONG_PAGES = 300
LONG_PAGES = 500
RATING_STEP = 0.1

_COUNTED = pattern(r"评|打分|读过|看过|ratings|reviews|votes")
_A_NUMBER = pattern(COUNT)
_NO = r"(?P<no>(?:不要|不想要|别|不看|排除)\s*|\b(?:no|not|nothing|none|never)\s+(?:rated\s+|priced\s+|longer\s+)?)?"
_AROUND = r"(?P<around>大约|大概|约|差不多|around|about|roughly|approximately)?\s*"
_HEAD_RATING = (
    r"(?:豆瓣)?(?:评分|评价|分数|得分|打分|豆瓣分|豆瓣)(?:要|得|在|是|为|应该|必须|最好|放宽|降|调|改|高|:|：|到|至|成|为|也要|\s)*"
    r"|\b(?:rated|rating(?:s)?|score[ds]?|scoring|stars)(?:\s+(?:of|is|must be|should be|to be|at|to|a|an))*\s*"
)
_STARS = r"\s*(?:-\s*)?(?:颗?星|stars?\b)"
_POINTS = r"\s*分(?![钟之类享析别布手开成为配辨裂散子])"
_OUT_OF = r"\s*(?:/|out of|满分)\s*(?P<scale>5|10|100|five|ten)\b"
_RATING = pattern(
    rf"{_NO}(?P<head>{_HEAD_RATING})?(?P<left>{LEFT})?\s*(?P<n>{NUMBER})(?:{_OUT_OF})?(?P<unit>{_STARS}|{_POINTS})?\s*(?:的|评分)?\s*"
    rf"(?P<right>{RIGHT})?(?P<after>\s*(?:rating|rated|stars?)\b|{_STARS})?"
)
_RATING_COUNT = pattern(
    rf"(?:(?P<people>(?:评价|评分|打分)人数)[在要有:]*)?\s*(?P<left>{LEFT})?\s*(?P<n>{NUMBER})\s*(?P<unit>个?人|ratings|reviews|votes)?\s*(?P<right>{RIGHT})?\s*(?:评分|评价|评过|打分|读过|看过)?(?:过)?的?"
)
_PAGES = pattern(
    rf"{_NO}(?:页数|篇幅|长度)?(?:要|在|是|控制在|:)*\s*{_AROUND}(?P<left>{LEFT})?\s*{_AROUND.replace('around>', 'near>')}"
    rf"(?P<n>{NUMBER})(?:\s*[-~到至—]\s*(?P<to>{NUMBER}))?\s*(?P<plus>\+)?\s*-?(?:多|来)?(?:页|pages?\b|pp\b)\s*(?:的|in length|long)?\s*(?P<right>{RIGHT}|左右|上下)?"
)
_MONEY = pattern(
    rf"(?:价格|定价|售价|预算|budget(?: of| is)?|costs?|costing|priced?(?: at)?)?(?:要|在|是|:|不)*\s*(?P<left>{LEFT})?\s*"
    rf"(?:[$¥￥£€]\s*(?P<n>{NUMBER})|(?P<m>{NUMBER})\s*(?:元|块钱?|圆|dollars?\b|bucks\b|usd\b|pounds?\b|euros?\b|yuan\b|rmb\b|人民币)|(?<=预算)(?P<b>{NUMBER}))"
    rf"\s*(?:钱|的)?\s*(?P<right>{RIGHT}|左右)?"
)
_LIMIT_ZH = pattern(
    rf"(?<![第前这那哪每上])(?P<n>{NUMBER})(?:到|至|-|~|、)?(?P<to>{NUMBER})?\s*(?P<unit>[本部册套种个]|篇(?!幅))(?!书名|小时|月|人|字|星期|半|曲)"
)
_WANTED = pattern(r"(?:推荐|来|给我|找|要|荐|选|挑|想看|想读|想要|换)\s*\Z")
_EACH = pattern(r"(?:各|每(?:人|个|位)?)(?:来|要|推荐|找|给我)?\s*\Z")
_ONE_WANTED = pattern(r"(?:推荐|来|给我|荐|选|挑|(?:只|就|仅)(?:要|想要|想看|想读|找|看|读|需要)?)\s*\Z")
"""找一本 and 想看一本 are how one asks for books; 推荐一本 and 只要一本 ask for one."""

_TOP = pattern(rf"前\s*(?P<n>{NUMBER})(?:名|本|部)?(?=[的书,。\s]|$)|\btop\s+(?P<m>{NUMBER})\b")
_NOUN = (
    r"(?:books?|novels?|titles?|reads|recommendations?|suggestions?|memoirs?|mysteries|thrillers?|cookbooks?|ones|options|picks|"
    r"biographies|collections|classics|anthologies|romances|stories)"
)
_LIMIT_EN = pattern(rf"(?P<n>{COUNT})(?:\s+or\s+(?P<to>{COUNT}))?(?P<between>(?:\s+[a-z'-]+){{0,3}}?)\s+(?={_NOUN}\b)")
_LIMIT_VERB = pattern(
    rf"\b(?:recommend|suggest|give|show|find|list|pick|name|want|need)(?:\s+me)?\s+(?:just\s+|only\s+)?(?P<n>{COUNT})(?!\s*(?:pages?|%|stars?))"
)
_SHORT_FORM = re.compile(
    r"(?<!\ba )\bshort (?=(?:science |speculative |crime |horror |fantasy |literary |historical |weird )?(?:fiction|sci-?fi|sf)\b(?!\s(?:novel|book|read)))"
)
"""Short science fiction is a form, as 短篇科幻 is; a short novel is a length."""

_SHORT = pattern(
    r"(?:篇幅)?(?:短小的?|短[一些几]?[点些]的?|短一[点些]儿?的?|短的|薄[一些]?[点些]的?|薄一[点些]儿?的?|薄的|很薄的?|很短的?|薄薄的?|比较[短薄]的?|较短的?|短(?=小说[^集]|小说$|书))"
    r"|\b(?:short|quick)\s+(?:and\s+\w+\s+)?(?=books?\b|reads?\b|novels?\b)|\b(?:something|anything|one|ones)(?:\s+that(?:'s| is| are))?\s+(?:short|quick)\b"
    r"|\bshort(?!er|-|\s+(?:stor|fiction|form|of\b|term))\b"
)
_NOT_LONG = pattern(
    r"(?:不要|别|不|不能|不想要?|不用|不必|也不要|也别)(?:看)?(?:太|那么|特别|过于|很)[厚长](?:的|了)?|不厚的?"
    r"|\b(?:not|isn't|nothing|aren't|don't want anything)\s+(?:too|so|overly|very|that)\s+(?:long|thick|big|lengthy)\b"
)
_LONG = pattern(
    r"大部头|厚一点的?|厚点的?|长一点的?(?=小说|书|$|,)|厚书|\b(?:doorstoppers?|doorstops?|chunky|thick|hefty)\b|\blong\s+(?=books?\b|novels?\b|reads?\b)"
)


def read_quantities(sheet: Sheet, draft: Draft) -> None:
    """Claim and note all limits in figures. Words of length without a figure come after them."""
    _read_soft_length(sheet, draft)
    if _A_NUMBER.search(sheet.rest):
        _read_pages(sheet, draft)
        _read_money(sheet, draft)
        _read_rating_count(sheet, draft)
        _read_rating(sheet, draft)
        _read_limit(sheet, draft)
    _read_length(sheet, draft)


def _limit_of(match: re.Match[str], otherwise: str | None) -> Bound | None:
    side = {"min": "min", "max": "max"}.get(otherwise or "")
    found = bound(match["left"], match["right"], side)  # type: ignore[arg-type]
    return found.flipped() if found and match.groupdict().get("no") else found


def _read_pages(sheet: Sheet, draft: Draft) -> None:
    for m in sheet.take(_PAGES):
        number = value(m["n"])
        if number is None:
            continue
        pages, mode = int(number), sheet.mode(m.start())
        if m["to"] and (upper := value(m["to"])) is not None:
            draft.bound("min_pages", min(pages, int(upper)), mode)
            draft.bound("max_pages", max(pages, int(upper)), mode)
            continue
        limit = _limit_of(m, "min" if m["plus"] else None)
        if limit is None:
            draft.bound("max_pages", round(pages * 1.2), "prefer")
            draft.bound("min_pages", round(pages * 0.8), "prefer")
        elif limit.side == "max":
            draft.bound("max_pages", max(0, pages if limit.inclusive else pages - 1), mode)
        else:
            draft.bound("min_pages", pages if limit.inclusive else pages + 1, mode)


def _read_money(sheet: Sheet, draft: Draft) -> None:
    for m in sheet.take(_MONEY):
        number = value(m["n"] or m["b"] or m["m"])
        if number is None:
            continue
        limit = _limit_of(m, "max")
        if limit and limit.side == "max":
            # Prices are asked as round sums; a book of exactly that sum is welcome either way.
            draft.bound("max_price", number, sheet.mode(m.start()))
        else:
            draft.cannot_tell(sheet.said(m.start(), m.end()))


def _read_rating_count(sheet: Sheet, draft: Draft) -> None:
    for m in sheet.find(_RATING_COUNT):
        said = sheet.view[m.start() : m.end()]
        number = value(m["n"])
        if not m["unit"] and not m["people"]:
            continue
        counted = _COUNTED.search(said)
        if number is None or not counted or not (m["left"] or m["right"] or number >= 100):
            continue
        limit = bound(m["left"], m["right"], "min")
        if limit and limit.side == "min":
            draft.bound("min_rating_count", int(number) + (not limit.inclusive), sheet.mode(m.start()))
        sheet.claim(m.start(), m.end())


def _read_rating(sheet: Sheet, draft: Draft) -> None:
    for m in sheet.find(_RATING):
        if not (m["head"] or m["unit"] or m["scale"] or (m["after"] and m["right"])):
            continue
        number = value(m["n"])
        score = None if number is None else _out_of_ten(number, m)
        if score is None:
            continue
        sheet.claim(m.start(), m.end())
        limit = _limit_of(m, "min")
        if limit is None or limit.side == "max":
            draft.cannot_tell(sheet.said(m.start(), m.end()))
            continue
        score = score if limit.inclusive else score + RATING_STEP
        draft.bound("min_rating", min(10.0, round(score, 2)), "prefer" if sheet.mode(m.start()) == "prefer" else "ask")


def _out_of_ten(number: float, match: re.Match[str]) -> float | None:
    """A rating on our scale. Stars and "out of 5" are of five; so is "rated 4.2" in English, where five is the custom."""
    scale, unit = match["scale"], (match["unit"] or "") + (match["after"] or "")
    if scale in ("5", "five") or "星" in unit or ("star" in unit and number <= 5):
        return number * 2 if number <= 5 else None
    if scale == "100" or 10 < number <= 100:
        return number / 10
    english = match["head"] and match["head"].strip().isascii() and not unit and not scale
    if english and number <= 5:
        return number * 2
    return number if number <= 10 else None


def _read_limit(sheet: Sheet, draft: Draft) -> None:
    for m in sheet.find(_LIMIT_ZH):
        number = value(m["to"] or m["n"])
        before = sheet.view[: m.start()]
        wanted = bool((_ONE_WANTED if number == 1 else _WANTED).search(before))
        if number == 1 and not wanted and _WANTED.search(before) and m["unit"] in "本部册":
            sheet.claim(m.start(), m.end())
            continue
        if number is None or number < 1 or (number == 1 and not wanted) or (m["unit"] in "个种篇" and not wanted):
            continue
        sheet.claim(m.start(), m.end())
        draft.each = bool(_EACH.search(before))
        draft.hard.setdefault("limit", int(min(number, MAX_LIMIT)))
    for source in (_TOP, _LIMIT_EN, _LIMIT_VERB):
        for m in sheet.find(source):
            said = m.groupdict()
            number = value(said.get("to") or said.get("n") or said.get("m") or "")
            if number is None or not 1 <= number <= MAX_LIMIT or sheet.mode(m.start()) == "not":
                continue
            start = m.start("n") if said.get("n") else m.start()
            end = m.end("to") if said.get("to") else m.end("n") if said.get("n") else m.end()
            sheet.claim(start, end)
            draft.hard.setdefault("limit", int(number))


def _read_soft_length(sheet: Sheet, draft: Draft) -> None:
    if sheet.take(_NOT_LONG):
        draft.bound("max_pages", NOT_LONG_PAGES, "prefer")


def _read_length(sheet: Sheet, draft: Draft) -> None:
    for m in sheet.take(_SHORT_FORM):
        draft.add("tags", "short stories", sheet.mode(m.start()))
    for m in sheet.take(_SHORT):
        mode = sheet.mode(m.start())
        if mode != "not" and "max_pages" not in draft.hard:
            draft.bound("max_pages", SHORT_PAGES, mode)
            draft.assume("max_pages", SHORT_PAGES)
    for m in sheet.take(_LONG):
        if sheet.mode(m.start()) != "not" and "min_pages" not in draft.hard:
            draft.bound("min_pages", LONG_PAGES, "prefer")
