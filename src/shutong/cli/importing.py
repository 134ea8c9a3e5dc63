"""`shutong import`: files into the catalogue, with progress and a report."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from shutong.catalog.importing import FileReport
from shutong.cli.running import harmless, print_json
from shutong.errors import ShutongError
from shutong.service import Service, open_service
from shutong.settings import load_settings


async def import_files(files: list[Path], *, json: bool, **options: Any) -> bool:
    """Import each file. False when any of them could not be read."""
    console = Console(stderr=json, highlight=False, markup=False)
    async with open_service(load_settings()) as service:
        reports = [await _import_one(service, file, console, quiet=json, **options) for file in files]
    failed = [report for report in reports if report.error]
    if json:
        error = {"error": {"code": "import_failed", "message": failed[0].error}} if failed else {}
        print_json({"files": [report.as_json() for report in reports]} | error)
    return not failed


async def _import_one(service: Service, file: Path, console: Console, *, quiet: bool, **options: Any) -> FileReport:
    started = time.perf_counter()
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[rows]}"), TimeRemainingColumn())
    try:
        with Progress(*columns, console=console, disable=quiet or not console.is_terminal) as bar:
            task = bar.add_task(file.name, total=None, rows="")

            def show(report: FileReport, read: int, total: int) -> None:
                rate = report.read / max(time.perf_counter() - started, 1e-6)
                bar.update(task, completed=read, total=total, rows=f"{report.read:,} rows, {rate:,.0f}/s")

            report = await service.import_file(file, progress=show, **options)
    except ShutongError as error:
        report = FileReport(str(file), error=error.sentence)
    if not quiet:
        _print(console, report, dry_run=bool(options.get("dry_run")))
    return report


def _print(console: Console, report: FileReport, *, dry_run: bool) -> None:
    if report.error:
        console.print(f"✗ {harmless(report.error)}", style="red", soft_wrap=True)
        return
    would = "would be " if dry_run else ""
    console.print(
        f"{report.file}: {report.format}, {report.encoding}. {report.read:,} rows: {report.new:,} {would}new, "
        f"{report.updated:,} updated, {report.unchanged:,} unchanged, {report.refused:,} refused, "
        f"{report.mended:,} mended, in {report.seconds:.1f} s.",
        soft_wrap=True,
    )
    mapped = ", ".join(f"{'+'.join(headers)} → {name}" for name, headers in report.mapping.items())
    console.print(harmless(f"  columns: {mapped}"), style="dim", soft_wrap=True)
    if report.ignored_columns:
        console.print(harmless(f"  ignored columns: {', '.join(report.ignored_columns)}"), style="dim", soft_wrap=True)
    for reason, count in report.reasons.items():
        console.print(harmless(f"  {count:,} × {reason}"), style="dim", soft_wrap=True)
    if report.sample_removed:
        console.print("  The sample was taken away: this catalogue now has its own books.", soft_wrap=True)
    if report.report:
        console.print(f"  every refused or mended row: {report.report}", soft_wrap=True)
