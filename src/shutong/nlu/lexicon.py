"""Finding known words inside a text: the longest word at each place, Latin words only whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from shutong.catalog import countries, people
from shutong.nlu.sheet import CLAIMED, letters
from shutong.search import thesaurus
from shutong.text import fold, key

_LATIN_WORD = re.compile(r"[a-z0-9+#'&.\u00c0-\u024f]+")
_BLANK = re.compile(r"[ \-]+")
_MOST_WORDS = 7

# Words that the thesaurus has and that in a sentence mostly mean something else.
_TOO_COMMON = frozenset(
    "love loss style deep learning language slow heavy memory stocks light fun reading school food home trains cars parent"
    " sf society culture thinking communication memory legends quest spirits bread deep warm".split()
) | frozenset(
    "爱 龙 鬼 酒 茶 性 诗 传 哭 慢 燃 虐 学习 语言 孩子们 表达 路上 程序 老师 送给 送人 性别 家人 电子 中学 快乐 文案 技术 火车 飞机 汽车 服装 坚持 服务".split()
)


@dataclass(frozen=True, slots=True)
class Found:
    """A known word at its place in the text. `term` is the word as the list writes it."""

    start: int
    end: int
    term: str


class Lexicon:
    """A list of words, ready to be found in folded text."""

    def __init__(self, words: Iterable[str], skip: Callable[[str], bool] = lambda _: False) -> None:
        self._glued: dict[str, str] = {}
        self._latin: dict[tuple[str, ...], str] = {}
        for word in words:
            folded = letters(fold(word))
            if skip(word) or not key(word):
                continue
            if folded.isascii():
                self._latin.setdefault(tuple(_words(folded)), word)
            else:
                self._glued.setdefault(folded, word)
        self._lengths: dict[str, list[int]] = {}
        for folded in self._glued:
            lengths = self._lengths.setdefault(folded[0], [])
            if len(folded) not in lengths:
                lengths.append(len(folded))
        for lengths in self._lengths.values():
            lengths.sort(reverse=True)

    def find(self, text: str) -> list[Found]:
        """All known words, longest first at each place, without overlaps, in order."""
        taken: list[Found] = []
        free = 0
        latin = self._find_latin(text)
        for place, letter in enumerate(text):
            if place < free or letter == CLAIMED:
                continue
            found = latin.get(place) or self._glued_at(text, place, letter)
            if found:
                taken.append(found)
                free = found.end
        return taken

    def _glued_at(self, text: str, place: int, letter: str) -> Found | None:
        for length in self._lengths.get(letter, ()):
            word = self._glued.get(text[place : place + length])
            if word:
                return Found(place, place + length, word)
        return None

    def _find_latin(self, text: str) -> dict[int, Found]:
        tokens = list(_LATIN_WORD.finditer(text))
        found: dict[int, Found] = {}
        for i, first in enumerate(tokens):
            names: list[str] = []
            for j in range(i, min(i + _MOST_WORDS, len(tokens))):
                if j > i and not _BLANK.fullmatch(text, tokens[j - 1].end(), tokens[j].start()):
                    break
                names.append(tokens[j][0].strip(".").removesuffix("'s"))
                word = self._latin.get(tuple(names))
                if word:
                    end = tokens[j].end() - (len(tokens[j][0]) - len(tokens[j][0].rstrip(".")))
                    found[first.start()] = Found(first.start(), end, word)
        return found


@cache
def topics() -> Lexicon:
    """The words of the thesaurus, with English plurals."""
    words = dict.fromkeys(thesaurus.vocabulary())
    singular = [
        word
        for word in words
        if word.isascii() and len(word) > 3 and not word.endswith("s") and word not in _TOO_COMMON
    ]
    plurals = [f"{word[:-1]}ies" if word[-1] == "y" and word[-2] not in "aeiou" else f"{word}s" for word in singular]
    return Lexicon([*words, *plurals], lambda word: word in _TOO_COMMON)


@cache
def places() -> Lexicon:
    """The names of countries and regions; no marks of one letter, no codes."""
    return Lexicon(countries.phrases(), _no_country_word)


@cache
def persons() -> Lexicon:
    """The names of well-known authors; no names that are also words."""
    return Lexicon(people.phrases(), lambda name: name in _NAMES_THAT_ARE_WORDS)


_NAMES_THAT_ARE_WORDS = frozenset("Hardy Poe Gabo 阿来 西西 海子 奎因 何伟 阿婆".split())
_NOT_COUNTRIES = frozenset(
    "现代 当代 近代 战国 春秋 三国 内地 大陆 本土 西洋 扶桑 罗马 明清 大马 黑山 马里 中非 Roman West Hebrew Pacific Lao Georgia Jordan Chad Kiwi".split()
) | {"the West", "the US"}


def _no_country_word(name: str) -> bool:
    short = len(name) <= 1 or (name.isascii() and len(name) <= 2 and name != "UK") or name in ("CHN", "JPN", "GBR")
    return short or name in _NOT_COUNTRIES


def _words(folded: str) -> list[str]:
    return [word.strip(".").removesuffix("'s") for word in _LATIN_WORD.findall(folded)]
