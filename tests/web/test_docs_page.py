"""The page at /docs: made of the server's own description, under the same strict policy as everything else."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Page, async_playwright

from tests.web.site import served

CHROMIUM = shutil.which("chromium")
ARGUMENTS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-sync"
needs_chromium = pytest.mark.skipif(CHROMIUM is None and os.environ.get("CI") != "true", reason="needs Chromium")


async def test_the_page_asks_for_nothing_that_is_not_served_here(client: httpx.AsyncClient) -> None:
    page = await client.get("/docs")
    assert page.status_code == 200
    wanted = re.findall(r'<(?:script|link|img)[^>]*\s(?:src|href)="([^"]+)"', page.text)
    assert len(wanted) >= 5
    for address in wanted:
        assert address.startswith("/static/")
        assert (await client.get(address)).status_code == 200
    assert not re.search(r"\sstyle=|<style|\son\w+=|<script[^>]*>[^<]", page.text)


@asynccontextmanager
async def opened(home: Path, place: str, problems: list[str]) -> AsyncIterator[Page]:
    """The page in Chromium; what its console complains of comes into `problems`."""
    async with served(home) as site, async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS.split())
        page = await browser.new_page()
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        await page.goto(f"{site.client.base_url}/docs{place}")
        yield page
        await browser.close()


@needs_chromium
@pytest.mark.browser
async def test_every_operation_of_the_description_stands_on_the_page(home: Path, client: httpx.AsyncClient) -> None:
    paths = (await client.get("/openapi.json")).json()["paths"]
    problems: list[str] = []
    async with opened(home, "", problems) as page:
        await page.locator(".operation").first.wait_for()
        shown = [await one.text_content() for one in await page.locator("summary .path").all()]
    assert shown == [path for path, item in paths.items() for _ in item]
    assert problems == []


@needs_chromium
@pytest.mark.browser
async def test_a_question_can_be_tried_from_the_page(home: Path) -> None:
    problems: list[str] = []
    async with opened(home, "#post-chat", problems) as page:
        await page.locator("details[open] .send").click()
        await page.locator("details[open] .status", has_text=" ms").wait_for()
        assert (await page.locator("details[open] .status").text_content() or "").startswith("200")
        assert '"state": "completed"' in (await page.locator("details[open] .shown").text_content() or "")
    assert problems == []
