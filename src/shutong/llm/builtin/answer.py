"""The written answer: paragraphs of whole sentences and list items, made from the reading and what the tools gave back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from shutong.llm.builtin import about, figures, talk
from shutong.llm.builtin.booklist import book_list
from shutong.llm.builtin.phrases import Voice
from shutong.llm.builtin.view import View
from shutong.text import key

Paragraphs = list[list[str]]
"""A paragraph is a list of units: whole sentences, or list items that begin with `- `."""

_CITATION = re.compile(r"\[\[\d+\]\]")  # taken out of what the reader sees


def write_answer(view: View) -> Iterator[str]:
    """The answer, unit by unit, with the white space between them in front; what was said already is not said again."""
    said = key(view.said)
    for unit in _units(view):
        if not said or key(_CITATION.sub("", unit)) not in said:
            yield unit


def _units(view: View) -> Iterator[str]:
    voice = Voice(view.reading.language, view.reading.script)
    if view.reading.ambiguous:
        paragraphs = [[voice.end(view.reading.ambiguous)]]
    else:
        paragraphs = _WRITERS[view.reading.act](view, voice)
    between = "" if voice.language == "zh" else " "
    gap = ""
    for paragraph in paragraphs:
        for unit in paragraph:
            yield ("\n" if gap == between and unit.startswith("- ") else gap) + unit
            gap = between
        gap = "\n\n"


_WRITERS: dict[str, Callable[[View, Voice], Paragraphs]] = {
    "new_request": book_list,
    "refine": book_list,
    "exclude": book_list,
    "more_like_this": book_list,
    "another_batch": book_list,
    "go_back": about.earlier_list,
    "about_item": about.one_book,
    "compare": about.several_books,
    "count": figures.count,
    "arithmetic": figures.arithmetic,
    "recall": figures.recall,
    "small_talk": talk.small_talk,
    "help": talk.help_,
    "out_of_scope": talk.out_of_scope,
    "care": talk.care,
}
