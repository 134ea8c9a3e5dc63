"""Turns: who may run when, and how a run ends, by the database alone.

A run is `queued → running → completed | failed | step_limit | timeout | cancelled | interrupted`; every change is a
compare-and-set. Runs of one conversation go one after the other in order of `seq`, over all processes. A run that
has stopped beating is closed as interrupted by whoever notices.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, and_, func, insert, null, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from shutong.conversations.outcome import Outcome
from shutong.conversations.sql_store import append, ensure
from shutong.conversations.store import LOCAL_OWNER, checked_id, is_exact, is_run_id
from shutong.errors import ConversationBusyError, InvalidRequestError, KeyReusedError, NotFoundError
from shutong.settings import Settings
from shutong.storage.clock import now_epoch
from shutong.storage.database import Database
from shutong.storage.tables import conversations, run_books, run_steps, runs, tool_calls
from shutong.text import clean

OPEN = ("queued", "running")
TITLE_CHARACTERS = 40
MOST_KEY_CHARACTERS = 191


@dataclass(frozen=True, slots=True)
class Request:
    """A message to be answered, its text cleaned as it comes in.

    `history` is the talk of a client that keeps its own; then nothing but the trace is stored. `drop`
    is a chip that the reader took away: (field, value) of the last query.
    """

    message: str
    conversation_id: str | None = None
    owner: str = LOCAL_OWNER
    key: str | None = None
    history: tuple[tuple[str, str], ...] | None = None
    drop: tuple[str, Any] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", clean(self.message))
        if self.history is not None:
            object.__setattr__(self, "history", tuple((role, clean(text)) for role, text in self.history))

    @property
    def digest(self) -> str:
        """What two requests with the same key must have in common, beside the conversation."""
        body = json.dumps([self.message, self.history], ensure_ascii=True)
        return hashlib.sha256(body.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Claim:
    """A run that was accepted. `is_new` is false when the key belongs to a run that was accepted before."""

    run_id: str
    conversation_id: str | None
    seq: int | None
    is_new: bool
    state: str = "queued"


class Turns:
    """The life of runs in the database. `worker` names this process in the rows that it owns."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database = database
        self._settings = settings
        self.worker = uuid.uuid4().hex[:12]

    async def claim(self, request: Request) -> Claim:
        """Accept a message: its run is stored with its text before this returns.

        Raises `InvalidRequestError`, `NotFoundError` (somebody else's conversation), `KeyReusedError` and
        `ConversationBusyError`.
        """
        self._check(request)
        conversation_id = None
        if request.history is None:
            conversation_id = checked_id(request.conversation_id) if request.conversation_id else uuid.uuid4().hex

        async def work(connection: AsyncConnection) -> Claim:
            if request.key and (known := await self._known(connection, request)):
                return known
            return await self._insert(connection, request, conversation_id)

        try:
            return await self._database.transaction(work)
        except IntegrityError:  # two with the same key at the same moment: the other one was first
            async with self._database.read() as connection:
                known = await self._known(connection, request)
            if known is None:
                raise
            return known

    async def start(self, claim: Claim) -> bool:
        """Take the conversation for this run if it is its turn. True when the run is running from now on."""

        async def work(connection: AsyncConnection) -> bool:
            if claim.conversation_id is not None and not await _take(connection, claim):
                return False
            moved = await connection.execute(
                update(runs)
                .where(runs.c.id == claim.run_id, runs.c.state == "queued")
                .values(state="running", heartbeat_at=now_epoch(), worker=self.worker)
            )
            if moved.rowcount != 1:
                await _release(connection, claim.run_id)
            return moved.rowcount == 1

        return await self._database.transaction(work)

    async def beat(self, run_id: str) -> bool:
        """Say that the run is alive. False when it is to stop: cancelled elsewhere, or closed as dead."""

        async def work(connection: AsyncConnection) -> bool:
            moved = await connection.execute(
                update(runs)
                .where(runs.c.id == run_id, runs.c.state.in_(OPEN), runs.c.cancel_requested.is_(False))
                .values(heartbeat_at=now_epoch())
            )
            return moved.rowcount == 1

        return await self._database.transaction(work)

    async def request_cancel(self, run_id: str, owner: str = LOCAL_OWNER) -> None:
        """Ask whichever process has the run to stop it. Raises `NotFoundError`; does nothing to a run that has ended."""

        async def work(connection: AsyncConnection) -> None:
            query = select(runs.c.id).where(runs.c.id == run_id, runs.c.owner == owner)
            if not is_run_id(run_id) or (await connection.execute(query)).first() is None:
                raise NotFoundError("There is no such run.")
            await connection.execute(
                update(runs).where(runs.c.id == run_id, runs.c.state.in_(OPEN)).values(cancel_requested=True)
            )

        await self._database.transaction(work)

    async def finish(self, outcome: Outcome, *, from_states: Sequence[str] = ("running",)) -> bool:
        """End a run: messages, books, trace and state in one transaction. False when it had ended already."""
        done = outcome.state in ("completed", "step_limit")

        async def work(connection: AsyncConnection) -> bool:
            moved = await connection.execute(
                update(runs)
                .where(runs.c.id == outcome.run_id, runs.c.state.in_(from_states))
                .values(_ending(outcome, done))
            )
            if moved.rowcount != 1:
                return False
            await _store_trace(connection, outcome)
            if done:
                await _store_books(connection, outcome)
            if done and outcome.conversation_id is not None:
                said = [("user", outcome.message), ("assistant", outcome.answer)]
                await append(connection, outcome.conversation_id, said, outcome.run_id)
            if outcome.conversation_id is not None:
                await _name(connection, outcome)
            await _release(connection, outcome.run_id)
            return True

        return await self._database.transaction(work)

    async def close_dead(self) -> list[str]:
        """Close every open run that has not beaten for `dead_after_seconds`. Returns their ids."""
        limit = self._settings.dead_after_seconds
        stale = and_(runs.c.state.in_(OPEN), runs.c.heartbeat_at < now_epoch() - limit)
        async with self._database.read() as connection:
            ids = [row.id for row in await connection.execute(select(runs.c.id).where(stale).order_by(runs.c.id))]
        if not ids:
            return []

        async def work(connection: AsyncConnection) -> list[str]:
            return [run_id for run_id in ids if await _close(connection, run_id, stale)]

        return await self._database.transaction(work)

    async def state(self, run_id: str) -> str | None:
        """The state of a run; None when there is no such run."""
        async with self._database.read() as connection:
            found: str | None = (await connection.execute(select(runs.c.state).where(runs.c.id == run_id))).scalar()
        return found

    def _check(self, request: Request) -> None:
        most = self._settings.message_characters
        if not request.message.strip():
            raise InvalidRequestError("message is empty. Say what you would like to read.")
        if len(request.message) > most:
            raise InvalidRequestError(f"message has {len(request.message)} characters; at most {most} are taken.")
        if request.key is not None and not (0 < len(request.key) <= MOST_KEY_CHARACTERS and is_exact(request.key)):
            raise InvalidRequestError(
                f"key must be 1 to {MOST_KEY_CHARACTERS} printable characters with no space at its beginning or end."
            )
        if request.history is not None and request.conversation_id is not None:
            raise InvalidRequestError("Send either history or conversation_id, not both.")

    async def _known(self, connection: AsyncConnection, request: Request) -> Claim | None:
        """The run that this key already belongs to."""
        query = select(runs.c.id, runs.c.conversation_id, runs.c.seq, runs.c.state, runs.c.body_digest).where(
            runs.c.owner == request.owner, runs.c.idempotency_key == request.key
        )
        row = (await connection.execute(query)).first()
        if row is None:
            return None
        elsewhere = request.conversation_id is not None and request.conversation_id != row.conversation_id
        if row.body_digest != request.digest or elsewhere:
            raise KeyReusedError("This key was already used for another message. Use a new key.")
        return Claim(row.id, row.conversation_id, row.seq, False, row.state)

    async def _insert(self, connection: AsyncConnection, request: Request, conversation_id: str | None) -> Claim:
        seq = None
        if conversation_id is not None:
            await ensure(connection, conversation_id, request.owner)
            seq = await _next_seq(connection, conversation_id)
            await self._check_room(connection, conversation_id)
        run_id = uuid.uuid4().hex
        await connection.execute(
            insert(runs).values(
                id=run_id,
                conversation_id=conversation_id,
                seq=seq,
                owner=request.owner,
                idempotency_key=request.key,
                body_digest=request.digest,
                state="queued",
                message=request.message,
                heartbeat_at=now_epoch(),
                worker=self.worker,
            )
        )
        return Claim(run_id, conversation_id, seq, True)

    async def _check_room(self, connection: AsyncConnection, conversation_id: str) -> None:
        """One message may be at work, or be about to, while `max_waiting` others wait."""
        unfinished = select(func.count()).where(runs.c.conversation_id == conversation_id, runs.c.state.in_(OPEN))
        if int((await connection.execute(unfinished)).scalar_one()) > self._settings.max_waiting:
            raise ConversationBusyError("Too many messages are waiting in this conversation. Wait for an answer first.")


