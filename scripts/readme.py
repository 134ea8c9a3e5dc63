"""The outputs in the README pair: every command that is shown with its output is run, and what comes is written in its place.

    python scripts/readme.py            # write
    python scripts/readme.py --check    # change nothing; exit with 1 when a page is not what comes

A line `…` in an output stands for what is left out: as many lines as stand before and after it are shown again. Ids and
times differ each time; alone they change nothing. The number of books in the sample is kept true as well.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from fresh import fresh, served

from shutong.catalog.sample import sample_books

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "README.zh-CN.md")
COUNTED_PAGES = (*PAGES, "CHANGELOG.md", "docs/operations.md")
EXAMPLE = ROOT / "docs" / "examples" / "books.csv"
SHOWN_PORT = "8000"
LEFT_OUT = "…"
MOST_CHARACTERS, MOST_FIELDS = 72, 6
"""What is shown of a long text and of a record in a JSON answer."""

Run = Callable[[str], str | None]
_BLOCK = re.compile(r"^```\n(\$ .*?)^```$", re.MULTILINE | re.DOTALL)
_COUNTS = (
    re.compile(r"(?<=sample of )\d+(?= (?:real )?books)"),
    re.compile(r"(?<=装入 )\d+(?= 本书的示例书目)"),
    re.compile(r"(?<=catalogue: )\d+(?= books in the index \(sample)"),
    re.compile(r"(?<=books in the index \(sample )\d+(?=\))"),
)
_VARYING = re.compile(r"\b[0-9a-f]{32}\b|\b\d+(?:\.\d+)?(?= m?s\b)")


def main() -> None:
    """Write the pages, or, with --check, say which of them are not what comes."""
    check = "--check" in sys.argv[1:]
    stale: list[str] = []
    with commands() as run:
        for name in COUNTED_PAGES:
            page = ROOT / name
            text = page.read_text("utf-8")
            now = counted(refreshed(text, run) if name in PAGES else text, sum(1 for _ in sample_books()))
            if now != text:
                stale.append(name)
                if not check:
                    page.write_text(now, "utf-8")
    if stale:
        sys.stdout.write(f"{'Not what comes' if check else 'Written'}: {', '.join(stale)}\n")
    sys.exit(1 if check and stale else 0)


@contextmanager
def commands() -> Iterator[Run]:
    """Runs the commands of the pages on a fresh installation."""
    with fresh() as installation, served(installation) as (ready, address):
        shutil.copy(EXAMPLE, installation.folder)

        def post(path: str, body: str) -> Any:
            request = urllib.request.Request(address + path, body.encode(), {"content-type": "application/json"})
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)

        yield commands_of(installation.shutong, post, ready)


def commands_of(shutong: Callable[..., str], post: Callable[[str, str], Any], ready: str) -> Run:
    """What each command of the pages prints; None for one that is not to be run here.

    `shutong` runs the command with its arguments, `post` sends a body to a path of the server and gives the JSON of the
    answer, `ready` is what the server said at its start.
    """

    def run(command: str) -> str | None:
        program, *arguments = shlex.split(command)
        if program == "shutong":
            return shutong(*arguments)
        if program == "curl":
            path = next(a for a in arguments if a.startswith("localhost")).partition("/")[2]
            return _outline(post(f"/{path}", arguments[arguments.index("-d") + 1]))
        if command == "make run":
            return re.sub(r":\d+(?=\s)", f":{SHOWN_PORT}", ready)
        return None

    return run


def refreshed(text: str, run: Run) -> str:
    """The page with every output as it comes now."""
    return _BLOCK.sub(lambda block: f"```\n{_block(block[1], run)}```", text)


def counted(text: str, books: int) -> str:
    """The page with the true number of books in the sample."""
    for pattern in _COUNTS:
        text = pattern.sub(str(books), text)
    return text


def _block(block: str, run: Run) -> str:
    """A block of commands, each with its output."""
    lines = block.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    shown: list[str] = []
    for start, end in pairwise([*starts, len(lines)]):
        command, old = lines[start], lines[start + 1 : end]
        came = run(command.removeprefix("$ "))
        shown += [command, *(old if came is None else fitted(old, came.rstrip("\n").splitlines()))]
    return "".join(f"{line}\n" for line in shown)


def fitted(old: list[str], new: list[str]) -> list[str]:
    """The new output with as much of it left out as of the old one; the old one when only ids and times differ."""
    if LEFT_OUT in old:
        before, after = old.index(LEFT_OUT), old[::-1].index(LEFT_OUT)
        new = [*new[:before], LEFT_OUT, *new[len(new) - after :]]
    same = [_VARYING.sub("#", line) for line in old] == [_VARYING.sub("#", line) for line in new]
    return old if same else new


def _outline(fields: dict[str, Any]) -> str:
    """A JSON object with a line for each field."""
    lines = [f"{_short(name)}: {_short(value)}" for name, value in fields.items()]
    return "{" + ",\n ".join(lines) + "}"


def _short(value: Any) -> str:
    """A JSON value with its long parts left out."""
    if isinstance(value, dict):
        pairs = [f"{_short(name)}: {_short(inner)}" for name, inner in value.items()]
        return "{" + ", ".join(pairs[:MOST_FIELDS] + [LEFT_OUT] * (len(pairs) > MOST_FIELDS)) + "}"
    if isinstance(value, list):
        return "[" + ", ".join([*map(_short, value[:1]), *[LEFT_OUT] * (len(value) > 1)]) + "]"
    if isinstance(value, str) and len(value) > MOST_CHARACTERS:
        value = value[:MOST_CHARACTERS] + LEFT_OUT
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    main()
