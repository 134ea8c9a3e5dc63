"""One round of the model: its stream becomes answer text, thoughts, and the calls it asks for."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from shutong.agent.events import AnswerWithdrawn, Event, ModelReplied, Notice, StepStarted, Thought
from shutong.agent.grounding import Refused
from shutong.agent.protocols import native, text
from shutong.agent.protocols.content import ContentFilter, Hidden, Visible, Withdrawn
from shutong.agent.turn import Turn
from shutong.agent.units import UnitCutter
from shutong.agent.wording import NOTICES
from shutong.llm.messages import FellBack, Message, ReasoningPart, Reply, TextPart, ToolCall, ToolSpec

REMARK_CHARACTERS = 100
"""What a model says before a call is one sentence, not longer than this, and names no book."""


class Round:
    """One model call of a run. After `events()` is exhausted, its fields say what came of it.

    `calls`: the tools it asks for. `refused`: the unit it has to be told of. `unsearched`: it answered out of its own
    memory what has to be looked up or worked out; none of that is shown, and the call has to be made for it.
    """

    def __init__(self, turn: Turn, step: int, tools: tuple[ToolSpec, ...]) -> None:
        self._turn = turn
        self._step = step
        self._tools = tools
        self._filter = ContentFilter(turn.tools, step)
        # Before anything was looked up, one sentence before a call ("Let me see…") is a thought and no answer.
        self._must_look_up = bool(tools) and turn.heard_call(step) is not None
        looked_up = bool(turn.context.observed) and not self._must_look_up
        self._holding: list[str] | None = [] if tools and not looked_up else None
        self.unsearched = False
        self.reply = Reply()
        self.calls: list[ToolCall] = []
        self.refused: Refused | None = None

    async def events(self) -> AsyncGenerator[Event, None]:
        """What happens, as it happens. Raises `ModelError`. Closing it closes the model's connection."""
        turn = self._turn
        request = turn.request(self._tools)
        yield StepStarted(self._step, tuple(_shown(message) for message in request.messages))
        started = time.perf_counter()
        first: float | None = None
        async with aclosing(turn.model.stream(request)) as parts:
            async for part in parts:
                first = first or time.perf_counter()
                for event in self._take(part):
                    yield event
                if turn.answer.refused is not None or turn.answer.rambling or self.unsearched:
                    break
        for event in self._finish():
            yield event
        yield ModelReplied(
            step=self._step,
            model=self.reply.model or turn.model.name,
            content=self._filter.visible if turn.answer.refused else self.reply.content,
            usage=self.reply.usage,
            milliseconds=_since(started),
            first_ms=None if first is None else round((first - started) * 1000, 2),
        )
        turn.last_model = self.reply.model or turn.model.name
        turn.usage += self.reply.usage
        self.refused = turn.answer.take_refusal()

    def _take(self, part: TextPart | ReasoningPart | FellBack | Reply) -> list[Event]:
        if isinstance(part, TextPart):
            return self._visible(self._filter.feed(part.text))
        if isinstance(part, Reply):
            self.reply = part
        if isinstance(part, FellBack):
            if self._turn.backup is not None and part.next == self._turn.backup.name:
                self._turn.model = self._turn.backup  # for the rest of this run: a dead model is asked once
            words = NOTICES[self._turn.context.reading.language]["fell_back"]
            told = Notice("model_fell_back", words.format(failed=part.failed))
            return [told, Thought(part.reason)]  # the reason names addresses and settings: for the operator
        return []

    def _visible(self, pieces: list[Visible | Hidden | Withdrawn]) -> list[Event]:
        answer = self._turn.answer
        events: list[Event] = []
        for piece in pieces:
            if isinstance(piece, Withdrawn):
                events += [AnswerWithdrawn()] if answer.released else []
                answer.withdraw()
                self._holding = [] if self._holding is not None else None
            elif isinstance(piece, Visible) and self._holding is None:
                events += answer.feed(piece.text)
            elif isinstance(piece, Visible) and self._holding is not None:
                self._holding.append(piece.text)
                events += self._release_held() if _is_more_than_a_remark("".join(self._holding)) else []
        return events

    def _release_held(self) -> list[Event]:
        if self._must_look_up:
            self.unsearched = True
            return []
        held, self._holding = "".join(self._holding or ()), None
        return self._turn.answer.feed(held)

    def _finish(self) -> list[Event]:
        """What is left when the stream has ended, and the calls that it held."""
        turn = self._turn
        if turn.answer.refused is not None:
            return []
        events = self._visible(self._filter.end()) if not self.unsearched else []
        if self._tools:
            protocol = text if turn.speaks_text else native
            self.calls = protocol.read(self.reply, self._filter)
        thoughts = [self.reply.reasoning or "", self._filter.reasoning]
        if self._filter.reasoning:  # thoughts do not go back to the server as if they had been said
            kept = self.reply.reasoning or self._filter.reasoning
            self.reply = replace(self.reply, content=self._filter.visible, reasoning=kept)
        if self._holding is not None:
            held = "".join(self._holding)
            if self.calls:
                self.unsearched = False
            else:
                events += self._release_held()
            if self.calls or self.unsearched:
                thoughts.append(held)
                self.reply = replace(self.reply, content="")
        events += turn.answer.end()
        thought = "\n".join(t for t in thoughts if t.strip())
        return [*events, Thought(thought)] if thought else events


def _is_more_than_a_remark(held: str) -> bool:
    if len(held) > REMARK_CHARACTERS or "《" in held or "[[" in held:
        return True
    return len([unit for unit in UnitCutter().feed(held) if unit.strip()]) > 1


def _shown(message: Message) -> dict[str, Any]:
    """A message as the trace keeps it."""
    shown: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.calls:
        shown["calls"] = [{"tool": call.name, "arguments": call.arguments} for call in message.calls]
    return shown


def _since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 2)
