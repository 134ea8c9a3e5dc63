"""Asking: `POST /chat`, `POST /api/chat`, `GET /api/chat/stream`, and stopping and looking at runs."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from shutong.conversations import turns
from shutong.conversations.outcome import Outcome, outcome_json, trace_json
from shutong.errors import InvalidRequestError
from shutong.runs.live import LiveRun
from shutong.web.deps import Open, Owner
from shutong.web.problems import problem
from shutong.web.stream import is_past_end, place, stream_response

router = APIRouter(tags=["chat"])

STATUS = {"completed": 200, "step_limit": 200, "timeout": 504, "cancelled": 409, "interrupted": 503}
LOOK_SECONDS = 1.0
"""How often it is looked whether a client that waits for a whole answer is still there."""

STREAMED: dict[str, Any] = {"description": "The run.", "content": {"text/event-stream": {}}}
MOST_HISTORY = 200
NO_MORE = 204
"""What tells a browser's EventSource that there is nothing to come back for."""

Message = Annotated[str, Field(min_length=1, max_length=8_000)]
ConversationId = Annotated[str, Field(min_length=1, max_length=191)]
Key = Annotated[str, Field(min_length=1, max_length=191)]


class ChatBody(BaseModel):
    """A message to a conversation; without an id a new one is begun."""

    model_config = ConfigDict(extra="forbid")

    message: Message
    conversation_id: ConversationId | None = None


class HistoryMessage(BaseModel):
    """One message of a talk that the client keeps itself."""

    model_config = ConfigDict(extra="forbid")

    role: Literal["user", "assistant"]
    content: Annotated[str, Field(max_length=100_000)]


class ApiChatBody(ChatBody):
    """The same, with a key against running twice, or the client's own history in place of a conversation."""

    history: Annotated[list[HistoryMessage], Field(max_length=MOST_HISTORY)] | None = None
    key: Key | None = None


@router.post("/chat", response_model=None)
async def chat(body: ChatBody, service: Open, owner: Owner, http: Request) -> JSONResponse:
    """Ask, and get the whole answer."""
    request = turns.Request(body.message, conversation_id=body.conversation_id, owner=owner)
    return _answer(await _finished(await service.submit(request), http))


@router.post("/api/chat", response_model=None, responses={200: STREAMED})
async def api_chat(
    body: ApiChatBody,
    service: Open,
    owner: Owner,
    http: Request,
    accept: Annotated[str, Header()] = "",
    idempotency_key: Annotated[str | None, Header(max_length=191)] = None,
) -> Response:
    """Ask; with `Accept: text/event-stream` the run comes as server-sent events."""
    history = None if body.history is None else tuple((m.role, m.content) for m in body.history)
    request = turns.Request(
        body.message,
        conversation_id=body.conversation_id,
        owner=owner,
        key=body.key or idempotency_key,
        history=history,
    )
    live = await service.submit(request)
    if "text/event-stream" in accept:
        return stream_response(live, service)
    return _answer(await _finished(live, http))


@router.get("/api/chat/stream", response_model=None, responses={200: STREAMED, 204: {"description": "No more."}})
async def chat_stream(
    service: Open,
    owner: Owner,
    message: Annotated[str, Query(min_length=1, max_length=8_000)],
    conversation_id: Annotated[str | None, Query(min_length=1, max_length=191)] = None,
    key: Annotated[str | None, Query(min_length=1, max_length=191)] = None,
    drop: Annotated[str | None, Query(max_length=1_000)] = None,
    last_event_id: Annotated[str | None, Header(max_length=200)] = None,
) -> Response:
    """A run for a browser's EventSource. Coming back with the same key, or with `Last-Event-ID`, never runs it again."""
    seen = place(last_event_id)
    live = await service.watch(seen[0], owner) if seen is not None else None
    after = seen[1] if seen is not None and live is not None else None
    if live is None:
        request = turns.Request(message, conversation_id=conversation_id, owner=owner, key=key, drop=_dropped(drop))
        live = await service.submit(request)
    if is_past_end(live, after):
        return Response(status_code=NO_MORE)
    return stream_response(live, service, after)


@router.post("/api/runs/{run_id}/cancel", status_code=204)
async def cancel(run_id: str, service: Open, owner: Owner) -> None:
    """Stop a run; its model's connection is closed. Does nothing to a run that has ended."""
    await service.cancel(run_id, owner)


@router.get("/api/runs/{run_id}")
async def trace(run_id: str, service: Open, owner: Owner) -> dict[str, Any]:
    """A run with every model call, tool call and what was held back."""
    return trace_json(await service.records.trace(run_id, owner))


def _dropped(drop: str | None) -> tuple[str, Any] | None:
    """`field:value` with the value as JSON; the value may be missing."""
    if drop is None:
        return None
    field, _, value = drop.partition(":")
    try:
        return field, json.loads(value) if value else None
    except ValueError:
        raise InvalidRequestError("drop must be field:value, with the value as JSON.") from None


async def _finished(live: LiveRun, http: Request) -> Outcome:
    """Wait for the end, as a reader for as long as the client is there; without readers the run is soon stopped."""
    waiting = asyncio.create_task(live.finished())
    try:
        while not (await asyncio.wait({waiting}, timeout=LOOK_SECONDS))[0]:
            if await http.is_disconnected():
                break
        return live.outcome
    finally:
        waiting.cancel()


def _answer(outcome: Outcome) -> JSONResponse:
    if outcome.state in ("completed", "step_limit"):
        return JSONResponse(outcome_json(outcome))
    status = STATUS.get(outcome.state, 502 if (outcome.error_code or "").startswith("model") else 500)
    sentence = outcome.error or "The run did not finish."
    more = {"state": outcome.state, "run_id": outcome.run_id, "conversation_id": outcome.conversation_id}
    return problem(status, outcome.error_code or outcome.state, sentence, partial=outcome.answer, **more)
