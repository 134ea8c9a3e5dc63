"""Recordings of the terminal for the README: real talks with the built-in model over the sample; only the typing is made."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from fresh import Installation
from terminal import Frame, Terminal, terminal
from terminal_svg import svg

COLUMNS, ROWS = 100, 30
READING_SECONDS = 3.5
SHELL_PROMPT, TALK_PROMPT = "$ ", "› "


@dataclass(frozen=True)
class Film:
    """One recording: what it shows, the command, and what is said to it when it talks."""

    name: str
    title: str
    command: str
    said: tuple[str, ...] = ()


FILMS = (
    Film(
        "terminal-zh",
        "终端里的一段对话：睡前想看的短篇科幻、有没有中国作者写的、换一批、第二本讲什么",
        "shutong chat",
        ("睡前想看点短篇科幻", "有中国作者写的吗", "换一批", "第二本讲什么"),
    ),
    Film(
        "terminal-en",
        "A talk in the terminal: short science fiction for bedtime, any by Chinese authors, others, and what the second one is about",
        "shutong chat",
        (
            "short science fiction for bedtime",
            "any by Chinese authors?",
            "show me others",
            "what is the second one about?",
        ),
    ),
    Film(
        "terminal-trace",
        "The agent at work: what it was asked, which tool it called, what came back, and its answer",
        'shutong ask "recommend one mystery by a British author, under 300 pages" --trace',
    ),
)


def record(installation: Installation) -> dict[str, str]:
    """Every recording as an SVG, by its name."""
    return {film.name: svg(_frames(film, installation), COLUMNS, ROWS, film.title) for film in FILMS}


def _frames(film: Film, installation: Installation) -> list[Frame]:
    here = Path(sys.executable).parent
    found = {"PATH": os.pathsep.join((str(here), installation.environment["PATH"]))}
    with terminal({**installation.environment, **found}, installation.folder, COLUMNS, ROWS) as shell:
        shell.wait_for(SHELL_PROMPT)
        shell.pause(1)
        _play(shell, film)
        return _from_zero(shell.frames)


def _play(shell: Terminal, film: Film) -> None:
    shell.type(film.command)
    shell.wait_for(TALK_PROMPT if film.said else SHELL_PROMPT)
    for message in film.said:
        shell.pause(1)
        shell.type(message)
        shell.wait_for(TALK_PROMPT)
        shell.pause(READING_SECONDS)


def _from_zero(frames: list[Frame]) -> list[Frame]:
    """Without the time that the shell needed to start."""
    first = frames[0].at
    return [Frame(frame.at - first, frame.rows, frame.cursor) for frame in frames]
