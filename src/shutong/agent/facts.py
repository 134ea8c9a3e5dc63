"""The facts that stand beside a title: year, rating, pages, author; and whether a book's record agrees with them.

Only what is plainly stated counts. A condition ("2019 年之后", "under 300 pages", "your 8.0") is no fact about a book.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from shutong.regex import later
from shutong.text import fold, key

FactKind = Literal["year", "rating", "pages", "author"]


@dataclass(frozen=True, slots=True)
class BookRef:
    """What the grounding must know of a book. `other_titles`: original title, series, works it contains."""

    book_id: int
    title: str
    subtitle: str | None = None
    other_titles: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    year: int | None = None
    first_year: int | None = None
    pages: int | None = None
    rating: float | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """A stated fact: `value` is the figure or the name as it was written. `bare`: a figure alone in a table cell or a list."""

    kind: FactKind
    value: str
    bare: bool = False


_YEAR = r"(1[0-9]{3}|20[0-9]{2})"
_NOT_LIMIT = r"(?!\d|\.\d|\s*年?\s*(?:之后|以后|以来|之前|以前|后|前|至|到|起|[-–~]\s*\d))"
_RATING = r"(\d{1,2}(?:\.\d{1,2})?)(?![\d.]*\d)"
_NOT_LEAST = r"(?!\s*分?\s*(?:以上|以下|及以上|或以上|左右|上下|\+|or (?:above|higher|more|better)|and above|的(?:要求|标准|门槛|条件)))"
_COMPARED = later(
    r"(?:[你您线]|要的|要求|条件|标准|门槛|低于|高于|超过|不到|至少|满分|接近|your|under|below|above|over|than|least|minimum|asked|wanted|near)"
    r"[^,，。;；]{0,10}\Z",
    re.IGNORECASE,
)
_ROUGH_BEFORE = later(
    r"(?:前|第|每天|每日|不到|不超过|约|近|超过|少于|多于|至少|读|翻|十|your|under|over|about|around|first|than|page|to|least|most|nearly|almost|approximately|[-–~])\s*\Z",
    re.IGNORECASE,
)
_ROUGH_AFTER = r"(?!\s*(?:左右|以内|以上|以下|多|之内|上下|内|or (?:less|fewer|more)|a (?:day|night|week)|的要求|per ))"

_YEARS = [
    later(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:出版于|首版于|初版于|发表于|问世于|写于|published in|came out in|released in|appeared in|出版(?:年份?|时间|日期)?(?:为|是|\s*[:：])|年份\s*[:：]|\byear\s*[:：]|\bpublished\s*[:：])\s*\**\s*"
        + _YEAR
        + _NOT_LIMIT,
        _YEAR + r"\s*年(?:首次|第一次|\s*\d{1,2}\s*月)?(?:出版|问世|面世|首版|初版|发行|发表)(?!.{0,3}(?:之后|以后))",
        _YEAR + r"\s*年的(?:书|作品|小说|新书|著作|版本)",
        r"\ban? " + _YEAR + r" (?:novel|book|classic|edition|title|work)",
    )
]
_RATINGS = [
    later(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:[★⭐]️?|评分(?:为|是|有|达到|达|高达)?|豆瓣|得分|rated|rating(?: is| of)?|scores?(?: of)?|scored)\s*[:：]?\s*\**\s*[★⭐]?\s*"
        + _RATING
        + _NOT_LEAST,
        r"(?<![\d.])(\d\.\d{1,2})\s*(?:分|[★⭐]|stars?\b|out of 10)" + _NOT_LEAST,
        r"(?<![\d.])" + _RATING + r"\s*/\s*10\b",
        r"(?:\bis|是|有)\s*(\d\.\d)(?=\s*(?:[,，。;；)）]|\.\s|\.?\Z))",
    )
]
_PAGES = [
    later(r"(?<![\d.])(\d{2,5})\s*(?:页|pages?\b|-page\b)" + _ROUGH_AFTER, re.IGNORECASE),
    later(r"(?:页数|\bpages)\s*[:：]\s*\**\s*(\d{1,5})", re.IGNORECASE),
]

_PARTS = later(r"[()（）,，;；|、。\n·•—–]+|\s[-/]\s|(?<!\d)/|/(?!\d)")
_YEAR_PART = later(_YEAR + r"\s*年?\s*(?:版|出版|首版|初版|首次出版|edition)?")
_RATING_PART = later(r"(\d\.\d)")

_LATIN_NAME = r"(?:[A-Z][\w.'’-]*)(?: (?:[A-Z][\w.'’-]*|de|van|von|der|den|le|la|da|del|di|du|bin|al|y|and|&))*"
_BYLINES = [
    later(r"\A[\W_]{0,5}by (" + _LATIN_NAME + ")"),
    later(r"\b(?:written|authored|penned|novel|book|classic|memoir|collection) by (" + _LATIN_NAME + ")"),
    later(r"(?:作者|著者|\b[Aa]uthors?)\**\s*[:：]\s*\**\s*([^,，;；。|()（）\n*]{2,40})"),
    later(
        r"([^\s,，;；。|()（）、—]{2,20}?)\s*(?<![名巨原译专论显土遗])(?:著|所著|编著|主编)(?=[,，;；。|)）\s的]|\Z)"
    ),
]
_NAMED = later(r"(?:作者(?:是|为)?|由)\s*([^\s,，;；。|()（）、]{2,20})(?=[,，;；。)）]|\Z)")
_POSSESSIVE = later(
    rf"(?:(?:\A|[\s,，。;；:：、])([\u4e00-\u9fff·]{{2,16}})(?:的|所著的|写的)|({_LATIN_NAME})['’]s)[\s*_“\"「]*\Z"
)
_SURNAMES = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁沈任姚卢傅钟姜崔谭廖范汪陆"
    "石戴贾韦夏邱侯邹熊孟秦白阎薛雷龙段郝孔邵史毛顾赖武康贺钱施洪龚莫巴冰阿矛茅梁劉陳楊黃趙吳孫馬鄭謝許韓馮鄧蕭蔣餘葉蘇呂盧鐘譚範陸"
)
_LONG_SURNAMES = frozenset(
    "东野 村上 川端 三岛 夏目 太宰 大江 芥川 宫部 伊坂 松本 山崎 渡边 吉本 小川 谷崎 横沟 绫辻 京极 凑佳 司马 欧阳 诸葛 上官 司徒 皇甫 慕容 令狐".split()
)
_TRANSCRIBING = frozenset(
    "阿埃艾安奥巴贝本比彼毕博布查茨达戴丹德迪丁杜多恩尔菲费弗夫福盖格古哈海赫黑亨胡霍基吉加杰捷金卡凯康考科克肯库拉莱兰劳勒雷黎里理利列林卢鲁路伦罗洛马玛迈麦曼梅门蒙米密莫姆穆纳娜内尼涅努诺欧帕佩皮普契乔切琼丘荣瑞若萨塞桑莎圣史舒斯苏索塔泰坦特廷图托陀瓦威韦维温沃乌西希夏谢辛休雅亚扬耶伊易因尤约扎詹兹佐姬丝尚蒂茜妮珍"
)
_NOT_PERSONS = frozenset(
    "石头 白话 史诗 史学 武侠 程序 任何 何等 陈旧 周密 白皮 夏天 马上 许多 林业 雷同 康复 施工 段落 孔子 毛笔".split()
)
_NOT_NAMES = later(
    r"\b(?:edition|revised|paperback|hardcover|press|books?|series|vintage|classics?|penguin|volume|english|chinese|fiction|novel|science|history|the|part|book|rating|pages)\b",
    re.IGNORECASE,
)
_CJK = later(r"[\u3040-\u30ff\u4e00-\u9fff]")
_NAME_PIECES = later(r"[·•.,，、&\s]+|\band\b")


def facts_beside(before: str, after: str) -> tuple[Fact, ...]:
    """The facts stated of a title, from the text before it and after it (each up to the next title or the unit's end)."""
    found = [*_figures(after), *_authors(before, after)]
    if year := re.search(_YEAR + r"\s*年(?:出版|首版|初版|发表)?的[\s*_“\"「]*\Z", before):
        found.append(Fact("year", year[1]))
    return tuple(dict.fromkeys(found))


def agrees(fact: Fact, book: BookRef) -> bool:
    """Whether the record says the same. What the record does not know cannot be stated."""
    if fact.kind == "author":
        return _same_person(fact.value, book.authors)
    if fact.kind == "rating":
        return book.rating is not None and abs(float(fact.value) - book.rating) <= 0.05 + 1e-9
    figure = int(fact.value)
    if fact.kind == "year":
        return figure in (book.year, book.first_year) or (fact.bare and figure == book.pages)
    return figure == book.pages


def recorded(kind: FactKind, book: BookRef) -> str | None:
    """What the record has for a kind of fact, in plain text; None when it has nothing."""
    if kind == "author":
        return ", ".join(book.authors) or None
    if kind == "year" and book.first_year not in (None, book.year):
        return " / ".join(str(year) for year in (book.year, book.first_year) if year is not None)
    value = {"year": book.year, "rating": book.rating, "pages": book.pages}[kind]
    return None if value is None else str(value)


def looks_like_a_person(text: str) -> bool:
    """Whether a short text by itself is plainly a person's name (two or more Latin names, 弗兰克·赫伯特, 刘慈欣)."""
    text = text.strip(" *_[]")
    if _CJK.search(text):
        if "·" in text or "•" in text:
            return bool(re.fullmatch(r"(?:\W[美英法日德俄]\W\s*)?[\u4e00-\u9fffA-Z.·•]{3,24}", text))
        if text[:2] in _LONG_SURNAMES or (len(text) > 2 and _TRANSCRIBING.issuperset(text)):
            return len(text) <= 6
        return (
            2 <= len(text) <= 3
            and text[0] in _SURNAMES
            and text not in _NOT_PERSONS
            and bool(re.fullmatch(r"[\u4e00-\u9fff]+", text))
        )
    return " " in text and bool(re.fullmatch(_LATIN_NAME, text)) and not _NOT_NAMES.search(text)


def _figures(text: str) -> Iterator[Fact]:
    for pattern in _YEARS:
        yield from (Fact("year", match[1]) for match in pattern.finditer(text))
    for pattern in _RATINGS:
        for match in pattern.finditer(text):
            if not _COMPARED.search(text[: match.start(1)]) and float(match[1]) <= 10:
                yield Fact("rating", match[1])
    for pattern in _PAGES:
        for match in pattern.finditer(text):
            if not _ROUGH_BEFORE.search(text[: match.start(1)]):
                yield Fact("pages", match[1])
    for part in _parts(text):
        if year := _YEAR_PART.fullmatch(part):
            yield Fact("year", year[1], bare=part == year[1])
        elif rating := _RATING_PART.fullmatch(part):
            yield Fact("rating", rating[1])


def _authors(before: str, after: str) -> Iterator[Fact]:
    for pattern in _BYLINES:
        yield from (Fact("author", match[1]) for match in pattern.finditer(after))
    for match in _NAMED.finditer(after):
        if looks_like_a_person(match[1]):
            yield Fact("author", match[1])
    if (owner := _POSSESSIVE.search(before)) and looks_like_a_person(owner[1] or owner[2]):
        yield Fact("author", owner[1] or owner[2])
    first = re.match(
        r"[\s*_”\"』」’]*(?:[(（|/—–]+|-\s)\s*([^()（）,，;；|。\n—–/]{2,40}?)\s*(?=[()（）,，;；|—–/\n。]|\s-\s|\Z)",
        after,
    )
    if first and looks_like_a_person(first[1]):
        yield Fact("author", first[1].strip(" *_"))


def _parts(text: str) -> list[str]:
    return [part.strip(" *_\t") for part in _PARTS.split(text)]


def _same_person(stated: str, authors: Iterable[str]) -> bool:
    """Folded containment, or a shared piece of the names. Names in different scripts cannot be compared and count as the same."""
    names = [name for name in authors if bool(_CJK.search(name)) == bool(_CJK.search(stated))]
    if not names:
        return bool(tuple(authors))
    folded = key(stated)
    pieces = _name_pieces(stated)
    return any(key(name) in folded or folded in key(name) or pieces & _name_pieces(name) for name in names)


def _name_pieces(name: str) -> set[str]:
    pieces = (key(piece) for piece in _NAME_PIECES.split(fold(name)))
    return {piece for piece in pieces if len(piece) >= (2 if _CJK.search(piece) else 3)}
