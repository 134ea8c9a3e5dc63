"""A reader at the page: what one does there, and what one sees."""

from __future__ import annotations

from typing import Any

from playwright.async_api import ConsoleMessage, Locator, Page, expect


class Reader:
    """One tab. `problems` are the errors of its console and its scripts so far; `expected` are parts of those a test provokes."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.expected: tuple[str, ...] = ()
        self._errors: list[str] = []
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self._errors.append(str(error)))

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._errors.append(f"{message.text} ({message.location.get('url', '')})")

    @property
    def problems(self) -> list[str]:
        return [error for error in self._errors if not any(part in error for part in self.expected)]

    # ---- what one does

    async def open(self, path: str = "/") -> None:
        await self.page.goto(self.address + path)
        await self.ready()

    async def reload(self) -> None:
        await self.page.reload()
        await self.ready()

    async def ready(self) -> None:
        """The page's script has set itself up."""
        await self.page.locator("#box-note:not(:empty)").wait_for(state="attached")

    async def ask(self, text: str) -> Locator:
        """Send a sentence and wait for the end of its answer; gives the turn."""
        place = await self.turns.count() + 1
        await self.send(text)
        return await self.answered(place)

    async def send(self, text: str) -> None:
        await self.box.fill(text)
        await self.box.press("Enter")

    async def answered(self, place: int) -> Locator:
        """The turn at this place, counted from one, at its end."""
        turn = self.page.locator(f".turn:nth-child({place})")
        await expect(turn).to_have_attribute("aria-busy", "false")
        return turn

    # ---- what one sees

    @property
    def box(self) -> Locator:
        return self.page.locator("#message")

    @property
    def turns(self) -> Locator:
        return self.page.locator(".turn")

    @property
    def drawer(self) -> Locator:
        return self.page.locator("#book-drawer[open]")


def cards(turn: Locator) -> Locator:
    """The cards of what was found, without the near misses."""
    return turn.locator("> .books > .card")


def near_cards(turn: Locator) -> Locator:
    return turn.locator(".near .card")


def answer(turn: Locator) -> Locator:
    return turn.locator(".say")


def chip(turn: Locator, text: str) -> Locator:
    """The button that drops the chip with this text."""
    return turn.locator(".chip:not(.add)").filter(has_text=text).locator("button")


async def chips(turn: Locator) -> list[str]:
    return await turn.locator(".chip:not(.add) [data-part=text]").all_inner_texts()


async def titles(cards: Locator) -> list[str]:
    return await cards.locator(".open").all_inner_texts()


async def seen(turn: Locator) -> dict[str, Any]:
    """All of a turn that must look the same when it is shown again."""
    return {
        "asked": await turn.locator(".ask").inner_text(),
        "chips": await chips(turn),
        "cards": await cards(turn).all_inner_texts(),
        "near": await near_cards(turn).all_inner_texts(),
        "answer": await answer(turn).inner_text(),
        "links": await answer(turn).locator("a.cite").count(),
    }
