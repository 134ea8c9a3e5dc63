"""When a book came out, said in any way: 2019 年之后, 近三年, 九十年代, since 2010, the nineties, new."""

from __future__ import annotations

import re
from datetime import date

from shutong.nlu.draft import Draft
from shutong.nlu.numbers import NUMBER, value
from shutong.nlu.sheet import Mode, Sheet, pattern

RECENT_YEARS = 3
OLD_DECADE = 1950
"""Decades and centuries before this year speak of when a work was written, not of an edition."""

_YEAR = r"(?<![\d.])(?:1[0-9]\d\d|20\d\d|[一二][零〇一二三四五六七八九]{3}|两千(?:[零〇]?[一二三四五六七八九]|[一二]?十[一二三四五六七八九]?)?)(?![\d.]\d|\d)"
_A_YEAR = pattern(_YEAR)
_SPAN = pattern(
    rf"(?:从|在|介于|出版于|\bbetween\b|\bfrom\b|\bpublished\b)?\s*(?P<a>{_YEAR})\s*年?\s*(?:到|至|-|~|—|–|和|\band\b|\bto\b|\bthrough\b|\buntil\b)\s*"
    rf"(?P<b>{_YEAR})\s*年?(?:之间|期间|间)?(?:出版|出)?的?"
)
_FROM = pattern(
    rf"(?:自|从)?\s*(?P<a>{_YEAR})\s*年?\s*(?:\(含\))?(?:及|或)?(?:以后|之后|以来|至今|到现在|到今天|往后|起|开始|后(?!现代|宫|来|面)|以降)(?:新?出版|新?出|发表|写)?的?"
    rf"|(?:不早于|至少|最早)\s*(?P<b>{_YEAR})\s*年?"
    rf"|\b(?:since|from|starting(?: in| from)?|no earlier than|not (?:older than|before|earlier than)|nothing (?:older than|before)|no older than)\s+(?P<c>{_YEAR})"
    rf"(?:\s+(?:on|onwards?|and later|forward))?\b"
    rf"|\b(?P<d>{_YEAR})\s*(?:or|and)\s+(?:later|newer|after|onwards?|more recent|up|beyond)\b|\b(?P<e>{_YEAR})\s*(?:\+|onwards?\b|-\s*present\b)"
)
_NOT_BEFORE = pattern(rf"(?:不要|别|不看|排除)\s*(?P<a>{_YEAR})\s*年?(?:以前|之前|前)(?:出版)?的?")
_AFTER = pattern(rf"(?:晚于)\s*(?P<a>{_YEAR})\s*年?|\b(?:after|newer than|later than|post)[ -]+(?P<b>{_YEAR})\b")
_UNTIL = pattern(
    rf"(?:截至|截止到?|不晚于|最晚)\s*(?P<a>{_YEAR})\s*年?|\b(?:until|up to|through|no later than|by|not after|nothing after|no newer than)\s+(?P<b>{_YEAR})\b"
    rf"|\b(?P<c>{_YEAR})\s*(?:or|and)\s+(?:earlier|older|before)\b|(?P<d>{_YEAR})\s*年?\s*及(?:以前|之前)"
)
_BEFORE = pattern(
    rf"(?P<a>{_YEAR})\s*年?\s*(?:以前|之前|前)(?:出版|出|写|发表)?的?|早于\s*(?P<b>{_YEAR})\s*年?|\b(?:before|earlier than|older than|prior to|pre)[ -]+(?P<c>{_YEAR})\b"
)
_EXACT = pattern(
    rf"(?P<a>{_YEAR})\s*年\s*(?:出版|出|发行|上市|发表|问世|版|写)*(?:的|那本|那部)?|(?P<b>{_YEAR})\s*(?:出版|版(?!本))的?"
    rf"|\b(?:(?:published|released|printed|written|issued|came out|out)\s+)?in\s+(?P<c>{_YEAR})\b|\b(?:published|released)\s+(?P<d>{_YEAR})\b|\b(?P<e>{_YEAR})\s+edition\b"
)
_LAST_YEARS = pattern(
    rf"(?:最近|近|过去|这)(?:的|这)?\s*(?P<a>{NUMBER}|几)\s*年(?:之?内|以来|来|间)?(?:新?出版|新?出)?的?"
    rf"|\b(?:in |from |within |over |of )?the (?:last|past|previous) (?P<b>{NUMBER}|few|couple of) years\b"
)
_DECADE = pattern(
    r"(?P<century>上世纪|上个世纪|(?:20|二十|19|十九|18|十八)世纪)?(?P<a>[一二三四五六七八九]十|[1-9]0)年代(?:的|出版的)?|(?:\b(?:in|from|of|during)\s+)?(?:\bthe\s+)?(?P<c>1[5-9]\d0|20[0-2]0)(?:'?s\b|年代的?)"
    r"|\bthe\s+(?P<d>'?(?:[2-9]0s|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties))\b"
)
_CENTURY = pattern(
    r"(?P<a>1[0-9]|2[01]|十[一二三四五六七八九]|二十一|二十|十)世纪(?:的)?|\b(?P<b>1[0-9]|2[01])(?:th|st)[ -]century\b|(?P<c>本世纪)|(?P<d>上个?世纪)(?:的)?"
    r"|\b(?P<e>twentieth|nineteenth|eighteenth|twenty-first|seventeenth|sixteenth)[ -]century\b"
)
_NAMED_YEAR = pattern(
    r"(?P<a>今年)(?:新?出版|新?出|上市)?的?|(?P<b>去年)(?:新?出版|新?出)?的?|(?P<c>前年)(?:出版|出)?的?|(?P<d>\b(?:from |in )?this year\b)|(?P<e>\b(?:from |in )?last year\b)"
)
_NEWEST = pattern(
    r"最新(?:出版|出)?的?|按(?:年份|时间|出版时间)(?:排序?|倒序)?|最近出版优先|\b(?:newest|latest|most recent)(?: first)?\b"
)
_RECENT = pattern(
    r"最近(?:新?出版|新?出|上市)的?|近年来?(?:新?出版|新?出)?的?|近期(?:出版)?的?|新近(?:出版)?的?|(?:要|出版)?新一?[点些]儿?的?(?!世界)|较新的?|比较新的?|新书|新出版?的|新版的?(?=书)|(?:要|只要|最好是?)新的|最近的(?=[^一-鿿]|书|小说|科幻|推理|$)"
    r"|\b(?:new|recent|recently published|recently released|newly published|new releases?|brand new)\b(?!\s+(?:york|zealand|england|orleans|age|testament|delhi|world|to\b|parents?|jersey|mexico|mothers?|mums?|dads?|baby))"
)
_FIRST = pattern(
    r"首次出版|首版|初版|最早出版|第一次出版|首次发表|写于|写的|创作于|问世|\b(?:first published|originally published|originally|written)\b"
)
# Ways to name years, in the order they are tried, with what each adds to the year as a lower and as an upper bound.
_YEARS: tuple[tuple[re.Pattern[str], int | None, int | None], ...] = (
    (_SPAN, 0, 0),
    (_NOT_BEFORE, 0, None),
    (_FROM, 0, None),
    (_AFTER, 1, None),
    (_UNTIL, None, 0),
    (_BEFORE, None, -1),
    (_EXACT, 0, 0),
)
_DECADES = ["twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties"]
_CENTURIES = {
    "sixteenth": 16,
    "seventeenth": 17,
    "eighteenth": 18,
    "nineteenth": 19,
    "twentieth": 20,
    "twenty-first": 21,
}


