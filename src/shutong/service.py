"""The few functions that every way in calls: ask, search, look at books and talks, import, and what an operator needs.

A `Service` is one open installation. Ways in hold no logic of their own.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shutong.agent.answer import Answer
from shutong.agent.context import Numbering, ToolContext
from shutong.agent.grounding import BookRef, Grounder
from shutong.agent.registry import load_tools
from shutong.agent.turn import Turn
from shutong.catalog.book import Book
from shutong.catalog.repository import Catalogue
from shutong.catalog.sample import SOURCE as SAMPLE
from shutong.catalog.sample import sample_books
from shutong.conversations.outcome import Outcome
from shutong.conversations.records import Records
from shutong.conversations.sql_store import SqlStore
from shutong.conversations.store import LOCAL_OWNER
from shutong.conversations.suggestions import Way, loosened, suggestions
from shutong.conversations.turns import Claim, Request, Turns
from shutong.conversations.window import Window, load_window, window_of
from shutong.errors import InvalidRequestError, NotFoundError, ShutongError
from shutong.llm.builtin import BuiltinModel
from shutong.llm.make import make_model
from shutong.nlu.chips import without
from shutong.nlu.dialogue import LISTING_ACTS, DialogueState, Reading
from shutong.nlu.held_titles import Held
from shutong.nlu.reader import read
from shutong.runs.live import LiveRun
from shutong.runs.local import LocalRuns
from shutong.search.embedded.engine import EmbeddedEngine
from shutong.search.embedded.index import EmbeddedIndex, Refreshed
from shutong.search.query import BookQuery
from shutong.search.result import SearchResult
from shutong.settings import Settings
from shutong.storage import migrate
from shutong.storage.database import Database

REFRESH_SECONDS = 1.0
SWEEP_SECONDS = 2.0
if TYPE_CHECKING:
    import httpx

    from shutong.catalog import importing

log = logging.getLogger("shutong.service")


class Service:
    """An open installation: its database, its index, its models. Make it by `open_service`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.database = Database(settings)
        self.catalogue = Catalogue(self.database)
        self.index = EmbeddedIndex(settings.index_folder)
        self.engine = EmbeddedEngine(self.index)
        self.store = SqlStore(self.database)
        self.turns = Turns(self.database, settings)
        self.records = Records(self.database, self.engine)
        self._client = _client_for(settings)
        self._builtin = BuiltinModel()
        self.model = make_model(settings, self._client, self._builtin)
        self._tools = load_tools()
        self.runs = LocalRuns(settings, self.turns, self._prepare, self.records.outcome, self.model.name)

    # --- asking

    async def submit(self, request: Request) -> LiveRun:
        """Accept a message; its run can be watched. A repeated key attaches to the run that it belongs to."""
        return await self.runs.submit(request)

    async def ask(self, request: Request) -> Outcome:
        """Accept a message and wait for its end."""
        return await (await self.submit(request)).finished()

    async def watch(self, run_id: str, owner: str = LOCAL_OWNER) -> LiveRun | None:
        """A run by its id, at work or ended; None when this person has no such run."""
        outcome = await self.records.outcome(run_id, owner)
        return None if outcome is None else self.runs.watch(outcome)

    async def cancel(self, run_id: str, owner: str = LOCAL_OWNER) -> None:
        """Stop a run, here or in another process. Does nothing to one that has ended."""
        await self.turns.request_cancel(run_id, owner)
        self.runs.cancel(run_id)

    # --- books

    def search(self, query: BookQuery, *, facets: bool = False) -> SearchResult:
        """Literal words and conditions; for a sentence, `ask`."""
        return self.engine.search(query, some_words=True, facets=facets)

    async def book(self, book_id: int) -> dict[str, Any]:
        """A book with its other editions and similar books. Raises `NotFoundError`."""
        book = self.engine.book(book_id)
        if book is None:
            raise NotFoundError("There is no such book.")
        editions = [other for other in await self.catalogue.editions(book.work_id) if other.id != book.id]
        similar = self.engine.search(BookQuery(like=f"#{book.id}", limit=6), reader_language=book.language)
        return {"book": book, "editions": editions, "similar": [hit.book for hit in similar.books]}

    async def import_file(
        self,
        path: Path,
        *,
        dry_run: bool = False,
        report: Path | None = None,
        progress: importing.Progress | None = None,
        **options: Any,
    ) -> importing.FileReport:
        """Read a catalogue file into the database and the index. The first own import takes the sample away."""
        from shutong.catalog import importing  # the readers of files are heavy, and a server that answers needs none

        result = await importing.import_file(
            self.catalogue, path, dry_run=dry_run, report=report, progress=progress, **options
        )
        if not dry_run and result.new and await self.catalogue.count(SAMPLE):
            await self.catalogue.remove_source(SAMPLE)
            result.sample_removed = True
        if not dry_run:
            await self.index.refresh(self.catalogue)
        return result

    async def load_sample(self) -> int:
        """Put the sample in; returns how many books it has."""
        await self.catalogue.upsert(sample_books())
        await self.index.refresh(self.catalogue)
        return await self.catalogue.count(SAMPLE)

    async def remove_sample(self) -> int:
        """Take the sample away; returns how many books went."""
        removed = await self.catalogue.remove_source(SAMPLE)
        await self.index.refresh(self.catalogue)
        return removed

    async def rebuild_index(self) -> Refreshed:
        """Make the index anew from the database, while the old one goes on answering."""
        return await self.index.refresh(self.catalogue, rebuild=True)

    # --- how it is

    async def not_ready(self) -> list[str]:
        """What keeps this installation from answering, in sentences; empty when it can."""
        problems: list[str] = []
        try:
            if await migrate.version(self.database) != migrate.HEAD:
                problems.append("The database is of another version. Run: shutong db upgrade")
        except ShutongError as error:
            problems.append(error.sentence)
        if self.index.state.seq < 0:
            problems.append("The index is not open yet.")
        return problems

    async def has_sample(self) -> bool:
        """Whether books of the sample are in the catalogue."""
        return bool(await self.catalogue.count(SAMPLE))

    def useful(self, texts: Sequence[str]) -> list[str]:
        """Those of these requests that find a book in this catalogue."""
        today = date.today()
        return [t for t in texts if self.engine.search(read(t, DialogueState(), today).query).total]

    # --- opening and closing

    async def open(self) -> None:
        """Bring database, sample and index to where they can answer."""
        await migrate.prepare(self.settings, self.database)
        if self.settings.embedded and self.settings.sample and not await self.catalogue.last_change():
            await self.catalogue.upsert(sample_books())
        refreshed = await self.index.refresh(self.catalogue)
        if refreshed.rebuilt and refreshed.books:
            log.info("the index was made anew: %d books", refreshed.books)

    async def close(self) -> None:
        """Stop all runs, store how they ended, and let everything go."""
        await self.runs.close()
        if self._client is not None:
            await self._client.aclose()
        await self.database.close()

    async def keep_fresh(self) -> None:
        """Follow the catalogue's changes and close dead runs, for as long as a server lives."""
        rounds = 0
        while True:
            await asyncio.sleep(REFRESH_SECONDS)
            rounds += 1
            try:
                await self.index.refresh(self.catalogue)
                if rounds % int(SWEEP_SECONDS / REFRESH_SECONDS) == 0:
                    await self.turns.close_dead()
            except Exception:
                log.exception("keeping the index fresh failed; it is tried again")

    # --- ways on

    async def ways_on(self, outcome: Outcome) -> tuple[list[Way], list[Way]]:
        """What the reader could say after this answer, the newest of its conversation: suggestions, and conditions to loosen.

        Nothing for a client that keeps its own talk, since its state is not known here, and nothing for somebody in need.
        """
        if outcome.conversation_id is None or outcome.books is None or outcome.act == "care":
            return [], []
        window = await load_window(self.database, outcome.conversation_id, 0, self.engine.book)
        given = (outcome, window.state, self.engine, date.today())
        return suggestions(*given), loosened(*given)

    # --- a run's input

    async def _prepare(self, claim: Claim, request: Request) -> Turn:
        window = await self._window(claim, request)
        reading = _reading(request, window.state, self._held)
        numbering = Numbering(window.shown)
        context = ToolContext(
            engine=self.engine,
            state=window.state,
            reading=reading,
            numbering=numbering,
            emit=lambda event: turn.emitted.append(event),
            observation_characters=self.settings.observation_characters,
        )
        grounder = Grounder(
            lookup=self._find_title,
            numbers=lambda number: self._find_number(numbering, number),
            observations=lambda: "\n".join(context.observed),
            reader_texts=(*window.reader_texts, request.message),
            language=reading.language,
            found=lambda: context.found if reading.act in LISTING_ACTS else frozenset(),
        )
        turn = Turn(
            model=self.model,
            backup=self._builtin,
            tools=self._tools,
            history=window.history,
            message=request.message,
            context=context,
            answer=Answer(grounder),
            settings=self.settings,
            today=date.today(),
        )
        return turn

    async def _window(self, claim: Claim, request: Request) -> Window:
        rounds = self.settings.window_rounds
        if claim.conversation_id is None:
            return window_of(request.history or (), rounds, self._titled, date.today())
        return await load_window(self.database, claim.conversation_id, rounds, self.engine.book)

    def _titled(self, title: str) -> Book | None:
        """The book that a title means, also with what a list writes behind it (《告白》 as "告白 湊佳苗")."""
        held = self.engine.title(title) or self.engine.title(title.split()[0])
        return held[0] if held else None

    def _held(self, title: str) -> Book | None:
        return next(iter(self.engine.title(title)), None)

    def _find_title(self, title: str) -> BookRef | None:
        books = self.engine.title(title)
        return _reference(books[0]) if books else None

    def _find_number(self, numbering: Numbering, number: int) -> BookRef | None:
        book_id = numbering.book_id(number)
        book = self.engine.book(book_id) if book_id is not None else None
        return _reference(book) if book is not None else None


