"""Pictures of the page for the README: serves the sample in a throw-away folder, asks two questions in Chromium, and looks.

Run it with the Python of `.venv`; it needs Chromium and a Chinese font. Writes `docs/images/*.png`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
QUESTIONS = ("有没有短篇科幻", "有中国作者写的吗")
MOST_BYTES = 250_000
OUTSIDE = ("LLM_", "SHUTONG_", "DATABASE_URL")
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
    """Serve, ask, and write every picture. Exits with a sentence when a picture is too large."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        talk = asked(browser, address)
        for look in LOOKS:
            file = IMAGES / f"{look.name}.png"
            shoot(browser, talk, look, file)
            size = file.stat().st_size
            if size > MOST_BYTES:
                sys.exit(f"{file.name} has {size} bytes; at most {MOST_BYTES} are wanted.")
            sys.stdout.write(f"{file.relative_to(ROOT)}: {size} bytes\n")
        browser.close()


@contextmanager
def served() -> Iterator[str]:
    """The address of a server with the sample and the built-in model, whatever this machine's settings say."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OUTSIDE)}
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-m", "shutong", "serve", "--port", "0"]
        server = subprocess.Popen(
            command, cwd=home, env=kept | {"SHUTONG_HOME": home}, stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None
            ready = re.search(r"http://\S+", server.stdout.readline())
            if ready is None:
                sys.exit("The server did not start.")
            yield ready[0]
        finally:
            server.terminate()
            server.wait()


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
    page.locator(".turn").nth(turn).locator(".turn-acts").wait_for()


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
