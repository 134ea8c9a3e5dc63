"""The documents say what is so: settings, links, commands with their outputs, and the example of a tool."""

from __future__ import annotations

import asyncio
import importlib
import re
import shutil
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import typer
from pydantic import AliasChoices
from pydantic_core import PydanticUndefined

from shutong.agent import registry
from shutong.agent.context import Numbering, ToolContext
from shutong.catalog.book import Book
from shutong.catalog.sample import sample_books
from shutong.cli.main import app
from shutong.nlu.dialogue import DialogueState, Reading
from shutong.search.query import BookQuery
from shutong.search.result import SearchResult
from shutong.settings import Settings
from tests.cli.command import Shutong
from tests.support import new_home
from tests.web.site import site_at

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
_LINK = re.compile(r"\]\(([^)\s]+)\)|<img[^>]*\ssrc=\"([^\"]+)\"")
_ROW = re.compile(r"^\| `([A-Z_]+)` \| ([^|]+) \|", re.MULTILINE)
_COMMAND = re.compile(r"\bshutong ([a-z]+)(?: ([a-z]+))?")
_OPTION = re.compile(r"(?<!\S)--[a-z][a-z-]*")


def _variable(name: str) -> str:
    alias = Settings.model_fields[name].validation_alias
    return str(alias.choices[0]) if isinstance(alias, AliasChoices) else f"SHUTONG_{name.upper()}"


def _written(default: Any) -> str:
    if default is None:
        return "none"
    if isinstance(default, bool):
        return "1" if default else "0"
    return ",".join(default) or "none" if isinstance(default, list) else str(default)


@pytest.mark.parametrize("name", sorted(Settings.model_fields))
def test_every_setting_stands_in_the_reference_with_its_default(name: str) -> None:
    rows = dict(_ROW.findall((ROOT / "docs" / "operations.md").read_text("utf-8")))
    assert _variable(name) in rows
    default = Settings.model_fields[name].default
    if default is not PydanticUndefined:
        assert rows[_variable(name)].strip() == _written(default)


def test_the_reference_knows_no_setting_that_is_not_there() -> None:
    rows = _ROW.findall((ROOT / "docs" / "operations.md").read_text("utf-8"))
    assert {name for name, _ in rows} == {_variable(name) for name in Settings.model_fields}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_relative_link_points_to_something(page: Path) -> None:
    links = [one or other for one, other in _LINK.findall(page.read_text("utf-8"))]
    files = [link.partition("#")[0] for link in links if "://" not in link and not link.startswith("#")]
    assert [file for file in files if not (page.parent / file).exists()] == []


def _commands(group: Any, path: str = "") -> dict[str, set[str]]:
    """Each command with its options, those of groups as `db upgrade`."""
    found: dict[str, set[str]] = {}
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            found |= _commands(command, f"{name} ")
        else:
            found[path + name] = {option for parameter in command.params for option in parameter.opts}
    return found


@pytest.mark.parametrize("page", ["README.md", "README.zh-CN.md", "docs/operations.md", "docs/tour.md"])
def test_every_command_that_a_document_names_exists(page: str) -> None:
    known = _commands(typer.main.get_command(app))
    groups = {name.split()[0] for name in known if " " in name}
    for line in _code_of((ROOT / page).read_text("utf-8")):
        for first, second in _COMMAND.findall(line):
            command = f"{first} {second}" if first in groups else first
            assert command in known, f"{page}: {line}"
            wrong = set(_OPTION.findall(line.partition("shutong ")[2])) - known[command]
            assert not wrong, f"{page}: {line}"


def _code_of(text: str) -> list[str]:
    """The pieces of a page that are code: indented or fenced lines that begin with a command, and spans in backticks."""
    fenced = [
        line.removeprefix("$ ")
        for block in re.findall(r"^```\w*\n(.*?)^```", text, re.M | re.S)
        for line in block.splitlines()
    ]
    indented = [line.strip() for line in text.splitlines() if line.startswith("    ")]
    commands = [line for line in (*fenced, *indented) if line.startswith(("shutong ", "SHUTONG_"))]
    return [*commands, *re.findall(r"`(shutong [^`]+)`", text)]


class _OneBook:
    """An engine with one book in it."""

    size = 1

    def book(self, book_id: int) -> Book | None:
        return Book(id=7, work_id="w", title="孤独深处", pages=304) if book_id == 7 else None

    def title(self, title: str) -> list[Book]:
        return []

    def search(
        self, query: BookQuery, *, some_words: bool = False, facets: bool = False, reader_language: str | None = None
    ) -> SearchResult:
        return SearchResult(total=0, applied=query)


