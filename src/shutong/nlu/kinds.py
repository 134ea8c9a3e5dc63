"""Conditions that are said by set words: order, level, audience, reading state."""

from __future__ import annotations

import re

from shutong.nlu.draft import Draft
from shutong.nlu.numbers import NUMBER, value
from shutong.nlu.sheet import Sheet, letters, pattern

_SORTS = (
    (
        "rating",
        pattern(
            r"(?:豆瓣)?口碑(?:最|很|特别|比较)?(?:好|佳|高)的?|(?:豆瓣)?评[分价](?:最|很|特别|比较)?(?:高|好)(?:一点)?的?|高分的?|好评(?:多|最多|如潮)?的?|按评分(?:排序?|高低)?|最好的|最佳"
            r"|\b(?:best[ -]rated|highest[ -]rated|top[ -]rated|highly[ -]rated|best[ -]reviewed|well[ -]reviewed|by rating|sort(?:ed)? by rating|well regarded|the best|best)\b"
        ),
    ),
    (
        "hot",
        pattern(
            r"热门的?|最火的?|很火的?|当红的?|大热的?|人气(?:最|很)?高?的?|流行的?(?!病|音乐|文化)|最受欢迎的?|受欢迎的?|热度(?:最)?高的?|读的人(?:最)?多的?|看的人(?:最)?多的?"
            r"|\b(?:most popular|popular(?! (?:science|culture|music|history|mathematics|maths|physics))|hottest|trending|most[ -]read|everyone is reading)\b"
        ),
    ),
)
_SEQUENCE_ASC = pattern(
    r"最早的(?:一本)?(?:是)?哪(?:年|本)?(?:出的?)?|从早到晚|\b(?:oldest first|in order of publication)\b"
)
_BEGINNER = pattern(
    r"零基础(?:入门)?(?:的|也能看懂的?)?|没(?:有)?(?:任何|什么)?基础的?|从零开始(?:学)?|入门(?:级|书籍?|读物|教程)?的?|新手(?!父母|爸|妈)(?:向|级)?的?|初学(?:者)?的?|小白(?!兔|鼠)(?:也能看懂)?的?|启蒙(?!运动|时代|思想)(?:书|读物)?"
    r"|基本概念|基础(?:的|概念|知识)?(?=[,。;!?的]|$|入门|概念|知识)|初级的?|浅显(?:易懂)?的?|通俗(?:易懂)?(?:一点|点)?的?(?!文学|小说|读物|歌)|好懂的?|容易(?:懂|读)的?|易懂的?|讲(?:得|的)?清楚的?|外行(?:也能看懂)?的?|非专业(?:人士|读者)?"
    r"|(?:从来?|完全|什么|一点)?(?:都)?没(?:有)?(?:学|接触|碰)过的?"
    r"|\b(?:(?:for )?(?:some(?:one|body)|people|those|any(?:one|body)) )?(?:(?:who|that)(?:'s|'ve)? )?(?:i(?:'ve)? )?(?:ha(?:s|ve|d) )?never (?:been|had|done|read|written|used|learnt|\w{2,20}ed)\b(?: (?:any|before|it|a|an)\b)*"
    r"|\b(?:for )?(?:absolute |complete |total )?(?:beginners?|newbies|novices?|dummies)(?:'s?)?(?: (?:level|friendly))?\b|\bbeginner[ -]friendly\b|\bintroduct(?:ions?|ory)(?: (?:to|books?))?\b|\bno (?:prior |previous )?(?:experience|background|knowledge)(?: (?:needed|required))?\b"
    r"|\bfrom scratch\b|\b(?:new|newcomers?) to(?= )|\b(?:for )?(?:a )?(?:lay|general) (?:readers?|audience|person)\b|\bgetting started\b|\bprimers?\b|\baccessible\b|\bintro(?: to)?\b|\bbasics?\b(?: of)?|\bfirst (?:book|steps?) (?:on|in|about)\b"
)
_NOT_TOO_HARD = pattern(
    r"(?:不要|别|不用|不)太?(?:难|专业|深|深奥|学术|艰深|晦涩|复杂|高深)的?(?![过情受])|简单(?:一?点|易懂|易学|易做)的?"
    r"|\b(?:not|nothing|isn't) too (?:hard|difficult|technical|advanced|dense|academic|complicated)\b"
)
"""A wish rather than a condition: few catalogues record a level, and what is not too hard need not be for beginners."""

