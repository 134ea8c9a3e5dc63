"""What of a record tells why it fits a request: the tags that answer to it, the sentence of its introduction that speaks of it.

Real records have forty tags in no order, and introductions that begin with prizes and sales; a short list or a quotation
must not be made of whatever happens to come first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from shutong.catalog import countries
from shutong.regex import later
from shutong.search import thesaurus
from shutong.search.query import BookQuery
from shutong.text import fold

MOST_TERMS = 12
_READ = 1_200
"""How many characters of an introduction are looked through."""

_SENTENCE = later(r"[^。！？!?\n]+?(?:[。！？!?]+[”」』’\"]*|\.(?=[\s\"”]|\Z)|(?=\n)|\Z)")
_LEAD = later(
    r"^[^\w“\"「『《〈(（【\[]+|^(?:【[^】]*】|\[[^\]]*\]|「[^」]{1,8}」|(?:内容|作品|图书|本书)简介\s*[:：]?)\s*"
)
_HEADING = later(
    r"(?:内容|作品|作者|图书|本书|编辑|媒体|名家|专业|专家)?(?:简介|介绍|推荐|提要|梗概|评论|荐语|看点|亮点)|目录|序言?|前言|about the (?:book|author)"
    r"|editorial reviews?|product description|synopsis|description|summary",
    re.IGNORECASE,
)
_PRAISE = later(
    r"畅销|销量|热销|好评|推荐|获奖|大奖|诺奖|诺贝尔|力作|首次|首度|首部|重磅|万册|豆瓣|年度|必读|震撼|钜献|巨献|出版|榜|译本|译者|译文|装帧|编辑|作者|作家|版本|新版|再版|修订|丛书|收藏|读者|著名"
    r"|暢銷|獲獎|推薦|出版|作者|讀者"
    r"|best-?sell|new york times|award|prize|acclaim|author of|praise|edition|publish|classic|#\s?1|number one|million copies|reviewers?|critics|now a (?:major )?(?:motion|film|movie)",
    re.IGNORECASE,
)
_SHORTEST, _LONGEST = 5, 300


@dataclass(frozen=True, slots=True)
class Asked:
    """The words of a request that say what the books are to be about, wishes first: as written, folded, and as concepts."""

    words: dict[str, str]
    concepts: frozenset[str]
    countries: frozenset[str]

    def about(self, text: str) -> list[str]:
        """The words, as written, that a folded text speaks of."""
        return [word for word, folded in self.words.items() if speaks_of(folded, text)]

    def meets(self, tag: str) -> bool:
        """Whether a tag is one of these words, has one of them in it, or means the same or a kind of it."""
        folded = _folded(tag)
        return (
            any(speaks_of(word, folded) for word in self.words.values())
            or thesaurus.concept(tag) in self.concepts
            or bool(self.countries and countries.of_literature(tag) in self.countries)
        )


def asked(query: BookQuery) -> Asked:
    """The topic words of a query: keyword, tags, categories and audience, wished for or required."""
    words: list[str] = []
    for conditions in (query.prefer, query):
        for text in (conditions.keyword, *conditions.tags, *conditions.category, conditions.audience):
            words += [text, *text.split()] if text else []
    words = list(dict.fromkeys(words))[:MOST_TERMS]
    meant = frozenset[str]().union(*(thesaurus.suiting(thesaurus.concept(word)) for word in words))
    concepts = frozenset[str]().union(*map(thesaurus.narrower, meant))
    wanted = frozenset[str]().union(*(countries.codes(name) for name in query.author_country))
    return Asked({word: _folded(word) for word in words}, concepts, wanted)


def tags_first(tags: Sequence[str], wanted: Asked) -> list[str]:
    """The tags with those that answer to the request in front; otherwise in their own order."""
    return sorted(tags, key=lambda tag: not wanted.meets(tag))


def passages(intro: str, wanted: Asked) -> list[str]:
    """Sentences of an introduction, the most telling first: what speaks of the request, then what is no praise.

    Headings, ornaments and what only advertises the book go; sentences keep their wording.
    """
    plain = [s for s in sentences(intro) if not _PRAISE.search(s)]
    return sorted(plain, key=lambda sentence: -len(wanted.about(fold(sentence))))


def sentences(intro: str) -> list[str]:
    """The sentences of an introduction in their order, without headings and ornaments."""
    bare = (_bare(sentence) for sentence in _SENTENCE.findall(intro[:_READ]))
    return [s for s in bare if _SHORTEST <= len(s) <= _LONGEST and not _HEADING.fullmatch(s.strip(" :：。"))]


def speaks_of(term: str, text: str) -> bool:
    """Whether a text speaks of a term, both folded; a Latin term only as a word of its own (R is not in "river")."""
    if term.isascii():
        return bool(term) and re.search(rf"(?<![a-z0-9]){re.escape(term)}(?![a-z0-9])", text) is not None
    return term in text


def _bare(sentence: str) -> str:
    while (shorter := _LEAD.sub("", sentence.strip())) != sentence:
        sentence = shorter
    return sentence


_folded = lru_cache(maxsize=4096)(fold)  # topic words and tags come again in every book
