"""The sentences that the page shows beside the answer."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from shutong.agent.events import Books
from shutong.agent.tools.books import SearchArguments
from shutong.llm.builtin.conditions import asked
from shutong.llm.builtin.phrases import Voice

_SEARCHING = {"zh": "在 {size} 册里找：{asked}", "en": "Looking through {size} books: {asked}"}
_SEARCHING_ALL = {"zh": "在 {size} 册里找", "en": "Looking through {size} books"}
_NEAR = {"zh": "差一点点：这些书只差一两个条件。", "en": "Just missed: these differ in a condition or two."}


def searching_text(arguments: dict[str, Any] | str, size: int, voice: Voice) -> str:
    """What is being looked for, in plain words."""
    words = ""
    if isinstance(arguments, dict):
        try:
            words = asked(SearchArguments.model_validate(arguments).query(), voice)
        except ValidationError:
            words = ""
    template = _SEARCHING if words else _SEARCHING_ALL
    return template[voice.language].format(size=f"{size:,}", asked=words)


def near_text(books: Books, voice: Voice) -> str:
    """The line over the near misses."""
    return _NEAR[voice.language] if books.near_misses else ""
