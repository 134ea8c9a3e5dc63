"""A fresh installation to be shown: the sample, the built-in model, and none of this machine's settings."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

OUTSIDE = ("LLM_", "SHUTONG_", "DB_", "DATABASE_URL", "BASE_URL", "API_KEY", "DEFAULT_MODEL")


@dataclass(frozen=True)
class Installation:
    """A folder to work in, and the environment in which `shutong` uses the installation."""

    folder: Path
    environment: Mapping[str, str]

    def shutong(self, *arguments: str) -> str:
        """What the command prints, its complaints included."""
        done = subprocess.run(
            self.command(*arguments),
            cwd=self.folder,
            env={**self.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        return done.stdout

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "shutong", *arguments]


def installation_at(folder: Path) -> Installation:
    """The installation whose home is `home` in this folder; its first command loads the sample."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OUTSIDE)}
    ours = {"SHUTONG_HOME": str(folder / "home"), "PYTHONIOENCODING": "utf-8"}
    return Installation(folder, kept | ours)


@contextmanager
def fresh() -> Iterator[Installation]:
    """A new installation with the sample in it, for the time of the block."""
    with tempfile.TemporaryDirectory(prefix="shutong-") as folder:
        made = installation_at(Path(folder))
        made.shutong("doctor")
        yield made


@contextmanager
def served(installation: Installation) -> Iterator[tuple[str, str]]:
    """A server of the installation: the line that it prints when it is ready, and its address."""
    server = subprocess.Popen(
        installation.command("serve", "--port", "0"),
        cwd=installation.folder,
        env={**installation.environment},
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        assert server.stdout is not None
        line = server.stdout.readline().rstrip("\n")
        address = re.search(r"http://\S+", line)
        if address is None:
            sys.exit("The server did not start.")
        yield line, address[0]
    finally:
        server.terminate()
        server.wait()
