"""One browser and one server for all tests of the page; further servers where a model is scripted."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect

from tests.browser.reader import Reader
from tests.browser.serving import serving, serving_model
from tests.doubles.model_server import ModelServer, Scene
from tests.support import PATIENCE_SECONDS, new_home

PATIENCE_MS = PATIENCE_SECONDS * 1000
CHINESE = "zh-CN"
FOREIGN_HOST = "books.example"
"""A name that leads the browser to this machine, as a name under a stranger's control could."""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-proxy-server",
    f"--host-resolver-rules=MAP {FOREIGN_HOST} 127.0.0.1",
]

NewReader = Callable[..., Awaitable[Reader]]
"""`await new_reader(address, **options)`: a tab of a browser context of its own with these options, at the address."""
Scripted = Callable[..., Awaitable[tuple[str, ModelServer]]]
"""`await scripted(*scenes)`: the address of a server whose model plays these scenes, and the model."""

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser's path. Without one the tests are skipped, but not where all of them must run."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if found is None and os.environ.get("CI") == "true":
        pytest.fail("Chromium is not installed")
    if found is None:
        pytest.skip("Chromium is not installed")
    return found


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(chromium: str) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        await browser.close()


@pytest.fixture(scope="session")
def sample_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new_home(tmp_path_factory.mktemp("site"), sample=True)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def site(sample_home: Path) -> AsyncIterator[str]:
    """The address of a server with the sample and the built-in model."""
    async with serving(sample_home) as address:
        yield address


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with the sample for one test."""
    return new_home(tmp_path, sample=True)


@pytest_asyncio.fixture(loop_scope="session")
async def servers() -> AsyncIterator[AsyncExitStack]:
    """What runs until the end of the test, after its tabs are closed."""
    async with AsyncExitStack() as stack:
        yield stack


@pytest_asyncio.fixture(loop_scope="session")
async def scripted(servers: AsyncExitStack, home: Path) -> Scripted:
    async def start(*scenes: Scene) -> tuple[str, ModelServer]:
        model = await servers.enter_async_context(ModelServer(scenes))
        return await servers.enter_async_context(serving_model(home, model.url)), model

    return start


@pytest_asyncio.fixture(loop_scope="session")
async def new_reader(browser: Browser, servers: AsyncExitStack) -> AsyncIterator[NewReader]:
    """Every test fails on an error in the console or in a script, refusals by the page's policy included."""
    readers: list[Reader] = []

    async def make(address: str, path: str = "/", **options: Any) -> Reader:
        context = await browser.new_context(**{"locale": CHINESE, **options})
        context.set_default_timeout(PATIENCE_MS)
        reader = Reader(await context.new_page(), address)
        readers.append(reader)
        await reader.open(path)
        return reader

    yield make
    for reader in readers:
        await reader.page.context.close()
    assert [problem for reader in readers for problem in reader.problems] == []


@pytest_asyncio.fixture(loop_scope="session")
async def reader(new_reader: NewReader, site: str) -> Reader:
    """A Chinese reader at the first page."""
    return await new_reader(site)
