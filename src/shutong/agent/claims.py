"""Finding the places of a unit where a title is claimed.

Marked as a title (《》, 〈〉, [[n]]) a text always is a claim. In quotes, bold or italics it is one only when it heads a list item, stands
beside a by-line, a year or an ISBN, or equals a title of the catalogue. Without marks it is one where its place says
so: "Title by Name", the head of an item before a by-line, the first cell of a table row with a year or a rating.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from shutong.agent.facts import Fact, facts_beside, looks_like_a_person
from shutong.regex import later

IsTitle = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Claim:
    """A claimed title: `unit[start:end]` is the title as written, without its marks; `after` is past its closing marks.

    `number` and `cite` are the [[n]] that belongs to it and its place. `loose`: the title is not marked off, so that its
    borders are a guess (start == end: there is a [[n]] and no title at all).
    """

    start: int
    end: int
    after: int
    title: str
    number: int | None = None
    cite: tuple[int, int] | None = None
    loose: bool = False
    facts: tuple[Fact, ...] = ()


_TITLE_MARKS = later(r"《([^》\n]+)(?:》|\Z|(?=\n))|〈([^〉\n]+)(?:〉|\Z|(?=\n))|\[\[\s*([^\]\d\s][^\]\n]*?)\s*\]\]")
_WEAK_MARKS = [
    later(pattern)
    for pattern in (
        r"\*\*(?!\s)([^*\n]+?)\*\*",
        r"__(?!\s)([^_\n]+?)__",
        r"“([^”\n]+)”",
        r'"([^"\n]+)"',
        r"「([^」\n]+)」",
        r"『([^』\n]+)』",
        r"(?<!\w)‘([^‘\n]+?)’(?!\w)",
        r"(?<![\w*])\*(?![\s*])([^*\n]+?)(?<!\s)\*(?![\w*])",
        r"(?<!\w)_(?!\s)([^_\n]+?)_(?!\w)",
    )
]
_NUMBER = later(r"\[\[\s*(\d{1,6})\s*\]\]")
_SINGLE = later(r"[*_”\"』」’]{0,3} ?\[(\d{1,4})\](?![(\]])")
_CLOSING = r"[\s*_”\"』」’》〉]*"
_GAP = later(_CLOSING + r"(?:[(（][^()（）\n]*[)）]\s*|(?:,? by|\s?[—–-]|/)\s?[^,，。;；.\n]{1,40})?\Z")

_BULLET = r"\s*(?:[-*+•·]\s+|#{1,6}\s+|\d{1,3}\s*[.、)）]\s*|[（(][\d一二三四五六七八九十]{1,3}[)）]\s*|[①-⑳]\s*|[一二三四五六七八九十]{1,3}、\s*|第[一二三四五六七八九十\d]{1,3}本\s*[:：]\s*)"
_LABEL_BEFORE = r"(?:(?:书名|標題|标题|题名|[Tt]itle|[Bb]ook)[\s*_]*[:：][\s*_]*)?"
_HEAD = later(rf"(?:{_BULLET})+{_LABEL_BEFORE}[*_“\"「『‘\s]*\Z|\s*[*_]*{_LABEL_BEFORE}(?<=[:：*_\s])[*_“\"「『‘]*\Z")
_ITEM = later(rf"(?:{_BULLET})+")
_INNER_BULLET = later(r"\s*\d{1,3}\s*[.、)）]\s*")
_LABELLED = later(r"(?:书名|標題|标题|题名|\b[Tt]itle|\b[Bb]ook)[*_]*\s*[:：]\s*([^,，;；。|()（）\n—*_《“\"「]{1,60})")

_BESIDE_YEAR = r"(?:1[0-9]{3}|20[0-9]{2})(?!\d|\s*年?\s*(?:之后|以后|以来|之前|以前|后|前|至|到|起|代|[-–~]))"
_BESIDE = later(
    rf"{_CLOSING}(?:[,，]?\s*by\s+[A-Z]|[(（,，—–\-/|]*\s*(?:{_BESIDE_YEAR}|ISBN|作者\s*[:：]|[Aa]uthor\s*:)"
    rf"|[(（][^()（）\n]{{1,40}}[,，]\s*{_BESIDE_YEAR}"
    r"|[(（,，—–\-/|]*\s*[^\s,，;；。|()（）]{2,16}\s*(?:著|所著|编著|主编)(?!名))"
)
_PERSON_NEXT = later(
    rf"{_CLOSING}(?:[(（|/—–]+|-\s)\s*([^()（）,，;；|。\n—–/]{{2,40}}?)\s*(?=[()（）,，;；|—–/\n。:：]|\s-\s|\Z)"
)

_BESIDE_AN_ITEM = later(
    rf"{_CLOSING}(?:[(（][^()（）\n]{{1,40}}[,，]\s*{_BESIDE_YEAR}\s*年?\s*[)）,，]"
    r"|[(（—–\-/|]+\s*[^\s,，;；。|()（）]{2,20}\s*(?:著|所著|编著|主编)(?!名))"
)
_BOOK_BEFORE = later(
    r"(?:小说|图书|专著|著作|书名是|书名为|书叫|名为|题为|推荐(?:您|你)?(?:读|看)?|\btitled|\b(?:novel|book)(?: called| named)?|\b[Rr]ecommend|\b[Tt]ry|\b[Rr]ead)\s*[*_“\"「『‘]*\Z"
)
_BOOK_AFTER = later(r"[*_”\"」』’]*\s*(?:一书|这本|这部|这套|该书|(?:the|is a|a) (?:book|novel)\b)")
_CHAPTER_AFTER = later(r"[*_”\"」』’]*\s*(?:一?[章节篇课]|部分|这个?词|的|类|级|chapter|section)")

_WORD = r"(?:[A-Z][\w'’.-]*|\d+)"
_SMALL = r"(?:of|the|and|a|an|in|on|to|for|with|from|at|by|or|is|&|as|into|without|de|la|le)"
_LATIN_HEAD = later(rf"{_WORD}(?:[:,?!]?[ ](?:{_WORD}|{_SMALL})){{0,14}}[?!]?(?=\s*[(（—–|]|\s-\s|\s*/)")
_ITEM_HEAD = later(
    r"[^\s《〈“\"「『*_(（|—–,，:：;；。\[\n][^《〈“\"「『*_(（|—–,，:：;；。\[\n]{0,80}?(?=\s*[(（—–|]|\s-\s|\s*/)"
)
_LATIN = later(rf"({_WORD}(?:[:,?!]?[ ](?:{_WORD}|{_SMALL})){{0,14}}?)[,?!]?[ ](?:—[ ]|\()?by[ ](?=([A-Z]\w*))")
_LATIN_TITLE = later(rf"{_WORD}(?:[:,?!]?[ ](?:{_WORD}|{_SMALL})){{0,14}}[?!]?")
_RUN_BEFORE = later(rf"({_WORD}(?:[:,]?[ ](?:{_WORD}|{_SMALL})){{0,14}})[\s*_]{{0,4}}\Z")
_NOT_TITLES = frozenset(
    "written published edited translated recommended illustrated followed inspired works books novels stories another both all also "
    "more one two three book novel anything something everything narrated reviewed loved created authored classics compiled".split()
)
_LABELS = frozenset(
    "作者 著者 译者 出版社 出版 出版年 出版年份 出版时间 年份 评分 豆瓣评分 页数 页码 价格 简介 内容简介 内容 推荐理由 理由 推荐 推荐语 适合 适合人群 适合读者 "
    "亮点 特点 特色 主题 难度 分类 类别 标签 题材 类型 注意 提示 说明 总结 小结 备注 语言 系列 国家 字数 优点 缺点 入门 进阶 高级 基础 零基础 初学者 首选 备选 其他 其它 结论 "
    "科幻 历史 推理 悬疑 小说 散文 诗歌 心理学 心理 经济 经济学 编程 哲学 传记 科普 童书 文学 奇幻 爱情 艺术 爬虫 "
    "author authors translator publisher published year rating ratings pages price summary why reason reasons about topic topics level genre genres "
    "category tags note notes language series best for length isbn beginner beginners intermediate advanced fiction fantasy history "
    "romance mystery biography science overview theme themes pros cons description plot".split()
)
_LABEL_SHAPE = later(
    r"(?:适合|推荐|为什么|如果|想要|why |best for|for |if you).*|.{0,4}(?:人群|首选|理由|亮点|阶段|读者)", re.IGNORECASE
)
_YEAR_OR_RATING_CELL = later(
    r"[*_\s]*(?:[★⭐]?\s*\d\.\d\s*分?|(?:1[0-9]{3}|20[0-9]{2})\s*年?|97[89][\d-]{10,14})[*_\s]*"
)


def find_claims(unit: str, is_title: IsTitle) -> list[Claim]:
    """All claims of a unit in the order of their places, none inside another. `is_title` asks the catalogue."""
    claims = list(_marked(unit))
    for find in (_latin_by, _cells, _labelled, _heads):
        claims += [claim for claim in find(unit) if _free(claim, claims)]
    claims += _weak(unit, claims, is_title)
    claims.sort(key=lambda claim: claim.start)
    return _with_facts(unit, _with_numbers(unit, claims))


def _free(claim: Claim, others: list[Claim]) -> bool:
    return all(claim.after <= other.start or other.after <= claim.start for other in others)


def _claim(unit: str, start: int, end: int, after: int, *, loose: bool = False) -> Claim:
    """A claim on `unit[start:end]`, less the blanks, marks and item number at its ends."""
    text = unit[start:end]
    start += len(text) - len(text.lstrip(' *_“"「『‘'))
    if bullet := _INNER_BULLET.match(unit, start, end):
        start = bullet.end() if bullet.end() < end else start
    end = start + len(unit[start:end].rstrip(' *_”"」』’:：,，'))
    return Claim(start, end, after, unit[start:end], loose=loose)


def _marked(unit: str) -> Iterator[Claim]:
    for match in _TITLE_MARKS.finditer(unit):
        group = match.lastindex or 1
        yield Claim(match.start(group), match.end(group), match.end(), match[group])


def _latin_by(unit: str) -> Iterator[Claim]:
    """Unmarked "Title by Name", both capitalised."""
    for match in _LATIN.finditer(unit):
        last = match[1].split()[-1]
        # "Step by Step" is no title and no name.
        if (
            last.lower() not in _NOT_TITLES
            and last != match[2]
            and not unit[match.start() - 1 : match.start()].isalnum()
        ):
            yield _claim(unit, match.start(1), match.end(1), match.end(1), loose=True)


def _cells(unit: str) -> Iterator[Claim]:
    """The first worded cell of a table row in which a year, a rating or an ISBN stands alone in a cell."""
    if not unit.lstrip().startswith("|"):
        return
    cells = [(match.start(), match.end()) for match in re.finditer(r"[^|\n]+", unit)]
    if not any(_YEAR_OR_RATING_CELL.fullmatch(unit[start:end]) for start, end in cells):
        return
    numbered = [cell for cell in cells if _NUMBER.search(unit, *cell) and _worded(unit, cell)]
    for start, end in numbered or [cell for cell in cells if re.search(r"[^\d.\s:*_-]", _worded(unit, cell))][:1]:
        if number := _NUMBER.search(unit, start, end):
            start, end = (start, number.start()) if unit[start : number.start()].strip(" *_") else (number.end(), end)
        if not is_label(unit[start:end]):
            yield _claim(unit, start, end, end, loose=True)


def _worded(unit: str, cell: tuple[int, int]) -> str:
    return _NUMBER.sub("", unit[slice(*cell)]).strip(" *_")


def _labelled(unit: str) -> Iterator[Claim]:
    """书名:… and Title: …, without marks."""
    for match in _LABELLED.finditer(unit):
        if match[1].strip() and "[[" not in match[1]:
            yield _claim(unit, match.start(1), match.end(1), match.end(1), loose=True)


def _heads(unit: str) -> Iterator[Claim]:
    """The unmarked head of a list item, when a by-line comes right after it."""
    item = _ITEM.match(unit)
    if item is None:
        return
    head = _ITEM_HEAD.match(unit, item.end()) or _LATIN_HEAD.match(unit, item.end())
    if head is None or is_label(head[0]):
        return
    person = _PERSON_NEXT.match(unit, head.end())
    by_line = (_BESIDE if head[0].isascii() else _BESIDE_AN_ITEM).match(unit, head.end())
    if by_line or (person and looks_like_a_person(person[1])):
        yield _claim(unit, head.start(), head.end(), head.end(), loose=True)


def _weak(unit: str, strong: list[Claim], is_title: IsTitle) -> list[Claim]:
    """Quotes, bold and italics that are claims by their place or because the catalogue has such a title."""
    found: list[Claim] = []
    for pattern in _WEAK_MARKS:
        for match in pattern.finditer(unit):
            claim = _claim(unit, match.start(1), match.end(1), match.end())
            whole = replace(claim, start=match.start())
            if claim.title and _free(whole, [*strong, *found]) and _is_claim(unit, claim, match, is_title):
                found.append(claim)
    return found


def _is_claim(unit: str, claim: Claim, match: re.Match[str], is_title: IsTitle) -> bool:
    labelling = match[1].rstrip().endswith((":", "：")) or re.match(r"[*_”\"」』]*\s*[:：]", unit[match.end() :])
    if is_label(claim.title) or (labelling and _LABEL_SHAPE.fullmatch(claim.title)):
        return False
    # What a number stands behind is meant as a title, whatever its marks.
    if _NUMBER.match(unit, match.end()) or _BESIDE.match(unit, match.end()):
        return True
    person = _PERSON_NEXT.match(unit, match.end())
    if (person and looks_like_a_person(person[1])) or _introduced(unit, claim, match):
        return True
    return bool(_HEAD.match(unit[: match.start()]) and _ITEM.match(unit.lstrip("*_ \n"))) or is_title(claim.title)


def _introduced(unit: str, claim: Claim, match: re.Match[str]) -> bool:
    """Whether the words around a quotation call it a book ("the novel “…”", “……”一书, 推荐“……”)."""
    if _BOOK_AFTER.match(unit, match.end()):
        return True
    if not _BOOK_BEFORE.search(unit[: match.start()]) or _CHAPTER_AFTER.match(unit, match.end()):
        return False
    return not claim.title.isascii() or bool(_LATIN_TITLE.fullmatch(claim.title))


def is_label(text: str) -> bool:
    """Whether a text names a field, a genre or a level and no book."""
    return text.strip(" *_:：").lower() in _LABELS


def _with_numbers(unit: str, claims: list[Claim]) -> list[Claim]:
    """Give each [[n]] to the title it stands behind; what stands behind none is a claim by itself."""
    claims = list(claims)
    alone: list[Claim] = []
    for match in _NUMBER.finditer(unit):
        at = next((i for i in reversed(range(len(claims))) if claims[i].after <= match.start()), None)
        if at is not None and claims[at].number is None and _bridges(unit[claims[at].after : match.start()]):
            claims[at] = replace(claims[at], number=int(match[1]), cite=match.span())
        elif (following := _next_claim(unit, match.end(), claims)) is not None:
            claims[following] = replace(claims[following], number=int(match[1]), cite=match.span())
        else:
            start, end = _guess(unit, match.start(), claims[at].after if at is not None else 0)
            alone.append(Claim(start, end, match.start(), unit[start:end], int(match[1]), match.span(), loose=True))
    for at, claim in enumerate(claims):
        if claim.number is None and not claim.loose and (single := _SINGLE.match(unit, claim.after)):
            claims[at] = replace(claim, number=int(single[1]), cite=(single.start(1) - 1, single.end(1) + 1))
    return sorted([*claims, *alone], key=lambda claim: (claim.start, claim.end))


def _bridges(gap: str) -> bool:
    """Whether a [[n]] after this text still belongs to the title before it: nothing, a bracket or a by-line lies between."""
    return bool(_GAP.match(gap)) or looks_like_a_person(gap)


def _next_claim(unit: str, at: int, claims: list[Claim]) -> int | None:
    """The claim that begins right at `at`, if no [[n]] stands behind it."""
    for index, claim in enumerate(claims):
        if claim.start >= at and re.fullmatch(r"[\s*_《〈“\"「『]*", unit[at : claim.start]):
            return None if claim.number is not None or _NUMBER.match(unit, claim.after) else index
    return None


def _guess(unit: str, at: int, floor: int) -> tuple[int, int]:
    """Where the unmarked title before a [[n]] may stand: a table cell, an item's head, or a run of capitalised words."""
    text = unit[:at].rstrip(" *_")
    if unit.lstrip().startswith("|"):
        start = max(floor, text.rfind("|") + 1)
        start += len(unit[start:at]) - len(unit[start:at].lstrip(" *_"))
        return min(start, len(text)), len(text)
    item = _ITEM.match(text)
    if item and floor <= item.end() and re.fullmatch(r"[^,，。;；:：()（）\n]{1,60}", text[item.end() :]):
        return item.end(), len(text)
    run = _RUN_BEFORE.search(text)
    return (run.start(1), run.end(1)) if run and run.start(1) >= floor else (at, at)


def _with_facts(unit: str, claims: list[Claim]) -> list[Claim]:
    """Read the facts beside each claim, in the text between its neighbours."""
    told: list[Claim] = []
    for at, claim in enumerate(claims):
        before = unit[claims[at - 1].after if at else 0 : claim.start].rstrip("《〈")
        rest = claim.cite[1] if claim.cite and claim.after <= claim.cite[0] else claim.after
        until = claims[at + 1].start if at + 1 < len(claims) else len(unit)
        after = (
            unit[claim.after : claim.cite[0]] + unit[rest:until]
            if claim.cite and rest > claim.after
            else unit[claim.after : until]
        )
        told.append(replace(claim, facts=facts_beside(before, after)))
    return told
