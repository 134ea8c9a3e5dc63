"""What must not happen in a reader's browser."""

from __future__ import annotations

import asyncio
import csv
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.browser.conftest import FOREIGN_HOST, NewReader
from tests.browser.reader import Reader, answer, cards, titles
from tests.browser.serving import import_file, serving
from tests.support import a_book, new_home, service_at

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

UNCLOSED = "险书甲 <img/src=x/onerror=bad()"
WHOLE = "险书乙<script>bad()</script><img src=x onerror=bad()>"
HEADER = ["id", "书名", "作者", "出版社", "简介", "类别"]
ROW = [
    "1",
    UNCLOSED,
    "某人<img/src=x/onerror=bad()",
    "某社<svg/onload=bad()",
    "一本 <img src=x onerror=bad()",
    "科幻小说",
]
"""An importer takes tags out, but one that is never closed looks like words to it."""

FOREIGN = """(body) => body.querySelectorAll('img:not(.seal), iframe, object, embed, [onerror], [onload]').length
  + [...document.scripts].filter((script) => !script.src).length"""


@pytest.fixture
def hostile_home(tmp_path: Path) -> Path:
    """A home with a book that no importer has cleaned."""
    home = new_home(tmp_path)
    book = a_book(1, title=WHOLE, intro=WHOLE, publisher=WHOLE, category="科幻小说", source="test", source_id="whole")

    async def plant() -> None:
        async with service_at(home) as service:
            await service.catalogue.upsert([book])

    asyncio.run(plant())
    return home


async def test_markup_in_the_catalogue_is_text_and_runs_nothing(
    servers: AsyncExitStack, hostile_home: Path, tmp_path: Path, new_reader: NewReader
) -> None:
    file = tmp_path / "books.csv"
    with file.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([HEADER, ROW])
    await import_file(hostile_home, file)
    reader = await new_reader(await servers.enter_async_context(serving(hostile_home)))
    turn = await reader.ask("推荐科幻小说")
    assert set(await titles(cards(turn))) == {UNCLOSED, WHOLE}
    await expect(answer(turn)).to_contain_text(UNCLOSED)
    await expect(answer(turn)).to_contain_text(WHOLE)
    for title in (UNCLOSED, WHOLE):
        await cards(turn).locator(".open", has_text=title).click()
        await expect(reader.drawer.locator(".book-title")).to_have_text(title)
        assert await reader.page.locator("body").evaluate(FOREIGN) == 0
        await reader.page.keyboard.press("Escape")
        await expect(reader.drawer).to_have_count(0)


async def test_markup_in_a_readers_sentence_is_text_and_runs_nothing(reader: Reader) -> None:
    turn = await reader.ask(f"推荐科幻小说 {WHOLE}")
    await expect(turn.locator(".ask")).to_have_text(f"推荐科幻小说 {WHOLE}")
    await expect(reader.page.locator(".talk-item[data-current] a")).to_contain_text("险书乙<script>")
    assert await reader.page.locator("body").evaluate(FOREIGN) == 0


async def test_a_page_under_a_foreign_name_is_refused(reader: Reader, site: str) -> None:
    reader.expected = ("421", "Cross-Origin-Opener-Policy header has been ignored")
    response = await reader.page.goto(site.replace("127.0.0.1", FOREIGN_HOST))
    assert response
    assert response.status == 421
    assert (await response.json())["code"] == "unknown_host"


async def test_the_page_asks_nobody_but_its_own_server(new_reader: NewReader, site: str) -> None:
    reader = await new_reader(site)
    asked: list[str] = []
    reader.page.on("request", lambda request: asked.append(request.url))
    await reader.reload()
    turn = await reader.ask("推荐科幻小说")
    await cards(turn).first.locator(".open").click()
    await expect(reader.drawer.locator(".book-title")).to_be_visible()
    assert asked
    assert {url for url in asked if not url.startswith((site, "data:"))} == set()
