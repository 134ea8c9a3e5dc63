"""Bringing a file into the catalogue: every row is accounted for, and what was written stays written."""

import asyncio
import csv
from collections.abc import Iterable
from pathlib import Path

import pytest

from shutong.catalog import importing
from shutong.catalog.importing import FileReport, import_file
from shutong.catalog.repository import Catalogue
from shutong.errors import ImportFailedError

HEADER = "id,书名,作者,出版年,评分,页数"
GOOD = [f"{i},书名{i},作者{i},2020,8.{i % 10},300" for i in range(1, 7)]
NO_TITLE = "7,,无名氏,2020,8.0,300"
ODD_YEAR = "8,怪年份,某人,8858,8.0,300"


def write(folder: Path, rows: Iterable[str], name: str = "books.csv") -> Path:
    path = folder / name
    path.write_text("\n".join([HEADER, *rows]) + "\n", "utf-8")
    return path


async def titles(catalogue: Catalogue) -> list[str]:
    return sorted([one.title async for batch in catalogue.everything() for one in batch])


def assert_adds_up(report: FileReport) -> None:
    assert report.read == report.new + report.updated + report.unchanged + report.refused


# Counts


async def test_every_row_is_accounted_for(catalogue: Catalogue, tmp_path: Path) -> None:
    report = await import_file(catalogue, write(tmp_path, [*GOOD, NO_TITLE, ODD_YEAR]))
    assert (report.read, report.new, report.updated, report.unchanged, report.refused) == (8, 7, 0, 0, 1)
    assert report.mended == 1
    assert_adds_up(report)
    assert await catalogue.count() == 7


async def test_the_same_file_again_changes_nothing(catalogue: Catalogue, tmp_path: Path) -> None:
    path = write(tmp_path, [*GOOD, NO_TITLE])
    await import_file(catalogue, path)
    last = await catalogue.last_change()
    report = await import_file(catalogue, path)
    assert (report.new, report.updated, report.unchanged, report.refused) == (0, 0, 6, 1)
    assert await catalogue.last_change() == last


async def test_a_changed_row_is_an_update(catalogue: Catalogue, tmp_path: Path) -> None:
    await import_file(catalogue, write(tmp_path, GOOD))
    report = await import_file(catalogue, write(tmp_path, [GOOD[0].replace("书名1", "新名"), *GOOD[1:], ODD_YEAR]))
    assert (report.new, report.updated, report.unchanged) == (1, 1, 5)
    assert_adds_up(report)
    assert "新名" in await titles(catalogue)
    assert "书名1" not in await titles(catalogue)


async def test_a_row_that_comes_twice_counts_as_unchanged(catalogue: Catalogue, tmp_path: Path) -> None:
    report = await import_file(catalogue, write(tmp_path, [*GOOD, GOOD[0], GOOD[0]]))
    assert (report.read, report.new, report.unchanged) == (8, 6, 2)
    assert_adds_up(report)


async def test_counts_add_up_over_many_batches(
    catalogue: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "READ_AHEAD", 10)
    rows = [f"{i},书{i},作者,2020,8.0,300" if i % 7 else f"{i},,,,," for i in range(1, 96)]
    report = await import_file(catalogue, write(tmp_path, [*rows, *rows[:20]]))
    assert report.read == 115
    assert report.new == await catalogue.count() == 95 - 13
    assert_adds_up(report)


async def test_what_the_file_was_taken_for_is_told(catalogue: Catalogue, tmp_path: Path) -> None:
    path = tmp_path / "books.csv"
    path.write_text("书名,作者,货架\n三体,刘慈欣,A3\n", "gb18030")
    report = await import_file(catalogue, path)
    assert report.format == "csv"
    assert report.encoding == "gb18030"
    assert report.mapping["title"] == ["书名"]
    assert report.ignored_columns == ["货架"]
    assert report.as_json()["read"] == 1


async def test_progress_goes_up_to_the_end(
    catalogue: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "READ_AHEAD", 2)
    seen: list[tuple[int, int, int]] = []
    path = write(tmp_path, GOOD)
    await import_file(catalogue, path, progress=lambda report, read, total: seen.append((report.read, read, total)))
    assert [rows for rows, _, _ in seen] == [2, 4, 6, 6]
    assert seen == sorted(seen)
    assert seen[-1][1:] == (path.stat().st_size, path.stat().st_size)


# Only looking


async def test_a_dry_run_writes_nothing_and_counts_as_if_it_did(catalogue: Catalogue, tmp_path: Path) -> None:
    await import_file(catalogue, write(tmp_path, GOOD[:3]))
    before, last = await titles(catalogue), await catalogue.last_change()
    path = write(tmp_path, [GOOD[0].replace("书名1", "新名"), *GOOD[1:], NO_TITLE])
    report = await import_file(catalogue, path, dry_run=True)
    assert (await titles(catalogue), await catalogue.last_change()) == (before, last)
    assert (report.new, report.updated, report.unchanged, report.refused) == (3, 1, 2, 1)
    real = await import_file(catalogue, path)
    assert (real.new, real.updated, real.unchanged) == (report.new, report.updated, report.unchanged)


