"""A book half remembered: "I read it as a child, the title is gone". What is remembered may be wrong, so it is only liked."""

from __future__ import annotations

from shutong.nlu.draft import Draft
from shutong.nlu.sheet import Sheet, pattern

YEARS_OF_DOUBT = 5
"""How far a remembered time may be off, in years."""

_MEMORY = pattern(
    r"小时候(?:看|读)过|(?:完全|怎么也|就是)?想不起来|(?:书名|名字)(?:给)?(?:忘|记不)|忘(?:了|记)(?:书名|名字|叫)|记不(?:清|得|起)|(?:多年|几年|很久)以?前(?:看|读)过"
    r"|\b(?:(?:can't|cannot|can not|don't) remember|forgot(?:ten)? (?:the|its) (?:title|name)|(?:read|had) (?:it|this|a book|one) (?:as a (?:kid|child|teen\w*)|when i was|in (?:school|college)|years ago|decades ago)"
    r"|trying to (?:remember|find|recall) (?:a|the|this) book|what(?:'s| was| is) (?:that|the|this) book|tip of (?:my|the) tongue)\b"
)
_SOFTENED = (
    "keyword",
    "tags",
    "year_from",
    "year_to",
    "first_year_from",
    "first_year_to",
    "audience",
    "min_pages",
    "max_pages",
)


def soften_memory(sheet: Sheet, draft: Draft) -> None:
    """Turn the conditions of a half remembered book into wishes, and widen its years."""
    if not _MEMORY.search(sheet.view):
        return
    for name in _SOFTENED:
        if name not in draft.hard:
            continue
        value = draft.hard.pop(name)
        if name == "keyword" and draft.prefer.get("keyword"):
            value = f"{value} {draft.prefer[name]}"
        elif name == "tags":
            value = [*value, *draft.prefer.get("tags", [])]
        elif name.endswith("year_from"):
            value -= YEARS_OF_DOUBT
        elif name.endswith("year_to"):
            value += YEARS_OF_DOUBT
        draft.prefer[name] = value
