"""Every test here that asks for a database runs on SQLite, MariaDB and PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from shutong.conversations.turns import Turns
from shutong.settings import Settings
from shutong.storage.database import Database
from tests.servers import SERVERS, empty, migrated_database
from tests.support import new_home, settings_for

KINDS = ("sqlite", *SERVERS)


@pytest.fixture
def home(nowhere: Path, tmp_path: Path) -> Path:
    return new_home(tmp_path)


@pytest.fixture(scope="session")
def url_of() -> Iterator[Callable[[str], str]]:
    """The address of a server's database that the tests share, made when it is first asked for."""
    urls: dict[str, str] = {}
    with ExitStack() as made:

        def get(kind: str) -> str:
            if kind not in urls:
                urls[kind] = made.enter_context(migrated_database(kind))
            return urls[kind]

        yield get


@pytest.fixture
def on_kind(home: Path, url_of: Callable[[str], str]) -> Callable[[str], Settings]:
    """Settings for a database of this kind with no talks in it."""

    def make(kind: str) -> Settings:
        if kind == "sqlite":
            return settings_for(home)
        empty(url_of(kind))
        return settings_for(home, database_url=url_of(kind))

    return make


@pytest.fixture(params=KINDS)
def talk_settings(request: Any, on_kind: Callable[[str], Settings]) -> Settings:
    return on_kind(request.param)


@pytest.fixture
async def talk_database(talk_settings: Settings) -> AsyncIterator[Database]:
    database = Database(talk_settings)
    yield database
    await database.close()


@pytest.fixture
def turns(talk_database: Database, talk_settings: Settings) -> Turns:
    return Turns(talk_database, talk_settings)
