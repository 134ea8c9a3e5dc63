"""Pictures for the README: the page in Chromium, and recordings of the terminal, all of the sample in a throw-away folder.

Run it with the Python of `.venv`; it needs Chromium and a Chinese font. Writes `docs/images/*`.
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fresh import fresh, served
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright
from recording import record

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
QUESTIONS = ("有没有短篇科幻", "有中国作者写的吗")
MOST_BYTES = 250_000
MOST_RECORDING_BYTES = 150_000
ARGUMENTS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


@dataclass(frozen=True)
class Look:
    """One picture: its size, the light, and which turn stands at its top (from 0)."""

    name: str
    width: int
    height: int
    light: Literal["light", "dark"]
    turn: int

    @property
    def viewport(self) -> ViewportSize:
        return {"width": self.width, "height": self.height}


LOOKS = (
    Look("desktop-light", 1180, 780, "light", 1),
    Look("desktop-dark", 1180, 780, "dark", 0),
    Look("phone", 390, 760, "light", 1),
)


def main() -> None:
    """Write every picture. Exits with a sentence when one is too large."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with fresh() as installation:
        with served(installation) as (_, address), sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
            talk = asked(browser, address)
            for look in LOOKS:
                file = IMAGES / f"{look.name}.png"
                shoot(browser, talk, look, file)
                told(file, MOST_BYTES)
            browser.close()
        for name, picture in record(installation).items():
            file = IMAGES / f"{name}.svg"
            file.write_text(picture, "utf-8")
            told(file, MOST_RECORDING_BYTES)


def told(file: Path, most: int) -> None:
    """Say how large a picture is; too large is the end."""
    size = file.stat().st_size
    if size > most:
        sys.exit(f"{file.name} has {size} bytes; at most {most} are wanted.")
    sys.stdout.write(f"{file.relative_to(ROOT)}: {size} bytes\n")


def asked(browser: Browser, address: str) -> str:
    """Ask the questions; returns the address of the talk."""
    page = browser.new_page(locale="zh-CN")
    page.goto(address)
    for number, question in enumerate(QUESTIONS):
        page.locator("#message").fill(question)
        page.locator("#send").click()
        finished(page, number)
    talk = page.url
    page.close()
    return talk


def finished(page: Page, turn: int) -> None:
    """Wait until a turn has its answer."""
    page.locator(".turn").nth(turn).and_(page.locator("[aria-busy=false]")).wait_for()


def shoot(browser: Browser, talk: str, look: Look, file: Path) -> None:
    """One picture of the talk."""
    page = browser.new_page(viewport=look.viewport, color_scheme=look.light, locale="zh-CN")
    page.goto(talk)
    finished(page, len(QUESTIONS) - 1)
    page.locator(".turn").nth(look.turn).evaluate("turn => turn.scrollIntoView({block: 'start', behavior: 'instant'})")
    page.screenshot(path=file, animations="disabled")
    page.close()


if __name__ == "__main__":
    main()
