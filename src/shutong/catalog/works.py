"""Which editions are one work: the same title, without what only names the edition, by the same first author."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from shutong.catalog.book import Author
from shutong.regex import later
from shutong.text import fold, key

WORK_ID_CHARACTERS = 200
_SHORT_HEAD = 4  # Chinese characters; Latin words are counted as _SHORT_WORDS
_SHORT_WORDS = 3

# All patterns are for folded text: half-width, lower case, simplified.
_NUMERAL = "[0-9一二三四五六七八九十百]+"
_EDITION_WORDS = (
    r"上[、,·]?(?:中[、,·]?)?下[册卷部集]?",
    rf"(?:原书)?(?:插图)?(?:修订)?第?{_NUMERAL}版(?:修订|增补)?",
    rf"(?:全|共|套装)(?:共)?{_NUMERAL}[册卷本](?:套装?)?",
    r"(?:(?:最?新|全新|增订|增补|修订|校订|重订|珍藏|典藏|收藏|纪念|精装|平装|简装|插图|彩图|彩绘|图文|全译|全本|足本|完整|未删节"
    r"|中文|英文|双语|中英对照|中英文对照|对照|中英文|简体|繁体|精华|普及|升级|豪华|限量|经典|注释|校注|大字|口袋|软精装|布面|毛边|签名|原书|原|权威|缩印|黄金|轻携)"
    r"+(?:版|本))",
    rf"{_NUMERAL}?周年(?:修订|珍藏|典藏|精装)?(?:纪念)?版",
    r"精装|平装|盒装|套装|软精装|修订|增订|典藏|珍藏|插图|全译",
    r"(?:the )?(?:\w+ )?(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|revised|updated"
    r"|expanded|enlarged|international|illustrated|anniversary|deluxe|special|collector'?s|paperback|hardcover|kindle|large print"
    r"|mass market|unabridged|abridged|annotated|reprint|reissue|student|global)"
    r"(?:(?: and| &|,)? (?:revised|updated|expanded|enlarged|illustrated|anniversary))* (?:edition|ed\.?)",
    r"hardcover|paperback|kindle edition|audiobook|unabridged|large print|mass market paperback|\d+e",
)
_EDITION = "|".join(_EDITION_WORDS)
_IN_BRACKETS = later(rf"[(\[【〔]\s*(?:{_EDITION}|[^()\[\]]*[著着编译])(?:[\s,·]*(?:{_EDITION}))*\s*[)\]】〕]")
_AT_END = later(rf"(?:[\s,:·\-—(\[]+|(?<=[\u3400-\u9fff》]))(?:{_EDITION})[\s)\]]*$")
_SERIES = later(r"\s*\([^()]*#\s*\d[^()]*\)\s*$")
_COLON = later(r"\s*(?::|——|--| - )\s*")
_VOLUME = later(
    rf"第{_NUMERAL}[卷册部辑集季回]|[卷部册]{_NUMERAL}|(?:vol(?:ume|s)?|part|book|issue|no|#)\.?\s*(?:[0-9]+|[ivx]+|one|two|three|four|five|six|seven)\b"
    rf"|[(（]?[上中下][卷册部集)）]?$|\d+$|\b[ivx]+$"
)
_ROMAN = {
    "i": "1",
    "ii": "2",
    "iii": "3",
    "iv": "4",
    "v": "5",
    "vi": "6",
    "vii": "7",
    "viii": "8",
    "ix": "9",
    "x": "10",
}
_ROMAN_AFTER = later(r"(?<=[\u3400-\u9fff\s])(viii|vii|vi|iv|ix|iii|ii|v|x|i)(?=$|[\s:,·(\-])")
_NOT_KEY = later(r"[^\w+#]|_")  # what `text.key` leaves out of folded text
_EDITION_ENDS = (
    *"版本册卷装套订藏图译下部集ivx",
    *(
        "edition",
        "ed",
        "ed.",
        "hardcover",
        "paperback",
        "audiobook",
        "unabridged",
        "print",
        "0e",
        "1e",
        "2e",
        "3e",
        "4e",
    ),
    *("5e", "6e", "7e", "8e", "9e"),
)
_ARTICLE = later(r"^(?:the|an?) (?=\S)")


def work_id(title: str, authors: Iterable[Author]) -> str:
    """The id that all editions of a work share, at most `WORK_ID_CHARACTERS` long.

    Edition words (第3版, 修订版, 精装, 3rd edition) and a subtitle after a colon do not count, volume numbers do; both
    scripts are the same work. A title that would say too little without its subtitle ("Batman: Year One") keeps it.

    >>> work_id("人類簡史（修訂版）", [Author(name="尤瓦爾·赫拉利")]) == work_id("人类简史", [Author(name="尤瓦尔·赫拉利")])
    True
    """
    first = next(iter(authors), None)
    return _joined(title, first.name if first else "")


@lru_cache(maxsize=1024)
def _joined(title: str, name: str) -> str:
    return f"{_title_key(title)[: WORK_ID_CHARACTERS - 61]}|{author_key(name)[:60]}"


@lru_cache(maxsize=32_768)
def author_key(name: str) -> str:
    """The key of a name; "Liu, Cixin" and "Cixin Liu" are one."""
    last, comma, given = name.partition(", ")
    return key(f"{given} {last}") if comma else key(name)


def _title_key(title: str) -> str:
    text = fold(title)
    whole = _NOT_KEY.sub("", text)
    if whole == text and not text.endswith(_EDITION_ENDS):
        return whole
    if "(" in text or "[" in text or "【" in text:
        text = _IN_BRACKETS.sub("", _SERIES.sub("", text))
    while text.rstrip(" )]").endswith(_EDITION_ENDS) and (shorter := _AT_END.sub("", text)) != text and key(shorter):
        text = shorter
    head, tail = _split(text)
    numbers = "".join(m.group() for m in _VOLUME.finditer(tail)) if tail else ""
    head = _ROMAN_AFTER.sub(lambda m: _ROMAN[m.group()], _ARTICLE.sub("", head))
    return _NOT_KEY.sub("", head + numbers) or whole


def _split(text: str) -> tuple[str, str]:
    """Title and subtitle; no subtitle when the title alone would say too little."""
    parts = _COLON.split(text, maxsplit=1)
    if len(parts) == 1:
        return text, ""
    head = parts[0]
    long_enough = len(head) >= _SHORT_HEAD if not head.isascii() else len(head.split()) >= _SHORT_WORDS
    return (head, parts[1]) if long_enough else (text, "")
