"""What the tests of talks, runs, the web and the command line share: ready homes, open services, and ended runs."""

from __future__ import annotations

import asyncio
import atexit
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import event, text

from shutong.agent.events import AnswerDelta, Books, Event, NumberedHit, RunStarted, StepStarted
from shutong.catalog.book import Author, Book
from shutong.conversations.outcome import Outcome, StepTrace, ToolTrace
from shutong.conversations.turns import Claim
from shutong.search.query import BookQuery
from shutong.search.result import Hit
from shutong.service import Service, open_service
from shutong.settings import Settings, load_settings
from shutong.storage.database import Database

PATIENCE_SECONDS = 30.0
"""How long a test waits for what has to come before it fails."""


@cache
def _template(sample: bool) -> Path:
    home = Path(tempfile.mkdtemp(prefix="shutong-tests-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)

    async def make() -> None:
        async with open_service(load_settings(home=home, sample=sample)):
            pass

    asyncio.run(make())
    return home


def new_home(folder: Path, *, sample: bool = False) -> Path:
    """A home with a database at the newest version and an index, copied into `folder`. Not to be called in a loop."""
    return Path(shutil.copytree(_template(sample), folder / "home", ignore=shutil.ignore_patterns("*.lock")))


def settings_for(home: Path, **more: Any) -> Settings:
    """Settings of a home that has all it needs."""
    return load_settings(**{"home": home, "sample": False, **more})


@asynccontextmanager
async def service_at(home: Path, **more: Any) -> AsyncIterator[Service]:
    """An open service of a home."""
    async with open_service(settings_for(home, **more)) as service:
        yield service


async def rows(database: Database, statement: str, **values: Any) -> list[tuple[Any, ...]]:
    """What a plain SQL query gives."""
    async with database.read() as connection:
        return [tuple(row) for row in await connection.execute(text(statement), values)]


async def change(database: Database, statement: str, **values: Any) -> None:
    """Change something behind the program's back."""
    async with database.write() as connection:
        await connection.execute(text(statement), values)


@contextmanager
def statements(database: Database) -> Iterator[list[tuple[str, Any]]]:
    """The statements with their values that reach the database in the block."""
    seen: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        seen.append((statement, values))

    event.listen(database.engine.sync_engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(database.engine.sync_engine, "before_cursor_execute", note)


@contextmanager
def failing(database: Database, beginning: str) -> Iterator[None]:
    """Every statement that begins like this fails in the block."""

    def fail(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith(beginning):
            raise OSError("the disk is full")

    event.listen(database.engine.sync_engine, "before_cursor_execute", fail)
    try:
        yield
    finally:
        event.remove(database.engine.sync_engine, "before_cursor_execute", fail)


def a_book(book_id: int, **more: Any) -> Book:
    """A small record."""
    facts = {"id": book_id, "work_id": f"w{book_id}", "title": f"Book {book_id}", "authors": (Author(name="A"),)}
    return Book.model_validate(facts | more)


def shown(*books: Book, query: BookQuery | None = None) -> Books:
    """A search that found these books, numbered by their ids."""
    hits = tuple(NumberedHit(book.id, Hit(book=book)) for book in books)
    return Books(len(books), False, hits, (), query or BookQuery())


def an_end(claim: Claim, message: str = "question", answer: str = "answer", state: str = "completed") -> Outcome:
    """How a claimed run may have ended, with one step and one call."""
    call = ToolTrace("call_1", "search_books", {"keyword": "x"}, True, "{}", 1.0)
    step = StepTrace(1, [{"role": "user", "content": message}], "scripted", "reply", "thought", calls=[call])
    outcome = Outcome(claim.run_id, claim.conversation_id, message, state, answer, steps=[step], model="scripted")
    if state not in ("completed", "step_limit"):
        outcome.error_code, outcome.error = state, "It did not work."
    return outcome


def some_events(*texts: str) -> list[Event]:
    """The beginning of a run."""
    return [RunStarted("scripted"), StepStarted(1), *(AnswerDelta(text) for text in texts)]


async def settle(condition: Any) -> None:
    """Wait until `condition()` is true."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():  # noqa: ASYNC110 (a state of the program, not an event)
            await asyncio.sleep(0.005)
