"""A run as server-sent events: one reader of the run's events, for browsers.

The id of each event names the run and its place, so a browser that comes back with `Last-Event-ID` gets what it
missed, also when it had no key.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

from fastapi.responses import StreamingResponse
from fastapi.sse import format_sse_event

from shutong.agent.events import (
    AnswerDelta,
    AnswerWithdrawn,
    Books,
    Event,
    Notice,
    Restarted,
    RunFailed,
    RunFinished,
    ToolCalled,
    Understood,
)
from shutong.conversations.cards import card_jsons
from shutong.conversations.outcome import Outcome
from shutong.llm.builtin.phrases import Voice
from shutong.nlu.chips import chips
from shutong.runs.live import LiveRun
from shutong.search.engine import Engine
from shutong.service import Service
from shutong.web.render import Blocks, finder
from shutong.web.wording import near_text, searching_text

HEARTBEAT_SECONDS = 15.0
HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}

Said = tuple[str, dict[str, Any]]


class StreamView:
    """Turns a run's events into those that the page knows. Feed it every event from the first on."""

    def __init__(self, live: LiveRun, engine: Engine) -> None:
        self._live = live
        self._engine = engine
        self._voice = Voice("zh")
        self._titles: dict[str, int] = {}
        self._blocks = Blocks(finder(engine, self._titles))

    def started(self) -> dict[str, Any]:
        """What a reader is told at once."""
        live = self._live
        return {"run_id": live.run_id, "conversation_id": live.conversation_id, "model": live.outcome.model or None}

    def take(self, event: Event) -> list[Said]:
        """The page's events for one of ours."""
        match event:
            case Understood():
                self._voice = Voice(event.language, event.script)
                return [("understood", understood_json(event, self._voice))]
            case ToolCalled(tool="search_books"):
                text = searching_text(event.arguments, self._engine.size, self._voice)
                return [("searching", {"tool": event.tool, "text": text})]
            case Books():
                return [("books", self._books(event))]
            case AnswerDelta():
                self._titles |= {citation.title: citation.book_id for citation in event.citations}
                return self._content(event.text)
            case AnswerWithdrawn():
                self._blocks.clear()
                return [("content", {"delta": "", "block": 0, "html": "", "reset": True})]
            case Notice():
                return [("notice", {"code": event.code, "text": event.text})]
            case RunFinished():
                return [("done", self._done(event))]
            case Restarted():
                self._blocks.clear()
                return [("restarted", {})]
            case RunFailed():
                return [("error", {"code": event.code, "sentence": event.sentence, "partial": event.partial})]
            case _:
                return []

    def _content(self, text: str) -> list[Said]:
        """The unit and the blocks that it changes; the deltas joined are the answer.

        The text goes with the last block, because a reader who comes back in between is sent all of them again.
        """
        blocks = self._blocks.feed(text) or [(self._blocks.current, "")]
        deltas = [""] * (len(blocks) - 1) + [text]
        return [
            ("content", {"delta": delta, "block": block, "html": html})
            for delta, (block, html) in zip(deltas, blocks, strict=True)
        ]

    def _books(self, event: Books) -> dict[str, Any]:
        found, near = card_jsons(event, self._voice)
        self._titles |= {shown.hit.book.title: shown.hit.book.id for shown in event.hits}
        return {
            "total": event.total,
            "total_is_floor": event.total_is_floor,
            "books": found,
            "near_misses": near,
            "near_text": near_text(event, self._voice),
        }

    def _done(self, event: RunFinished) -> dict[str, Any]:
        return {
            "state": event.state,
            "answer": event.answer,
            "run_id": self._live.run_id,
            "conversation_id": self._live.conversation_id,
            "model": event.model,
        }


async def ways_json(service: Service, outcome: Outcome) -> dict[str, Any]:
    """What the newest answer of a talk ends with: sentences to go on with, and conditions to loosen with their counts."""
    suggested, loosened = await service.ways_on(outcome)
    return {
        "suggestions": [way.text for way in suggested],
        "loosen": [{"text": way.text, "total": way.total} for way in loosened],
    }


def understood_json(event: Understood, voice: Voice) -> dict[str, Any]:
    """How a request was read, with its conditions as chips; what is looked up for somebody in need shows none."""
    query = event.query if event.act != "care" else None
    shown = chips(query, voice.language, voice.script) if query is not None else []
    return {
        "act": event.act,
        "query": query.said() if query is not None else None,
        "chips": [{"field": c.field, "value": c.value, "text": c.text, "soft": c.soft} for c in shown],
    }


def place(last_event_id: str | None) -> tuple[str, int] | None:
    """The run and the place that a `Last-Event-ID` names; None when it names none of ours."""
    run_id, _, number = (last_event_id or "").rpartition("-")
    return (run_id, int(number)) if run_id and number.isdecimal() and len(number) < 10 else None


def is_past_end(live: LiveRun, after: int | None) -> bool:
    """Whether a reader who has seen this place has seen all there will ever be."""
    return after is not None and live.done and after == live.last


def stream_response(live: LiveRun, service: Service, after: int | None = None) -> StreamingResponse:
    """The run to its end, from its event number `after` on; from the start when None."""
    return StreamingResponse(_frames(live, service, after), media_type="text/event-stream", headers=HEADERS)


async def _frames(live: LiveRun, service: Service, after: int | None) -> AsyncIterator[bytes]:
    view = StreamView(live, service.engine)
    with live.reading():
        if after is None or not live.first - 1 <= after <= live.last:
            yield _frame("started", view.started(), live, live.first - 1)
            if after is not None:  # it has seen a part of another telling of this run
                yield _frame("restarted", {}, live, live.first - 1)
            after = live.first - 1
        for seen in live.log[: after - live.first + 1]:  # so that the view knows what its reader knows
            view.take(seen.event)
        while not live.is_over(after):
            for numbered in live.since(after):
                said = view.take(numbered.event)
                if isinstance(numbered.event, RunFinished):
                    said[-1][1].update(await ways_json(service, live.outcome))
                for frame in _frames_of(said, live, numbered.seq):
                    yield frame
                after = numbered.seq
            if not live.is_over(after) and not await live.more(after, HEARTBEAT_SECONDS):
                yield b": still here\n\n"


def _frames_of(said: list[Said], live: LiveRun, seq: int) -> Iterator[bytes]:
    """The frames of one event. Only the last one has its number: who saw less of it has not seen it."""
    for left, (name, data) in zip(range(len(said) - 1, -1, -1), said, strict=True):
        yield _frame(name, data, live, seq - 1 if left else seq)


def _frame(name: str, data: dict[str, Any], live: LiveRun, seq: int) -> bytes:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return format_sse_event(event=name, data_str=text, id=f"{live.run_id}-{seq}")
