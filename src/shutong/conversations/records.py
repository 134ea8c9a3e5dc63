"""Reading ended runs and whole talks back from the database: for reloads, the list of talks, and the trace."""

from __future__ import annotations

import json
from typing import Any

from pydantic import ValidationError
from sqlalchemy import RowMapping, select
from sqlalchemy.ext.asyncio import AsyncConnection

from shutong.agent.events import Books, HeldBack, Notice, NumberedHit
from shutong.conversations.outcome import Outcome, StepTrace, ToolTrace
from shutong.conversations.sql_store import require
from shutong.conversations.store import LOCAL_OWNER, is_run_id
from shutong.errors import NotFoundError
from shutong.llm.messages import Usage
from shutong.search.engine import Engine
from shutong.search.query import BookQuery
from shutong.search.result import Hit, NearMiss
from shutong.storage.database import Database
from shutong.storage.tables import run_books, run_steps, runs, tool_calls

MOST_TURNS = 200


class Records:
    """Runs and talks as they were stored. Books come from the index as they are today."""

    def __init__(self, database: Database, engine: Engine) -> None:
        self._database = database
        self._engine = engine

    async def outcome(self, run_id: str, owner: str | None = None) -> Outcome | None:
        """A stored run; None when there is no such run, or not of this owner when one is given."""
        if not is_run_id(run_id):
            return None
        query = select(runs).where(runs.c.id == run_id)
        if owner is not None:
            query = query.where(runs.c.owner == owner)
        async with self._database.read() as connection:
            row = (await connection.execute(query)).mappings().first()
            return None if row is None else await self._outcome(connection, row)

    async def trace(self, run_id: str, owner: str = LOCAL_OWNER) -> Outcome:
        """A stored run with its steps and calls. Raises `NotFoundError`."""
        if not is_run_id(run_id):
            raise NotFoundError("There is no such run.")
        async with self._database.read() as connection:
            query = select(runs).where(runs.c.id == run_id, runs.c.owner == owner)
            row = (await connection.execute(query)).mappings().first()
            if row is None:
                raise NotFoundError("There is no such run.")
            outcome = await self._outcome(connection, row)
            outcome.steps = await _steps(connection, run_id)
        return outcome

    async def talk(self, conversation_id: str, owner: str = LOCAL_OWNER) -> list[tuple[RowMapping, Outcome]]:
        """The newest turns of a talk, in order, open ones too. Raises `NotFoundError`."""
        async with self._database.read() as connection:
            await require(connection, conversation_id, owner)
            query = (
                select(runs)
                .where(runs.c.conversation_id == conversation_id)
                .order_by(runs.c.seq.desc())
                .limit(MOST_TURNS)
            )
            rows = (await connection.execute(query)).mappings().all()
            return [(row, await self._outcome(connection, row)) for row in reversed(rows)]

    async def _outcome(self, connection: AsyncConnection, row: RowMapping) -> Outcome:
        understood = stored_query(row["understood"])
        return Outcome(
            run_id=row["id"],
            conversation_id=row["conversation_id"],
            message=row["message"],
            state=row["state"],
            answer=row["answer"] or row["partial"] or "",
            act=row["act"],
            understood=understood,
            language=row["language"] or "zh",
            script=row["script"] or "hans",
            books=await self._books(connection, row, understood),
            notices=[Notice(n["code"], n["text"]) for n in row["notices"] or ()],
            held_back=[HeldBack(h["text"], h["reason"]) for h in row["held_back"] or ()],
            usage=Usage(row["prompt_tokens"], row["completion_tokens"]),
            model=row["model"] or "",
            result=row["result"],
            error_code=row["error_code"],
            error=row["error"],
        )

    async def _books(self, connection: AsyncConnection, run: RowMapping, query: BookQuery | None) -> Books | None:
        if run["total"] is None:
            return None
        rows = await connection.execute(
            select(run_books).where(run_books.c.run_id == run["id"]).order_by(run_books.c.position)
        )
        hits: list[NumberedHit] = []
        near: list[tuple[int, NearMiss]] = []
        for row in rows:
            book = self._engine.book(row.book_id)
            if book is None:  # taken out of the catalogue since
                continue
            if row.near:
                near.append((row.number, NearMiss.model_validate({**row.shown, "book": book})))
            else:
                hits.append(NumberedHit(row.number, Hit.model_validate({**row.shown, "book": book})))
        return Books(run["total"], run["total_is_floor"], tuple(hits), tuple(near), query or BookQuery())


async def _steps(connection: AsyncConnection, run_id: str) -> list[StepTrace]:
    steps = await connection.execute(select(run_steps).where(run_steps.c.run_id == run_id).order_by(run_steps.c.step))
    found = {
        row.step: StepTrace(
            step=row.step,
            messages=row.messages,
            model=row.model or "",
            reply=row.reply or "",
            thought=row.thought or "",
            usage=Usage(row.prompt_tokens, row.completion_tokens),
            milliseconds=row.milliseconds or 0.0,
        )
        for row in steps
    }
    calls = await connection.execute(
        select(tool_calls).where(tool_calls.c.run_id == run_id).order_by(tool_calls.c.position)
    )
    for row in calls:
        if row.step in found:
            trace = ToolTrace(row.call_id, row.tool, _arguments(row.arguments), row.ok, row.result, row.milliseconds)
            found[row.step].calls.append(trace)
    return list(found.values())


def _arguments(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def stored_query(understood: dict[str, Any] | None) -> BookQuery | None:
    """What was understood, read back; None when there is nothing, or nothing that this version can read."""
    try:
        return BookQuery.model_validate(understood) if understood is not None else None
    except ValidationError:
        return None
