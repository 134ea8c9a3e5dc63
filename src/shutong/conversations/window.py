"""What a run has to know of the talk: the newest rounds, the last lists and the numbers of shown books.

Everything is read by index from the newest end, so the time does not depend on how long the talk is.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from shutong.agent.observation import unfenced
from shutong.catalog.book import Book
from shutong.conversations.records import stored_query
from shutong.conversations.sql_store import newest_messages
from shutong.llm.messages import Message
from shutong.nlu.dialogue import DialogueState, ShownBook
from shutong.search.query import BookQuery
from shutong.storage.database import Database
from shutong.storage.tables import run_books, runs

RUNS_LOOKED_AT = 40
"""How many earlier runs the state of the talk is made of."""

EARLIER_LISTS = 5


@dataclass(frozen=True, slots=True)
class Window:
    """The newest messages of a talk, its state, and the (number, book id) pairs of what was shown."""

    history: tuple[Message, ...] = ()
    state: DialogueState = field(default_factory=DialogueState)
    shown: tuple[tuple[int, int], ...] = ()
    reader_texts: tuple[str, ...] = ()


async def load_window(
    database: Database, conversation_id: str, rounds: int, book: Callable[[int], Book | None]
) -> Window:
    """The window of a conversation. `book` looks a record up in the index."""
    async with database.read() as connection:
        messages = await newest_messages(connection, conversation_id, rounds * 2)
        earlier = await _earlier_runs(connection, conversation_id)
        shown = await _shown(connection, [run["id"] for run in earlier])
    lists = [(run, shown[run["id"]]) for run in earlier if shown.get(run["id"])]
    pairs = {row["number"]: row["book_id"] for _, rows in reversed(lists) for row in rows}
    return Window(
        history=tuple(Message(m.role, m.content) for m in messages),
        state=_state(earlier, lists, book),
        shown=tuple(pairs.items()),
        reader_texts=tuple(m.content for m in messages if m.role == "user"),
    )


def window_of(history: tuple[tuple[str, str], ...], rounds: int) -> Window:
    """The window of a client that keeps its own history."""
    newest = history[-rounds * 2 :] if rounds else ()
    messages = tuple(Message("user" if role == "user" else "assistant", text) for role, text in newest)
    return Window(history=messages, reader_texts=tuple(m.content for m in messages if m.role == "user"))


async def _earlier_runs(connection: AsyncConnection, conversation_id: str) -> list[dict[str, Any]]:
    """The newest runs that have an answer, newest first."""
    query = (
        select(runs.c.id, runs.c.understood, runs.c.result)
        .where(runs.c.conversation_id == conversation_id, runs.c.state.in_(("completed", "step_limit")))
        .order_by(runs.c.seq.desc())
        .limit(RUNS_LOOKED_AT)
    )
    return [dict(row._mapping) for row in await connection.execute(query)]


async def _shown(connection: AsyncConnection, run_ids: list[str]) -> dict[str, list[dict[str, Any]]]:
    query = select(run_books).where(run_books.c.run_id.in_(run_ids)).order_by(run_books.c.position)
    found: dict[str, list[dict[str, Any]]] = {}
    for row in await connection.execute(query):
        found.setdefault(row.run_id, []).append(dict(row._mapping))
    return found


def _state(
    earlier: list[dict[str, Any]],
    lists: list[tuple[dict[str, Any], list[dict[str, Any]]]],
    book: Callable[[int], Book | None],
) -> DialogueState:
    understood = [query for run in earlier if (query := stored_query(run["understood"]))]
    shown = [_list(rows, book) for _, rows in lists[: EARLIER_LISTS + 1]]
    queries = [stored_query(run["understood"]) or BookQuery() for run, _ in lists[: EARLIER_LISTS + 1]]
    results = [run["result"] for run in earlier if run["result"]]
    return DialogueState(
        query=understood[0] if understood else None,
        shown=shown[0] if shown else (),
        lists=tuple(shown[1:]),
        queries=tuple(queries[1:]),
        seen_works=tuple(dict.fromkeys(row["work_id"] for _, rows in lists for row in rows if not row["near"])),
        last_result=_figure(results[0]) if results else None,
    )


def _figure(result: str) -> str | None:

    try:
        return str(json.loads(unfenced(result))["result"])
    except (ValueError, KeyError, TypeError):
        return None


def _list(rows: list[dict[str, Any]], book: Callable[[int], Book | None]) -> tuple[ShownBook, ...]:
    """A list as it was shown: its hits, then its near misses."""
    return tuple(
        ShownBook(
            number=row["number"],
            position=position,
            book_id=row["book_id"],
            work_id=row["work_id"],
            title=record.title,
            authors=tuple(author.name for author in record.authors),
            year=record.year,
            pages=record.pages,
            rating=record.rating,
            price=record.price.amount if record.price else None,
        )
        for position, row in enumerate(rows, 1)
        if (record := book(row["book_id"])) is not None
    )
