"""What a run has to know of the talk: the newest rounds, the last lists and the numbers of shown books.

Everything is read by index from the newest end, so the time does not depend on how long the talk is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from shutong.agent.context import Numbering
from shutong.agent.observation import unfenced
from shutong.catalog.book import Book
from shutong.conversations.records import stored_query
from shutong.conversations.sql_store import newest_messages
from shutong.conversations.store import StoredMessage
from shutong.llm.messages import Message
from shutong.nlu.dialogue import SEARCHING_ACTS, DialogueState, ShownBook
from shutong.nlu.reader import read
from shutong.search.query import BookQuery
from shutong.storage.database import Database
from shutong.storage.tables import run_books, runs
from shutong.text import key

RUNS_LOOKED_AT = 40
"""How many earlier runs the state of the talk is made of."""

EARLIER_LISTS = 5
MOST_ANSWER_CHARACTERS = 20_000
_ABOUT_THE_LIST = frozenset({"about_item", "compare"})
"""Acts whose answers speak of the list last shown and put no other in its place."""

_MARKED = re.compile(r"《([^《》\n]{1,200})》|\*\*([^*\n]{1,200})\*\*")
_ITEM = re.compile(r"(?:^|[\s;；])\d{1,2}[.、)）]\s*")
_AFTER_TITLE = re.compile(r"[(（,，;；\n—–]| by ")


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
        state=_state(earlier, lists, book, _last_answer(messages)),
        shown=tuple(pairs.items()),
        reader_texts=tuple(m.content for m in messages if m.role == "user"),
    )


def window_of(
    history: tuple[tuple[str, str], ...], rounds: int, titled: Callable[[str], Book | None], today: date
) -> Window:
    """The window of a client that keeps its own history.

    Its state is read out of the talk: what each of the reader's messages asked, and the books of the catalogue (`titled`
    looks a title up) that each answer named.
    """
    newest = history[-rounds * 2 :] if rounds else ()
    state, numbers = DialogueState(), Numbering()
    for role, text in newest:
        if role == "user":
            reading = read(text, state, today)
            asked = {"query": reading.query} if reading.act in SEARCHING_ACTS else {}
            state = state.model_copy(update={"act": reading.act, **asked})
        else:
            state = _after_answering(state, text, numbers, titled)
    messages = tuple(Message("user" if role == "user" else "assistant", text) for role, text in newest)
    return Window(
        history=messages,
        state=state,
        shown=tuple((book.number, book.book_id) for shown in (*state.lists, state.shown) for book in shown),
        reader_texts=tuple(m.content for m in messages if m.role == "user"),
    )


def _after_answering(
    state: DialogueState, text: str, numbers: Numbering, titled: Callable[[str], Book | None]
) -> DialogueState:
    found = {book.id: book for title in _named_titles(text) if (book := titled(title)) is not None}
    if not found:
        return state
    if state.act in _ABOUT_THE_LIST and state.shown:
        return state.model_copy(update={"focus": _focus(text, state.shown)})
    shown = tuple(ShownBook.of(book, numbers.number(book), position) for position, book in enumerate(found.values(), 1))
    return state.model_copy(
        update={
            "shown": shown,
            "focus": _focus(text, shown),
            "lists": (state.shown, *state.lists)[:EARLIER_LISTS] if state.shown else state.lists,
            "queries": (state.query or BookQuery(), *state.queries)[:EARLIER_LISTS],
            "seen_works": tuple(dict.fromkeys((*(book.work_id for book in shown), *state.seen_works))),
        }
    )


def _named_titles(text: str) -> list[str]:
    """Titles as answers write them: in 《》, in bold, or at the head of the items of a numbered list."""
    text = text[:MOST_ANSWER_CHARACTERS]
    marked = [(match[0] or match[1]).strip() for match in _MARKED.findall(text)]
    if marked:
        return marked
    heads = (_AFTER_TITLE.split(item, maxsplit=1)[0].strip(" .") for item in _ITEM.split(text)[1:])
    return [head for head in heads if head]


async def _earlier_runs(connection: AsyncConnection, conversation_id: str) -> list[dict[str, Any]]:
    """The newest runs that have an answer, newest first."""
    query = (
        select(runs.c.id, runs.c.act, runs.c.understood, runs.c.result)
        .where(runs.c.conversation_id == conversation_id, runs.c.state.in_(("completed", "step_limit")))
        .order_by(runs.c.seq.desc())
        .limit(RUNS_LOOKED_AT)
    )
    return [dict(row._mapping) for row in await connection.execute(query)]


async def _shown(connection: AsyncConnection, run_ids: list[str]) -> dict[str, list[dict[str, Any]]]:
    columns = (run_books.c[name] for name in ("run_id", "number", "book_id", "work_id", "near"))  # the facts are long
    query = select(*columns).where(run_books.c.run_id.in_(run_ids)).order_by(run_books.c.position)
    found: dict[str, list[dict[str, Any]]] = {}
    for row in await connection.execute(query):
        found.setdefault(row.run_id, []).append(dict(row._mapping))
    return found


def _state(
    earlier: list[dict[str, Any]],
    lists: list[tuple[dict[str, Any], list[dict[str, Any]]]],
    book: Callable[[int], Book | None],
    last_answer: str,
) -> DialogueState:
    # What was looked up for somebody in need is no request of theirs to go on from.
    last = next((q for run in earlier if run["act"] != "care" and (q := _asked(run))), None)
    newest = _list(lists[0][1], book) if lists else ()
    back = _to_go_back_to(lists, last)
    results = [run["result"] for run in earlier if run["result"]]
    return DialogueState(
        query=last,
        shown=newest,
        lists=tuple(_list(rows, book) for _, rows in back),
        queries=tuple(_asked(run) or BookQuery() for run, _ in back),
        seen_works=tuple(dict.fromkeys(row["work_id"] for _, rows in lists for row in rows if not row["near"])),
        focus=_focus(last_answer, newest),
        act=earlier[0]["act"] if earlier else None,
        last_result=_figure(results[0]) if results else None,
    )


def _asked(run: dict[str, Any]) -> BookQuery | None:
    """What a run searched for. How a count looks at its books (the oldest alone) is no part of what was asked."""
    query = stored_query(run["understood"])
    plain = BookQuery()
    looked = {name: getattr(plain, name) for name in ("sort", "limit", "offset")}
    return query.model_copy(update=looked) if query and run["act"] == "count" else query


def _to_go_back_to(
    lists: list[tuple[dict[str, Any], list[dict[str, Any]]]], last: BookQuery | None
) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """The earlier lists of books that fitted, other than the newest; after a search that showed nothing, that one too."""
    if not lists:
        return []
    showed_nothing = last != _asked(lists[0][0])
    newest = {row["book_id"] for row in lists[0][1]}
    back = [
        (run, rows)
        for run, rows in lists[1:]
        if {row["book_id"] for row in rows} != newest and not all(row["near"] for row in rows)
    ]
    return ([lists[0]] if showed_nothing else []) + back[:EARLIER_LISTS]


def _last_answer(messages: Sequence[StoredMessage]) -> str:
    return messages[-1].content if messages and messages[-1].role == "assistant" else ""


def _focus(answer: str, shown: tuple[ShownBook, ...]) -> int | None:
    """The shown book that an answer speaks of, when it names just one."""
    named = {key(title) for title in _named_titles(answer)}
    spoken_of = [book.position for book in shown if key(book.title) in named]
    return spoken_of[0] if len(spoken_of) == 1 else None


def _figure(result: str) -> str | None:
    try:
        return str(json.loads(unfenced(result))["result"])
    except (ValueError, KeyError, TypeError):
        return None


def _list(rows: list[dict[str, Any]], book: Callable[[int], Book | None]) -> tuple[ShownBook, ...]:
    """A list as it was shown: its hits, then its near misses."""
    return tuple(
        ShownBook.of(record, row["number"], position, near=bool(row["near"]))
        for position, row in enumerate(rows, 1)
        if (record := book(row["book_id"])) is not None
    )
