"""The recordings of the terminal show what was printed, where it stood, and when."""

from __future__ import annotations

import importlib
import os
import re
import shutil
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

SCRIPTS = Path(__file__).parents[1] / "scripts"
SVG = "{http://www.w3.org/2000/svg}"

pytestmark = pytest.mark.skipif(
    os.name != "posix" or shutil.which("bash") is None, reason="a pseudo terminal and bash are needed"
)


def _script(name: str) -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SCRIPTS))
        return importlib.import_module(name)


def _printed(columns: int, text: str) -> tuple[ModuleType, list[str]]:
    """The rows of a screen on which this was printed."""
    terminal = _script("terminal")
    screen = terminal.Screen(columns, 4)
    terminal.pyte.Stream(screen).feed(text)
    return terminal, [row.rstrip() for row in screen.display]


def test_a_wide_character_that_does_not_fit_goes_to_the_next_row() -> None:
    _, rows = _printed(5, "读书ab书")
    assert rows[:2] == ["读书a", "b书"]
    _, rows = _printed(5, "读书读")
    assert rows[:2] == ["读书", "读"]


def test_a_piece_of_text_is_as_wide_as_its_columns() -> None:
    drawing = _script("terminal_svg")
    terminal = _script("terminal")
    wide = [terminal.Cell(letter, 2, "default", False, False) for letter in "科幻"]
    narrow = [terminal.Cell(letter, 1, "default", False, False) for letter in "ab "]
    texts = [ElementTree.fromstring(text) for text in drawing._texts((*narrow, *wide, *narrow))]
    assert [(t.text, float(t.attrib["x"]), float(t.attrib["textLength"])) for t in texts] == [
        ("ab", 0, pytest.approx(2 * drawing.CELL, rel=1e-3)),
        ("科幻", pytest.approx(3 * drawing.CELL, rel=1e-3), pytest.approx(4 * drawing.CELL, rel=1e-3)),
        ("ab", pytest.approx(7 * drawing.CELL, rel=1e-3), pytest.approx(2 * drawing.CELL, rel=1e-3)),
    ]


def test_a_recording_has_what_the_shell_printed_and_shows_its_end_without_animation(tmp_path: Path) -> None:
    terminal = _script("terminal")
    with terminal.terminal(dict(os.environ), tmp_path, 40, 5) as shell:
        shell.wait_for("$ ")
        shell.type("echo '读书 & books'")
        shell.wait_for("$ ")
        shell.pause(2)
        shell.type("clear; echo end")
        shell.wait_for("$ ")
    picture = ElementTree.fromstring(_script("terminal_svg").svg(shell.frames, 40, 5, "A <title>"))
    rows = {row.attrib["id"]: "".join(row.itertext()) for row in picture.iter(f"{SVG}g") if "id" in row.attrib}
    assert "读书&books" in {text.replace(" ", "") for text in rows.values()}
    last = {
        rows.get(use.attrib["href"][1:])
        for group in picture.iter(f"{SVG}g")
        if "last" in group.attrib.get("class", "").split()
        for use in group
    }
    assert last == {"end", "$", None}
    times = [frame.at for frame in shell.frames]
    assert times == sorted(times)


def test_the_committed_recordings_stand_alone_and_are_small() -> None:
    for file in (SCRIPTS.parent / "docs" / "images").glob("*.svg"):
        text = file.read_text("utf-8")
        assert len(text.encode()) < 150_000
        assert "prefers-reduced-motion" in text
        assert "prefers-color-scheme" in text
        assert not re.search(r"<script|https?://(?!www\.w3\.org/2000/svg)|@import|url\(", text)
