"""Talks: kept over a reload, begun anew, found again, left by the back button."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Locator, expect

from tests.browser.conftest import NewReader
from tests.browser.reader import Reader, cards, seen

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

MYSTERY = "推荐三本日本推理小说,不要东野圭吾"
PYTHON = "2019 年之后出版的 Python 入门书,评分 8 分以上,最好讲爬虫的"


def talk_of(reader: Reader) -> str:
    """The id in the address."""
    found = re.search(r"\?c=([^#&]+)", reader.page.url)
    assert found, reader.page.url
    return found[1]


def listed(reader: Reader, talk: str) -> Locator:
    """A talk's line in the list of earlier ones."""
    return reader.page.locator(".talk-item").filter(has=reader.page.locator(f'a[href="/?c={talk}"]'))


async def test_a_reload_shows_the_whole_talk_as_it_was(reader: Reader) -> None:
    await reader.ask(PYTHON)
    await reader.ask("有中国作者写的吗")
    before = [await seen(turn) for turn in await reader.turns.all()]
    await reader.reload()
    await expect(reader.turns).to_have_count(2)
    assert [await seen(turn) for turn in await reader.turns.all()] == before


async def test_a_talk_goes_on_after_a_reload(reader: Reader) -> None:
    await reader.ask(PYTHON)
    talk = talk_of(reader)
    await reader.reload()
    await expect(reader.turns).to_have_count(1)
    turn = await reader.ask("有中国作者写的吗")
    await expect(turn.locator(".chips")).to_contain_text("Python")
    assert talk_of(reader) == talk


async def test_a_new_talk_knows_nothing_of_the_last_one(reader: Reader) -> None:
    await reader.ask(PYTHON)
    first = talk_of(reader)
    await reader.page.locator("#new").click()
    await expect(reader.page.locator("#welcome")).to_be_visible()
    await expect(reader.turns).to_have_count(0)
    turn = await reader.ask(MYSTERY)
    await expect(turn.locator(".chips")).not_to_contain_text("Python")
    assert talk_of(reader) != first


async def test_the_list_leads_to_an_earlier_talk(reader: Reader) -> None:
    await reader.ask(PYTHON)
    talk = talk_of(reader)
    await reader.page.locator("#new").click()
    await reader.ask(MYSTERY)
    await expect(listed(reader, talk).locator("a")).to_have_text(PYTHON)
    await listed(reader, talk).locator("a").click()
    await expect(reader.turns.locator(".ask")).to_have_text([PYTHON])
    await expect(listed(reader, talk).locator("a")).to_have_attribute("aria-current", "page")
    assert talk_of(reader) == talk


async def test_the_back_button_returns_to_the_talk_before(reader: Reader) -> None:
    await reader.ask(MYSTERY)
    await reader.page.locator("#new").click()
    await reader.ask(PYTHON)
    await reader.page.go_back()
    await expect(reader.turns.locator(".ask")).to_have_text([MYSTERY])
    await reader.page.go_forward()
    await expect(reader.turns.locator(".ask")).to_have_text([PYTHON])


async def test_a_deleted_talk_can_be_brought_back(reader: Reader) -> None:
    await reader.ask(MYSTERY)
    talk = talk_of(reader)
    await listed(reader, talk).hover()
    await listed(reader, talk).locator(".bin").click()
    await listed(reader, talk).get_by_role("button", name="确认删除").click()
    await expect(listed(reader, talk)).to_have_count(0)
    await reader.page.locator("#toast button").click()
    await expect(listed(reader, talk)).to_have_count(1)
    await reader.open(f"/?c={talk}")
    await expect(reader.turns.locator(".ask")).to_have_text([MYSTERY])


async def test_a_talk_that_is_gone_is_said_to_be_gone(new_reader: NewReader, site: str) -> None:
    reader = await new_reader(site)
    reader.expected = ("404",)
    await reader.open("/?c=nothing-here")
    await expect(reader.page.locator("#toast")).to_contain_text("没能打开这个话题")
    await expect(reader.page.locator("#welcome")).to_be_visible()


async def test_a_book_opens_by_its_address(new_reader: NewReader, reader: Reader, site: str) -> None:
    turn = await reader.ask(MYSTERY)
    address = await cards(turn).first.locator(".open").get_attribute("href")
    other = await new_reader(site, f"/{address}")
    await expect(other.drawer).to_be_visible()
    await other.page.keyboard.press("Escape")
    await expect(other.page.locator("#welcome")).to_be_visible()
