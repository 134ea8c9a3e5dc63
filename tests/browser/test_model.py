"""A model that is slow, down, or wrong, and a reader who stops it or loads the page anew."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from playwright.async_api import Locator, Route, expect

from tests.browser.conftest import NewReader, Scripted
from tests.browser.reader import Reader, answer, cards
from tests.browser.serving import NO_MODEL, serving_model
from tests.browser.slow_model import Pause
from tests.doubles.model_server import ModelServer, calls, text

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

QUESTION = "有没有短篇科幻"
BEGINNING = "我先说一句。"
END = "这是最后一句。"
INVENTED = "乌有星海纪行"
SEARCH = calls(("search_books", {"keyword": "科幻", "tags": ["短篇"]}))

RECORD_TEXT = """(body) => {
  globalThis.said = '';
  new MutationObserver(() => (said += body.textContent)).observe(body, { childList: true, subtree: true, characterData: true });
}"""


async def half_answered(new_reader: NewReader, address: str) -> tuple[Reader, Locator]:
    """A reader who sees the first half of an answer, and its turn."""
    reader = await new_reader(address)
    await reader.send(QUESTION)
    turn = reader.turns.last
    await expect(answer(turn)).to_contain_text(BEGINNING)
    return reader, turn


def model_was_asked(model: ModelServer, times: int) -> bool:
    return (len(model.chats), model.unexpected) == (times, [])


async def test_stop_shows_at_once_and_keeps_what_came(scripted: Scripted, new_reader: NewReader) -> None:
    reader, turn = await half_answered(new_reader, (await scripted(SEARCH, Pause(BEGINNING, END).scene()))[0])
    told = asyncio.Event()

    async def hold(route: Route) -> None:
        await told.wait()
        await route.continue_()

    await reader.page.route("**/cancel", hold)
    await reader.page.locator("#stop").click()
    await expect(turn).to_have_attribute("aria-busy", "false")  # although the server has not been told yet
    await expect(turn.locator(".fault")).to_contain_text("已停止")
    await expect(reader.page.locator("#stop")).to_be_hidden()
    await expect(answer(turn)).to_contain_text(BEGINNING)
    told.set()


async def test_stop_closes_the_models_connection(scripted: Scripted, new_reader: NewReader) -> None:
    address, model = await scripted(SEARCH, Pause(BEGINNING, END).scene())
    reader, _ = await half_answered(new_reader, address)
    await reader.page.locator("#stop").click()
    await model.until(lambda seen: seen.aborted == 1)
    assert model_was_asked(model, 2)  # for a search and for an answer


async def test_escape_stops_too(scripted: Scripted, new_reader: NewReader) -> None:
    reader, turn = await half_answered(new_reader, (await scripted(SEARCH, Pause(BEGINNING, END).scene()))[0])
    await reader.box.press("Escape")
    await expect(turn.locator(".fault")).to_contain_text("已停止")


async def test_a_stopped_turn_can_be_tried_again(scripted: Scripted, new_reader: NewReader) -> None:
    address, model = await scripted(SEARCH, Pause(BEGINNING, END).scene(), SEARCH, text(BEGINNING, END))
    reader, turn = await half_answered(new_reader, address)
    await reader.page.locator("#stop").click()
    await turn.get_by_role("button", name="再试一次").click()
    again = await reader.answered(2)
    await expect(again.locator(".ask")).to_have_text(QUESTION)
    await expect(answer(again)).to_contain_text(END)
    assert model_was_asked(model, 4)


async def test_a_stopped_turn_is_still_there_after_a_reload(scripted: Scripted, new_reader: NewReader) -> None:
    address, model = await scripted(SEARCH, Pause(BEGINNING, END).scene())
    reader, turn = await half_answered(new_reader, address)
    await reader.page.locator("#stop").click()
    await model.until(lambda seen: seen.aborted == 1)
    await reader.reload()
    await expect(reader.turns).to_have_count(1)
    await expect(turn.locator(".fault")).to_contain_text("已停止")
    await expect(answer(turn)).to_contain_text(BEGINNING)


async def test_a_reload_in_mid_answer_goes_on_with_the_same_run(scripted: Scripted, new_reader: NewReader) -> None:
    pause = Pause(BEGINNING, END)
    address, model = await scripted(SEARCH, pause.scene())
    reader, turn = await half_answered(new_reader, address)
    await reader.reload()
    await expect(answer(turn)).to_contain_text(BEGINNING)
    await expect(turn).to_have_attribute("aria-busy", "true")
    pause.go_on()
    await reader.answered(1)
    await expect(answer(turn)).to_contain_text(END)
    await expect(reader.turns).to_have_count(1)
    assert await answer(turn).inner_text() == BEGINNING + END
    assert model_was_asked(model, 2)  # for a search and for an answer


async def test_another_tab_joins_the_run(scripted: Scripted, new_reader: NewReader) -> None:
    pause = Pause(BEGINNING, END)
    address, model = await scripted(SEARCH, pause.scene())
    reader, _ = await half_answered(new_reader, address)
    other = await new_reader(address, reader.page.url.removeprefix(address))
    await expect(answer(other.turns.last)).to_contain_text(BEGINNING)
    pause.go_on()
    for one in (reader, other):
        await expect(answer(await one.answered(1))).to_contain_text(END)
        await expect(one.turns).to_have_count(1)
    assert model_was_asked(model, 2)  # for a search and for an answer


async def test_what_is_written_meanwhile_is_not_sent_and_not_lost(scripted: Scripted, new_reader: NewReader) -> None:
    pause = Pause(BEGINNING, END)
    reader, _ = await half_answered(new_reader, (await scripted(SEARCH, pause.scene()))[0])
    await reader.send("下一句")
    await expect(reader.page.locator("#box-note[data-warn]")).to_contain_text("写下的话会留着")
    pause.go_on()
    await reader.answered(1)
    await expect(reader.box).to_have_value("下一句")
    await expect(reader.turns).to_have_count(1)


async def test_without_its_model_the_page_says_so_and_answers(
    servers: AsyncExitStack, home: Path, new_reader: NewReader
) -> None:
    reader = await new_reader(await servers.enter_async_context(serving_model(home, NO_MODEL)))
    turn = await reader.ask(QUESTION)
    await expect(turn.locator(".notice")).to_have_count(1)
    assert await cards(turn).count() >= 1
    await expect(answer(turn)).to_contain_text("《")
    await expect(turn.locator(".fault")).to_be_hidden()


async def test_a_title_that_the_model_invents_never_appears(scripted: Scripted, new_reader: NewReader) -> None:
    invented = (text(f"读读《{INVENTED}》吧。"), text(f"那就是《{INVENTED}》，很好看。"))
    address, model = await scripted(SEARCH, *invented)
    reader = await new_reader(address)
    await reader.page.locator("body").evaluate(RECORD_TEXT)
    turn = await reader.ask(QUESTION)
    assert INVENTED not in await reader.page.evaluate("() => said")
    assert await cards(turn).count() >= 1
    assert model_was_asked(model, 3)
    await reader.reload()
    await expect(cards(turn).first).to_be_visible()
    assert INVENTED not in await reader.page.content()
