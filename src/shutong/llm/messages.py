"""The plain data that goes to a model and comes back."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from shutong.nlu.dialogue import DialogueState, Reading

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call the model asks for. `arguments` is the raw text as the model wrote it; it may be any nonsense."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a model's input. `calls` only on assistant messages, `call_id` and `name` only on tool ones.

    `reasoning` is what the model thought before this message, kept for providers that want it back. `synthetic` marks
    what a repair pass put in.
    """

    role: Role
    content: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str | None = None
    name: str | None = None
    reasoning: str | None = None
    synthetic: bool = False


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model sees it: its name, what it is for, and a JSON schema of its arguments."""

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True)
class TurnContext:
    """What is known of the talk beyond its messages. The built-in model stands on it; a wire model gets it as prompt text."""

    state: DialogueState
    reading: Reading


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call of a model. `tools` empty means: answer from what you have."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    temperature: float | None = None
    stop: tuple[str, ...] = ()
    context: TurnContext | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or more calls, as the provider counted them; 0 when it did not."""

    prompt: int = 0
    completion: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.prompt + other.prompt, self.completion + other.completion)


@dataclass(frozen=True, slots=True)
class TextPart:
    """A piece of visible content, as it arrives."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningPart:
    """A piece of private reasoning from a field of its own. Never shown to a reader."""

    text: str


@dataclass(frozen=True, slots=True)
class FellBack:
    """The chain went on to another model, because the one before could not answer. Only before any text."""

    failed: str
    next: str
    reason: str


@dataclass(frozen=True, slots=True)
class Reply:
    """The whole of a model's answer: always the last part of a stream.

    `finish` is stop, tool_calls, length or content_filter. A stream that broke off raises
    `ModelError(kind="incomplete")` instead.
    """

    content: str = ""
    reasoning: str | None = None
    calls: tuple[ToolCall, ...] = ()
    finish: str = "stop"
    usage: Usage = field(default_factory=Usage)
    model: str = ""


Part = TextPart | ReasoningPart | FellBack | Reply


class Model(Protocol):
    """Anything that can answer. Closing the iterator stops the model's work at once.

    `name` is for traces and people. `native_tools` says whether it takes function calls (None: not known yet); False
    makes the loop ask in words, and a model that is asked over a wire send no tools.
    """

    native_tools: bool | None

    @property
    def name(self) -> str: ...

    def stream(self, request: ModelRequest) -> AsyncGenerator[Part, None]:
        """Yield parts as they come and a `Reply` last. Raises `ModelError`."""
        ...
