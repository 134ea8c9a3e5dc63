"""What an answer says beside its books: why, what is unknown, what is made up, what could be loosened, and what went wrong."""

from __future__ import annotations

import re
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from playwright.async_api import Locator, Route, expect

from tests.browser.conftest import NewReader, Scripted
from tests.browser.reader import Reader, answer, cards, chips, near_cards, titles
from tests.browser.serving import serving
from tests.browser.slow_model import Pause
from tests.doubles.model_server import calls, hang, text

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

QUESTION = "2019 年之后出版的 Python 入门书,评分 8 分以上,最好讲爬虫的"
TOO_HIGH = "评分 9.5 分以上的推理小说"
STORIES = "有没有短篇科幻"
SEARCH = calls(("search_books", {"keyword": "科幻", "tags": ["短篇"]}))
RATED = "《流浪地球》[[1]] 评分 8.8，很有气势。"
UNRATED = "《流浪地球》[[1]] 很有气势。"
ISBN = "978-7-115-61363-9"
RUN_SECONDS = "2"

FIRST_CARD = "(turn) => turn.querySelector('.card').getBoundingClientRect().top + scrollY"


def button(turn: Locator, words: str) -> Locator:
    return turn.locator(".next button", has_text=words)


async def test_every_card_says_why_out_of_its_record(reader: Reader) -> None:
    turn = await reader.ask(QUESTION)
    for card in await cards(turn).all():
        why = (await card.locator(".why").inner_text()).removeprefix("简介说：")
        marks = await card.locator(".meets li").all_inner_texts()
        assert why
        assert why not in marks
        await card.locator(".open").click()
        await expect(reader.drawer.locator(".intro")).to_contain_text(why)
        await reader.page.keyboard.press("Escape")
        await expect(reader.drawer).to_have_count(0)


async def test_the_text_names_the_near_misses_of_the_cards(reader: Reader) -> None:
    turn = await reader.ask(TOO_HIGH)
    named = await answer(turn).locator("a.cite").all_inner_texts()
    assert [f"《{title}》" for title in await titles(near_cards(turn))] == named


async def test_over_the_near_misses_stands_the_step_that_brings_one_in(reader: Reader) -> None:
    turn = await reader.ask(TOO_HIGH)
    line = await turn.locator(".near-text").inner_text()
    step = re.fullmatch(r"差一点点：评分放宽到 ([\d.]+)，《(.+)》就合适。", line)
    assert step, line
    wider = await reader.ask(f"评分 {step[1]} 分以上的推理小说")
    assert step[2] in await titles(cards(wider))


async def test_after_nothing_found_a_condition_can_be_loosened(reader: Reader) -> None:
    turn = await reader.ask(TOO_HIGH)
    looser = button(turn, "评分不限")
    count = re.search(r"：(\d+) 本", await looser.inner_text())
    assert count
    await looser.click()
    wider = await reader.answered(2)
    await expect(wider.locator(".step").first).to_contain_text(f"合适的 {count[1]} 本")
    assert await chips(wider) == ["推理小说"]
    await reader.reload()
    await expect(button(turn, "评分不限")).to_have_count(0)


async def test_every_suggestion_gives_something(reader: Reader) -> None:
    turn = await reader.ask(STORIES)
    ways = await turn.locator(".next button").all_inner_texts()
    assert 1 <= len(ways) <= 4
    for way in ways:
        await reader.page.locator("#new").click()
        await reader.ask(STORIES)
        assert await cards(await reader.ask(way)).count() >= 1, way


async def test_the_drawer_says_that_a_rating_is_made_up_and_what_is_unknown(reader: Reader) -> None:
    turn = await reader.ask(QUESTION)
    await cards(turn).locator(".open", has_text="零基础入门学习Python").click()
    rows = reader.drawer.locator(".facts")
    await expect(rows.locator("dt:text-is('评分') + dd")).to_contain_text("示例评分")
    await expect(rows.locator("dt:text-is('页数') + dd")).to_have_text("未知")
    await expect(rows.locator("dt:text-is('ISBN') + dd")).to_have_text("未知")


