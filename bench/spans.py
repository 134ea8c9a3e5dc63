"""Stop watches on the program from outside: named functions are wrapped, and every call leaves a span.

A span's time is its own: what a wrapped function spends in another wrapped one counts for that one only.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine, event

from shutong import service
from shutong.agent import acting
from shutong.agent.grounding import Grounder
from shutong.agent.turn import Turn
from shutong.conversations.turns import Turns
from shutong.llm.builtin import BuiltinModel
from shutong.runs.live import LiveRun
from shutong.runs.local import LocalRuns
from shutong.search.embedded.engine import EmbeddedEngine
from shutong.web import stream

WATCHED: tuple[tuple[str, Any, str], ...] = (
    ("claim", Turns, "claim"),
    ("queue", LocalRuns, "_wait_turn"),
    ("window", service, "load_window"),
    ("reading", service, "_reading"),
    ("prompt", Turn, "request"),
    ("model", BuiltinModel, "stream"),
    ("tool", acting, "_run"),
    ("search", EmbeddedEngine, "search"),
    ("grounding", Grounder, "check"),
    ("finish", Turns, "finish"),
    ("page", stream.StreamView, "take"),
    ("suggestions", service.Service, "ways_on"),
)
"""The waits of a turn, in order, with the function that each is spent in."""


@dataclass(slots=True)
class Span:
    """One call: when it began (seconds of the machine's clock), and how long it took by itself."""

    name: str
    began: float
    seconds: float = 0.0


@dataclass(slots=True)
class Seen:
    """All that was seen: spans, the moments of SQL statements, and when each event of a run was published."""

    spans: list[Span] = field(default_factory=list)
    statements: list[float] = field(default_factory=list)
    published: dict[str, float] = field(default_factory=dict)


_inside: ContextVar[Span | None] = ContextVar("_inside", default=None)


def watch(seen: Seen) -> None:
    """Wrap every watched function, for the rest of this process."""
    for name, owner, attribute in WATCHED:
        setattr(owner, attribute, _wrapped(name, getattr(owner, attribute), seen.spans))
    event.listen(Engine, "before_cursor_execute", lambda *_: seen.statements.append(time.perf_counter()))
    append = LiveRun.append

    def noted(live: LiveRun, what: Any) -> None:
        append(live, what)
        seen.published[f"{live.run_id}-{live.last}"] = time.perf_counter()

    LiveRun.append = noted  # type: ignore[method-assign]


def _wrapped(name: str, function: Callable[..., Any], spans: list[Span]) -> Callable[..., Any]:
    async def stream_of_parts(*given: Any, **more: Any) -> AsyncGenerator[Any, None]:
        parts = function(*given, **more)
        whole = Span(name, time.perf_counter())
        spans.append(whole)
        try:
            while True:
                with _timed(whole):
                    part = await anext(parts)
                yield part  # what the reader of the parts does is not the model's time
        except StopAsyncIteration:
            return
        finally:
            await parts.aclose()

    async def awaited(*given: Any, **more: Any) -> Any:
        with _timed(_new(name, spans)):
            return await function(*given, **more)

    def called(*given: Any, **more: Any) -> Any:
        with _timed(_new(name, spans)):
            return function(*given, **more)

    if inspect.isasyncgenfunction(function):
        return stream_of_parts
    return awaited if inspect.iscoroutinefunction(function) else called


def _new(name: str, spans: list[Span]) -> Span:
    """A span of this name; a search that another wait makes is that wait's own."""
    outer = _inside.get()
    if name == "search" and outer is not None and outer.name == "suggestions":
        return outer
    spans.append(Span(name, time.perf_counter()))
    return spans[-1]


@contextmanager
def _timed(span: Span) -> Iterator[None]:
    outer = _inside.get()
    if outer is span:
        yield
        return
    token = _inside.set(span)
    began = time.perf_counter()
    try:
        yield
    finally:
        took = time.perf_counter() - began
        _inside.reset(token)
        span.seconds += took
        if outer is not None:
            outer.seconds -= took
