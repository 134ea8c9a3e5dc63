"""Cleaning words: titles, introductions, lists and tags, languages. Pure functions over dirty cells.

Each returns (value, reason). Value and no reason: read as it stood. Value and reason: read after a repair. No value
and a reason: refused. Neither: there was nothing. No function here raises, whatever text it is given.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from typing import Any, TypeVar

from shutong.text import clean

T = TypeVar("T")
Reading = tuple[T | None, str | None]

TITLE_CHARACTERS = 500
SHORT_CHARACTERS = 200
INTRO_CHARACTERS = 4_000
INTRO_READ_CHARACTERS = 60_000
"""Markup included; what stands beyond this in a cell is not looked at."""
MAX_TAGS = 40
TAG_CHARACTERS = 60
URL_CHARACTERS = 500

NOTHING: tuple[None, None] = (None, None)
BLANK = frozenset(
    "- -- --- — —— / . .. ... … ? n/a na nan none null nil unknown undefined unspecified 未知 不详 不明 无 暂无 空 未知价格"
    " 未知日期 未知作者 暂无简介 暂无评分 [] {} ()".split()
) | {""}
_LONGEST_BLANK = max(map(len, BLANK)) + 4

_UNESCAPES = 4  # entities are found escaped two and three times over
_SPACES = re.compile(r"\s+")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|<!\[CDATA\[|\]\]>|<[!?][^<>]*>")
_UNSEEN = re.compile(
    r"<(script|style|iframe|object|template|noscript|svg)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.I | re.S
)
_BREAK = re.compile(r"<(?:br|/p|/div|/li|/h[1-6]|/tr|hr|p|li)\b[^<>]*>", re.I)
_MATERIAL = re.compile(
    r"\s*[\[［【]\s*(?:专著|專著|图书|普通图书|图书资料|电子资源|電子資源|录音资料|录像资料|汇编|会议录|丛书|期刊|文集|M|M/OL|OL"
    r"|text|sound recording|electronic resource|microform|book|large print)\s*[\]］】]",
    re.I,
)
_TRAILING = re.compile(r"[\s/=:：;；,，、|]+$")
_WRAPPED = re.compile(r"《([^《》]+)》\Z")
_LINE_SPACES = re.compile(r"[^\S\n]+")
_MANY_BREAKS = re.compile(r"\s*\n\s*\n\s*")
_UNFOLD = re.compile(r"[(（]展开全部[)）]|[(（]收起[)）]")
_REFERENCE = re.compile(r"\(?\[source\]\[\d+\]\)?|^\s*\[\d+\]:\s*\S+\s*$", re.I | re.M)
_ALSO_IN = re.compile(r"\n\s*-{5,}\s*\n+\s*(?:also contained in|contains)\b.*\Z", re.I | re.S)
_LINK = re.compile(r"\[([^\[\]]{1,300})\]\((?:https?:|/)[^()\s]*\)")
_SENTENCE_END = re.compile(r"[。！？!?…]|\.\s|\n")
_PYTHON_ITEM = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
_SEMICOLON = re.compile(r"[;；|｜\n]")
_SEMICOLON_OR_COMMA = re.compile(r"[;；|｜\n，、]|,(?! )")  # "Fathers; Fiction, coming of age" are two
_COMMA_OR_SLASH = (re.compile(r"[,，、]"), re.compile(r"\s*/\s*"))
_SERIES_BEHIND = re.compile(
    r"(.*\S)\s*[(（]([^()（）#]*[^\s()（）#,:;])[\s,:;]*#(\d{1,4}(?:\.\d{1,2})?)(?!\d)[^()（）]*[)）]\Z"
)
_SERIES_NUMBER = re.compile(r"([^#]*[^\s#,:;])[\s,:;]*#\s?(\d{1,4}(?:\.\d{1,2})?)(?!\d)")
_URL = re.compile(r"https?://[^\s<>\"']+\Z", re.I)


def is_blank(cell: Any) -> bool:
    """True for a cell that says nothing: empty, NaN, or a word that stands for unknown (with a few blanks around)."""
    if isinstance(cell, str):
        return len(cell) <= _LONGEST_BLANK and (cell in BLANK or cell.strip().lower() in BLANK)
    return cell is None or cell != cell or cell in ([], {})


def as_text(cell: Any) -> str:
    """A cell as text; a list's items are joined by "; ", a whole float has no ".0"."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, list | tuple):
        return "; ".join(as_text(item) for item in cell if item is not None)
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell)) if abs(cell) < 1e16 else repr(cell)
    if isinstance(cell, dict):
        return as_text(cell.get("name") or cell.get("value") or cell.get("title") or "")
    return "" if cell is None else str(cell)[:INTRO_READ_CHARACTERS]


def short(cell: Any) -> Reading[str]:
    """A publisher, a series…: one clean line, cut at `SHORT_CHARACTERS`."""
    return _line(as_text(cell))[:SHORT_CHARACTERS].rstrip() or None, None


