"""Answers that are figures: how many there are, what a sum comes to, what an earlier result was."""

from __future__ import annotations

import re

from shutong.llm.builtin import conditions
from shutong.llm.builtin.about import shown_lines
from shutong.llm.builtin.book_lines import cite
from shutong.llm.builtin.booklist import total_words
from shutong.llm.builtin.decide import CALCULATE, SEARCH, asks_oldest, operands
from shutong.llm.builtin.observations import Found, read_figure, read_found
from shutong.llm.builtin.phrases import WORKS, Voice
from shutong.llm.builtin.view import View
from shutong.nlu.condition_words import year_text

_SIGNS = {"add": "+", "subtract": "−", "multiply": "×", "divide": "÷"}
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_RESULT = re.compile(r"(?:=|＝|结果是|結果是|一共|result (?:is|was))\D{0,12}?(-?\d[\d,]*(?:\.\d+)?)")
_ASKS_BOOKS = re.compile(
    r"推荐|推薦|哪[几幾]?本|哪些|书单|書單|\b(?:which (?:books?|ones?)|recommend\w*|titles?|the list)\b", re.IGNORECASE
)


def count(view: View, voice: Voice) -> list[list[str]]:
    """How many works there are, and which is the earliest when that was asked."""
    searches = view.results(SEARCH)
    first = next((found for content in searches if (found := read_found(content)) is not None), None)
    if first is None:
        return [[voice.say("failed.search" if searches else "failed.no_search")]]
    query = first.applied or view.reading.query
    asked = conditions.asked(query, voice)
    total = total_words(first, voice, WORKS)
    said = [voice.say("count.asked", asked=asked, total=total) if asked else voice.say("count.all", total=total)]
    if first.not_held:
        said.insert(0, voice.say("open.not_held", title=first.not_held))
    if first.total:
        said.append(voice.say("count.works"))
    if first.total and asks_oldest(view):
        said += _oldest(first, searches, voice)
    return [said]


def _oldest(first: Found, searches: list[str], voice: Voice) -> list[str]:
    """The earliest book, when the second search saw the far end of the list, or the first one all of it."""
    far_end = read_found(searches[1]) if len(searches) > 1 else first if len(first.books) >= first.total else None
    dated = [book for book in far_end.books if book.year is not None] if far_end else []
    if not dated:
        return [voice.say("count.oldest_unknown")]
    oldest = min(dated, key=lambda book: book.year or 0)
    year = year_text(oldest.year or 0, voice.language)
    return [voice.say("count.oldest", title=cite(oldest), year=year), voice.say("count.oldest_note")]


def arithmetic(view: View, voice: Voice) -> list[list[str]]:
    """The sum, step by step, and what it comes to; never a figure that the calculator did not give."""
    expression = view.reading.expression
    results = view.results(CALCULATE)
    if not expression:
        return [[voice.say("sum.what")]]
    if len(results) < len(expression):
        return [[voice.say(_why_not(view, len(results)))]]
    steps = []
    figure = ""
    for step, result in enumerate(results[: len(expression)]):
        numbers, read = operands(view, step), read_figure(result)
        if numbers is None or read is None:
            return [[voice.say(_why_not(view, step))]]
        figure = read
        sign = _SIGNS.get(expression[step][1], expression[step][1])
        steps.append(f"{numbers[0]} {sign} {numbers[1]} = {figure}")
    name = "sum.result" if len(steps) > 1 else "sum.single"
    return [[voice.say(name, sum=voice.facts(steps), result=figure)]]


def _why_not(view: View, step: int) -> str:
    """The reason why a step of the sum has no result."""
    numbers = operands(view, step)
    if numbers is None and step == 0:
        return "sum.no_before"
    if numbers and view.reading.expression[step][1] == "divide" and not numbers[1].strip("0.- "):
        return "sum.by_zero"
    return "sum.failed" if view.results(CALCULATE) else "sum.no_tool"


def recall(view: View, voice: Voice) -> list[list[str]]:
    """An earlier result: the books listed if those are meant, otherwise the newest figure of the talk."""
    figure = view.state.last_result or _figure(view.earlier_answer)
    if view.state.shown and (_ASKS_BOOKS.search(view.text) or not figure):
        return [[voice.say("recall.books")], shown_lines(view.state.shown, voice)]
    return [[voice.say("recall.figure", figure=figure) if figure else voice.say("recall.nothing")]]


def _figure(text: str) -> str | None:
    """The figure that an answer came to: what stands after "=" or "the result is", otherwise its last number."""
    told = _RESULT.findall(text) or _NUMBER.findall(text)
    return told[-1] if told else None
