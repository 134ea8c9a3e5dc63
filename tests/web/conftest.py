from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from tests.support import new_home
from tests.web.site import Site, site_at


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return new_home(tmp_path, sample=True)


@pytest.fixture
def empty_home(tmp_path: Path) -> Path:
    return new_home(tmp_path)


@pytest.fixture
async def site(home: Path) -> AsyncIterator[Site]:
    """The app on the sample, with the built-in model."""
    async with site_at(home) as site:
        yield site


@pytest.fixture
def client(site: Site) -> httpx.AsyncClient:
    return site.client