_INTERMEDIATE = pattern(r"中级的?|有(?:一定|一点|些)基础的?|\bintermediate(?: level)?\b")
_ADVANCED = pattern(
    r"进阶的?|高级的?(?!感|定制)|深入(?:一点|讲解)?的?|高阶的?|专业(?:一点|级)的?|学术(?:一点|性)?的?(?!界|出版)|硬核(?!科幻)的?|精通|研究生(?:水平|级别?)?的?|\b(?:advanced(?: level)?|in[ -]depth|expert[ -]level|graduate[ -]level|for experts|rigorous)\b"
)
_GRADE = pattern(
    r"(?P<a>小学)?(?P<n>[一二三四五六七八九])年级(?:[上下]册)?(?:配套|的|学生|孩子|同步)*|(?P<b>初[一二三中]|中考)(?:的|学生)*生?|(?P<c>高[一二三中考](?![山度级手兴人]))(?:的|学生)*生?|(?P<d>小学)(?:低年级|高年级|中年级)?生?的?|(?P<e>中学)生?的?"
)
_AGE = pattern(
    rf"(?P<a>{NUMBER})(?:\s*(?:-|到|至|~)\s*(?P<b>{NUMBER}))?[\s-]*(?:周?岁|years? old|year[ -]olds?|yr olds?|yo\b)(?:\s*(?:以上|左右|的))*(?:孩子|小孩|宝宝|女儿|儿子|小朋友|女孩|男孩|娃|看的?|读的?)*"
    rf"|\bage[sd]?(?: of)? (?P<c>{NUMBER})(?:\s*(?:-|to|and|–)\s*(?P<d>{NUMBER}))?\b|\b(?:turning|turns|who is|who's|he's|she's|is) (?P<e>{NUMBER})(?=[.,;!?\s]*(?:$|[.,;!?]| (?:and|who|next|this|soon)))"
)
_CHILD_CONTEXT = pattern(
    r"(?:给|送给?|适合|为|陪|让|买给|带|教|跟|和)(?:我|我家|家里)?(?:的)?(?P<a>孩子们?|小孩子?|小朋友们?|儿童|娃|宝宝|宝贝|女儿|儿子|小侄[子女]|外甥女?|孙[子女]|少儿|幼儿|青少年|学龄前儿童)(?:们)?(?:睡前|一起|自己|阅读|看|读|听|的)*"
    r"|(?P<b>儿童|少儿|幼儿|青少年|童书|婴幼儿|学龄前|低幼)(?:读物|图书|文学|书籍?|类)?"
    r"|\b(?:for|suits?|suitable for|read to|with|to)\s+(?:(?:my|our|a|an|the|his|her|small|young|little|older|two|three|some|\d) )*(?P<c>kids?|child(?:ren)?|toddlers?|bab(?:y|ies)|preschoolers?|teen(?:s|agers?)?|young adults?|son|daughter|nephew|niece|grandson|granddaughter|grandchild(?:ren)?|boy|girl|little ones?|middle[ -]graders?|young readers?)\b"
    r"|\b(?P<d>children's|childrens|kids'?|kid's|young adult|ya|teen(?:age)?|middle[ -]grade|juvenile)\b(?=\s+(?:\w+ )?(?:books?|fiction|novels?|literature|stor|picture|fantasy|romance|non|$))"
)
_READ_STATE = (
    (
        "want_to_read",
        pattern(
            r"(?:放进|加入|加到|放到|添加到)?(?:我的?)?(?:想读|想看)(?:书单|书架|列表|清单)|(?:放进|加入|加到|放到|标记为?)(?:我的?)?(?:想读|想看)|\b(?:my )?(?:(?:want-)?to-read|tbr|wish ?list)(?: (?:list|shelf|pile))?\b|\b(?:want )?to read (?:list|shelf|pile)\b"
        ),
    ),
    (
        "read",
        pattern(
            r"我(?:已经)?(?:读过|看过)的(?:书)?(?=里|中|有哪些|$)|已读(?:书单|书架|列表)?|\b(?:books )?i(?:'ve| have) (?:already )?read so far\b|\bmy read shelf\b"
        ),
    ),
    ("reading", pattern(r"(?:我)?(?:正在读|在读|在看)的(?:书)?|\bcurrently[ -]reading\b")),
)


