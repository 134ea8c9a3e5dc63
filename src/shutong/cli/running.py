"""Running one command: settings, the event loop, and how errors leave."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Coroutine
from json import dumps
from typing import Any

from shutong.errors import ShutongError

FAILED, INTERRUPTED = 1, 130


def run(work: Coroutine[Any, Any, bool], *, json: bool) -> int:
    """Run a command to its end and return its exit status: 0 only when the thing was done.

    An error leaves as one sentence on standard error, or, with `json`, as the one object on standard output.
    """
    logging.basicConfig(level=logging.WARNING, format="%(message)s", stream=sys.stderr)
    try:
        return 0 if asyncio.run(work) else FAILED
    except ShutongError as error:
        if json:
            print_json({"error": {"code": error.code, "message": error.sentence}})
        else:
            sys.stderr.write(f"{error.sentence}\n")
        return FAILED
    except (KeyboardInterrupt, asyncio.CancelledError):
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output (head, less) has gone
        sys.stderr.close()
        return FAILED
    except Exception:
        logging.getLogger("shutong").exception("Something went wrong inside.")
        if json:
            print_json({"error": {"code": "internal", "message": "Something went wrong inside. See the log."}})
        return FAILED


def print_json(value: dict[str, Any]) -> None:
    """One JSON object on standard output."""
    sys.stdout.write(dumps(value, ensure_ascii=False, default=str) + "\n")


def harmless(text: str) -> str:
    """Catalogue and model text for a terminal: no control characters, so no escape sequences."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in text)
