"""Cleaning people: "[美] 刘易斯 著" is the person 刘易斯, from the US, an author.

A cell may hold several people, each with a mark of nationality or dynasty, a role word and a Latin twin of the name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from shutong.catalog import countries
from shutong.catalog.importers.texts import BLANK, as_text, items, without_markup
from shutong.text import clean

MAX_PEOPLE = 20
NAME_CHARACTERS = 120
CELL_CHARACTERS = 2_000

_HAN = "\u3400-\u9fff"
_OPEN, _CLOSE = "[［【〔(（〖<＜", "]］】〕)）〗>＞"
_LEADING_MARK = re.compile(
    rf"^[{re.escape(_OPEN)}]\s*([^{re.escape(_OPEN + _CLOSE)}]{{1,20}}?)\s*[{re.escape(_CLOSE)}]\s*"
)
_TRAILING_MARK = re.compile(
    rf"\s*[{re.escape(_OPEN)}]\s*([^{re.escape(_OPEN + _CLOSE)}]{{0,60}}?)\s*[{re.escape(_CLOSE)}]?$"
)

# Role words: after a blank or a bracket any of these letters make one; glued to a name only those no name ends in.
_ROLE_LETTERS = "笺箋训訓著编編译譯绘繪图圖文撰注註选選校订訂评評辑輯述摄攝画畫作写寫"
_ROLE_WORD = re.compile(
    rf"^(?:等)?(?:主编|主編|总编|编辑|口述|口译|整理|原著|原作|改编|插图|插畫|插画|摄影|导读|作者|编者|译者|图文|执笔|漫画|点校|標點|标点|集解|正义|索隐|疏|主讲|讲述|策划|校点|校點|翻译|翻譯|今译|今譯|点评|點評|审校|原案|文字|编剧|增补|执行主编|总主编|英译|中译|汉译|合著|合译|合编|绘画|编撰|编写组?|[{_ROLE_LETTERS}]{{1,4}})(?:等)?$|^等$"
)
_GLUED_ROLE = re.compile(
    rf"(?<=[{_HAN}a-zA-Z)）.]{{2}})(等?(?:主编|主編|改編|選編|編選|選注|校訂|點校|編繪|編寫|编著|編著|编译|編譯|译注|譯註|校注|校註|选编|選編|编选|选注|原著|口述|整理|点校|编绘|改编|改写|绘图"
    r"|插图|编写|撰写|编辑|著|编|編|译|譯|绘|繪|撰)|等)$"
)
_GROUP = re.compile(
    r"(?:编辑部|编写组|编委会|委员会|研究所|大学|学院|出版社|公司|工作室|小组|学会|协会|博物馆|杂志社|中心|节目组|图书馆|社|局|部|组|会|馆)$"
)
_BEFORE = re.compile(
    r"^(作者|总主编|绘画|画|圖文|图文|著|著者|原著|原作|文字|文|图|圖|绘|繪|绘者|插图|插画|漫画|漫畫|编者|编|主编|译者|譯者|译|譯|編|繪|翻译|改编|illustrated by|written by|translated by|edited by|by)\s*(?:[:：]|(?<=by)\s|(?<=总主编)\s)\s*",
    re.I,
)
_LATIN_ROLES = {
    "author": "author", "writer": "author", "goodreads author": "author", "creator": "author", "text": "author", "aut": "author",
    "editors": "editor", "authors": "author", "translators": "translator", "editor": "editor", "ed": "editor", "ed.": "editor", "eds": "editor", "eds.": "editor", "edt": "editor", "compiler": "editor",
    "editor in chief": "editor", "translator": "translator", "trans": "translator", "trans.": "translator", "trn": "translator",
    "illustrator": "illustrator", "illustrations": "illustrator", "ill": "illustrator", "ill.": "illustrator", "artist": "illustrator",
    "colorist": "illustrator", "penciler": "illustrator", "photographer": "illustrator", "cover artist": "illustrator",
    "introduction": "contributor", "foreword": "contributor", "afterword": "contributor", "preface": "contributor",
    "contributor": "contributor", "narrator": "contributor", "adapter": "author", "letterer": "contributor",
}  # fmt: skip
_BY = ("by ", "written by", "translated by", "edited by", "illustrated by")
_NOBODY = (
    BLANK
    | frozenset("佚名 unknown anonymous various 未知 群星 合著 多人 anon. 不详 [not 等 et al al.".split())
    | {"et al", "et al.", "unknown author", "various authors", "various artists", "not available"}
)

_HARD_SPLIT = re.compile(r"\s*(?:;|；|//|／／|\||｜|\n|\t)\s*")
_SLASH = re.compile(r"\s*[/／]\s*")
_SLASHED_ROLE = re.compile(rf"([{_ROLE_LETTERS}])\s*[/／、&]\s*(?=[{_ROLE_LETTERS}]{{1,2}}(?:$|\s|[）)]))")
_COMMA = re.compile(r"\s*[,，、､]\s*")
_AND = re.compile(rf"(?<=[{_HAN}])\s*[&＆]\s*(?=[{_HAN}\[(（])|\s+[&＆]\s+")
_SUFFIX = re.compile(r"(?:jr|sr|ii|iii|iv|ph\.? ?d|m\.? ?d|esq|m\.a|b\.a|ed\.d|r\.n|mba|cpa)\.?$", re.I)
_INITIALS = re.compile(r"[^\W\d_]\.?(?:[ -]?[^\W\d_]\.)*$")
_DOT = re.compile(rf"(?<=[{_HAN}A-Za-z])\s*[•・‧﹒．∙⋅･·]\s*(?=[{_HAN}A-Z])")
_STOP = re.compile(rf"(?<=[{_HAN}])\.(?=[{_HAN}])")
_SPACES = re.compile(r"\s+")
_TWO_HAN = re.compile(rf"[{_HAN}]{{2}}")
_FOREIGN = rf"[^（()）{_HAN}\u3040-\u30ff]"
_TWIN = re.compile(
    rf"(?<=[{_HAN}\u3040-\u30ff])\s*[（(]((?:{_FOREIGN})*[A-Za-zÀ-ɏΆ-Ͽ\u0400-\u04ff]{_FOREIGN}*)(?:[)）]|\Z)"
)
_MARK_INSIDE = re.compile(rf"(?<=[^\s,，、;；/|&:：])\s*[\[(（【〔［]([{_HAN}]{{1,6}})[\])）】〕］](?=\s*[{_HAN}A-Z])")
_SLASH_AND_ROLE = re.compile(
    rf"\s*[/／]\s*(原作|原著|原案|主编|编者|作者|译者|翻译|插图|[{_ROLE_LETTERS}]{{1,2}})(?=\Z|[\s;；,，、|/])"
)
_ROLE_AND_SLASH = re.compile(rf"(?:\A|(?<=[;；,，、|]))\s*(原作|原著|主编|[{_ROLE_LETTERS}])\s*[/／]\s*")
_ROLE_INSIDE = re.compile(
    rf"(\s(?:[{_ROLE_LETTERS}]{{1,2}}|主编|整理|摄影|口述|点校))\s+(?=[{_HAN}]{{2}})(?!(?:主编|整理|摄影|口述|点校)\Z)"
)
_ROLES_IN_BRACKETS = re.compile(r"([（(][^（()）/／,，、]*)\s*[/／,，、][^（()）]*([)）])")
_LOST_OPENING = re.compile(rf"^([{_HAN}]{{1,4}})\s*[\]］】〕]")
_ROLE_BEHIND = re.compile(rf"\s+[{_ROLE_LETTERS}]+$|(?<=[a-z])[{_ROLE_LETTERS}]+$")
_LETTER = re.compile(r"[^\W\d_]")
_NO_NAME = re.compile(r"[¥￥€£]|\d\s*(?:元|円|원|TWD|NTD|USD|HKD|CNY)|(?:^|[ ,])(?:19|20)\d\d$")
# Most cells: one plain name, with or without a mark before it.
_SIMPLE = re.compile(
    rf"(?:[\[(（【〔［]([{_HAN}]{{1,4}})[\])）】〕］] ?)?"
    rf"([{_HAN}]{{2,4}}(?:·[{_HAN}]{{1,7}})*|[A-Z][a-z'.-]*(?: [A-Za-z][A-Za-z'.-]*){{1,3}}(?<!Jr.)(?<![Ee]d.))\Z"
)
_ROLE_ENDS = frozenset(_ROLE_LETTERS + "等辑理述")
_EDGES = " ,，;；:：、/|&'\"*"
_ALL_HAN = re.compile(rf"[{_HAN}]{{2,4}}$")


@dataclass(frozen=True, slots=True)
class Person:
    """A clean name, an ISO 3166 country code or None, and a role: author, editor, translator, illustrator, contributor."""

    name: str
    country: str | None = None
    role: str = "author"


def people(cell: Any) -> tuple[Person, ...]:
    """The people of a cell (text, or a list of texts), each once, at most `MAX_PEOPLE`.

    >>> people("［法］加缪；[美] 刘易斯 著")
    (Person(name='加缪', country='FR', role='author'), Person(name='刘易斯', country='US', role='author'))
    """
    if cell is None:
        return ()
    if isinstance(cell, list | tuple):
        found = [person for item in cell[: MAX_PEOPLE * 2] for person in _people(as_text(item)[:CELL_CHARACTERS])]
    else:
        text = as_text(cell)[:CELL_CHARACTERS]
        if text.startswith("['") or text.startswith('["'):
            return people(items(text))
        found = list(_people(text))
    if len(found) == 1:
        return (found[0],)
    return tuple({person.name: person for person in reversed(found)}.values())[::-1][:MAX_PEOPLE]


@lru_cache(maxsize=32_768)
def _people(text: str) -> tuple[Person, ...]:
    simple = _SIMPLE.match(text)
    if simple and text[-1] not in _ROLE_ENDS:
        mark, name = simple.groups()
        country = _country(mark) if mark else None
        if (not mark or country) and name.lower() not in _NOBODY and not name.lower().startswith(_BY):
            return (Person(name, country),)
    if "&" in text or "<" in text:
        text = without_markup(text)
    text = _without_twins(clean(text).strip())
    text = _ROLES_IN_BRACKETS.sub(r"\1\2", _ROLE_INSIDE.sub(r"\1;", text))
    text = _ROLE_AND_SLASH.sub(r"\1：", _SLASH_AND_ROLE.sub(r" \1;", _SLASHED_ROLE.sub(r"\1", text)))
    return tuple(person for piece in _HARD_SPLIT.split(_split_at_marks(text)) for person in _together(piece))


def _together(text: str) -> list[Person]:
    """The people of a text without hard separators. "陈雨露、杨栋 译": the role word after the last is everyone's."""
    parts = _soft_split(text)
    found = [_person(part) for part in parts]
    everyone = [person for part in found for person in part]
    last = everyone[-1] if everyone else None
    shared = (
        last is not None
        and len(parts) > 1
        and last.role in ("translator", "editor", "illustrator")
        and not _BEFORE.match(parts[-1])
        and all(person.role == "author" for part in found[:-1] for person in part)
        and not any(_GLUED_ROLE.search(part) or _ROLE_BEHIND.search(part) for part in map(str.strip, parts[:-1]))
    )
    return [replace(person, role=last.role) for person in everyone] if shared and last else everyone


