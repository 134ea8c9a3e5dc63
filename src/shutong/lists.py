"""Lists of words that ship with the program: text files beside the code that reads them, `#` before a remark."""

from __future__ import annotations

from importlib import resources


def lines(package: str, name: str) -> list[str]:
    """The lines of a list that say something, in order."""
    text = resources.files(package).joinpath(name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
