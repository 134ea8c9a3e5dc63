"""Carrying the talk's query over into a message that only adds, changes or takes back a condition."""

from __future__ import annotations

import re
from typing import Any

from shutong.nlu.draft import Draft
from shutong.nlu.sheet import Sheet, pattern
from shutong.search.query import MAX_LIST, MAX_TEXT, BookQuery
from shutong.text import key

_TOPIC = frozenset({"keyword", "title", "category", "series", "isbn", "like", "author", "tags", "award"})
_GROWING = frozenset({"tags"})
_OPPOSITE = {
    "exclude_countries": "author_country",
    "exclude_authors": "author",
    "exclude_categories": "category",
    "exclude_tags": "tags",
}
_PAIRS = (("year_from", "year_to"), ("first_year_from", "first_year_to"), ("min_pages", "max_pages"))
_LEAD = pattern(
    r"\A[\s,]*(?:那|那么|嗯|好|ok|oh|hmm|and|also|but|actually)?[\s,]*(?:有没有|有|只要|只看|只想看|仅|就要|要|改成|换成|改为|换|如果|再加|加上|也要|最好|限定|必须|其中|里面|这些(?:里|中)面?|能不能|可以"
    r"|any|only|just|make|what about|how about|with|in|by|from|must|should be|same but|change|switch|instead|do any|are any|are there any|something|of these|which of|no\b|not\b|preferably|ideally|(?:about|on|for|set in|written|published|rated)\b)"
)
_NOUN = pattern(
    r"推荐|想看|想读|想找|想学|找(?:几|一|点|本)|介绍|书单|\b(?:recommend|suggest|i want|i'd like|looking for|find me|show me|i need|do you have|have you got)\b"
)
_CHANGE = pattern(
    r"换成|改成|改为|换为|换作|\binstead\b|\bswitch to\b|\bchange (?:it |that )?to\b|\bwhat about\b|\bhow about\b|呢[?。]?\Z"
)
_NAMED_ANEW = re.compile(
    r"\s*(?:And |So |But |and |so |but )?(?:[Ww]hat|[Hh]ow) about (?:[A-Z]\w*|the [A-Z]\w*)(?: (?:of|the|and|[A-Z]\w*))*\s*\??\s*\Z"
)
"""A name after "what about": another book, nothing that could be added to the request before."""

_SHORT_ZH = 16
_SHORT_EN = 9


def is_refinement(sheet: Sheet, draft: Draft, counting: bool) -> bool:
    """Whether the message changes the earlier request rather than making a new one."""
    said = set(draft.hard) - {"exact_title", "sort"}
    topics = said & _TOPIC
    if not draft.hard and not draft.prefer and not draft.dropped and not draft.unknowable:
        return counting
    if draft.dropped:
        return True
    if not topics and "keyword" not in draft.prefer:
        return (
            not (said <= {"limit"} and _NOUN.search(sheet.view) and not draft.prefer and not draft.unknowable)
            or counting
        )
    if topics & {"keyword", "title"} and _NAMED_ANEW.match(sheet.text):
        return False
    if "title" in topics or "isbn" in topics or "like" in topics or _NOUN.search(sheet.view):
        return False
    chinese = any("\u3400" <= c <= "\u9fff" for c in sheet.view)
    short = len(sheet.view) <= _SHORT_ZH if chinese else len(sheet.view.split()) <= _SHORT_EN
    return short and bool(_LEAD.match(sheet.view) or _CHANGE.search(sheet.view))


def is_change(sheet: Sheet) -> bool:
    """Whether the message puts one thing in the place of another (换成科幻, what about physics?)."""
    return bool(_CHANGE.search(sheet.view))


def carry_over(
    base: BookQuery, draft: Draft, exclude_works: tuple[str, ...] = (), changed: bool = False
) -> dict[str, Any]:
    """The earlier query's fields with those of the draft replaced, added or dropped.

    `changed`: a new topic takes the place of the old one instead of joining it.
    `tags` and everything excluded grow, other fields are replaced. A later list starts from its beginning (no offset).
    """
    fields = base.said()
    fields.pop("offset", None)
    fields.pop("unknowable", None)
    if changed:
        fields.pop("keyword", None)
    for name in draft.dropped:
        fields.pop(name, None)
        fields.get("prefer", {}).pop(name, None)
    for name, value in draft.hard.items():
        _put(fields, name, value)
    wishes = fields.get("prefer", {}) | draft.prefer
    fields["prefer"] = {name: value for name, value in wishes.items() if name not in draft.hard}
    if draft.unknowable:
        fields["unknowable"] = list(draft.unknowable)
    if exclude_works:
        # Both are newest first: the newest works are the ones that must not come again when there is room for some only.
        fields["exclude_works"] = list(dict.fromkeys((*exclude_works, *fields.get("exclude_works", ()))))[:MAX_LIST]
    return fields


def _put(fields: dict[str, Any], name: str, value: Any) -> None:
    if name == "keyword" and fields.get("keyword"):
        known = fields["keyword"]
        fields[name] = known if key(value) in key(known) else f"{known} {value}"[:MAX_TEXT]
    elif name in _GROWING or name.startswith("exclude_"):
        fields[name] = list(dict.fromkeys((*fields.get(name, ()), *value)))[:MAX_LIST]
    else:
        fields[name] = value
    if name in _OPPOSITE and (wanted := fields.get(_OPPOSITE[name])):
        refused = {key(item) for item in value}
        fields[_OPPOSITE[name]] = [item for item in wanted if key(item) not in refused]
    for low, high in _PAIRS:
        other = {low: high, high: low}.get(name)
        if other and other in fields and fields.get(low, 0) > fields.get(high, 0):
            fields.pop(other)