async def test_text_that_leans_on_made_up_ratings_is_noted(scripted: Scripted, new_reader: NewReader) -> None:
    address, _ = await scripted(SEARCH, text(RATED), SEARCH, text(UNRATED))
    reader = await new_reader(address)
    await expect((await reader.ask(STORIES)).locator(".demo-note")).to_contain_text("示例评分")
    await expect((await reader.ask(STORIES)).locator(".demo-note")).to_have_count(0)


async def test_a_pasted_isbn_finds_its_book(reader: Reader) -> None:
    turn = await reader.ask(ISBN)
    assert await titles(cards(turn)) == ["Python编程（第3版）：从入门到实践"]
    await cards(turn).first.locator(".open").click()
    await expect(reader.drawer.locator(".facts")).to_contain_text(ISBN.replace("-", ""))


async def test_the_isbn_can_be_copied(new_reader: NewReader, site: str) -> None:
    reader = await new_reader(site, permissions=["clipboard-read", "clipboard-write"])
    await cards(await reader.ask(ISBN)).first.locator(".open").click()
    await reader.drawer.get_by_role("button", name="复制").click()
    await expect(reader.drawer.get_by_role("button", name="已复制")).to_be_visible()
    assert await reader.page.evaluate("() => navigator.clipboard.readText()") == ISBN.replace("-", "")


@pytest.mark.parametrize("width", [1280, 360])
async def test_the_cards_stay_where_they_are_when_the_answer_ends(
    scripted: Scripted, new_reader: NewReader, width: int
) -> None:
    pause = Pause(UNRATED, "这是最后一句。")
    reader = await new_reader((await scripted(SEARCH, pause.scene()))[0], viewport={"width": width, "height": 740})
    await reader.send("2015 年以后出版的短篇科幻,评分 7 分以上")
    turn = reader.turns.last
    await expect(answer(turn)).to_contain_text("很有气势")
    await expect(reader.page.locator("#box-note[data-live]")).to_be_visible()  # the text grows below the fold
    before = await turn.evaluate(FIRST_CARD)
    pause.go_on()
    await reader.answered(1)
    assert await turn.evaluate(FIRST_CARD) == before


async def test_a_talk_stands_in_the_list_from_its_first_sentence(scripted: Scripted, new_reader: NewReader) -> None:
    pause = Pause(UNRATED, "这是最后一句。")
    reader = await new_reader((await scripted(SEARCH, pause.scene()))[0])
    await reader.send(STORIES)
    await expect(reader.page.locator(".talk-item[data-current] a")).to_have_text(STORIES)
    pause.go_on()
    await reader.answered(1)
    await expect(reader.page.locator(".talk-item")).to_have_count(1)


async def test_a_run_that_takes_too_long_says_so_in_the_readers_language(
    servers: AsyncExitStack, home: Path, scripted: Scripted, new_reader: NewReader
) -> None:
    _, model = await scripted(*(hang() for _ in range(4)))
    slow = {"LLM_BASE_URL": model.url, "LLM_MODEL": "scripted", "SHUTONG_RUN_SECONDS": RUN_SECONDS}
    reader = await new_reader(await servers.enter_async_context(serving(home, **slow)))
    turn = await reader.ask(STORIES)
    await expect(turn.locator(".fault p")).to_have_text("找得太久，只好先停下。换个更具体的说法，往往快些。（timeout）")
    await expect(turn.get_by_role("button", name="复制回答")).to_be_hidden()


async def test_a_talk_that_cannot_be_had_is_no_blank_page(reader: Reader) -> None:
    await reader.ask(STORIES)
    reader.expected = ("500",)

    async def refuse(route: Route) -> None:
        await route.fulfill(status=500, json={"code": "internal", "detail": "Something went wrong inside."})

    await reader.page.route("**/api/conversations/*", refuse)
    await reader.reload()
    lost = reader.page.locator("#lost")
    await expect(lost).to_contain_text("书童里面出了点问题")
    await expect(lost).to_contain_text("internal")
    await reader.page.unroute("**/api/conversations/*")
    await lost.get_by_role("button", name="再试一次").click()
    await expect(reader.turns.locator(".ask")).to_have_text([STORIES])
    await expect(lost).to_be_hidden()