def read_kinds(sheet: Sheet, draft: Draft) -> None:
    """Claim and note order, level, audience and shelf."""
    for name, source in _SORTS:
        for m in sheet.take(source):
            if sheet.mode(m.start()) != "not":
                draft.hard.setdefault("sort", name)
    for m in sheet.take(_SEQUENCE_ASC):
        if m[0].isascii():
            draft.hard.setdefault("sort", "oldest")
    not_too_hard = bool(sheet.take(_NOT_TOO_HARD))
    for level, source in (("beginner", _BEGINNER), ("intermediate", _INTERMEDIATE), ("advanced", _ADVANCED)):
        for m in sheet.take(source):
            if sheet.mode(m.start()) != "not":
                draft.add("level", level, sheet.mode(m.start()))
    if not_too_hard and "level" not in draft.hard:
        draft.add("level", "beginner", "prefer")
    for state, source in _READ_STATE:
        if sheet.take(source):
            draft.hard.setdefault("reading_state", state)
    _read_audience(sheet, draft)


def _read_audience(sheet: Sheet, draft: Draft) -> None:
    for m in sheet.find(_AGE):
        said = [number for text in m.groupdict().values() if text and (number := value(text)) is not None]
        if said and max(said) > 19 and m["e"]:  # he's 70: a grown-up's age is no condition on a book
            sheet.claim(m.start(), m.end())
        if not said or max(said) > 19:
            continue
        sheet.claim(m.start(), m.end())
        draft.add("audience", _age_group(said, sheet.view.isascii()), sheet.mode(m.start()))
    for m in sheet.take(_GRADE):
        draft.add("audience", _grade_group(m), sheet.mode(m.start()))
    for m in sheet.take(_CHILD_CONTEXT):
        draft.add("audience", _child_group(m), sheet.mode(m.start()))


def _age_group(ages: list[float], english: bool) -> str:
    age = sum(ages) / len(ages)
    for limit, chinese, name in (
        (3, "婴幼儿", "toddlers"),
        (6, "幼儿", "preschool"),
        (9, "小学", "children 6-8"),
        (13, "小学", "children 9-12"),
    ):
        if age < limit:
            return name if english else chinese
    if english:
        return "teen"
    return "初中" if age < 15 else "高中"


def _grade_group(match: re.Match[str]) -> str:
    if match["n"]:
        return "初中" if match["n"] in "七八九" and not match["a"] else "小学"
    return "初中" if match["b"] or match["e"] else "高中" if match["c"] else "小学"


def _child_group(match: re.Match[str]) -> str:
    said = next(text for text in match.groupdict().values() if text)
    if said.isascii():
        for group, start in (
            ("teen", ("teen", "young adult", "ya")),
            ("toddlers", ("toddler", "bab")),
            ("preschool", ("preschool",)),
        ):
            if said.startswith(start):
                return group
        return "children"
    for group, words in (("青少年", ("青少年",)), ("幼儿", ("幼儿", "婴幼儿", "学龄前", "低幼", "宝宝", "学龄前儿童"))):
        if said in map(_fold, words):
            return group
    return "儿童"


def _fold(word: str) -> str:
    return letters(word)
