"""What a book is about and what sort of book it is: known words by the thesaurus, and what is left over as keywords."""

from __future__ import annotations

import re
from dataclasses import dataclass

from shutong.nlu.draft import Draft
from shutong.nlu.filler import is_little, left_over
from shutong.nlu.held_titles import Held
from shutong.nlu.lexicon import topics
from shutong.nlu.script import language_of
from shutong.nlu.sheet import Mode, Sheet, pattern
from shutong.search import thesaurus
from shutong.text import key

MAX_KEYWORD = 200
MOST_TITLE_WORDS = 9
MOST_TITLE_LETTERS = 60
NARRATIVE_WORDS = 5
NARRATIVE_LETTERS = 12
"""From so much text that no grammar understood, a message tells a story: its words are hints, not conditions."""

_LITERARY = thesaurus.concept("literature")
_LOW_MOOD = thesaurus.concept("low mood")
_CHOICE = pattern(r"[\s的]*(?:、|/|,|和|与|或者?|以及|还是|及|\bor\b|\band\b|&)[\s]*(?:an?\s+|some\s+)?")
_ANY_HARD_AUDIENCE = frozenset({"children", "toddler", "primaryschool", "juniorhigh", "seniorhigh", "teen"})
_AUDIENCE_CONTEXT = pattern(r"(?:给|送|适合|为|陪|让|for|to)\s*(?:my |our |a |an )?\Z")
_ABOUT = pattern(r"关于|有关|讲|\b(?:about|on|concerning)\b")
_SOFT_FORMS = frozenset({"classic", "bestseller", "illustrated", "anthology"})
_NAMES_OF_CLASSICS = frozenset(
    {
        "名著",
        "世界名著",
        "经典名著",
        "文学名著",
        "外国名著",
        "古典名著",
        "classics",
        "the classics",
        "classic literature",
    }
)


_BOOK_WORD = pattern(r"书|小说|\b(?:books?|novels?|stories|titles?)\b|\Aabout\b")
_FEELING = pattern(
    r"感觉(?:像|是)|氛围|那种感觉|\b(?:feels? like|feel of|vibes?|atmosphere|makes? me feel|reminds me of)\b"
)


@dataclass(slots=True)
class _Word:
    start: int
    end: int
    concept: str
    text: str
    mode: Mode


def read_topics(sheet: Sheet, draft: Draft) -> None:
    """Claim known words as category, tags or topic; what is left becomes keywords."""
    words = []
    for found in topics().find(sheet.rest):
        text = sheet.said(found.start, found.end)
        words.append(_Word(found.start, found.end, thesaurus.concept(found.term), text, sheet.mode(found.start)))
    for word in words:
        sheet.claim(word.start, word.end)
    _read_genres(sheet, draft, words)
    for word in words:
        _read_other(sheet, draft, word)
    left = left_over(sheet)
    story = _is_story(sheet, left)
    for start, end in left:
        mode = sheet.mode(start)
        draft.topics.append((start, end, sheet.said(start, end), "prefer" if story and mode == "ask" else mode))
    if story:
        draft.topics = [(a, b, text, "prefer" if mode == "ask" else mode) for a, b, text, mode in draft.topics]
    _write_keywords(sheet, draft)


def read_whole(sheet: Sheet, draft: Draft, held: Held) -> None:
    """A bare message, without any word of asking, may be a title: its words are kept together, little ones too.

    When it is made of little words only ("And Then There Were None", 她), it can be nothing but a title.
    """
    if _is_held(sheet, draft, held):
        return
    if (
        sheet.asked
        or draft.dropped
        or _BOOK_WORD.search(sheet.view)
        or set(draft.hard) - {"keyword"}
        or set(draft.prefer) - {"keyword"}
        or draft.unknowable
    ):
        return
    text = " ".join(sheet.text.split()).strip(" ,.?!，。？！")
    words = text.split()
    if not key(text) or len(words) > MOST_TITLE_WORDS or len(text) > MOST_TITLE_LETTERS:
        return
    said = draft.hard.get("keyword") or draft.prefer.get("keyword") or ""
    if thesaurus.known(said) or key(said) == key(text):
        draft.hard.setdefault("keyword", said or text)
        return
    draft.prefer.pop("keyword", None)
    little = not said if language_of(sheet) == "zh" else len(key(said)) * 2 < len(key(text))
    if little and _TALK_EN.search(text):
        return
    if little:
        draft.hard = {"title": [text], "exact_title": True}
    else:
        draft.hard["keyword"] = text


def _is_held(sheet: Sheet, draft: Draft, held: Held) -> bool:
    """Whether a bare English message is a title that the catalogue holds and that its keywords would lose (her, V., it).

    A plain topic is no such title, though a book may have its name (dragons).
    """
    text = " ".join(sheet.text.split()).strip(" ,?!")
    words = text.split()
    short = 0 < len(text) <= MOST_TITLE_LETTERS and len(words) <= MOST_TITLE_WORDS
    if not short or language_of(sheet) == "zh" or "title" in draft.hard or "category" in draft.hard:
        return False
    little = sum(is_little(word) for word in words)
    if not little or held(text) is None:
        return False
    draft.hard, draft.prefer = {"title": [text]}, {}
    draft.hard |= {"exact_title": True} if little == len(words) else {}
    draft.unknowable, draft.assumed = [], {}
    return True