def read_periods(sheet: Sheet, draft: Draft, today: date) -> None:
    """Claim and note the years asked for. Unfinished years count: "the last three years" reach back to today's year less three."""
    field = "first_year" if _FIRST.search(sheet.rest) and not re.search(r"\d\s*年?出版", sheet.rest) else "year"
    if _A_YEAR.search(sheet.rest):
        for source, low, high in _YEARS:
            _read_years(sheet, draft, source, low, high, field)
    _read_last_years(sheet, draft, today)
    _read_decades(sheet, draft, today)
    _read_centuries(sheet, draft)
    for m in sheet.take(_NAMED_YEAR):
        year = today.year - (0 if m["a"] or m["d"] else 2 if m["c"] else 1)
        _span(draft, "year", year, year, sheet.mode(m.start()))
    if sheet.take(_NEWEST):
        draft.hard.setdefault("sort", "year")
    for m in sheet.take(_RECENT):
        if "year_from" not in draft.hard and sheet.mode(m.start()) != "not":
            draft.bound("year_from", today.year - RECENT_YEARS, sheet.mode(m.start()))
            draft.assume("year_from", today.year - RECENT_YEARS)


def _read_years(
    sheet: Sheet, draft: Draft, source: re.Pattern[str], low: int | None, high: int | None, field: str
) -> None:
    for m in sheet.take(source):
        years = [int(number) for said in m.groupdict().values() if said and (number := _year(said)) is not None]
        if not years:
            continue
        _span(
            draft,
            field,
            min(years) + low if low is not None else None,
            max(years) + high if high is not None else None,
            sheet.mode(m.start()),
        )


