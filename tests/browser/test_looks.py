"""How the page fits: narrow windows, the dark, calm, and a keyboard alone."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Locator, expect

from tests.browser.conftest import NewReader, Scripted
from tests.browser.reader import Reader, answer, cards
from tests.browser.slow_model import Pause

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

QUESTION = "2019 年之后出版的 Python 入门书,评分 8 分以上,最好讲爬虫的"
READABLE = 4.5
"""The least contrast of text that WCAG calls readable."""

RECORD_THEMES = """(() => {
  globalThis.themes = [];
  const look = () => themes.push(document.documentElement.dataset.theme ?? 'none');
  new MutationObserver(look).observe(document, { attributes: true, attributeFilter: ['data-theme'], subtree: true });
  addEventListener('DOMContentLoaded', look);
})()"""

COLOURS = """(node) => {
  let ground = node;
  while (ground.parentElement && getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)') ground = ground.parentElement;
  return [getComputedStyle(node).color, getComputedStyle(ground).backgroundColor];
}"""

OVERFLOW = "(root) => root.scrollWidth - innerWidth"
MOVING = "() => document.getAnimations().filter((one) => one.playState === 'running').length"
FOCUSED = "() => document.activeElement.id || document.activeElement.className"


def luminance(colour: str) -> float:
    """The relative luminance of a computed `rgb(…)`, as WCAG defines it."""
    assert colour.startswith("rgb("), colour
    shares = [int(value) / 255 for value in re.findall(r"\d+", colour)]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """From 1 (the same) to 21 (black on white)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


async def fits(reader: Reader) -> bool:
    return bool(await reader.page.locator("html").evaluate(OVERFLOW) <= 0)


@pytest.mark.parametrize("width", [1280, 720, 640, 360, 320])
async def test_nothing_scrolls_sideways(new_reader: NewReader, site: str, width: int) -> None:
    """Zoom of 200 % on a screen of 1440 or 1280 leaves 720 or 640."""
    reader = await new_reader(site, viewport={"width": width, "height": 740})
    assert await fits(reader)
    turn = await reader.ask(QUESTION)
    assert await fits(reader)
    await cards(turn).first.locator(".open").click()
    await expect(reader.drawer.locator(".facts dt").first).to_be_visible()
    assert await fits(reader)


async def test_the_list_of_talks_opens_and_closes_in_a_narrow_window(new_reader: NewReader, site: str) -> None:
    reader = await new_reader(site, viewport={"width": 360, "height": 740})
    await reader.ask(QUESTION)
    side = reader.page.locator("#side")
    await expect(side).to_be_hidden()
    await reader.page.locator("#side-open").click()
    await expect(side.locator(".talk-item[data-current]")).to_be_visible()
    assert await fits(reader)
    await reader.page.keyboard.press("Escape")
    await expect(side).to_be_hidden()
    await expect(reader.page.locator("#side-open")).to_be_focused()


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_text_is_readable(new_reader: NewReader, site: str, scheme: str) -> None:
    reader = await new_reader(site, color_scheme=scheme)
    turn = await reader.ask(QUESTION)
    parts: list[Locator] = [
        turn.locator(".ask"),
        answer(turn).locator("p").first,
        cards(turn).locator(".open").first,
        cards(turn).locator(".by").first,
        cards(turn).locator(".why").first,
        turn.locator(".chip").first,
        turn.locator(".near-text"),
        turn.locator(".next button").first,
        reader.page.locator("#box-note"),
        reader.page.locator("#foot-stats"),
    ]
    for part in parts:
        text, ground = await part.evaluate(COLOURS)
        assert contrast(text, ground) >= READABLE, (str(part), text, ground)


async def test_a_dark_page_was_never_light(new_reader: NewReader, site: str) -> None:
    reader = await new_reader(site, color_scheme="dark")
    await reader.page.add_init_script(RECORD_THEMES)
    await reader.reload()
    assert set(await reader.page.evaluate("() => themes")) == {"dark"}


async def test_a_chosen_theme_outlives_a_reload(reader: Reader) -> None:
    await reader.page.locator("[data-theme-choice=dark]").click()
    await expect(reader.page.locator("html")).to_have_attribute("data-theme", "dark")
    await reader.reload()
    await expect(reader.page.locator("html")).to_have_attribute("data-theme", "dark")