def _without_twins(text: str) -> str:
    """Without the Latin, Greek or Cyrillic name in brackets behind a Chinese one, closed or not: it may hold commas."""
    if "(" not in text and "（" not in text:
        return text
    return _TWIN.sub(lambda found: found.group() if found.group(1).strip().lower() in _LATIN_ROLES else "", text)


def _split_at_marks(text: str) -> str:
    """A semicolon before each "[美]" inside: "[美]甲 [法]乙" are two people."""
    return _MARK_INSIDE.sub(lambda found: f";{found.group()}" if _country(found.group(1)) else found.group(), text)


@lru_cache(maxsize=1024)
def _country(mark: str) -> str | None:
    return countries.code(mark)


def _soft_split(text: str) -> list[str]:
    """Split at slashes, commas and "&", where these part people and not the parts of one name."""
    parts: list[str] = []
    for slashed in _SLASH.split(text):
        for piece in _split_commas(slashed):
            halves = _AND.split(piece)
            whole = len(halves) == 1 or not all(" " in half.strip() or _TWO_HAN.search(half) for half in halves)
            parts.extend([piece] if whole else halves)
    return parts


def _split_commas(text: str) -> list[str]:
    """ "余华,莫言" and "Terry Pratchett, Neil Gaiman" are two people; "Liu, Cixin" and "Brooks, Jr." are one."""
    parts = [part for part in _COMMA.split(text) if part]
    if len(parts) < 2:
        return [text]
    joined = [parts[0]]
    for part in parts[1:]:
        if _SUFFIX.match(part):
            joined[-1] += f", {part}"
        else:
            joined.append(part)
    if len(joined) == 2 and all(_is_latin(_ROLE_BEHIND.sub("", part)) for part in joined):
        last, given = joined
        inverted = " " not in last or " " not in given or all(_INITIALS.match(w) for w in given.split()[1:])
        return [f"{last}, {given}"] if inverted else joined
    return joined


