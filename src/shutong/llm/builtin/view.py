"""What the built-in model sees of a request: the reading, the reader's words, and what this turn's tools gave back."""

from __future__ import annotations

import re
from dataclasses import dataclass

from shutong.llm.messages import Message, ModelRequest
from shutong.nlu.dialogue import DialogueState, Reading, ShownBook
from shutong.search.query import MAX_TEXT, BookQuery
from shutong.text import clean

_HAN = re.compile("[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class View:
    """One request, read. `observations` are (tool, content) in order; tool results never enter the history, so all are this turn's.

    `said` is the part of this turn's answer that the reader has already seen.
    """

    reading: Reading
    state: DialogueState
    text: str
    tools: frozenset[str]
    observations: tuple[tuple[str, str], ...]
    earlier_answer: str
    said: str = ""

    def results(self, tool: str) -> list[str]:
        """The contents that a tool gave back in this turn, in call order."""
        return [content for name, content in self.observations if name == tool]

    def can_call(self, tool: str) -> bool:
        """Whether the tool is on offer."""
        return tool in self.tools

    def items(self) -> tuple[ShownBook, ...]:
        """The shown books that the message speaks of; empty when one of them is not in the list."""
        by_place = {book.position: book for book in self.state.shown}
        named = [by_place.get(position) for position in self.reading.items]
        return tuple(book for book in named if book is not None) if None not in named else ()


def read_request(request: ModelRequest) -> View:
    """Read a request. Without a context, the reader's last message is taken as plain words to search for."""
    spoken, turn = _split(request.messages)
    text = clean(spoken[-1].content) if spoken and spoken[-1].role == "user" else ""
    context = request.context
    answers = [m.content for m in spoken if m.role == "assistant" and m.content]
    return View(
        reading=context.reading if context else _plain_reading(text),
        state=context.state if context else DialogueState(),
        text=text,
        tools=frozenset(tool.name for tool in request.tools),
        observations=_observations(turn),
        earlier_answer=clean(answers[-1]) if answers else "",
        said="\n".join(m.content for m in turn if m.role == "assistant" and not m.calls),
    )


def _split(messages: tuple[Message, ...]) -> tuple[list[Message], list[Message]]:
    """The talk up to and with the reader's message, and what this turn's tools did since."""
    at = next((i for i, m in enumerate(messages) if m.calls or m.role == "tool"), len(messages))
    talk = [m for m in messages[:at] if m.role in ("user", "assistant")]
    while talk and talk[-1].role == "assistant":
        talk.pop()
    return talk, list(messages[at:])


def _observations(turn: list[Message]) -> tuple[tuple[str, str], ...]:
    names = {call.id: call.name for message in turn for call in message.calls}
    return tuple((m.name or names.get(m.call_id or "", ""), m.content) for m in turn if m.role == "tool")


def _plain_reading(text: str) -> Reading:
    words = " ".join(text.split())[:MAX_TEXT]
    language = "zh" if _HAN.search(words) or not words else "en"
    return Reading(
        act="new_request" if words else "help",
        query=BookQuery(keyword=words or None),
        language="zh" if language == "zh" else "en",
    )