_TALK_EN = re.compile(
    r"\A[a-z](?=.* ).*\b(?:i|i'm|i'd|you|you're|me|my|your|what|why|how|did|will|that's|please|ok|yes|think|mean)\b"
)
"""What belongs to a talk and hardly to a title, in words written without capitals."""


def _is_story(sheet: Sheet, left: list[tuple[int, int]]) -> bool:
    if _FEELING.search(sheet.view):
        return True
    latin = sum(1 for start, _ in left if sheet.view[start].isascii())
    letters = sum(end - start for start, end in left if not sheet.view[start].isascii())
    return latin >= NARRATIVE_WORDS or letters >= NARRATIVE_LETTERS


def _read_genres(sheet: Sheet, draft: Draft, words: list[_Word]) -> None:
    genres = [word for word in words if thesaurus.kind(word.concept) == "genre"]
    asked = [word for word in genres if word.mode != "not"]
    for word in genres:
        if word.mode == "not":
            draft.add("tags", word.text, "not")
    asked = _without_wider(asked)
    for i, word in enumerate(asked):
        following = asked[i + 1] if i + 1 < len(asked) else None
        between = sheet.view[word.end : following.start] if following else ""
        if following and not _CHOICE.fullmatch(between) and len(between.strip()) <= 2 and _modifies(word, following):
            if word.concept in thesaurus.narrower(_LITERARY):
                draft.add("tags", word.text, word.mode)
            else:
                draft.topics.append((word.start, word.end, word.text, word.mode))
        elif i and _ABOUT.search(sheet.view[asked[i - 1].end : word.start]):
            draft.topics.append((word.start, word.end, word.text, word.mode))
        else:
            draft.add("category", word.text, word.mode)


def _modifies(word: _Word, head: _Word) -> bool:
    return word.mode == head.mode and word.concept != head.concept


def _without_wider(words: list[_Word]) -> list[_Word]:
    """推理小说 and 小说: the wider word adds nothing, and as an alternative it would undo the narrower one."""
    return [w for w in words if not any(_is_wider(w, other) for other in words)]


def _is_wider(word: _Word, other: _Word) -> bool:
    return other.concept != word.concept and other.concept in thesaurus.narrower(word.concept)


def _read_other(sheet: Sheet, draft: Draft, word: _Word) -> None:
    kind = thesaurus.kind(word.concept)
    if kind == "topic":
        draft.topics.append((word.start, word.end, word.text, word.mode))
    elif kind == "form":
        soft = word.concept in _SOFT_FORMS and word.text.lower() not in _NAMES_OF_CLASSICS
        draft.add("tags", word.text, "prefer" if soft and word.mode == "ask" else word.mode)
    elif word.concept == _LOW_MOOD:
        # Nobody files books under being sad; what is wanted is what helps.
        draft.add("tags", {"zh": "治愈", "en": "uplifting"}[language_of(sheet)], "prefer")
    elif word.concept == "gift" and word.text.isascii():
        return  # what it is for says nothing of the book
    elif kind in ("mood", "occasion"):
        draft.add("tags", word.text, "not" if word.mode == "not" else "prefer")
    elif kind == "audience":
        if "audience" in draft.hard and word.mode == "ask":
            return
        if word.concept in _ANY_HARD_AUDIENCE and word.mode != "not":
            near = _AUDIENCE_CONTEXT.search(sheet.view[max(0, word.start - 12) : word.start])
            draft.add("audience", word.text, word.mode if near or not sheet.view[word.start].isascii() else "prefer")
        elif word.mode != "not":
            draft.topics.append((word.start, word.end, word.text, "prefer"))
        else:
            draft.add("tags", word.text, "not")


def _write_keywords(sheet: Sheet, draft: Draft) -> None:
    for mode in ("ask", "prefer"):
        pieces: list[str] = []
        last_end = -1
        for start, end, text, own in sorted(draft.topics):
            if own != mode:
                continue
            if last_end == start and pieces:
                pieces[-1] += text
            elif text not in pieces:
                pieces.append(text)
            last_end = end
        keyword = " ".join(pieces)[:MAX_KEYWORD].strip()
        if keyword:
            target = draft.hard if mode == "ask" else draft.prefer
            target.setdefault("keyword", keyword)
    for _, _, text, own in sorted(draft.topics):
        if own == "not" and (len(key(text)) > 1 or thesaurus.known(text)):
            draft.add("tags" if thesaurus.known(text) else "keyword", text, "not")
            if draft.hard.get("author") and not thesaurus.known(text):
                # With the author given, an unknown name that is not wanted is most likely a series of theirs.
                draft.add("series", text, "not")
