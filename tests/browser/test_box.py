"""The box: what Enter means, what is kept, and what is refused kindly."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser.reader import Reader, cards

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

LIMIT = 8_000
QUESTION = "推荐三本日本推理小说,不要东野圭吾"


async def height(reader: Reader) -> float:
    box = await reader.box.bounding_box()
    assert box
    return box["height"]


@pytest.mark.parametrize("mark", [{"isComposing": True}, {"keyCode": 229}], ids=["is composing", "key code"])
async def test_the_enter_that_ends_a_composition_does_not_send(reader: Reader, mark: dict[str, Any]) -> None:
    await reader.box.fill(QUESTION)
    await reader.box.dispatch_event("keydown", {"key": "Enter", "bubbles": True, "cancelable": True, **mark})
    await expect(reader.box).to_have_value(QUESTION)
    await expect(reader.turns).to_have_count(0)
    await reader.box.dispatch_event("keydown", {"key": "Enter", "bubbles": True, "cancelable": True})
    await expect(reader.turns).to_have_count(1)
    await reader.answered(1)


async def test_shift_and_enter_make_a_new_line(reader: Reader) -> None:
    await reader.box.press_sequentially("一")
    before = await height(reader)
    await reader.box.press("Shift+Enter")
    await reader.box.press_sequentially("二")
    await expect(reader.box).to_have_value("一\n二")
    assert await height(reader) > before
    await expect(reader.turns).to_have_count(0)


async def test_a_draft_survives_a_reload(reader: Reader) -> None:
    await reader.box.fill("写到一半的")
    await reader.reload()
    await expect(reader.box).to_have_value("写到一半的")


async def test_a_sentence_that_was_sent_is_no_draft(reader: Reader) -> None:
    await reader.ask(QUESTION)
    await expect(reader.box).to_have_value("")
    await reader.reload()
    await expect(reader.box).to_have_value("")


async def test_one_character_too_many_is_refused_kindly_and_nothing_is_lost(reader: Reader) -> None:
    text = "书" * (LIMIT + 1)
    await reader.send(text)
    await expect(reader.page.locator("#box-note[data-warn]")).to_contain_text("一次最多 8,000 字，现在是 8,001 字")
    await expect(reader.box).to_have_value(text)
    await expect(reader.turns).to_have_count(0)


async def test_a_message_too_long_for_an_address_is_posted_and_answered(reader: Reader) -> None:
    posted: list[str] = []
    reader.page.on("request", lambda request: posted.append(request.url) if request.method == "POST" else None)
    turn = await reader.ask(QUESTION + "\u3000" * 1_000 + "。")
    await expect(turn.locator(".fault")).to_be_hidden()
    assert await cards(turn).count() == 3
    assert posted == [f"{reader.address}/api/chat"]


async def test_nothing_written_sends_nothing(reader: Reader) -> None:
    await reader.send("  \n ")
    await expect(reader.page.locator("#send")).to_be_disabled()
    await expect(reader.turns).to_have_count(0)


async def test_the_up_key_in_an_empty_box_brings_the_last_sentence_back(reader: Reader) -> None:
    await reader.ask(QUESTION)
    await reader.box.press("ArrowUp")
    await expect(reader.box).to_have_value(QUESTION)
