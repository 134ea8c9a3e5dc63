"""The web server with stop watches on it. At its end (Ctrl+C) it writes what they saw to the file that is named."""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from spans import Seen, watch

from shutong.cli.serving import serve


def main(into: Path) -> None:
    seen = Seen()
    watch(seen)
    with suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(serve(None, 0))
    into.write_text(json.dumps(asdict(seen)), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