def _is_latin(text: str) -> bool:
    """True for Latin, Greek, Cyrillic: whatever stands before the scripts of East Asia."""
    return all(c < "\u2e80" for c in text)


def _person(text: str) -> list[Person]:
    """The person in one piece of text, or several who stand there with blanks between, or nobody."""
    country: str | None = None
    role = ""
    text = text.strip(_EDGES)
    before = _BEFORE.match(text)
    if before:
        role, text = _role(before.group(1)), text[before.end() :]
    while mark := _LEADING_MARK.match(text) or _LOST_OPENING.match(text):
        inside, rest = mark.group(1), text[mark.end() :].lstrip(")）]】")
        found = _country(inside)
        twin = _is_latin(inside) and not _is_latin(rest)
        if found is None and not twin and not _is_role(inside) and (not rest or len(inside) > 6):
            text = inside if not rest else text
            break
        country, text = country or found, rest
    text, role, after = _trailing(text, role)
    country = country or after
    names = text.split()
    together = len(names) > 2 and country is None and all(_ALL_HAN.match(name) for name in names)
    people = [Person(_name(name), country, role or "author") for name in (names if together else [text])]
    return [person for person in people if _is_somebody(person.name)]


def _is_somebody(name: str) -> bool:
    """False for what lands in this column by mistake: words for unknown, dates, prices, a role word alone."""
    return (
        _LETTER.search(name) is not None
        and name.lower() not in _NOBODY
        and not _NO_NAME.search(name)
        and not (len(name) < 3 and _ROLE_WORD.match(name))
    )