def _year(said: str) -> float | None:
    return value(said.replace("两千零", "两千").replace("两千〇", "两千"))


def _span(draft: Draft, field: str, low: int | None, high: int | None, mode: Mode) -> None:
    """Add bounds. A period that is not wanted leaves what lies after it."""
    if mode == "not":
        low, high, mode = (high + 1 if high is not None else None), (low - 1 if low is not None else None), "ask"
        if low is not None:
            high = None
    if low is not None:
        draft.bound(f"{field}_from", low, mode)
    if high is not None:
        draft.bound(f"{field}_to", high, mode)


def _read_last_years(sheet: Sheet, draft: Draft, today: date) -> None:
    for m in sheet.take(_LAST_YEARS):
        said = m["a"] or m["b"]
        number = {"几": RECENT_YEARS, "few": RECENT_YEARS, "couple of": 2}.get(said) or value(said)
        if number is not None and number <= 500:
            _span(draft, "year", today.year - int(number), None, sheet.mode(m.start()))
            if said in ("几", "few"):
                draft.assume("year_from", today.year - RECENT_YEARS)


def _read_decades(sheet: Sheet, draft: Draft, today: date) -> None:
    for m in sheet.take(_DECADE):
        if m["c"]:
            start = int(m["c"])
        elif m["d"]:
            word = m["d"].strip("'s")
            start = 1900 + (int(word) if word.isdigit() else 10 * (_DECADES.index(m["d"]) + 2))
        else:
            decade = value(m["a"])
            if decade is None:
                continue
            start = _century_start(m["century"], int(decade), today) + int(decade)
        _span(draft, "first_year" if start < OLD_DECADE else "year", start, start + 9, sheet.mode(m.start()))


def _century_start(said: str | None, decade: int, today: date) -> int:
    number = value(said.removesuffix("世纪").removesuffix("世紀")) if said and said[0] != "上" else None
    if number:
        return int(number - 1) * 100
    if said:
        return 1900
    return 2000 if 2000 + decade <= today.year and decade <= 20 else 1900


def _read_centuries(sheet: Sheet, draft: Draft) -> None:
    for m in sheet.take(_CENTURY):
        if m["c"]:
            number: float | None = 21
        elif m["d"]:
            number = 20
        else:
            number = _CENTURIES.get(m["e"]) if m["e"] else value(m["a"] or m["b"])
        if number is None:
            continue
        start = int(number - 1) * 100
        field, mode = "year" if number == 21 else "first_year", sheet.mode(m.start())
        _span(draft, field, start + 1, None if number == 21 else start + 100, mode)
