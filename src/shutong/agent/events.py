"""Everything that happens in a run, as one union of events in order.

The SSE stream, the terminal's trace, the stored trace, the metrics and the bots all read this one stream. The
loop yields events without a place; whoever runs the loop numbers them (`Numbered`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from shutong.llm.messages import Usage
from shutong.nlu.dialogue import Act
from shutong.search.query import BookQuery
from shutong.search.result import Hit, NearMiss


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A run begins to work. `model` is the first model that will be asked."""

    model: str


@dataclass(frozen=True, slots=True)
class StepStarted:
    """A round of the model begins; `step` counts from 1. `messages` is exactly what is sent."""

    step: int
    messages: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Thought:
    """What the model thought or said beside its calls. For the trace, never for the reader."""

    text: str


@dataclass(frozen=True, slots=True)
class ModelReplied:
    """A model call ended. `milliseconds` is its whole time, `first_ms` the time to its first piece."""

    step: int
    model: str
    content: str
    usage: Usage
    milliseconds: float
    first_ms: float | None = None


@dataclass(frozen=True, slots=True)
class ToolCalled:
    """A tool begins. `arguments` are the checked ones, or the raw text when they could not be read."""

    call_id: str
    tool: str
    arguments: dict[str, Any] | str


@dataclass(frozen=True, slots=True)
class ToolReturned:
    """A tool ended. `result` is the observation as the model sees it."""

    call_id: str
    tool: str
    ok: bool
    result: str
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Understood:
    """How the request was read: the act, and the query about to be run. `query` is None when nothing is searched.

    `language` and `script` are the message's: everything is to be said to the reader in them.
    """

    act: Act
    query: BookQuery | None
    language: Literal["zh", "en"] = "zh"
    script: Literal["hans", "hant"] = "hans"


@dataclass(frozen=True, slots=True)
class NumberedHit:
    """A found book with its short number in the talk."""

    number: int
    hit: Hit


@dataclass(frozen=True, slots=True)
class Books:
    """A search came back. A later `Books` of the same run takes the place of an earlier one."""

    total: int
    total_is_floor: bool
    hits: tuple[NumberedHit, ...]
    near_misses: tuple[tuple[int, NearMiss], ...] = ()
    applied: BookQuery = field(default_factory=BookQuery)


@dataclass(frozen=True, slots=True)
class Citation:
    """A title in the answer that is a book of the catalogue."""

    title: str
    book_id: int


@dataclass(frozen=True, slots=True)
class AnswerDelta:
    """A whole and verified unit of the answer (a sentence, a list item, a table row) with the white space around it."""

    text: str
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerWithdrawn:
    """What was shown of the answer was no answer (reasoning without an opening tag) and is to be dropped."""


@dataclass(frozen=True, slots=True)
class HeldBack:
    """A unit that was refused, and why. For the trace only."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the reader should know (`code` is stable, `text` a sentence in the reader's language)."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class RunFinished:
    """The end of a run that has an answer. `state` is completed or step_limit."""

    state: str
    answer: str
    usage: Usage
    model: str


@dataclass(frozen=True, slots=True)
class RunFailed:
    """The end of a run without an answer. `state` is failed, timeout, cancelled or interrupted; `partial` what was shown."""

    state: str
    code: str
    sentence: str
    partial: str = ""


@dataclass(frozen=True, slots=True)
class Restarted:
    """The run is attempted again from its beginning; what was shown of it is to be dropped."""


Event = (
    RunStarted
    | StepStarted
    | Thought
    | ModelReplied
    | ToolCalled
    | ToolReturned
    | Understood
    | Books
    | AnswerDelta
    | AnswerWithdrawn
    | HeldBack
    | Notice
    | RunFinished
    | RunFailed
    | Restarted
)


@dataclass(frozen=True, slots=True)
class Numbered:
    """An event with its place: `seq` counts from 1 within the run."""

    run_id: str
    seq: int
    event: Event
