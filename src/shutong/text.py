"""Reading text as data: cleaning what came from outside, and folding what is to be compared.

`clean` is for text that is kept and shown. `fold` and `key` are for matching only; what they return is never shown.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib import resources

_SURROGATES = re.compile("[\ud800-\udfff]")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_KEEP_MARKS = frozenset("\u3099\u309a")  # the voicing marks of kana tell letters apart; accents do not
_SAME = str.maketrans(
    {
        **dict.fromkeys("’‘ʼ`´＇ʻ′", "'"),
        **dict.fromkeys("“”„«»「」『』＂", '"'),
        **dict.fromkeys("‐‑‒–—―−－﹣", "-"),
        **dict.fromkeys("·•・‧∙⋅｡･", "·"),
        "&": " and ",
        "ß": "ss",
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ı": "i",
    }
)
_PLAIN_ASCII = re.compile(r"[ !#-%(-_a-~]*\Z")  # ASCII without & and quotes folds by lower() alone
_NOT_KEY = re.compile(r"[^\w+#]|_")


def clean(text: str) -> str:
    """Text safe to store and to show: NFC, no NUL, no control or direction marks, no lone surrogates."""
    if text.isascii() and text.isprintable():
        return text
    text = _SURROGATES.sub("\ufffd", text)
    return unicodedata.normalize("NFC", _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))


def fold(text: str) -> str:
    """One form for all spellings of the same text: width, case, accents, script, quotes, dashes and dots.

    >>> fold("Ｐｙｔｈｏｎ爬蟲") == fold("python爬虫")
    True
    """
    if _PLAIN_ASCII.match(text):
        return text.lower()
    folded = text.translate(_table())
    return folded if unicodedata.is_normalized("NFC", folded) else unicodedata.normalize("NFC", folded)


def key(text: str) -> str:
    """The folded letters and digits of a title or a name, nothing else; two titles are the same if their keys are.

    `+` and `#` stay (C++, C#). A text of only symbols has the key "".
    """
    return _NOT_KEY.sub("", fold(text))


class _Folding(dict[int, str]):
    """The folding of single characters, worked out when first met: text is folded at the speed of `str.translate`.

    Marks that combine over characters fall away one by one; what is left is composed again by `fold`.
    """

    def __init__(self) -> None:
        pairs = resources.files("shutong").joinpath("letters.txt").read_text(encoding="utf-8").split()
        self._letters = {ord(pair[0]): pair[1] for pair in pairs}

    def __missing__(self, code: int) -> str:
        text = unicodedata.normalize("NFKC", chr(code).translate(_SAME)).casefold().translate(_SAME)
        marks = unicodedata.normalize("NFD", text)
        bare = "".join(c for c in marks if c in _KEEP_MARKS or not unicodedata.combining(c))
        self[code] = folded = unicodedata.normalize("NFC", bare.translate(_SAME)).translate(self._letters)
        return folded


@cache
def _table() -> _Folding:
    return _Folding()
