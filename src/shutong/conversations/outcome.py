"""What a run came to: the stream of its events, read into the one object that every way in gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from shutong.agent.events import (
    AnswerDelta,
    AnswerWithdrawn,
    Books,
    Event,
    HeldBack,
    ModelReplied,
    Notice,
    NumberedHit,
    RunFailed,
    RunFinished,
    RunStarted,
    StepStarted,
    Thought,
    ToolCalled,
    ToolReturned,
    Understood,
)
from shutong.llm.messages import Usage
from shutong.search.query import BookQuery
from shutong.search.result import NearMiss


@dataclass(slots=True)
class ToolTrace:
    """One call of a tool, as the trace keeps it."""

    call_id: str
    tool: str
    arguments: Any
    ok: bool = False
    result: str = ""
    milliseconds: float = 0.0


@dataclass(slots=True)
class StepTrace:
    """One round of the model, as the trace keeps it."""

    step: int
    messages: list[dict[str, Any]]
    model: str = ""
    reply: str = ""
    thought: str = ""
    usage: Usage = field(default_factory=Usage)
    milliseconds: float = 0.0
    calls: list[ToolTrace] = field(default_factory=list)


@dataclass(slots=True)
class Outcome:
    """Grows with every event; whole when the run has ended. `state` is running until then."""

    run_id: str
    conversation_id: str | None
    message: str
    state: str = "running"
    answer: str = ""
    act: str | None = None
    understood: BookQuery | None = None
    language: Literal["zh", "en"] = "zh"
    script: Literal["hans", "hant"] = "hans"
    books: Books | None = None
    notices: list[Notice] = field(default_factory=list)
    held_back: list[HeldBack] = field(default_factory=list)
    steps: list[StepTrace] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    result: str | None = None
    error_code: str | None = None
    error: str | None = None

    @property
    def hits(self) -> tuple[NumberedHit, ...]:
        return self.books.hits if self.books else ()

    @property
    def near_misses(self) -> tuple[tuple[int, NearMiss], ...]:
        return self.books.near_misses if self.books else ()

    def take(self, event: Event) -> None:
        """Read one more event."""
        match event:
            case AnswerDelta():
                self.answer += event.text
            case AnswerWithdrawn():
                self.answer = ""
            case RunStarted():
                self.model = event.model
            case Understood():
                self.act, self.understood = event.act, event.query
                self.language, self.script = event.language, event.script
            case Books():
                self.books = event
            case Notice():
                self.notices.append(event)
            case HeldBack():
                self.held_back.append(event)
            case RunFinished():
                self.state, self.answer, self.model = event.state, event.answer, event.model
                self.usage = event.usage
            case RunFailed():
                self.state, self.error_code, self.error = event.state, event.code, event.sentence
            case _:
                self._take_step(event)

    def _take_step(self, event: Event) -> None:
        match event:
            case StepStarted():
                self.steps.append(StepTrace(event.step, list(event.messages)))
            case Thought() if self.steps:
                self.steps[-1].thought += event.text
            case ModelReplied() if self.steps:
                step = self.steps[-1]
                step.model, step.reply = event.model, event.content
                step.usage, step.milliseconds = event.usage, event.milliseconds
            case ToolCalled() if self.steps:
                self.steps[-1].calls.append(ToolTrace(event.call_id, event.tool, event.arguments))
            case ToolReturned() if self.steps:
                self._take_result(event)
            case _:
                pass

    def _take_result(self, event: ToolReturned) -> None:
        for call in self.steps[-1].calls:
            if call.call_id == event.call_id and not call.result:
                call.ok, call.result, call.milliseconds = event.ok, event.result, event.milliseconds
                break
        if event.tool == "calculator" and event.ok:
            self.result = event.result


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    """The object of `shutong ask --json` and `POST /chat`. Other programs rely on its keys."""
    return {
        "state": outcome.state,
        "answer": outcome.answer,
        "books": [shown.hit.book.model_dump(mode="json") for shown in outcome.hits],
        "near_misses": [near.model_dump(mode="json") for _, near in outcome.near_misses],
        "understood": outcome.understood.said() if outcome.understood is not None else None,
        "act": outcome.act,
        "notices": [{"code": notice.code, "text": notice.text} for notice in outcome.notices],
        "conversation_id": outcome.conversation_id,
        "run_id": outcome.run_id,
        "model": outcome.model,
    }


def trace_json(outcome: Outcome) -> dict[str, Any]:
    """The object of `shutong trace RUN --json` and `GET /api/runs/{id}`: the run with its steps and what was held back."""
    return outcome_json(outcome) | {
        "message": outcome.message,
        "error": {"code": outcome.error_code, "message": outcome.error} if outcome.error_code else None,
        "usage": {"prompt_tokens": outcome.usage.prompt, "completion_tokens": outcome.usage.completion},
        "steps": [_step_json(step) for step in outcome.steps],
        "held_back": [{"text": held.text, "reason": held.reason} for held in outcome.held_back],
    }


def _step_json(step: StepTrace) -> dict[str, Any]:
    return {
        "model": step.model,
        "messages": step.messages,
        "reply": step.reply,
        "thought": step.thought,
        "usage": {"prompt_tokens": step.usage.prompt, "completion_tokens": step.usage.completion},
        "milliseconds": step.milliseconds,
        "calls": [
            {
                "tool": call.tool,
                "arguments": call.arguments,
                "ok": call.ok,
                "result": call.result,
                "milliseconds": call.milliseconds,
            }
            for call in step.calls
        ],
    }