async def _next_seq(connection: AsyncConnection, conversation_id: str) -> int:
    """The next number of a run. Holds the conversation's row from now on, so those who claim at once go one by one."""
    await connection.execute(
        update(conversations)
        .where(conversations.c.conversation_id == conversation_id)
        .values(next_seq=conversations.c.next_seq + 1)
    )
    query = select(conversations.c.next_seq).where(conversations.c.conversation_id == conversation_id)
    return int((await connection.execute(query)).scalar_one()) - 1


async def _take(connection: AsyncConnection, claim: Claim) -> bool:
    """Make this run the active one of its conversation, if none is and no earlier one is open."""
    first = (
        select(func.min(runs.c.seq))
        .where(runs.c.conversation_id == claim.conversation_id, runs.c.state.in_(OPEN))
        .scalar_subquery()
    )
    taken = await connection.execute(
        update(conversations)
        .where(
            conversations.c.conversation_id == claim.conversation_id,
            conversations.c.active_run.is_(None),
            first == claim.seq,
        )
        .values(active_run=claim.run_id)
    )
    return taken.rowcount == 1


async def _close(connection: AsyncConnection, run_id: str, stale: ColumnElement[bool]) -> bool:
    """Close a dead run as interrupted. False when somebody was quicker, or it is alive after all."""
    moved = await connection.execute(
        update(runs)
        .where(runs.c.id == run_id, stale)
        .values(
            state="interrupted",
            error_code="interrupted",
            error="The program stopped while it was answering. Try again.",
            finished_at=func.current_timestamp(),
        )
    )
    if moved.rowcount == 1:
        await _release(connection, run_id)
    return moved.rowcount == 1


