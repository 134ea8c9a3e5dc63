"""The drawer of one book."""

from __future__ import annotations

import pytest
from playwright.async_api import Locator, expect

from tests.browser.reader import Reader, cards

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

QUESTION = "推荐三本日本推理小说,不要东野圭吾"


async def first_title(reader: Reader) -> Locator:
    return cards(await reader.ask(QUESTION)).first.locator(".open")


async def test_a_click_opens_it_with_the_books_facts(reader: Reader) -> None:
    title = await first_title(reader)
    await title.click()
    await expect(reader.drawer.locator(".book-title")).to_have_text(await title.inner_text())
    facts = reader.drawer.locator(".facts dt")
    await expect(facts.filter(has_text="作者")).to_have_count(1)
    await expect(facts.filter(has_text="ISBN")).to_have_count(1)
    await expect(reader.drawer.locator(".by")).to_contain_text("（日本）")


async def test_enter_on_a_title_opens_it(reader: Reader) -> None:
    title = await first_title(reader)
    await title.focus()
    await reader.page.keyboard.press("Enter")
    await expect(reader.drawer.locator(".book-title")).to_be_focused()


async def test_escape_closes_it_and_goes_back_to_the_title(reader: Reader) -> None:
    title = await first_title(reader)
    await title.focus()
    await reader.page.keyboard.press("Enter")
    await expect(reader.drawer.locator(".book-title")).to_be_focused()
    await reader.page.keyboard.press("Escape")
    await expect(reader.drawer).to_have_count(0)
    await expect(title).to_be_focused()
    await expect(reader.turns).to_have_count(1)


async def test_the_back_button_closes_it_and_stays_in_the_talk(reader: Reader) -> None:
    title = await first_title(reader)
    await title.click()
    await expect(reader.drawer.locator(".book-title")).to_be_visible()
    await reader.page.go_back()
    await expect(reader.drawer).to_have_count(0)
    await expect(reader.turns).to_have_count(1)


async def test_a_similar_book_takes_its_place(reader: Reader) -> None:
    title = await first_title(reader)
    await title.click()
    similar = reader.drawer.locator("[data-part=similar-list] button").first
    other = await similar.locator("strong").inner_text()
    await similar.click()
    await expect(reader.drawer.locator(".book-title")).not_to_have_text(await title.inner_text())
    assert other.startswith(await reader.drawer.locator(".book-title").inner_text())


async def test_the_way_of_an_answer_can_be_looked_at(reader: Reader) -> None:
    turn = await reader.ask(QUESTION)
    await turn.get_by_role("button", name="怎么找到的").click()
    trace = reader.page.locator("#trace-drawer[open]")
    await expect(trace.locator("summary").first).to_contain_text("search_books")
    await expect(trace).to_contain_text("completed")
