"""Importers: one file for each format, and the list that knows them.

To add a format, write one module with an `Importer` and put it into `IMPORTERS`. The first that recognises a file
reads it, so the pickier ones stand first.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from shutong.catalog.importers.delimited import Delimited
from shutong.catalog.importers.json_lines import JsonLines
from shutong.catalog.importers.opening import Source, open_source
from shutong.catalog.importers.record import Problem, Row
from shutong.errors import ImportFailedError


class Importer(Protocol):
    """Reads one format."""

    @property
    def name(self) -> str:
        """What people call the format (`csv`); the value of `--format`."""

    @property
    def looks_for(self) -> str:
        """What a file of this format looks like, for the message when nothing recognises one."""

    def recognises(self, source: Source) -> bool:
        """True if the start of the file (`head`, `text`) is of this format. Never raises, reads nothing more."""

    def rows(self, source: Source) -> Iterator[Row | Problem]:
        """The records in order, streamed; a `Problem` stands for one that cannot be read. Goes on after a bad one.

        Raises `ImportFailedError` only when the file as a whole is not of this format.
        """


IMPORTERS: tuple[Importer, ...] = (JsonLines(), Delimited("tsv", "\t"), Delimited("csv", ",;|"))


def detect(path: Path, format: str | None = None, encoding: str | None = None) -> tuple[Importer, Source]:
    """Open a file and find who reads it. `format` and `encoding` overrule the look at its content.

    The caller closes the source. Raises `ImportFailedError` that says what was looked for.
    """
    wanted = [i for i in IMPORTERS if format is None or i.name == format.lower()]
    if not wanted:
        raise ImportFailedError(f"There is no format {format!r}; known are {', '.join(i.name for i in IMPORTERS)}.")
    source = open_source(path, encoding)
    for importer in wanted:
        if format or importer.recognises(source):
            return importer, source
    source.close()
    if not source.head:
        raise ImportFailedError(f"{path.name} is empty.")
    looked = "; ".join(f"{i.name}: {i.looks_for}" for i in IMPORTERS)
    raise ImportFailedError(f"{path.name} is in no format that is known here. Looked for {looked}.")
