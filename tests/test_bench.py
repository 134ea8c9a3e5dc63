"""The bench watches functions that are there, and the page about it shows what is measured and nothing else."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "performance.md"


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "bench"))
        return importlib.import_module("turn")


def _figures(bench: ModuleType, settings: int) -> dict[str, Any]:
    """Figures as they are measured, of a turn in which everything took a second."""
    spans = [{"name": name, "began": 1.0, "seconds": 1.0} for name, *_ in bench.WATCHED]
    seen = {"spans": spans, "statements": [1.0, 99.0], "published": {"r-1": 2.0}}
    heard = bench.Heard(asked=0.5, first=2.0, card=3.0, sentence=4.0, done=5.0, came={"r-1": 2.25, "other": 3.0})
    health = ("help", "ready", "first turn", "memory", "large ready", "large first turn", "large memory")
    return {
        "machine": "a machine",
        "health": dict.fromkeys(health, 1.5),
        "turns": {number: bench._summed_up([heard], seen) for number in bench.SETTINGS[:settings]},
    }


def test_every_watched_function_is_there(bench: ModuleType) -> None:
    assert [name for name, owner, attribute in bench.WATCHED if not callable(getattr(owner, attribute, None))] == []


def test_a_turn_is_summed_up_from_what_was_seen_while_it_lasted(bench: ModuleType) -> None:
    summed = _figures(bench, 1)["turns"]["sample"]
    assert summed["statements"] == 1
    assert summed["claim"] == {"p50": 1000, "p95": 1000}
    assert (summed["way in"]["p50"], summed["delivery"]["p50"], summed["done"]["p50"]) == (500, 250, 4500)


def test_every_figure_of_the_page_is_measured_and_put_in_its_place(bench: ModuleType) -> None:
    page = PAGE.read_text("utf-8")
    rows = set(re.findall(r"^\| `([a-z ]+)` \|", page, re.M))
    figures = _figures(bench, 3)
    measured = set(figures["health"]) | set(figures["turns"]["sample"]) - {"turns"}
    assert rows == measured
    filled = bench.filled(page, figures)
    assert "Measured on: a machine\n" in filled
    assert re.search(r"^\| `claim` \| .* \| 1000 / 1000 \| 1000 / 1000 \| 1000 / 1000 \|$", filled, re.M)
    assert re.search(r"^\| `memory` \| .* \| under 250 \| 1.5 \|$", filled, re.M)
    assert bench.filled(filled, figures) == filled


def test_a_column_that_was_not_measured_says_so(bench: ModuleType) -> None:
    filled = bench.filled(PAGE.read_text("utf-8"), _figures(bench, 2))
    assert re.search(r"^\| `search` \| .* \| 1000 / 1000 \| 1000 / 1000 \| – \|$", filled, re.M)
