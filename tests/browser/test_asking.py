"""A sentence and what comes of it on the page."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.conftest import NewReader
from tests.browser.reader import Reader, answer, cards, chip, chips, near_cards, titles

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

QUESTION = "2019 年之后出版的 Python 入门书,评分 8 分以上,最好讲爬虫的"
UNDERSTOOD = ["Python", "入门", "2019 年及以后", "评分 ≥ 8.0", "最好：爬虫"]
TOO_HIGH = "评分 9.5 分以上的推理小说"

RECORD_ORDER = """(talk) => {
  globalThis.order = [];
  const parts = { chips: '.chip', cards: '.books > .card', text: '.say *' };
  new MutationObserver(() => {
    for (const [name, selector] of Object.entries(parts)) {
      if (!order.includes(name) && talk.querySelector(selector)) order.push(name);
    }
  }).observe(talk, { childList: true, subtree: true });
}"""


async def test_the_first_page_says_how_many_books_there_are(reader: Reader) -> None:
    stats = await (await reader.page.request.get(f"{reader.address}/api/stats")).json()
    await expect(reader.page.locator(".about")).to_contain_text(f"{stats['books']} 册")


async def test_the_first_page_says_that_sample_ratings_are_for_demonstration(reader: Reader) -> None:
    await expect(reader.page.locator(".fresh")).to_contain_text("示例评分仅作演示")


@pytest.mark.parametrize("locale", ["zh-CN", "en-US"])
async def test_every_example_brings_a_book(new_reader: NewReader, site: str, locale: str) -> None:
    reader = await new_reader(site, locale=locale)
    examples = reader.page.locator(".examples button")
    await expect(examples).to_have_count(4)
    for text in await examples.all_inner_texts():
        await examples.filter(has_text=text).click()
        turn = await reader.answered(1)
        await expect(turn.locator(".ask")).to_have_text(text)
        assert await cards(turn).count() >= 1, text
        await reader.page.locator("#new").click()
        await expect(reader.turns).to_have_count(0)


async def test_chips_come_before_cards_and_cards_before_text(reader: Reader) -> None:
    await reader.page.locator("#talk").evaluate(RECORD_ORDER)
    await reader.ask(QUESTION)
    assert await reader.page.evaluate("() => order") == ["chips", "cards", "text"]


async def test_an_answer_has_chips_cards_and_text(reader: Reader) -> None:
    turn = await reader.ask(QUESTION)
    assert await chips(turn) == UNDERSTOOD
    assert await cards(turn).count() >= 3
    await expect(answer(turn)).to_contain_text((await titles(cards(turn)))[0])


async def test_made_up_ratings_are_marked_on_the_card(reader: Reader) -> None:
    turn = await reader.ask(QUESTION)
    await expect(cards(turn).first.locator(".demo")).to_have_text("示例评分")


async def test_a_title_in_the_answer_leads_to_its_card(reader: Reader) -> None:
    turn = await reader.ask(QUESTION)
    title = answer(turn).locator("a.cite").nth(1)
    book = await title.get_attribute("data-book")
    await title.click()
    await expect(turn.locator(f'.card[data-book="{book}"] .open')).to_be_focused()


async def test_a_follow_up_keeps_the_conditions_and_adds_the_country(reader: Reader) -> None:
    await reader.ask(QUESTION)
    turn = await reader.ask("有中国作者写的吗")
    assert sorted(await chips(turn)) == sorted([*UNDERSTOOD, "中国作者"])
    for line in await cards(turn).locator(".by").all_inner_texts():
        assert "（中国）" in line


async def test_a_chip_taken_away_asks_again_without_it(reader: Reader) -> None:
    turn = await reader.ask(TOO_HIGH)
    assert await cards(turn).count() == 0
    await chip(turn, "评分 ≥ 9.5").click()
    turn = await reader.answered(2)
    assert await chips(turn) == ["推理小说"]
    assert await cards(turn).count() >= 1


async def test_only_the_newest_turns_chips_can_be_taken_away(reader: Reader) -> None:
    first = await reader.ask(TOO_HIGH)
    await expect(chip(first, "推理小说")).to_be_visible()
    await reader.ask("换成科幻小说")
    await expect(chip(first, "推理小说")).to_be_hidden()


async def test_near_misses_stand_apart_and_say_what_they_miss(reader: Reader) -> None:
    turn = await reader.ask(QUESTION)
    near = near_cards(turn)
    assert await near.count() >= 1
    assert not set(await titles(near)) & set(await titles(cards(turn)))
    await expect(turn.locator(".near-text")).to_contain_text("差一点")
    for card in await near.all():
        assert await card.locator(".meets .off").count() >= 1


async def test_with_nothing_found_the_near_misses_are_no_findings(reader: Reader) -> None:
    turn = await reader.ask(TOO_HIGH)
    assert await cards(turn).count() == 0
    assert await near_cards(turn).count() >= 1
    await expect(answer(turn)).to_contain_text("一本都没有")


async def test_a_suggested_sentence_brings_other_books(reader: Reader) -> None:
    first = await reader.ask(QUESTION)
    await first.locator(".next button", has_text="换一批").click()
    turn = await reader.answered(2)
    assert await cards(turn).count() >= 1
    assert not set(await titles(cards(turn))) & set(await titles(cards(first)))


async def test_a_card_asks_for_books_like_it(reader: Reader) -> None:
    first = await reader.ask("有没有适合做睡前读物的短篇科幻")
    title = (await titles(cards(first)))[0]
    await cards(first).first.get_by_role("button", name="相似的书").click()
    turn = await reader.answered(2)
    await expect(turn.locator(".ask")).to_have_text(f"找和《{title}》类似的书")
    assert await cards(turn).count() >= 1
    assert title not in await titles(cards(turn))
