"""A terminal that is typed into and watched: a real shell in a pseudo terminal, with an emulator that keeps its screen.

What a program prints is kept with the time at which it came. Only the typist is made up: the pauses between keys and
after an answer are added to the clock without being waited for.
"""

from __future__ import annotations

import fcntl
import os
import pty
import random
import select
import struct
import subprocess
import termios
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyte
from wcwidth import wcwidth

QUIET_SECONDS = 0.4
PATIENCE_SECONDS = 60.0
FRAME_SECONDS = 0.04
"""Screens that follow each other faster than this are one."""

KEY_SECONDS = (0.06, 0.16)
DIM, DIM_AS = 2, 90
"""The emulator knows no faint text; it is kept as bright black, which is how terminals show it."""

SHELL = ("bash", "--norc", "--noprofile", "--noediting")


@dataclass(frozen=True, slots=True)
class Cell:
    """One character of the screen; `width` is the number of columns that it takes."""

    text: str
    width: int
    colour: str
    bold: bool
    italic: bool


Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """The whole screen from `at` (seconds) on. `cursor` is a column and a row."""

    at: float
    rows: tuple[Row, ...]
    cursor: tuple[int, int]


class Screen(pyte.Screen):
    """The emulator's screen, with faint text, and with wide characters that never straddle the right edge."""

    def draw(self, data: str) -> None:
        for character in data:
            if wcwidth(character) == 2 and self.cursor.x == self.columns - 1:
                super().draw(" ")
            super().draw(character)

    def select_graphic_rendition(self, *attributes: int, **more: Any) -> None:
        super().select_graphic_rendition(*(DIM_AS if a == DIM else a for a in attributes), **more)


class Terminal:
    """A shell of `columns` by `rows`. `frames` are its screens so far."""

    def __init__(self, master: int, columns: int, rows: int) -> None:
        self.frames: list[Frame] = []
        self._master = master
        self._screen = Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._pace = random.Random(0)
        self._started = time.monotonic()

    def type(self, text: str) -> None:
        """Type a line at a person's pace, and the return key."""
        for character in text:
            os.write(self._master, character.encode())
            self._watch(0.02)
            self.pause(self._pace.uniform(*KEY_SECONDS))
        self.pause(0.5)
        os.write(self._master, b"\n")

    def pause(self, seconds: float) -> None:
        """Let time go by in which nothing happens."""
        self._started -= seconds

    def wait_for(self, prompt: str) -> None:
        """Watch until the cursor stands behind this prompt and nothing more comes."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            came = self._watch(QUIET_SECONDS)
            if not came and self._line() == prompt.rstrip():
                self._started += QUIET_SECONDS
                return
        raise TimeoutError(f"The terminal did not come back to {prompt!r}:\n" + "\n".join(self._screen.display))

    def _line(self) -> str:
        return self._screen.display[self._screen.cursor.y].rstrip()

    def _watch(self, quiet: float) -> bool:
        """Take in what comes, until nothing has come for `quiet` seconds. Whether anything came."""
        came = False
        while select.select([self._master], [], [], quiet)[0]:
            self._stream.feed(os.read(self._master, 65_536))
            self._keep()
            came = True
        return came

    def _keep(self) -> None:
        at = time.monotonic() - self._started
        screen = self._screen
        rows = tuple(_row(screen, y) for y in range(screen.lines))
        frame = Frame(at, rows, (min(screen.cursor.x, screen.columns - 1), screen.cursor.y))
        if self.frames and at - self.frames[-1].at < FRAME_SECONDS:
            frame = Frame(self.frames.pop().at, frame.rows, frame.cursor)
        self.frames.append(frame)


def _row(screen: Screen, y: int) -> Row:
    cells = [screen.buffer[y][x] for x in range(screen.columns)]
    return tuple(
        Cell(cell.data, max(1, wcwidth(cell.data[0])), cell.fg, cell.bold, cell.italics) for cell in cells if cell.data
    )


@contextmanager
def terminal(environment: Mapping[str, str], folder: Path, columns: int, rows: int) -> Iterator[Terminal]:
    """An open terminal with a shell in `folder`; both end with the block."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    ours = {"TERM": "xterm-256color", "PS1": "$ ", "LC_ALL": "C.UTF-8"}
    shell = subprocess.Popen(
        SHELL,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**environment, **ours},
        cwd=folder,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(slave)
    try:
        yield Terminal(master, columns, rows)
    finally:
        os.close(master)  # the shell and what runs in it are hung up
        shell.wait(PATIENCE_SECONDS)