def title(cell: Any) -> Reading[str]:
    """A title: entities, tags and material marks ([专著]) gone, no loose " /" at the end. Role words in it stay."""
    text = _line(as_text(cell))
    if "[" in text or "【" in text or "［" in text:
        text = _MATERIAL.sub("", text).strip() or text
    text = _TRAILING.sub("", text)
    wrapped = _WRAPPED.match(text)
    if wrapped:
        text = wrapped.group(1).strip()
    if not text:
        return NOTHING
    if not text.strip("?？\ufffd "):
        return (text, None) if len(text) == 1 and text != "\ufffd" else (None, f"{text[:20]!r} is no title")
    if len(text) > TITLE_CHARACTERS:
        return text[:TITLE_CHARACTERS].rstrip(), f"longer than {TITLE_CHARACTERS} characters, cut"
    return text, None


def title_and_series(text: str) -> tuple[str, str | None, float | None]:
    """Title, series and place in it: "Dune (Dune Chronicles, #1)" is Dune, Dune Chronicles, 1."""
    found = _SERIES_BEHIND.match(text)
    if not found:
        return text, None, None
    return found.group(1), found.group(2), float(found.group(3))


def series_and_number(text: str) -> tuple[str, float | None]:
    """ "Harry Potter #1" is Harry Potter, 1; of several series the first."""
    found = _SERIES_NUMBER.match(text)
    return (found.group(1), float(found.group(2))) if found else (text, None)


def intro(cell: Any) -> Reading[str]:
    """An introduction as plain text: no markup, no scripts; paragraphs kept; at most `INTRO_CHARACTERS`, cut at a sentence."""
    text = as_text(cell)[:INTRO_READ_CHARACTERS]
    if "<" in text or "&" in text:
        text = without_markup(text)
    text = clean(text)
    if "[" in text or "展开" in text or "收起" in text or "-----" in text:
        text = _LINK.sub(r"\1", _REFERENCE.sub("", _ALSO_IN.sub("", _UNFOLD.sub("", text))))
    if "\n" in text or "  " in text or "\t" in text or "\u3000" in text:
        text = _MANY_BREAKS.sub("\n\n", _LINE_SPACES.sub(" ", text)).replace(" \n", "\n").replace("\n ", "\n")
    text = text.strip()
    return (_cut(text, INTRO_CHARACTERS) if len(text) > INTRO_CHARACTERS else text) or None, None


def without_markup(text: str) -> str:
    """Text without entities and tags, however often escaped; what scripts and styles hold is gone with them."""
    for _ in range(_UNESCAPES):
        before = text
        if "&" in text:
            text = html.unescape(text)
        if "<" in text:
            text = _TAG.sub("", _BREAK.sub("\n", _UNSEEN.sub(" ", text)))
        if text == before:
            return text
    return _TAG.sub("", text) if not _TAG.search(_TAG.sub("", text)) else text.replace("<", "")


def items(cell: Any) -> list[str]:
    """The items of a list: a JSON array (as value or as text), a Python list as text, or text split by ; | 、 , or /."""
    if isinstance(cell, list | tuple):
        return [as_text(item) for item in cell]
    text = as_text(cell).strip()
    if text.startswith("[") and text.endswith("]"):
        listed = _array(text)
        if listed is not None:
            return listed
    if _SEMICOLON.search(text):
        return _SEMICOLON_OR_COMMA.split(text)
    for split in _COMMA_OR_SLASH:
        if split.search(text):
            return split.split(text)
    words = text.split()
    if len(words) > 1 and all("\u3400" <= word[0] <= "\u9fff" for word in words):
        return words
    return [text]


def tags(cells: Iterable[Any]) -> Reading[tuple[str, ...]]:
    """The tags of several cells together, each once in any spelling, at most `MAX_TAGS`; too long ones are left out."""
    found: dict[str, str] = {}
    for cell in cells:
        for folded, tag in map(_tag, items(cell)):
            if folded not in found:
                found[folded] = tag
    found.pop("", None)
    return tuple(islice(found.values(), MAX_TAGS)), None


@lru_cache(maxsize=16_384)
def _tag(item: str) -> tuple[str, str]:
    """A tag, folded to tell it from others and as it is kept; both empty for one that is not kept."""
    tag = _line(item).strip("#'\"[] ")
    return (tag.casefold(), tag) if len(tag) <= TAG_CHARACTERS and "=" not in tag else ("", "")


def url(cell: Any) -> Reading[str]:
    """An http(s) address, else refused."""
    text = as_text(cell).strip()
    if text.startswith("//"):
        text = f"https:{text}"
    if len(text) > URL_CHARACTERS or not _URL.match(text):
        return None, "not an http(s) address"
    return text, None


def _line(text: str) -> str:
    """One line without markup, controls and needless blanks."""
    if text.isprintable() and "  " not in text and "&" not in text and "<" not in text:
        return unicodedata.normalize("NFC", text).strip()
    if "&" in text or "<" in text:
        text = without_markup(text[:INTRO_READ_CHARACTERS])
    return _SPACES.sub(" ", clean(text)).strip()


def _cut(text: str, limit: int) -> str:
    """Cut at the last end of a sentence in the last fifth, else at the limit, with "…"."""
    last = limit - 1
    for end in _SENTENCE_END.finditer(text, int(limit * 0.8), limit - 1):
        last = end.end()
    return text[:last].rstrip() + "…"


def _array(text: str) -> list[str] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        found = [a or b for a, b in _PYTHON_ITEM.findall(text)]
        return found or None
    return [as_text(item) for item in value] if isinstance(value, list) else None