# What was wrong


async def test_the_report_names_place_field_and_reason(catalogue: Catalogue, tmp_path: Path) -> None:
    path = tmp_path / "report.csv"
    report = await import_file(catalogue, write(tmp_path, [GOOD[0], NO_TITLE, ODD_YEAR]), report=path)
    assert report.report == str(path)
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["place"], row["field"], row["kind"]) for row in rows] == [
        ("line 3", "title", "refused"),
        ("line 4", "year", "refused"),
    ]
    assert all(row["reason"] for row in rows)
    assert sum(report.reasons.values()) == 2


async def test_the_report_opens_in_a_spreadsheet_and_runs_nothing_there(catalogue: Catalogue, tmp_path: Path) -> None:
    path = tmp_path / "report.csv"
    await import_file(catalogue, write(tmp_path, [GOOD[0], "9,公式,某人,=1+1,8.0,300"]), report=path)
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    with path.open(encoding="utf-8-sig", newline="") as file:
        assert not any(cell[:1] in tuple("=+-@") for row in csv.reader(file) for cell in row if cell)


async def test_without_problems_the_report_is_a_line_of_headers(catalogue: Catalogue, tmp_path: Path) -> None:
    path = tmp_path / "report.csv"
    await import_file(catalogue, write(tmp_path, GOOD), report=path)
    assert len(path.read_text("utf-8-sig").splitlines()) == 1


@pytest.mark.parametrize(
    "content",
    [b"", b"\n\n", "书名,作者\n".encode(), b"colour,weight\nred,3\nblue,4\n", bytes(range(256)) * 20],
    ids=["empty", "blank lines", "headers only", "no known column", "bytes"],
)
async def test_a_file_with_nothing_recognisable_is_an_error(
    catalogue: Catalogue, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "books.csv"
    path.write_bytes(content)
    with pytest.raises(ImportFailedError):
        await import_file(catalogue, path)
    assert await catalogue.count() == 0


async def test_a_file_of_refused_rows_only_is_an_error_that_says_why(catalogue: Catalogue, tmp_path: Path) -> None:
    with pytest.raises(ImportFailedError, match=r"none of its 2 rows.*title"):
        await import_file(catalogue, write(tmp_path, [NO_TITLE, "9,,某人,2020,8.0,300"]))


@pytest.mark.parametrize("name", ["nothing.csv", "."])
async def test_a_file_that_is_not_there_is_named(catalogue: Catalogue, tmp_path: Path, name: str) -> None:
    with pytest.raises(ImportFailedError, match="There is no file"):
        await import_file(catalogue, tmp_path / name)


async def test_a_report_that_cannot_be_written_stops_before_anything_is(catalogue: Catalogue, tmp_path: Path) -> None:
    with pytest.raises(ImportFailedError, match="report"):
        await import_file(catalogue, write(tmp_path, GOOD), report=tmp_path / "nowhere" / "report.csv")
    assert await catalogue.count() == 0


# Stopped in the middle


async def test_what_was_written_before_a_stop_stays_and_the_rest_comes_next_time(
    catalogue: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "READ_AHEAD", 10)
    path = write(tmp_path, [f"{i},书{i},作者,2020,8.0,300" for i in range(100)])
    importing_task: asyncio.Task[FileReport]

    def stop_after_thirty(report: FileReport, _read: int, _total: int) -> None:
        if report.read >= 30:
            importing_task.cancel()

    importing_task = asyncio.create_task(import_file(catalogue, path, progress=stop_after_thirty))
    with pytest.raises(asyncio.CancelledError):
        await importing_task
    kept = await catalogue.count()
    assert 30 <= kept < 100
    report = await import_file(catalogue, path)
    assert (report.new, report.unchanged) == (100 - kept, kept)
    assert await catalogue.count() == 100


async def test_reading_goes_on_while_a_file_comes_in(
    catalogue: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # F62
    monkeypatch.setattr(importing, "READ_AHEAD", 50)
    path = write(tmp_path, [f"{i},书{i},作者,2020,8.0,300" for i in range(1500)])
    task = asyncio.create_task(import_file(catalogue, path))
    counts = []
    while not task.done():
        counts.append(await catalogue.count())
        await asyncio.sleep(0)
    assert (await task).new == 1500
    assert counts
    assert counts == sorted(counts)


async def test_two_files_at_once_both_come_in(catalogue: Catalogue, tmp_path: Path) -> None:
    paths = [write(tmp_path, (f"{n}{i},书{n}{i},作者,2020,8.0,300" for i in range(300)), f"f{n}.csv") for n in (1, 2)]
    reports = await asyncio.gather(*(import_file(catalogue, path) for path in paths))
    assert [report.new for report in reports] == [300, 300]
    assert await catalogue.count() == 600