async def test_a_chosen_language_outlives_a_reload(reader: Reader) -> None:
    await reader.page.locator("[data-lang=en]").click()
    await expect(reader.page.locator(".hello")).to_have_text("Say what you would like to read.")
    await reader.reload()
    await expect(reader.page.locator(".hello")).to_have_text("Say what you would like to read.")
    await expect(reader.page.locator("html")).to_have_attribute("lang", "en")


async def test_nothing_moves_for_who_wants_less_motion(scripted: Scripted, new_reader: NewReader) -> None:
    address, _ = await scripted(*(Pause("", "").scene() for _ in range(2)))
    for motion, moves in (("no-preference", True), ("reduce", False)):
        reader = await new_reader(address, reduced_motion=motion)
        await reader.send(QUESTION)
        await expect(reader.page.locator(".turn .now").last).to_be_visible()
        assert (await reader.page.evaluate(MOVING) > 0) is moves


async def test_tab_reaches_box_send_and_chips(reader: Reader) -> None:
    await reader.ask(QUESTION)
    await reader.box.fill("有中国作者写的吗")
    await reader.page.locator(".skip").focus()
    reached: list[str] = []
    while "send" not in reached:
        await reader.page.keyboard.press("Tab")
        reached.append(await reader.page.evaluate(FOCUSED))
        assert len(reached) < 200
    assert reached.index("new") < reached.index("chip-drop") < reached.index("open") < reached.index("message")
    assert reached[-2:] == ["message", "send"]


async def test_the_first_tab_offers_to_skip_to_the_box(new_reader: NewReader, site: str) -> None:
    reader = await new_reader(site, viewport={"width": 700, "height": 740})  # where nothing is focused at first
    await reader.page.keyboard.press("Tab")
    await expect(reader.page.locator(".skip")).to_be_focused()
    await reader.page.keyboard.press("Enter")
    await expect(reader.box).to_be_focused()


async def test_a_whole_talk_can_be_had_with_the_keyboard(reader: Reader) -> None:
    keyboard = reader.page.keyboard
    await keyboard.type("评分 9.5 分以上的推理小说")
    await keyboard.press("Enter")
    turn = await reader.answered(1)
    await turn.locator(".chip-drop").last.focus()
    await keyboard.press("Enter")
    turn = await reader.answered(2)
    await cards(turn).locator(".open").first.focus()
    await keyboard.press("Enter")
    await expect(reader.drawer.locator(".book-title")).to_be_focused()
    await keyboard.press("Escape")
    await keyboard.press("/")
    await expect(reader.box).to_be_focused()


async def test_the_description_of_the_interface_lists_its_operations(reader: Reader, site: str) -> None:
    described = (await (await reader.page.request.get(f"{site}/openapi.json")).json())["paths"]
    await reader.page.goto(f"{site}/docs")
    await expect(reader.page.locator(".operation")).to_have_count(sum(map(len, described.values())))
    await reader.page.locator(".operation summary").first.click()
    await expect(reader.page.locator(".operation[open] h3", has_text="Responses")).to_be_visible()


async def test_on_a_phone_no_keyboard_jumps_up_and_back_closes_what_is_open(new_reader: NewReader, site: str) -> None:
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    reader = await new_reader(site, **phone)
    await expect(reader.box).not_to_be_focused()
    turn = await reader.ask(QUESTION)
    talk = reader.page.url
    await cards(turn).first.locator(".open").tap()
    await expect(reader.drawer).to_be_visible()
    await reader.page.go_back()
    await expect(reader.drawer).to_have_count(0)
    await reader.page.locator("#side-open").tap()
    await expect(reader.page.locator("#side")).to_be_visible()
    await reader.page.go_back()
    await expect(reader.page.locator("#side")).to_be_hidden()
    assert reader.page.url == talk


async def test_the_first_load_is_under_200_kilobytes_and_from_one_server(new_reader: NewReader, site: str) -> None:
    reader = await new_reader(site)
    sizes = await reader.page.evaluate(
        "() => performance.getEntries().filter((one) => one.transferSize).map((one) => [one.name, one.transferSize])"
    )
    assert {name for name, _ in sizes if not name.startswith(site)} == set()
    assert 20_000 < sum(size for _, size in sizes) < 200_000
