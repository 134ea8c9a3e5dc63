"""Cleaning numbers: pages, prices, ratings, counts, ISBNs. Pure functions over dirty cells; see `texts` for what they return."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Any

from shutong.catalog.book import Level, Price
from shutong.catalog.importers.texts import NOTHING, Reading, as_text
from shutong.text import key

MAX_PAGES = 30_000
MAX_PRICE = 10_000_000
MAX_COUNT = 1_000_000_000

_FULL_WIDTH = str.maketrans("０１２３４５６７８９．，（）＄￥－　", "0123456789.,()$¥- ")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_PLAIN_NUMBER = re.compile(r"\s*[+-]?\d[\d,]*(?:\.\d+)?\s*\Z")

_PAGE_NUMBER = re.compile(r"(?<![\d.])(\d[\d,]{0,6})\s*(?:页|頁|p(?:p|g|gs|ages?)?\b|s\.|ページ)", re.I)
_PAGE_PREFIX = re.compile(r"^(?:共|约|約|大约|about|approx\.?|ca?\.?|pp?\.?)\s*(\d[\d,]{0,6})\b", re.I)
_ROMAN_THEN = re.compile(r"^\s*[ivxlcdm]+\s*[,+，、]\s*(\d{1,5})\s*\Z", re.I)

# What shows a currency; the first that is found counts, so longer marks stand first.
_CURRENCIES = tuple(
    (re.compile(pattern, re.I), code)
    for pattern, code in (
        (r"人民币|人民幣|RMB|CNY", "CNY"),
        (r"NT[$.SD]?|新台币|新台幣|台币|台幣|TWD|NTD|臺幣", "TWD"),
        (r"HK[$D]?|港币|港幣|港元|HKD", "HKD"),
        (r"MOP|澳门|葡币", "MOP"),
        (r"CAN? ?\$|CAD|C\$|加元|加币|加幣", "CAD"),
        (r"AU? ?\$|AUD|澳元|澳币|澳幣", "AUD"),
        (r"(?<!U)S\$|SGD|新加坡|新币", "SGD"),
        (r"USD|US ?\$|美元|美金|dollar", "USD"),
        (r"JPY|円|日元|日圆|日圓|yen", "JPY"),
        (r"EUR|€|欧元|歐元|euro", "EUR"),
        (r"GBP|£|英镑|英鎊|pound", "GBP"),
        (r"KRW|₩|韩元|韓元|원", "KRW"),
        (r"CHF|瑞士法郎", "CHF"),
        (r"INR|₹|Rs\.?|卢比", "INR"),
        (r"\bRM\b|MYR|马币|令吉", "MYR"),
        (r"RUB|₽|卢布", "RUB"),
        (r"SEK|瑞典克朗", "SEK"),
        (r"元|块|圆", "CNY"),
        (r"¥", "¥"),
        (r"\$", "USD"),
    )
)
_DECIMAL_COMMA = re.compile(r"(\d+),(\d\d)(?!\d)(?!.*\.\d)")
_ASIDE = re.compile(r"[(/;；、]")
_LIKE_A_YEAR = re.compile(r"(?:19|20)\d\d\Z")
_DATE = re.compile(r"(?:19|20)\d\d(?:年\d{1,2}月(?:\d{1,2}日)?|-\d{1,2}(?:-\d{1,2})?)")

_COUNT_UNITS = {"万": 10_000, "萬": 10_000, "w": 10_000, "k": 1_000, "千": 1_000, "m": 1_000_000, "亿": 100_000_000}
_COUNT = re.compile(r"(\d[\d,]*(?:\.\d+)?)\s*([万萬千亿wkm])?", re.I)
_OUT_OF = re.compile(r"\s*(\d+(?:[.,]\d+)?)\s*(?:/|分?\s*out of|／)\s*(\d+)")

_NOT_ISBN = re.compile(r"[\s\-‐‑‒–—−.·]|^isbn(?:-?1[03])?[:：]?|[\[\]=\"“”']", re.I)
_SCIENTIFIC = re.compile(r"\W*\d(?:\.\d+)?e\+?\d+\W*\Z", re.I)
_ISBN_FULL_WIDTH = str.maketrans("０１２３４５６７８９Ｘｘ－＝＂", '0123456789XX-="')
_IN_TEXT = re.compile(r"97[89][\d\- ]{10,14}|(?<!\d)\d[\d\- ]{8,11}[\dXx](?!\d)")

_LEVEL_WORDS: dict[Level, str] = {
    "beginner": "beginner beginners introductory elementary easy basic 入门 初级 初学 零基础 基础 简单",
    "intermediate": "intermediate medium 中级 进阶 中等 提高",
    "advanced": "advanced expert hard difficult 高级 专业 精通 深入 困难",
}
_LEVELS = {key(word): level for level, words in _LEVEL_WORDS.items() for word in words.split()}


@lru_cache(maxsize=8192)
def _pages(text: str) -> Reading[int]:
    text = text.translate(_FULL_WIDTH).strip()
    named = [int(n.replace(",", "")) for n in _PAGE_NUMBER.findall(text)]
    if named:
        return _pages_within(max(named), text)
    if _PLAIN_NUMBER.match(text):
        return _pages_within(int(float(text.replace(",", ""))), text)
    other = _PAGE_PREFIX.match(text) or _ROMAN_THEN.match(text)
    if other:
        return _pages_within(int(other.group(1).replace(",", "")), text)
    return None, f"{text[:40]!r} does not say pages"


def pages(cell: Any) -> Reading[int]:
    """The number of pages; a number that counts volumes or centimetres is none.

    >>> [pages(p)[0] for p in ("xii, 302 p.", "约300页", "2册(812页)", "3册", "39")]
    [302, 300, 812, None, 39]
    """
    text = as_text(cell)[:100]
    return _pages(text) if text else NOTHING


@lru_cache(maxsize=8192)
def _price(text: str) -> Reading[Price]:
    text = text.translate(_FULL_WIDTH).strip()
    found = _NUMBER.search(_DECIMAL_COMMA.sub(r"\1.\2", _DATE.sub(" ", text)))
    if not found:
        return None, f"{text[:40]!r} holds no amount"
    amount = round(float(found.group().replace(",", "")), 2)
    # "US$8.72 (HK$68)" is in the first one: what stands in brackets or behind a slash is about something else.
    beside = _ASIDE.split(text, maxsplit=1)[0]
    if not _NUMBER.search(beside):
        beside = text
    currency = next((code for mark, code in _CURRENCIES if mark.search(beside)), None)
    if amount == 0:
        return NOTHING
    if amount > MAX_PRICE or (currency is None and _LIKE_A_YEAR.match(text)):
        return None, f"{text[:40]!r} is no price a book can have"
    return Price(amount=amount, currency=currency), None


def price(cell: Any, language: str | None = None) -> Reading[Price]:
    """The first amount named and its currency; `language` tells what a bare ¥ is (JPY in Japanese books, else CNY).

    >>> price("NT$320")[0], price("39.8(全三册)")[0]
    (Price(amount=320.0, currency='TWD'), Price(amount=39.8, currency=None))
    """
    if isinstance(cell, dict):
        cell = f"{as_text(cell.get('currency'))} {as_text(cell.get('amount') or cell.get('value'))}"
    value, reason = _price(as_text(cell)[:100])
    if value and value.currency == "¥":
        return Price(amount=value.amount, currency="JPY" if language == "ja" else "CNY"), reason
    return value, reason


def rating(cell: Any, scale: float) -> Reading[float]:
    """A rating brought to 0-10. "8.9/10" names its own scale, else it is `scale`. 0 is not rated."""
    value = _plain(cell)
    if value is None:
        text = as_text(cell).translate(_FULL_WIDTH)[:40]
        out_of = _OUT_OF.match(text)
        number = out_of.group(1) if out_of else _first_number(text)
        if number is None:
            return None, f"{text!r} is no rating"
        value = float(number.replace(",", "."))
        scale = float(out_of.group(2)) if out_of else scale
    if value == 0:
        return NOTHING
    if not 0 < value <= scale:
        return None, f"{value:g} is not within 0 and {scale:g}"
    return round(value * 10 / scale, 2) or None, None


def count(cell: Any) -> Reading[int]:
    """How many: "1,204人评价", "1.2万", 000042."""
    if isinstance(cell, int) and not isinstance(cell, bool):
        return (cell, None) if 0 <= cell <= MAX_COUNT else (None, f"{cell:.3g} is no count")
    text = as_text(cell)
    if text.isdecimal() and len(text) < 10:
        return int(text), None
    found = _COUNT.search(text.translate(_FULL_WIDTH)[:60])
    if not found or text.lstrip().startswith("-"):
        return None, f"{text[:40]!r} is no count"
    number = float(found.group(1).replace(",", "")) * _COUNT_UNITS.get((found.group(2) or "").lower(), 1)
    return (round(number), None) if number <= MAX_COUNT else (None, f"{text[:40]!r} is no count")


def isbn(cell: Any) -> Reading[str]:
    """An ISBN-13 of 13 digits. Of a list, the first good one; what spreadsheets damaged is mended where that is certain.

    >>> isbn('="0-441-01359-7"'), isbn("80442957X")
    (('9780441013593', None), ('9780804429573', 'a leading zero was lost'))
    """
    if isinstance(cell, list | tuple):
        readings = [isbn(item) for item in cell[:20] if not isinstance(item, list | tuple)]
        return next((r for r in readings if r[0]), readings[0] if readings else NOTHING)
    text = as_text(cell)
    if len(text) == 13 and text.isascii() and text.isdecimal() and text[:2] == "97" and _check_13(text):
        return text, None
    return _isbn(text[:200].translate(_ISBN_FULL_WIDTH))


def _isbn(text: str) -> Reading[str]:
    mended = None
    stripped = text.strip()
    if _SCIENTIFIC.match(stripped):
        return None, f"{stripped[:30]!r}: a spreadsheet has rounded the number away"
    if stripped.endswith(".0"):
        stripped, mended = stripped[:-2], "a trailing .0 was taken off"
    bare = _NOT_ISBN.sub("", stripped).upper()
    if not bare:
        return NOTHING
    if len(bare) > 13:
        inside = _IN_TEXT.search(stripped)
        bare = _NOT_ISBN.sub("", inside.group()).upper() if inside else bare
    if 7 <= len(bare) <= 9 and _is_isbn(bare.zfill(10)):
        return _to_13(bare.zfill(10)), "a leading zero was lost"
    if _is_isbn(bare):
        return _to_13(bare), mended
    return None, f"{text.strip()[:30]!r} is no ISBN"


def level(cell: Any) -> Reading[Level]:
    """beginner, intermediate or advanced, by their names in both languages."""
    text = as_text(cell)[:40]
    found = _LEVELS.get(key(text))
    return (found, None) if found else (None, f"{text!r} is no level known here")


def number(cell: Any) -> Reading[float]:
    """A bare number, such as a place in a series."""
    found = _first_number(as_text(cell).translate(_FULL_WIDTH)[:40])
    return (None, "no number in it") if found is None else (float(found.replace(",", "")), None)


def _plain(cell: Any) -> float | None:
    """The number that a cell is, or None when it is something else."""
    try:
        value = float(cell)
    except (TypeError, ValueError, OverflowError):
        return None
    return value if math.isfinite(value) else None


def _first_number(text: str) -> str | None:
    found = _NUMBER.search(text)
    return found.group() if found else None


def _pages_within(value: int, text: str) -> Reading[int]:
    if value == 0:
        return NOTHING
    if not 0 < value <= MAX_PAGES:
        return None, f"{text[:40]!r} is no number of pages"
    return value, None


def _check_13(digits: str) -> bool:
    """The check digit of an ISBN-13 (ISO 2108): the digits weighted 1 and 3 in turn add up to a multiple of ten."""
    figures = digits.encode()
    return (sum(figures[::2]) + 3 * sum(figures[1::2]) - 48 * 25) % 10 == 0


def _is_isbn(bare: str) -> bool:
    from stdnum import isbn as standard

    return bool(bare.isascii() and standard.is_valid(bare))


def _to_13(bare: str) -> str:
    from stdnum import isbn as standard

    return str(standard.to_isbn13(bare))
