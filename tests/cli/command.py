"""The `shutong` command: run within the test, which is quick, or as a program of its own, where that matters."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock

from shutong.cli import main

SECONDS = 60
_OURS = ("SHUTONG_", "LLM_", "DATABASE_URL", "DB_", "BASE_URL", "API_KEY", "DEFAULT_MODEL")


class Shutong:
    """Runs the command with a home of its own and none of this machine's settings."""

    def __init__(self, home: Path, **environment: str) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
        self.home = home
        self.environment = kept | {"SHUTONG_HOME": str(home), "PYTHONIOENCODING": "utf-8"} | environment

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "shutong", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environment | environment,
            cwd=self.home,
            text=True,
            encoding="utf-8",
        )

    def __call__(self, *arguments: str, said: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        """Run it in this process. Not to be called in a loop."""
        out, errors = io.StringIO(), io.StringIO()
        with (
            mock.patch.dict(os.environ, self.environment | environment, clear=True),
            mock.patch.object(sys, "argv", ["shutong", *arguments]),
            mock.patch.object(sys, "stdin", io.StringIO(said)),
            contextlib.chdir(self.home),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(errors),
        ):
            try:
                main.run()
                status: Any = 0
            except SystemExit as left:
                status = left.code or 0
        return subprocess.CompletedProcess(arguments, status, out.getvalue(), errors.getvalue())

    def outside(self, *arguments: str, said: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        """Run it as a program."""
        process = self.start(*arguments, **environment)
        out, errors = process.communicate(said, timeout=SECONDS)
        return subprocess.CompletedProcess(arguments, process.returncode, out, errors)

    def json(self, *arguments: str, status: int = 0, **environment: str) -> dict[str, Any]:
        """The one object that the command prints with `--json`."""
        done = self(*arguments, "--json", **environment)
        assert done.returncode == status, done.stdout + done.stderr
        value = json.loads(done.stdout)
        assert isinstance(value, dict)
        assert done.stdout.count("\n") == 1
        return value
