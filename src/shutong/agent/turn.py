"""What one run is given, and what it has come to so far."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import date

from shutong.agent.answer import Answer
from shutong.agent.context import ToolContext
from shutong.agent.events import Event
from shutong.agent.prompt import system_prompt
from shutong.agent.protocols import native, text
from shutong.agent.protocols.content import CONTENT_ID
from shutong.agent.registry import Tool
from shutong.agent.repair import estimate_tokens, fit, repair
from shutong.llm.messages import Message, Model, ModelRequest, Reply, ToolCall, ToolSpec, TurnContext, Usage
from shutong.nlu.dialogue import SEARCHING_ACTS
from shutong.settings import Settings

SAME_CALL_MEMORY = 5
SAME_CALL_LIMIT = 3
"""The second identical call gets the first one's result with a note; the third ends the use of tools."""

MOST_COMPARED = 3
"""Of so many books that a message speaks of the records are looked up for a model that does not ask for them."""

BAD_CALL_LIMIT = 3
"""So many rounds in a row with nothing but wrong calls end the use of tools."""


@dataclass(slots=True)
class Turn:
    """One run's input (the upper fields) and its progress (the lower ones). Made anew for every run.

    `model` answers; `backup` is asked when the model stays silent (the built-in one, which always has something to say).
    """

    model: Model
    backup: Model | None
    tools: dict[str, Tool]
    history: tuple[Message, ...]
    message: str
    context: ToolContext
    answer: Answer
    settings: Settings
    today: date

    messages: list[Message] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    emitted: list[Event] = field(default_factory=list)
    recent_calls: list[tuple[str, str, str]] = field(default_factory=list)
    """The last few calls: tool, arguments, observation."""

    tool_calls: int = 0
    same_calls: int = 0
    bad_rounds: int = 0
    tools_withdrawn: bool = False
    bound_reached: bool = False
    last_model: str = ""

    @property
    def speaks_text(self) -> bool:
        """Whether tools are told in words and asked for by ACTION lines."""
        if self.settings.llm_protocol == "text":
            return self.model is not self.backup
        return self.settings.llm_protocol == "auto" and self.model.native_tools is False

    def heard_call(self, step: int) -> ToolCall | None:
        """The call that the message plainly needs next and that was not made yet: its search, a record, or a step of its sum."""
        reading, done = self.context.reading, self.context.sum_results
        if reading.act in SEARCHING_ACTS and "search_books" in self.tools and not self.context.observed:
            query = json.dumps(reading.query.said(), ensure_ascii=False)
            return ToolCall(f"heard-{step}", "search_books", query)
        if reading.act in ("about_item", "compare") and "get_book" in self.tools:
            return self._next_record(step)
        if len(done) < len(reading.expression) and "calculator" in self.tools:
            a, operation, b = reading.expression[len(done)]
            a, b = (done[-1] if part == "$" and done else part for part in (a, b))
            return ToolCall(f"heard-{step}", "calculator", json.dumps({"a": a, "b": b, "operation": operation}))
        return None

    def _next_record(self, step: int) -> ToolCall | None:
        """The record of the next book that the message speaks of, as long as one was not fetched."""
        numbers = {book.position: book.number for book in self.context.state.shown}
        wanted = [numbers[item] for item in self.context.reading.items if item in numbers][:MOST_COMPARED]
        if len(self.context.observed) >= len(wanted):
            return None
        number = wanted[len(self.context.observed)]
        return ToolCall(f"heard-{step}", "get_book", json.dumps({"number": number}))

    @property
    def usable(self) -> bool:
        """Whether what was said is an answer: not when it is empty or rambles, or leaves out what a sum came to."""
        said, results = self.answer.text.strip(), self.context.sum_results
        if not said or self.answer.rambling:
            return False
        return not results or results[-1] in said.replace(",", "")

    def models(self) -> list[Model]:
        """The models to ask, in order."""
        return [self.model, self.backup] if self.backup is not None and self.backup is not self.model else [self.model]

    def begin(self, model: Model) -> None:
        """Start (again) from the reader's message with this model."""
        self.model = model
        self.messages = [*self.history, Message("user", self.message)]
        self.recent_calls.clear()
        self.same_calls = self.bad_rounds = self.tool_calls = 0
        self.tools_withdrawn = False

    def offered(self, step: int) -> tuple[ToolSpec, ...]:
        """The tools of this round; none once a bound is reached, so that the model answers from what it has."""
        spent = self.usage.prompt + self.usage.completion >= self.settings.run_tokens
        self.bound_reached = step >= self.settings.max_steps or self.tool_calls >= self.settings.max_tool_calls or spent
        if self.bound_reached or self.tools_withdrawn:
            return ()
        return tuple(tool.spec for tool in self.tools.values())

    def request(self, tools: tuple[ToolSpec, ...]) -> ModelRequest:
        """The next call of the model: prompt, talk and observations, repaired and cut to the window."""
        in_words = text.instructions(tools) if self.speaks_text else ""
        system = system_prompt(self.context.state, self.context.reading, self.today, in_words)
        room = self.settings.window_tokens + estimate_tokens(self.message)  # a long message must not push results out
        messages = fit(repair([Message("system", system), *self.messages]), room)
        context = TurnContext(self.context.state, self.context.reading)
        return ModelRequest(
            messages=messages,
            tools=tools,
            temperature=self.settings.llm_temperature,
            stop=text.STOP if self.speaks_text else (),
            context=context,
        )

    def remember_round(self, reply: Reply, calls: list[ToolCall], results: list[tuple[ToolCall, str]]) -> None:
        """Put a round's calls and observations into the talk, in the protocol that the model speaks.

        A model whose calls come only in its text is asked in words from then on.
        """
        if self.settings.llm_protocol == "auto" and any(call.id.startswith(CONTENT_ID) for call in calls):
            self.model.native_tools = False
        protocol = text if self.speaks_text else native
        self.messages += protocol.write(reply, calls, results)

    def correct(self, feedback: str) -> None:
        """Tell the model what was wrong; what it had said so far stands."""
        self.answer.keep_private(feedback)
        if self.answer.text.strip():
            self.messages.append(Message("assistant", self.answer.text))
        self.messages.append(Message("user", feedback, synthetic=True))