def test_the_example_of_a_tool_in_the_tour_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tour = (ROOT / "docs" / "tour.md").read_text("utf-8")
    example = re.search(r"^```python\n(\"\"\"How long a book.*?)^```", tour, re.M | re.S)
    assert example is not None
    monkeypatch.setattr(registry, "TOOLS", {})
    exec(textwrap.dedent(example[1]), {"__name__": "reading_hours"})
    tool = registry.TOOLS["reading_hours"]
    context = ToolContext(
        engine=_OneBook(),
        state=DialogueState(),
        reading=Reading(act="new_request", query=BookQuery()),
        numbering=Numbering([(6, 7)]),
        emit=lambda event: None,
    )
    assert tool.call(tool.check('{"number": 6}'), context) == {"hours": 7.6}
    with pytest.raises(registry.ToolError):
        tool.call(tool.check('{"number": 1}'), context)
    with pytest.raises(registry.ToolError):
        tool.check('{"number": 6, "pages_per_hour": 0}')


@pytest.fixture(scope="module")
def readme() -> ModuleType:
    """The script that keeps the README's outputs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "scripts"))
        return importlib.import_module("readme")


@pytest.fixture(scope="module")
def run(readme: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Runs the commands of the README on the sample; `make run` is left to the tests of the server."""
    home = new_home(tmp_path_factory.mktemp("readme"), sample=True)
    shutil.copy(readme.EXAMPLE, home)
    command = Shutong(home)

    def shutong(*arguments: str) -> str:
        done = command(*arguments)
        return done.stdout + done.stderr

    def post(path: str, body: str) -> Any:
        async def answer() -> Any:
            async with site_at(home) as site:
                headers = {"content-type": "application/json"}
                return (await site.client.post(path, content=body.encode(), headers=headers)).json()

        return asyncio.run(answer())

    known = readme.commands_of(shutong, post, "")
    return lambda command: None if command == "make run" else known(command)


@pytest.mark.parametrize("page", ["README.md", "README.zh-CN.md"])
def test_the_outputs_that_the_readme_shows_are_what_comes(page: str, readme: ModuleType, run: Any) -> None:
    text = (ROOT / page).read_text("utf-8")
    seen: list[str] = []
    assert readme.refreshed(text, lambda command: seen.append(command) or run(command)) == text, (
        "scripts/readme.py writes them anew"
    )
    assert {command.split()[0] for command in seen} == {"make", "shutong", "curl"}


def test_an_output_that_is_not_what_comes_is_found(readme: ModuleType) -> None:
    page = "```\n$ shutong one\nid {id}, {ms} ms\na\nb\n…\nz\n```\n"
    shown = page.format(id="0" * 32, ms="12.5")

    def came(*lines: str) -> str:
        return readme.refreshed(shown, lambda _: "\n".join(lines) + "\n")

    other = f"id {'f' * 32}, 8 ms"
    assert came(other, "a", "b", "c", "z") == shown
    assert came(other, "a", "B", "c", "z") == page.format(id="f" * 32, ms="8").replace("\nb\n", "\nB\n")
    assert came(other, "a", "b", "c", "y") != shown
    assert readme.refreshed(shown, lambda _: None) == shown


@pytest.mark.parametrize("page", ["README.md", "README.zh-CN.md", "CHANGELOG.md", "docs/operations.md"])
def test_the_number_of_books_in_the_sample_is_the_true_one(page: str, readme: ModuleType) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert readme.counted(text, sum(1 for _ in sample_books())) == text, "scripts/readme.py writes it anew"
    assert readme.counted(text, -1) != text


def test_both_languages_of_the_readme_tell_the_same() -> None:
    def told(page: str) -> tuple[list[str], list[str], list[str]]:
        text = (ROOT / page).read_text("utf-8")
        levels = re.findall(r"^(#+) ", text, re.M)
        programs = re.findall(r"^\$ (\w+(?: \w+)?)", text, re.M)
        return levels, programs, re.findall(r"^\| `([A-Z_`, 、]+)` \|", text.replace("、", ", "), re.M)

    english, chinese = told("README.md"), told("README.zh-CN.md")
    assert english == chinese
    assert min(map(len, english)) > 3