def _ending(outcome: Outcome, done: bool) -> dict[str, Any]:
    understood = _cleaned(outcome.understood.said()) if outcome.understood else None
    return {
        "state": outcome.state,
        "act": outcome.act,
        "language": outcome.language,
        "script": outcome.script,
        "understood": understood,
        "answer": clean(outcome.answer) if done else None,
        "partial": None if done else clean(outcome.answer),
        "result": clean(outcome.result or "") or None,
        "error_code": outcome.error_code,
        "error": clean(outcome.error or "") or None,
        "notices": [{"code": n.code, "text": clean(n.text)} for n in outcome.notices],
        "held_back": [{"text": clean(h.text), "reason": h.reason} for h in outcome.held_back],
        "model": clean(outcome.model or (outcome.steps[-1].model if outcome.steps else "")) or None,
        "prompt_tokens": outcome.usage.prompt,
        "completion_tokens": outcome.usage.completion,
        "total": outcome.books.total if outcome.books else None,
        "total_is_floor": bool(outcome.books and outcome.books.total_is_floor),
        "finished_at": func.current_timestamp(),
    }


async def _store_books(connection: AsyncConnection, outcome: Outcome) -> None:
    shown: list[dict[str, Any]] = []
    for position, hit in enumerate(outcome.hits, 1):
        facts = hit.hit.model_dump(mode="json", exclude={"book"})
        shown.append(_shown(outcome.run_id, position, hit.number, hit.hit.book, facts, near=False))
    for position, (number, near) in enumerate(outcome.near_misses, len(shown) + 1):
        facts = near.model_dump(mode="json", exclude={"book"})
        shown.append(_shown(outcome.run_id, position, number, near.book, facts, near=True))
    if shown:
        await connection.execute(insert(run_books), shown)


def _shown(run_id: str, position: int, number: int, book: Any, facts: dict[str, Any], *, near: bool) -> dict[str, Any]:
    return {
        "run_id": run_id,
        "position": position,
        "number": number,
        "book_id": book.id,
        "work_id": book.work_id,
        "near": near,
        "shown": _cleaned(facts),
    }


async def _store_trace(connection: AsyncConnection, outcome: Outcome) -> None:
    steps: list[dict[str, Any]] = []
    calls: list[dict[str, Any]] = []
    for number, step in enumerate(outcome.steps, 1):
        steps.append(
            {
                "run_id": outcome.run_id,
                "step": number,
                "model": clean(step.model),
                "messages": _cleaned(step.messages),
                "reply": clean(step.reply),
                "thought": clean(step.thought),
                "prompt_tokens": step.usage.prompt,
                "completion_tokens": step.usage.completion,
                "milliseconds": step.milliseconds,
            }
        )
        for call in step.calls:
            arguments = (
                call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments, ensure_ascii=False)
            )
            calls.append(
                {
                    "run_id": outcome.run_id,
                    "position": len(calls) + 1,
                    "step": number,
                    "call_id": clean(call.call_id)[:191],
                    "tool": clean(call.tool)[:191],
                    "arguments": clean(arguments),
                    "ok": call.ok,
                    "result": clean(call.result),
                    "milliseconds": call.milliseconds,
                }
            )
    if steps:
        await connection.execute(insert(run_steps), steps)
    if calls:
        await connection.execute(insert(tool_calls), calls)


def _cleaned(value: Any) -> Any:
    """A JSON value with all its texts clean: models write what no database and no wire takes."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {_cleaned(key): _cleaned(item) for key, item in value.items()}
    return [_cleaned(item) for item in value] if isinstance(value, list | tuple) else value


async def _name(connection: AsyncConnection, outcome: Outcome) -> None:
    """A talk without a title is named after its first message."""
    first_line = " ".join(outcome.message.split())[:TITLE_CHARACTERS]
    await connection.execute(
        update(conversations)
        .where(conversations.c.conversation_id == outcome.conversation_id, conversations.c.title.is_(None))
        .values(title=clean(first_line))
    )


async def _release(connection: AsyncConnection, run_id: str) -> None:
    """Let the next run of the conversation begin. The conversation is named, because no index knows active runs."""
    its = select(runs.c.conversation_id).where(runs.c.id == run_id).scalar_subquery()
    await connection.execute(
        update(conversations)
        .where(conversations.c.conversation_id == its, conversations.c.active_run == run_id)
        .values(active_run=null())
    )