def _client_for(settings: Settings) -> httpx.AsyncClient | None:
    """The HTTP client of a model's server; without one, neither it nor the certificates need be loaded."""
    if settings.llm_base_url is None:
        return None
    from shutong.llm.http_client import make_client

    return make_client(settings)


@asynccontextmanager
async def open_service(settings: Settings) -> AsyncIterator[Service]:
    """An open installation for the time of the block."""
    service = Service(settings)
    try:
        await service.open()
        yield service
    finally:
        with contextlib.suppress(asyncio.CancelledError):
            await service.close()


def _reading(request: Request, state: DialogueState, held: Held) -> Reading:
    """What the message means; for a chip that was taken away, the last query without it."""
    reading = read(request.message, state, date.today(), held)
    if request.drop is None:
        return reading
    if state.query is None:
        raise InvalidRequestError("There is no search in this conversation whose condition could be dropped.")
    field, value = request.drop
    return reading.model_copy(
        update={
            "act": "refine",
            "query": without(state.query, field, value),
            "plain": (),
            "items": (),
            "ambiguous": None,
        }
    )


def _reference(book: Book) -> BookRef:
    others: Sequence[str | None] = (book.original_title, book.series)
    return BookRef(
        book_id=book.id,
        title=book.title,
        subtitle=book.subtitle,
        other_titles=tuple(title for title in others if title),
        authors=tuple(author.name for author in book.authors),
        year=book.year,
        first_year=book.first_year,
        pages=book.pages,
        rating=book.rating,
    )
