"""What many tests stand on: settings without an outside world, a migrated database, a catalogue, search engines."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest

from shutong.catalog.book import Book
from shutong.catalog.repository import Catalogue
from shutong.catalog.sample import sample_books
from shutong.search.embedded.engine import EmbeddedEngine
from shutong.search.embedded.index import EmbeddedIndex
from shutong.settings import Settings, load_settings
from shutong.storage import migrate
from shutong.storage.database import Database

OUTSIDE = ("LLM_", "SHUTONG_", "DB_", "DATABASE_URL")

T = TypeVar("T")
EngineOf = Callable[[Iterable[Book]], Awaitable[EmbeddedEngine]]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests that take minutes run only when `-m` asks for them by name."""
    if "long" in config.option.markexpr:
        return
    long = [item for item in items if item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if item not in long]


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty working folder, and an environment that tells Shutong nothing (SHUTONG_TEST_ names stay)."""
    for name in list(os.environ):
        if name.upper().startswith(OUTSIDE) and not name.startswith("SHUTONG_TEST_"):
            monkeypatch.delenv(name)
    folder = tmp_path_factory.mktemp("nowhere")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def settings(nowhere: Path, tmp_path: Path) -> Settings:
    """The defaults, with a home that is thrown away."""
    return load_settings(home=tmp_path / "home")


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file, to be copied."""
    home = tmp_path_factory.mktemp("empty")

    async def make() -> Path:
        given = _at(home)
        opened = Database(given)
        await migrate.prepare(given, opened)
        await opened.close()
        return given.sqlite_path

    return _run(make())


@pytest.fixture
async def database(settings: Settings, empty_database: Path) -> AsyncIterator[Database]:
    """An empty database at the newest version."""
    settings.home.mkdir(parents=True, exist_ok=True)
    shutil.copy(empty_database, settings.sqlite_path)
    opened = Database(settings)
    yield opened
    await opened.close()


@pytest.fixture
def catalogue(database: Database) -> Catalogue:
    return Catalogue(database)


@pytest.fixture
def engine_of(catalogue: Catalogue, settings: Settings) -> EngineOf:
    """`await engine_of(books)` stores books, indexes them and gives an engine over them."""

    async def make(books: Iterable[Book]) -> EmbeddedEngine:
        return await _engine(catalogue, settings.index_folder, books)

    return make


@pytest.fixture(scope="session")
def sample_engine(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedEngine:
    """An engine over the sample catalogue, made once."""
    return engine_over(sample_books(), tmp_path_factory.mktemp("sample"))


def engine_over(books: Iterable[Book], home: Path) -> EmbeddedEngine:
    """An engine over some books, for a fixture that many tests share."""

    async def make() -> EmbeddedEngine:
        given = _at(home)
        opened = Database(given)
        await migrate.prepare(given, opened)
        engine = await _engine(Catalogue(opened), given.index_folder, books)
        await opened.close()
        return engine

    return _run(make())


async def _engine(catalogue: Catalogue, folder: Path, books: Iterable[Book]) -> EmbeddedEngine:
    await catalogue.upsert(books)
    index = EmbeddedIndex(folder)
    await index.refresh(catalogue)
    return EmbeddedEngine(index)


def _at(home: Path) -> Settings:
    """Settings for a home, whatever the environment says."""
    return Settings(home=home).model_copy(update={"database_url": None})


def _run(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end in a thread of its own: whoever asks may already be inside an event loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
