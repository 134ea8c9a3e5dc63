"""The real server in a process of its own, as a reader's browser meets it."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.conftest import OUTSIDE
from tests.support import PATIENCE_SECONDS

READY = re.compile(r"Shutong is ready: (http://\S+)")
NO_MODEL = "http://127.0.0.1:9/v1"
"""An address where nothing listens."""


@asynccontextmanager
async def serving(home: Path, **environment: str) -> AsyncIterator[str]:
    """`shutong serve` on a home, on a free port; gives its address. What it logs must hold no traceback."""
    log = home / "server.log"
    with log.open("wb") as errors:
        server = await asyncio.create_subprocess_exec(
            *_shutong("serve", "--port", "0"),
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            env=_environment(home, environment),
            cwd=home,
        )
    try:
        yield await _address(server, log)
    finally:
        if server.returncode is None:
            server.kill()
        await server.wait()
    assert "Traceback" not in log.read_text("utf-8")


@asynccontextmanager
async def serving_model(home: Path, model_url: str) -> AsyncIterator[str]:
    """The same with a model at this address, asked once a call."""
    async with serving(home, LLM_BASE_URL=model_url, LLM_MODEL="scripted", SHUTONG_LLM_RETRIES="0") as address:
        yield address


async def import_file(home: Path, file: Path) -> None:
    """`shutong import` of a file into a home."""
    process = await asyncio.create_subprocess_exec(
        *_shutong("import", str(file)), stdout=asyncio.subprocess.DEVNULL, env=_environment(home, {}), cwd=home
    )
    assert await process.wait() == 0


def _shutong(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "shutong", *arguments]


def _environment(home: Path, more: dict[str, str]) -> dict[str, str]:
    """What is set outside is kept from the server, but for what is not Shutong's."""
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith(OUTSIDE)}
    return {**kept, "SHUTONG_HOME": str(home), "PYTHONUNBUFFERED": "1", **more}


async def _address(server: asyncio.subprocess.Process, log: Path) -> str:
    assert server.stdout
    async with asyncio.timeout(PATIENCE_SECONDS):
        line = (await server.stdout.readline()).decode()
    found = READY.match(line)
    assert found, f"it did not start: {line}{log.read_text('utf-8')}"
    return found[1]
