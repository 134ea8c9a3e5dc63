from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from shutong.conversations.turns import Turns
from shutong.settings import Settings
from shutong.storage.database import Database
from tests.support import new_home, settings_for


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return new_home(tmp_path)


@pytest.fixture
def talk_settings(home: Path) -> Settings:
    return settings_for(home)


@pytest.fixture
async def talk_database(talk_settings: Settings) -> AsyncIterator[Database]:
    database = Database(talk_settings)
    yield database
    await database.close()


@pytest.fixture
def turns(talk_database: Database, talk_settings: Settings) -> Turns:
    return Turns(talk_database, talk_settings)