def _trailing(text: str, role: str) -> tuple[str, str, str | None]:
    """Take role words, countries and Latin twins off the end; what is left, the role, the country."""
    country: str | None = None
    for _ in range(4):
        text = text.rstrip(_EDGES)
        mark = _TRAILING_MARK.search(text)
        if mark and mark.start() > 0:
            inside = mark.group(1)
            if _is_role(inside):
                role = role or _role(inside)
            elif (found := _country(inside)) is not None:
                country = country or found
            elif inside and not _is_latin(inside):
                break  # another name of the same person: it is kept
            text = text[: mark.start()]
            continue
        head, blank, last = text.rpartition(" ")
        if blank and (_ROLE_WORD.match(last) or last == "等"):
            role, text = role or _role(last), head
            continue
        glued = _GLUED_ROLE.search(text)
        if not glued or (len(glued.group(1)) == 1 and glued.group(1) in "译譯绘繪撰" and not _surely_glued(text)):
            break
        role, text = role or _role(glued.group(1)), text[: glued.start()]
    return text, role, country


def _surely_glued(text: str) -> bool:
    """True if the last letter cannot well be a name's own: 柳鸣九译, 萨特译; but not 张译."""
    return len(text) > 2 or _GROUP.search(text[:-1]) is not None


def _is_role(word: str) -> bool:
    return word.lower() in _LATIN_ROLES or _ROLE_WORD.match(word) is not None


def _role(word: str) -> str:
    """The role a role word means; "" for one that tells nothing (等)."""
    word = word.lower().removesuffix(" by")
    if word in _LATIN_ROLES:
        return _LATIN_ROLES[word]
    if word in ("written", "translated", "edited", "illustrated", "by"):
        return {"translated": "translator", "edited": "editor", "illustrated": "illustrator"}.get(word, "author")
    for letters, role in (
        ("著撰作文写寫述", "author"),
        ("译譯", "translator"),
        ("编編辑輯选選校注註订訂点點评評整导疏解", "editor"),
        ("绘繪图圖画畫插摄攝", "illustrator"),
    ):
        if any(letter in word for letter in letters):
            return role
    return ""


def _name(text: str) -> str:
    """A name with one kind of middle dot and single blanks."""
    text = text.strip(_EDGES)
    if not text.isascii():
        text = _STOP.sub("·", _DOT.sub("·", text))
    return _SPACES.sub(" ", text)[:NAME_CHARACTERS].strip(_EDGES)
