"""What a run gets to know of the talk before it."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from sqlalchemy import insert, text

from shutong.conversations.turns import Request, Turns
from shutong.conversations.window import Window, load_window, window_of
from shutong.search.query import BookQuery
from shutong.storage.database import Database
from shutong.storage.tables import conversations, messages, run_books, runs
from tests.support import a_book, an_end, shown, statements

BOOKS = {i: a_book(i) for i in range(1, 3_000)}


async def window(database, rounds: int = 6) -> Window:
    return await load_window(database, "c", rounds, BOOKS.get)


async def turn(turns: Turns, message: str, *book_ids: int, query: BookQuery | None = None, **more) -> None:
    """One whole turn that showed these books."""
    claim = await turns.claim(Request(message, conversation_id="c"))
    assert await turns.start(claim)
    outcome = an_end(claim, message, f"answer to {message}", more.pop("state", "completed"))
    if book_ids or query:
        outcome.understood = query or BookQuery()
        outcome.books = shown(*(BOOKS[i] for i in book_ids), query=query)
    for name, value in more.items():
        setattr(outcome, name, value)
    assert await turns.finish(outcome)


def texts(found: Window) -> list[str]:
    return [message.content for message in found.history]


async def test_a_new_talk_has_an_empty_window(turns, talk_database):
    await turns.claim(Request("a", conversation_id="c"))
    assert await window(talk_database) == Window()


async def test_the_window_is_the_newest_six_rounds_in_order(turns, talk_database):
    for i in range(9):
        await turn(turns, f"q{i}")
    found = await window(talk_database)
    assert texts(found) == [said for i in range(3, 9) for said in (f"q{i}", f"answer to q{i}")]
    assert [message.role for message in found.history] == ["user", "assistant"] * 6
    assert found.reader_texts == tuple(f"q{i}" for i in range(3, 9))


async def test_a_window_of_no_rounds_has_no_messages_but_the_state(turns, talk_database):
    await turn(turns, "a", 1)
    found = await window(talk_database, rounds=0)
    assert found.history == ()
    assert [book.book_id for book in found.state.shown] == [1]


async def test_a_run_without_an_answer_leaves_no_mark(turns, talk_database):
    await turn(turns, "a", 1, query=BookQuery(keyword="a"))
    await turn(turns, "b", state="failed", understood=BookQuery(keyword="b"))
    found = await window(talk_database)
    assert texts(found) == ["a", "answer to a"]
    assert found.state.query == BookQuery(keyword="a")


async def test_the_list_last_shown_is_in_the_order_shown(turns, talk_database):
    await turn(turns, "a", 3, 1, 2)
    state = (await window(talk_database)).state
    assert [(book.position, book.number, book.book_id, book.title) for book in state.shown] == [
        (1, 3, 3, "Book 3"),
        (2, 1, 1, "Book 1"),
        (3, 2, 2, "Book 2"),
    ]


async def test_earlier_lists_come_newest_first_with_their_queries(turns, talk_database):
    for i in (1, 2, 3):
        await turn(turns, f"q{i}", i, query=BookQuery(keyword=f"k{i}"))
    state = (await window(talk_database)).state
    assert [[book.book_id for book in shown_list] for shown_list in state.lists] == [[2], [1]]
    assert [query.keyword for query in state.queries] == ["k2", "k1"]
    assert state.query == BookQuery(keyword="k3")


async def test_a_turn_that_shows_nothing_keeps_the_list_before_it(turns, talk_database):
    await turn(turns, "a", 1, 2)
    await turn(turns, "thanks")
    assert [book.book_id for book in (await window(talk_database)).state.shown] == [1, 2]


async def test_all_works_shown_in_the_talk_are_seen(turns, talk_database):
    await turn(turns, "a", 1, 2)
    await turn(turns, "b", 2, 3)
    assert set((await window(talk_database)).state.seen_works) == {"w1", "w2", "w3"}


async def test_every_shown_book_keeps_its_number(turns, talk_database):
    await turn(turns, "a", 1, 2)
    await turn(turns, "b", 3)
    assert dict((await window(talk_database)).shown) == {1: 1, 2: 2, 3: 3}


async def test_a_book_taken_out_of_the_catalogue_leaves_its_place(turns, talk_database):
    await turn(turns, "a", 1, 2, 3)
    found = await load_window(talk_database, "c", 6, {1: BOOKS[1], 3: BOOKS[3]}.get)
    assert [(book.position, book.book_id) for book in found.state.shown] == [(1, 1), (3, 3)]


async def test_the_newest_result_of_a_calculation_is_remembered(turns, talk_database):
    await turn(turns, "a", result='{"result": "96"}')
    await turn(turns, "b", result='{"result": "24"}')
    await turn(turns, "c")
    assert (await window(talk_database)).state.last_result == "24"


@pytest.mark.parametrize("result", ["", "no JSON", "[]", '{"error": "x"}'])
async def test_a_result_that_cannot_be_read_is_none(turns, talk_database, result):
    await turn(turns, "a", result=result)
    assert (await window(talk_database)).state.last_result is None


# ---- length


async def long_talk(database, count: int) -> None:
    """A talk of `count` messages, written at once; the newest twenty turns are the same whatever its length."""
    turn_count = count // 2
    numbers = range(turn_count)
    name = [f"{turn_count - i:08}" for i in numbers]  # counted from the newest end
    async with database.write() as connection:
        await connection.execute(insert(conversations).values(conversation_id="c", next_seq=turn_count + 1))
        made = [
            {
                "id": name[i],
                "conversation_id": "c",
                "seq": i + 1,
                "body_digest": "",
                "state": "completed",
                "message": f"q{name[i]}",
                "understood": {"keyword": name[i]},
                "result": f'{{"result": "{name[i]}"}}',
            }
            for i in numbers
        ]
        await connection.execute(insert(runs), made)
        said = [
            {"conversation_id": "c", "role": role, "content": f"{role} {name[i]}", "run_id": name[i]}
            for i in numbers
            for role in ("user", "assistant")
        ]
        await connection.execute(insert(messages), said)
        books = [
            {
                "run_id": name[i],
                "position": 1,
                "number": turn_count - i,
                "book_id": turn_count - i,
                "work_id": f"w{turn_count - i}",
                "near": False,
                "shown": {},
            }
            for i in numbers
        ]
        await connection.execute(insert(run_books), books)


async def test_the_window_of_a_long_talk_is_that_of_a_short_one(talk_database, home, tmp_path_factory):
    await long_talk(talk_database, 2_000)
    found = await window(talk_database)
    assert texts(found)[-2:] == ["user 00000001", "assistant 00000001"]
    assert len(found.history) == 12
    assert found.state.last_result == "00000001"
    assert [shown_list[0].book_id for shown_list in found.state.lists] == [2, 3, 4, 5, 6]
    assert len(found.state.seen_works) == len(found.shown) == 40


async def statement_count(database) -> int:
    with statements(database) as seen:
        await window(database)
    return len(seen)


async def test_a_long_talk_takes_no_more_statements_than_a_short_one(talk_database):
    await long_talk(talk_database, 10)
    short = await statement_count(talk_database)
    await long_talk_again(talk_database, 2_000)
    assert await statement_count(talk_database) == short


async def long_talk_again(database, count: int) -> None:
    async with database.write() as connection:
        await connection.execute(text("DELETE FROM conversations"))
    await long_talk(database, count)


async def test_every_statement_of_the_window_reads_by_an_index_from_the_newest_end(talk_database):
    await long_talk(talk_database, 2_000)
    with statements(talk_database) as seen:
        await window(talk_database)
    for statement, values in [one for one in seen if one[0].startswith("SELECT")]:
        scans, sorts = await plan(talk_database, statement, values)
        assert not scans, statement
        assert not sorts or "run_books" in statement, statement  # at most forty runs' books are sorted


async def plan(database: Database, statement: str, values: Any) -> tuple[bool, bool]:
    """Whether the database would read a whole table for this query, and whether it would sort."""
    explain = "EXPLAIN QUERY PLAN" if database.is_sqlite else "EXPLAIN"
    async with database.read() as connection:
        if connection.dialect.name == "postgresql":  # it takes small tables whole if it may
            await connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
            await connection.exec_driver_sql("SET LOCAL enable_bitmapscan = off")
        found = await connection.exec_driver_sql(f"{explain} {statement}", values)
        steps = [" ".join(str(part) for part in row) for row in found]
    scans = ("SCAN ", "Seq Scan", " ALL ")
    sorts = ("TEMP B-TREE FOR ORDER", "Sort ", "filesort")
    return (
        any(word in step for step in steps for word in scans),
        any(word in step for step in steps for word in sorts),
    )


# ---- a client that keeps its own history

TITLES = {book.title: book for book in (BOOKS[1], BOOKS[2])}


def own_window(history: tuple[tuple[str, str], ...], rounds: int = 6) -> Window:
    return window_of(history, rounds, TITLES.get, date(2026, 1, 1))


def test_the_newest_rounds_of_a_history_are_taken():
    history = tuple((role, f"{role} {i}") for i in range(10) for role in ("user", "assistant"))
    found = own_window(history)
    assert texts(found) == [content for _, content in history[-12:]]
    assert found.reader_texts == tuple(f"user {i}" for i in range(4, 10))


@pytest.mark.parametrize("history", [(), (("user", "a"), ("assistant", "b"))])
def test_a_history_without_rounds_is_empty(history):
    assert own_window(history, 0) == Window()


def test_the_books_that_an_answer_of_a_history_named_are_shown_books():
    found = own_window((("user", "books on Python"), ("assistant", "《Book 2》 and 《Unknown》, then 《Book 1》.")))
    assert [(book.position, book.book_id) for book in found.state.shown] == [(1, 2), (2, 1)]
    assert found.state.query is not None
