"""One reply put together from the chunks of a stream, as objects. Pure: it knows nothing of HTTP."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from shutong.llm.call_parts import CallParts
from shutong.llm.failures import Origin, broke_off, reported, unreadable
from shutong.llm.messages import Part, ReasoningPart, Reply, TextPart, Usage
from shutong.llm.pieces import Pieces

_FINISHES = {
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "tool_use": "tool_calls",
    "length": "length",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "content_filter": "content_filter",
    "sensitive": "content_filter",
    "safety": "content_filter",
}
_FAILED = frozenset({"error", "network_error", "insufficient_system_resource"})
_REASONING = ("reasoning_content", "reasoning", "thinking")


class Assembler:
    """Feed it chunks, show what it gives back, and ask for the `reply` at the end.

    It takes the shapes that servers really send: missing and null fields, a whole message in place of a delta, text as
    a list of parts, usage anywhere (the last one counts). `taken` are the call ids that the talk has used already.
    """

    def __init__(self, origin: Origin, taken: Collection[str] = ()) -> None:
        self._origin = origin
        self._calls = CallParts(taken)
        self._text = Pieces()
        self._reasoning = Pieces()
        self._reasoned = False  # a reasoning field was there, be it empty
        self._finish = ""
        self._usage = Usage()
        self._answered = False  # a choice was there
        self._streamed = False  # text or calls came in deltas

    @property
    def ended(self) -> bool:
        """True once the server has said that the reply is over: what is missing then is at most the usage."""
        return bool(self._finish)

    def feed(self, chunk: dict[str, Any]) -> list[Part]:
        """The parts to show for a chunk. Raises `ModelError(kind="stream")` when the chunk reports an error."""
        if _is_error(chunk):
            raise reported(self._origin, chunk)
        choice = _first(chunk.get("choices"))
        self._usage = _usage(chunk.get("usage")) or _usage(choice.get("usage")) or self._usage
        self._answered = self._answered or bool(choice)
        parts = list(self._read_choice(choice))
        finish = choice.get("finish_reason")
        if isinstance(finish, str) and finish not in ("", "null"):
            self._end(finish.lower(), chunk)
        return parts

    def reply(self, model: str, *, marked: bool) -> Reply:
        """The whole reply of this model. `marked`: its end was marked by `[DONE]`, or it came as one whole body.

        Raises `ModelError`: incomplete when the server said in no way that it was over, stream when it said nothing else.
        """
        if not (marked or self.ended):
            raise broke_off(self._origin, began=True)
        if not self._answered:
            raise unreadable(self._origin, "an answer without choices")
        calls = self._calls.finish()
        return Reply(
            content=self._text.joined(),
            reasoning=self._reasoning.joined() if self._reasoned else None,
            calls=calls,
            finish=self._finish_with(bool(calls)),
            usage=self._usage,
            model=model,
        )

    def _read_choice(self, choice: dict[str, Any]) -> Iterator[Part]:
        delta = choice.get("delta")
        if not delta and not self._streamed:
            delta = choice.get("message")  # after deltas it only sums them up
        if not isinstance(delta, dict):
            return
        self._streamed = self._streamed or bool(
            choice.get("delta") and (delta.get("content") or delta.get("tool_calls"))
        )
        yield from self._read_reasoning(delta)
        text, thought = _content(delta.get("content") or delta.get("refusal"))
        if thought := self._reasoning.add(thought):
            self._reasoned = True
            yield ReasoningPart(thought)
        if text := self._text.add(text):
            yield TextPart(text)
        self._calls.add(delta.get("tool_calls"))
        self._calls.add(delta.get("function_call"))  # the older name, one call without an id

    def _read_reasoning(self, delta: dict[str, Any]) -> Iterator[Part]:
        """One of the fields for reasoning; servers that send two of them send the same twice."""
        fields = [value for name in _REASONING if isinstance(value := delta.get(name), str)]
        self._reasoned = self._reasoned or bool(fields)
        if thought := self._reasoning.add(next(filter(None, fields), "")):
            yield ReasoningPart(thought)

    def _end(self, finish: str, chunk: dict[str, Any]) -> None:
        if finish in _FAILED:
            raise reported(self._origin, {"message": f"finish_reason {finish}"} | chunk)
        self._finish = finish

    def _finish_with(self, has_calls: bool) -> str:
        finish = _FINISHES.get(self._finish, "stop")
        if finish in ("stop", "tool_calls"):
            return "tool_calls" if has_calls else "stop"
        return finish


def _first(choices: Any) -> dict[str, Any]:
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else {}


def _is_error(chunk: dict[str, Any]) -> bool:
    if chunk.get("error"):
        return True
    says = any(isinstance(chunk.get(name), str) and chunk[name] for name in ("message", "detail"))
    return says and not chunk.get("choices")


def _usage(value: Any) -> Usage | None:
    if not isinstance(value, dict):
        return None
    prompt = _count(value, "prompt_tokens", "input_tokens")
    completion = _count(value, "completion_tokens", "output_tokens")
    return Usage(prompt, completion) if prompt or completion else None


def _count(value: dict[str, Any], *names: str) -> int:
    return next((int(n) for name in names if isinstance(n := value.get(name), int | float) and 0 < n < 1e12), 0)


def _content(value: Any) -> tuple[str, str]:
    """The visible text and the reasoning in a content field: a string, or a list of typed parts."""
    if isinstance(value, str):
        return value, ""
    text: list[str] = []
    thought: list[str] = []
    for part in value if isinstance(value, list) else []:
        if isinstance(part, str):
            text.append(part)
        elif isinstance(part, dict) and part.get("type") in ("thinking", "reasoning"):
            inner = part.get("thinking") or part.get("text")
            thought += _content(inner)
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            text.append(part["text"])
    return "".join(text), "".join(thought)
