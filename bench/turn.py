"""Every wait on a turn, measured with the built-in model: on the sample, in a long talk, and on a large catalogue.

    python bench/turn.py                              # prints JSON
    python bench/turn.py --into docs/performance.md   # and puts the figures into the tables of that page

The large catalogue is `zh-merged/books.jsonl.gz` in the folder that SHUTONG_TEST_DATA names; without it, its figures are
left out. It is imported once, which takes minutes, and kept in the temporary folder. From then on this takes about
a minute. Run it on a machine that does nothing else.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from long_talk import make_long_talk
from reader import Heard, talk
from spans import WATCHED

ROOT = Path(__file__).parents[1]
DATA = Path(os.environ.get("SHUTONG_TEST_DATA", ROOT.parent / "shared" / "data"))
LARGE = DATA / "zh-merged" / "books.jsonl.gz"
LARGE_HOME = Path(tempfile.gettempdir()) / "shutong-bench-large"
SECONDS_A_SETTING = 6.0
"""How long turns are measured on each catalogue."""

STARTS, HELPS = 3, 5
SAID = (
    ("有没有短篇科幻", "有中国作者写的吗", "换一批", "第二本讲什么"),
    ("2019 年之后出版的 Python 入门书，评分 8 分以上", "要 400 页以内的"),
    ("mysteries by British authors", "show me others", "what is the second one about?"),
)
"""The talks that are had, over and over."""

SETTINGS = ("sample", "long", "large")
NOT_MEASURED = "–"
MILLISECONDS = 1000
TEN = 10
"""From here on no figure needs its decimals."""

OUTSIDE = ("LLM_", "SHUTONG_", "DB_", "DATABASE_URL", "BASE_URL", "API_KEY", "DEFAULT_MODEL")
Figures = dict[str, Any]


def main() -> None:
    """Measure, print, and fill the page when one is named."""
    with tempfile.TemporaryDirectory(prefix="shutong-bench-") as folder:
        figures = measured(Path(folder))
    sys.stdout.write(json.dumps(figures, indent=1) + "\n")
    if "--into" in sys.argv:
        page = Path(sys.argv[sys.argv.index("--into") + 1])
        page.write_text(filled(page.read_text("utf-8"), figures), "utf-8")


def measured(folder: Path) -> Figures:
    """All figures: times in milliseconds, memory in megabytes."""
    sample, long = folder / "sample", folder / "long"
    _shutong(sample, "doctor")
    figures: Figures = {
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
        "health": {"help": _help_time(), **_server(sample)},
        "turns": {"sample": _turns(sample, folder)},
    }
    _shutong(long, "doctor")
    make_long_talk(long, "long")
    figures["turns"]["long"] = _turns(long, folder, "long")
    if LARGE.exists():
        if not LARGE_HOME.exists():
            making = folder / "large"
            _shutong(making, "import", str(LARGE), sample=False)
            shutil.move(making, LARGE_HOME)
        figures["health"] |= {f"large {name}": figure for name, figure in _server(LARGE_HOME).items()}
        figures["turns"]["large"] = _turns(LARGE_HOME, folder)
    return figures


def _help_time() -> float:
    times = []
    for _ in range(HELPS):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-m", "shutong", "--help"], check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - began)
    return _milliseconds(statistics.median(times))


def _server(home: Path) -> Figures:
    """From the command to the line that it is ready, the first question, and the memory of an idle server."""
    ready, memory, first = [], 0.0, 0.0
    for _ in range(STARTS):
        began = time.perf_counter()
        with _serving(home, "-m", "shutong", "serve", "--port", "0") as (server, address):
            ready.append(time.perf_counter() - began)
            memory = _resident(server.pid) or memory
            heard = next(talk(address, SAID[0]))
            first = heard.done - heard.asked
    return {"ready": _milliseconds(statistics.median(ready)), "first turn": _milliseconds(first), "memory": memory}


def _resident(pid: int) -> float | None:
    """Megabytes that a process holds in memory; None where the system does not tell."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return None
    found = re.search(r"VmRSS:\s+(\d+) kB", status.read_text())
    return round(int(found[1]) / 1000, 1) if found else None


