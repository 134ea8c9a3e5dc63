"""Conditions that a message takes back (页数不限了, forget the page limit) or measures by the shown books (再便宜点, shorter)."""

from __future__ import annotations

import re
from collections.abc import Callable

from shutong.nlu.dialogue import ShownBook
from shutong.nlu.draft import Draft
from shutong.nlu.quantities import NOT_LONG_PAGES
from shutong.nlu.sheet import Sheet, pattern

_RELATIVE: tuple[tuple[re.Pattern[str], str, Callable[[ShownBook], float | None], float], ...] = (
    (
        pattern(
            r"(?:再|更|要|有没有|但|稍微)*(?:短|薄)(?:一?点|一?些|的)(?:儿)?(?:的)?(?!故事)|更[短薄](?:的)?|页数(?:再|更)少(?:一?点|一?些)?的?|\b(?:something |anything |ones? |but |a bit |a little )*shorter\b(?: ones?)?"
        ),
        "max_pages",
        lambda b: b.pages,
        -1,
    ),
    (
        pattern(
            r"(?:再|更|要|有没有|但|稍微)*(?:长|厚)(?:一?点|一?些)(?:儿)?的?|更[长厚](?:的)?|\b(?:a bit |a little |but )*(?:longer|thicker)\b(?: ones?)?"
        ),
        "min_pages",
        lambda b: b.pages,
        1,
    ),
    (
        pattern(
            r"(?:再|更|要|有没有|但|稍微)*(?:新|近)(?:一?点|一?些)(?:儿)?的?|更[新近](?:的)?|(?:出版时间|年份)(?:再|更)?(?:晚|近|新)(?:一?点|一?些)?的?|\b(?:a bit |a little |but )*(?:newer|more recent)\b(?: ones?)?"
        ),
        "year_from",
        lambda b: b.year,
        1,
    ),
    (
        pattern(
            r"(?:再|更|要|有没有|但|稍微)*(?:老|早|旧)(?:一?点|一?些)(?:儿)?的?|更[老早旧](?:的)?|\b(?:a bit |a little |but )*(?:older|earlier)\b(?: ones?)?"
        ),
        "year_to",
        lambda b: b.year,
        -1,
    ),
    (
        pattern(
            r"(?:再|更|要|有没有|但|稍微)*便宜(?:一?点|一?些)?(?:儿)?的?|\b(?:a bit |a little |but )*(?:cheaper|less expensive)\b(?: ones?)?"
        ),
        "max_price",
        lambda b: b.price,
        -0.01,
    ),
    (
        pattern(
            r"(?:再|更|要|有没有|但)*(?:评分|分数|口碑)(?:再|更)?(?:高|好)(?:一?点|一?些)的?|\b(?:better|higher)[ -]rated\b(?: ones?)?"
        ),
        "min_rating",
        lambda b: b.rating,
        0.1,
    ),
)
_FIELDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"页数|厚度|长度|篇幅|厚薄|长短|pages?(?: (?:count|limit|number))?|length|size", ("max_pages", "min_pages")),
    (r"评分|分数|星级|ratings?|scores?|stars", ("min_rating", "min_rating_count")),
    (
        r"年份|年代|时间|出版时间|出版年份|出版日期|years?|dates?|publication (?:date|year)|age of the book",
        ("year_from", "year_to", "first_year_from", "first_year_to"),
    ),
    (r"价格|价钱|预算|价位|price|cost|budget", ("max_price",)),
    (r"国家|国别|国籍|地区|哪国|作者国[别籍家]|(?:author's )?(?:country|nationality|countries)", ("author_country",)),
    (r"作者|作家|authors?", ("author",)),
    (r"语言|语种|language", ("language",)),
    (r"出版社|publisher", ("publisher",)),
    (r"译者|translator", ("translator",)),
    (r"难度|水平|级别|level|difficulty", ("level",)),
    (r"类别|类型|题材|体裁|分类|category|genre", ("category",)),
    (r"标签|tags?", ("tags",)),
    (r"主题|关键词|topic|subject|keyword", ("keyword",)),
    (r"系列|series", ("series", "series_complete")),
    (r"奖项|获奖|award|prize", ("award",)),
    (r"年龄|读者|受众|audience|age", ("audience",)),
)
_UNLIMITED = r"(?:的)?(?:条件|要求|限制|范围)?(?:也|都|就)?(?:不限制?|不用管|不管|不要限制|无所谓|随意|随便|不要求|不做要求|不设限|去掉|取消|不用限制|放开|不重要|不卡|都行|都可以|不论)(?:了|吧|啦)?"
_DROPS = [
    (
        fields,
        pattern(
            rf"(?:{words}){_UNLIMITED}|(?:不限制?|不管|不论|去掉|取消|不要|忽略|放开)(?:对)?(?:{words})(?:的)?(?:条件|限制|要求|范围|限定)?(?:了|吧)?(?=[,。;!?]|$)"
            rf"|\b(?:forget|drop|ignore|remove|lift|scrap|never mind|skip|lose|relax|without)(?: about)?(?: the| any)? (?:{words})(?: (?:limit|condition|restriction|requirement|filter|cap|bit|minimum|range))?s?\b"
            rf"|\bany (?:{words})(?: (?:is fine|will do|is ok(?:ay)?|works))?\b(?! (?:by|about|on|from|who|that))|\b(?:the )?(?:{words})(?: limit)? (?:doesn't|does not|don't|isn't) (?:matter|important)\b|\bno (?:{words}) (?:limit|restriction|requirement|filter)s?\b"
        ),
    )
    for words, fields in _FIELDS
]
_DROP_HINT = pattern(
    r"限|不[用管论卡]|无所谓|随[意便]|不重要|不[要做]|去掉|取消|忽略|放开|都[行可]|\b(?:forget|drop|ignore|remove|lift|scrap|mind|skip|lose|relax|without|any|matter|important|no)\b"
)


def read_drops(sheet: Sheet, draft: Draft) -> None:
    """Claim and note the conditions that are taken back (页数不限了, forget the page limit)."""
    if not _DROP_HINT.search(sheet.rest):
        return
    for fields, source in _DROPS:
        if sheet.take(source):
            draft.dropped.update(fields)


def read_relative(sheet: Sheet, draft: Draft, books: tuple[ShownBook, ...]) -> bool:
    """Claim comparisons with the shown books: shorter than the shortest, newer than the newest. True when there was one.

    Near misses count only where nothing else was shown.
    """
    said = False
    books = tuple(book for book in books if not book.near) or books
    for source, field, figure, step in _RELATIVE:
        known = [amount for book in books if (amount := figure(book)) is not None]
        if not known or not sheet.take(source):
            continue
        said = True
        limit = (min(known) if step < 0 or field == "min_rating" else max(known)) + step
        draft.hard.setdefault(field, round(limit, 2) if field in ("max_price", "min_rating") else int(limit))
    return said


def read_unbound_comparison(sheet: Sheet, draft: Draft) -> None:
    """Shorter than a book whose length is not known: a book that is not long."""
    if "like" in draft.hard and "max_pages" not in draft.hard and sheet.take(_RELATIVE[0][0]):
        draft.bound("max_pages", NOT_LONG_PAGES)
        draft.assume("max_pages", NOT_LONG_PAGES)