def _turns(home: Path, folder: Path, conversation: str | None = None) -> Figures:
    """Talks for some seconds. In the long talk every turn is one of that conversation."""
    report = folder / f"{home.name}.json"
    with _serving(home, str(Path(__file__).with_name("watched_server.py")), str(report)) as (_, address):
        for messages in SAID:
            list(talk(address, messages))  # whatever is made at the first use is made
        heard: list[Heard] = []
        began = time.perf_counter()
        while time.perf_counter() - began < SECONDS_A_SETTING:
            for messages in SAID:
                heard += talk(address, messages, conversation)
    return _summed_up(heard, json.loads(report.read_text("utf-8")))


def _summed_up(heard: Sequence[Heard], seen: Figures) -> Figures:
    waits: dict[str, list[float]] = {name: [] for name, *_ in WATCHED}
    waits |= {name: [] for name in ("model round", "way in", "delivery")}
    statements = []
    for turn in heard:
        spans = [span for span in seen["spans"] if turn.asked <= span["began"] <= turn.done]
        own = {name: sum(span["seconds"] for span in spans if span["name"] == name) for name, *_ in WATCHED}
        own["way in"] = min(span["began"] for span in spans) - turn.asked
        for name, seconds in own.items():
            waits[name].append(seconds)
        waits["model round"] += [span["seconds"] for span in spans if span["name"] == "model"]
        published = seen["published"]
        waits["delivery"] += [came - published[place] for place, came in turn.came.items() if place in published]
        statements.append(sum(turn.asked <= at <= turn.done for at in seen["statements"]))
    reader = {
        "first event": [turn.first - turn.asked for turn in heard],
        "first card": [turn.card - turn.asked for turn in heard if turn.card],
        "first sentence": [turn.sentence - turn.asked for turn in heard if turn.sentence],
        "done": [turn.done - turn.asked for turn in heard],
    }
    return {
        "turns": len(heard),
        "statements": statistics.median(statements),
        **{name: _spread(times) for name, times in (waits | reader).items()},
    }


def _spread(times: Sequence[float]) -> Figures:
    parts = statistics.quantiles(times, n=20, method="inclusive") if len(times) > 1 else [*times] * 19
    return {"p50": _milliseconds(statistics.median(times)), "p95": _milliseconds(parts[18])}


def _milliseconds(seconds: float) -> float:
    return round(seconds * MILLISECONDS, 2 if seconds < 0.1 else 0)


def _environment(home: Path, *, sample: bool = True) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OUTSIDE)}
    return kept | {"SHUTONG_HOME": str(home), "SHUTONG_SAMPLE": "1" if sample else "0"}


def _shutong(home: Path, *arguments: str, sample: bool = True) -> None:
    home.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "shutong", *arguments]
    environment = _environment(home, sample=sample)
    subprocess.run(command, check=True, env=environment, cwd=home, stdout=subprocess.DEVNULL)  # noqa: S603 (our own command)


@contextmanager
def _serving(home: Path, *command: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server and its address; it is interrupted and waited for at the end of the block."""
    environment = _environment(home)
    server = subprocess.Popen([sys.executable, *command], env=environment, cwd=home, stdout=subprocess.PIPE, text=True)  # noqa: S603
    try:
        assert server.stdout is not None
        ready = re.search(r"http://\S+", server.stdout.readline())
        if ready is None:
            raise RuntimeError("The server did not start.")
        yield server, ready[0]
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()


def filled(page: str, figures: Figures) -> str:
    """The page with its figures: a row that begins with the name of one gets it in its last cells."""
    measured = {name: [_shown(value)] for name, value in figures["health"].items()}
    settings = [figures["turns"].get(name) for name in SETTINGS]
    for name in figures["turns"][SETTINGS[0]]:
        measured[name] = [NOT_MEASURED if setting is None else _shown(setting[name]) for setting in settings]
    lines = [_row(line, measured) if line.startswith("| `") else line for line in page.splitlines()]
    return re.sub(r"(?<=Measured on: ).*", figures["machine"], "\n".join(lines) + "\n")


def _row(line: str, measured: dict[str, list[str]]) -> str:
    cells = line.removesuffix(" |").removeprefix("| ").split(" | ")
    figures = measured.get(cells[0].strip("`"), [])
    return f"| {' | '.join(cells[: len(cells) - len(figures)] + figures)} |"


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return f"{_rounded(value['p50'])} / {_rounded(value['p95'])}"
    return _rounded(value)


def _rounded(figure: float) -> str:
    return f"{figure:.0f}" if figure >= TEN else f"{figure:.2g}"


if __name__ == "__main__":
    main()
