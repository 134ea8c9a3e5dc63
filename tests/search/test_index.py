"""The index on disk: it always comes back to what the database says, whatever happened to its files."""

import asyncio
import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import delete

from shutong.catalog.repository import Catalogue
from shutong.search.embedded import index as index_module
from shutong.search.embedded.columns import Columns
from shutong.search.embedded.engine import EmbeddedEngine
from shutong.search.embedded.index import EmbeddedIndex, Refreshed
from shutong.search.embedded.words import WordIndex
from shutong.search.query import BookQuery
from shutong.settings import Settings
from shutong.storage.database import Database
from shutong.storage.tables import index_changes
from tests.books import book


def titles(index: EmbeddedIndex, **query: object) -> list[str]:
    found = EmbeddedEngine(index).search(BookQuery.model_validate({"limit": 500} | query))
    return sorted(hit.book.title for hit in found.books)


@pytest.fixture
def folder(settings: Settings) -> Path:
    return settings.index_folder


@pytest.fixture
async def index(catalogue: Catalogue, folder: Path) -> EmbeddedIndex:
    """An index over ten books, 书0 to 书9."""
    await catalogue.upsert(book(f"书{i}", source_id=f"s{i}") for i in range(10))
    made = EmbeddedIndex(folder)
    assert await made.refresh(catalogue) == Refreshed(10, "missing or damaged")
    return made


TEN = [f"书{i}" for i in range(10)]


# Following the database


async def test_a_refresh_without_changes_does_nothing(index: EmbeddedIndex, catalogue: Catalogue) -> None:
    before = index.state
    assert await index.refresh(catalogue) == Refreshed()
    assert index.state is before


async def test_a_new_book_is_found_after_a_refresh(index: EmbeddedIndex, catalogue: Catalogue) -> None:
    await catalogue.upsert([book("新书")])
    assert titles(index, keyword="新书") == []
    assert await index.refresh(catalogue) == Refreshed(1)
    assert titles(index, keyword="新书") == ["新书"]
    assert titles(index) == sorted([*TEN, "新书"])


async def test_an_updated_book_is_found_by_what_it_is_now(index: EmbeddedIndex, catalogue: Catalogue) -> None:
    await catalogue.upsert([book("改名", source_id="s3", year=2020, tags=("科幻",))])
    await index.refresh(catalogue)
    assert titles(index, keyword="书3") == []
    assert titles(index, title=["书3"], exact_title=True) == []
    assert titles(index, keyword="改名") == titles(index, year_from=2020) == titles(index, tags=["科幻"]) == ["改名"]
    assert len(titles(index)) == 10


async def test_a_book_updated_many_times_is_there_once(index: EmbeddedIndex, catalogue: Catalogue) -> None:
    for rating in range(1, 10):
        await catalogue.upsert([book("书3", source_id="s3", rating=rating)])
        await index.refresh(catalogue)
    assert titles(index) == TEN
    assert titles(index, min_rating=9) == ["书3"]
    assert titles(index, keyword="书3", min_rating=1) == ["书3"]


async def test_a_removed_book_is_gone(index: EmbeddedIndex, catalogue: Catalogue) -> None:
    await catalogue.upsert([book("别处", source="other")])
    await index.refresh(catalogue)
    await catalogue.remove_source("other")
    await index.refresh(catalogue)
    assert titles(index) == TEN
    assert titles(index, keyword="别处") == []
    assert EmbeddedEngine(index).title("别处") == []


async def test_many_changes_make_the_index_anew(
    index: EmbeddedIndex, catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_module, "REBUILD_CHANGES", 4)
    await catalogue.upsert(book(f"新{i}") for i in range(4))
    assert await index.refresh(catalogue) == Refreshed(14, "many changes")
    assert len(titles(index)) == 14


async def test_an_index_that_is_mostly_dead_rows_is_made_anew(index: EmbeddedIndex, catalogue: Catalogue) -> None:
    for round_ in range(1, 30):
        await catalogue.upsert(book(f"书{i}", source_id=f"s{i}", pages=round_) for i in range(10))
        refreshed = await index.refresh(catalogue)
        assert titles(index, min_pages=round_) == TEN
        if refreshed.rebuilt:
            break
    assert refreshed == Refreshed(10, "many changes")
    assert index.state.columns.size == 10


async def test_a_rebuild_that_is_asked_for_keeps_every_book(index: EmbeddedIndex, catalogue: Catalogue) -> None:
    assert await index.refresh(catalogue, rebuild=True) == Refreshed(10, "asked for")
    assert titles(index) == TEN


async def test_old_folders_do_not_pile_up(index: EmbeddedIndex, catalogue: Catalogue, folder: Path) -> None:
    for i in range(6):
        await index.refresh(catalogue, rebuild=True)
        await catalogue.upsert([book(f"新{i}")])
        await index.refresh(catalogue)
    assert len([path for path in folder.iterdir() if path.is_dir()]) <= 2
    assert len(list(folder.glob("*/columns-*"))) <= 4


async def test_an_index_that_slept_too_long_is_made_anew(
    index: EmbeddedIndex, catalogue: Catalogue, database: Database
) -> None:
    await catalogue.upsert(book(f"新{i}") for i in range(3))
    async with database.write() as connection:
        await connection.execute(delete(index_changes).where(index_changes.c.seq <= 12))
    assert (await index.refresh(catalogue)).rebuilt
    assert len(titles(index)) == 13


async def test_an_index_of_another_database_is_made_anew(
    index: EmbeddedIndex, catalogue: Catalogue, database: Database
) -> None:
    async with database.write() as connection:
        await connection.exec_driver_sql("DELETE FROM books")
        await connection.exec_driver_sql("DELETE FROM index_changes")
        await connection.exec_driver_sql("DELETE FROM sqlite_sequence")
    await catalogue.upsert([book("只有我")])
    assert (await index.refresh(catalogue)).rebuilt
    assert titles(index) == ["只有我"]


# Starting again


async def test_the_next_process_takes_over_what_is_there(
    index: EmbeddedIndex, catalogue: Catalogue, folder: Path
) -> None:
    await catalogue.upsert([book("新书")])
    await index.refresh(catalogue)
    later = EmbeddedIndex(folder)
    assert later.follow()
    assert titles(later) == titles(index)
    assert await later.refresh(catalogue) == Refreshed()


def _no_pointer(folder: Path) -> None:
    (folder / "CURRENT").unlink()


def _pointer_nowhere(folder: Path) -> None:
    pointer = json.loads((folder / "CURRENT").read_text("utf-8"))
    (folder / "CURRENT").write_text(json.dumps(pointer | {"folder": "000099"}), "utf-8")


def _pointer_of_nonsense(folder: Path) -> None:
    (folder / "CURRENT").write_text("[]", "utf-8")


def _pointer_cut_short(folder: Path) -> None:
    (folder / "CURRENT").write_bytes((folder / "CURRENT").read_bytes()[:20])


def _pointer_empty(folder: Path) -> None:
    (folder / "CURRENT").write_bytes(b"")


def _no_words(folder: Path) -> None:
    shutil.rmtree(next(folder.glob("*/words")))


def _words_of_nonsense(folder: Path) -> None:
    next(folder.glob("*/words/meta.json")).write_text("{}", "utf-8")


def _words_without_segments(folder: Path) -> None:
    for path in folder.glob("*/words/*.*"):
        if path.name != "meta.json":
            path.unlink()


def _no_columns(folder: Path) -> None:
    shutil.rmtree(next(folder.glob("*/columns-*")))


def _a_column_cut_short(folder: Path) -> None:
    path = next(folder.glob("*/columns-*/rating.npy"))
    path.write_bytes(path.read_bytes()[:30])


def _a_column_of_another_length(folder: Path) -> None:
    columns = next(folder.glob("*/columns-*"))
    shutil.copy(columns / "title_hash.npy", columns / "work.npy")
    shutil.copy(columns / "country.starts.npy", columns / "book_id.npy")


def _a_facet_of_nonsense(folder: Path) -> None:
    next(folder.glob("*/columns-*/author.json")).write_text("{", "utf-8")


def _nothing_at_all(folder: Path) -> None:
    shutil.rmtree(folder)


DAMAGES = [
    _no_pointer,
    _pointer_nowhere,
    _pointer_of_nonsense,
    _pointer_cut_short,
    _pointer_empty,
    _no_words,
    _words_of_nonsense,
    _words_without_segments,
    _no_columns,
    _a_column_cut_short,
    _a_column_of_another_length,
    _a_facet_of_nonsense,
    _nothing_at_all,
]


@pytest.mark.parametrize("damage", DAMAGES)
async def test_a_damaged_index_is_made_anew_at_the_next_start(
    index: EmbeddedIndex, catalogue: Catalogue, folder: Path, damage: Callable[[Path], None]
) -> None:
    damage(folder)
    later = EmbeddedIndex(folder)
    assert not later.follow()
    assert await later.refresh(catalogue) == Refreshed(10, "missing or damaged")
    assert titles(later) == TEN


@pytest.mark.parametrize("damage", [_nothing_at_all, _no_words, _no_pointer])
async def test_an_index_that_is_lost_under_a_running_process_is_made_anew(
    index: EmbeddedIndex, catalogue: Catalogue, folder: Path, damage: Callable[[Path], None]
) -> None:
    damage(folder)
    assert titles(index, keyword="书3") == ["书3"]  # what is open still answers
    await catalogue.upsert([book("新书")])
    assert (await index.refresh(catalogue)).rebuilt
    assert titles(index) == titles(following(folder)) == sorted([*TEN, "新书"])


def following(folder: Path) -> EmbeddedIndex:
    made = EmbeddedIndex(folder)
    assert made.follow()
    return made


async def test_an_index_of_another_format_is_made_anew(
    index: EmbeddedIndex, catalogue: Catalogue, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_module, "FORMAT", index_module.FORMAT + 1)
    later = EmbeddedIndex(folder)
    assert not later.follow()
    assert (await later.refresh(catalogue)).rebuilt
    assert titles(later) == TEN


# Stopped in the middle


async def test_a_pointer_that_was_being_written_is_no_pointer(
    index: EmbeddedIndex, catalogue: Catalogue, folder: Path
) -> None:
    (folder / "CURRENT.new").write_text('{"format"', "utf-8")
    later = EmbeddedIndex(folder)
    assert later.follow()
    await catalogue.upsert([book("新书")])
    assert await later.refresh(catalogue) == Refreshed(1)
    assert titles(later) == sorted([*TEN, "新书"])


async def test_a_half_written_rebuild_is_passed_over(index: EmbeddedIndex, catalogue: Catalogue, folder: Path) -> None:
    WordIndex(folder / "000002" / "words").add(0, book("halb"))
    later = EmbeddedIndex(folder)
    assert later.follow()
    assert titles(later) == TEN
    assert (await later.refresh(catalogue, rebuild=True)).rebuilt
    assert titles(later) == TEN


@pytest.mark.parametrize("step", ["columns written", "words committed"])
async def test_a_refresh_that_was_killed_between_two_steps_is_made_up_for(
    index: EmbeddedIndex, catalogue: Catalogue, folder: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    await catalogue.upsert([book("改名", source_id="s3"), book("新书"), book("书5", source_id="s5", year=2020)])

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        where: type = WordIndex if step == "columns written" else EmbeddedIndex
        patch.setattr(where, "commit" if where is WordIndex else "_point", killed)
        with pytest.raises(KeyboardInterrupt):
            await index.refresh(catalogue)
    expected = sorted([*TEN[:3], *TEN[4:], "改名", "新书"])
    for one in (index, EmbeddedIndex(folder)):
        await one.refresh(catalogue)
        assert titles(one) == expected
        assert titles(one, keyword="书3") == []
        assert titles(one, keyword="书5", year_from=2020) == ["书5"]


async def test_words_that_are_ahead_of_their_columns_are_not_taken_over(
    index: EmbeddedIndex, catalogue: Catalogue, folder: Path
) -> None:
    ahead = WordIndex(next(folder.glob("*/words")))
    ahead.remove([1])
    ahead.add(99, book("书0", id=1))
    ahead.commit()
    later = EmbeddedIndex(folder)
    assert not later.follow()
    assert titles(index) == TEN


async def test_a_refresh_that_fails_on_the_disk_makes_the_index_anew(
    index: EmbeddedIndex, catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    save, failures = Columns.save, [OSError("no room")]

    def fail_once(self: Columns, folder: Path) -> None:
        if failures:
            raise failures.pop()
        save(self, folder)

    monkeypatch.setattr(Columns, "save", fail_once)
    await catalogue.upsert([book("新书")])
    assert (await index.refresh(catalogue)).rebuilt
    assert titles(index) == sorted([*TEN, "新书"])


# Side by side


async def test_what_one_process_writes_the_other_follows(
    index: EmbeddedIndex, catalogue: Catalogue, folder: Path
) -> None:
    other = EmbeddedIndex(folder)
    assert other.follow()
    await catalogue.upsert([book("新书"), book("改名", source_id="s3")])
    await index.refresh(catalogue)
    assert titles(other) == TEN  # its state is whole until it follows
    assert titles(other, keyword="书3") == ["书3"]
    assert other.follow()
    assert titles(other) == titles(index)
    await index.refresh(catalogue, rebuild=True)
    assert other.follow()
    assert titles(other) == titles(index)


async def test_two_that_take_turns_lose_nothing(index: EmbeddedIndex, catalogue: Catalogue, folder: Path) -> None:
    both = (index, EmbeddedIndex(folder))
    for i in range(6):
        await catalogue.upsert([book(f"新{i}")])
        await both[i % 2].refresh(catalogue)
    for one in both:
        await one.refresh(catalogue)
        assert titles(one) == sorted([*TEN, *(f"新{i}" for i in range(6))])


async def test_two_that_refresh_at_once_lose_nothing(index: EmbeddedIndex, catalogue: Catalogue, folder: Path) -> None:
    other = EmbeddedIndex(folder)
    await catalogue.upsert(book(f"新{i}") for i in range(5))
    done = await asyncio.gather(index.refresh(catalogue), other.refresh(catalogue))
    assert sum(refreshed.books for refreshed in done) == 5
    await asyncio.gather(index.refresh(catalogue), other.refresh(catalogue))
    for one in (index, other):
        assert one.follow()
        assert len(titles(one)) == 15


async def test_while_another_process_writes_searching_goes_on(
    index: EmbeddedIndex, catalogue: Catalogue, folder: Path
) -> None:
    holds = "import sys; from filelock import FileLock\nwith FileLock(sys.argv[1]): print('held', flush=True); sys.stdin.read()"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", holds, str(folder / "lock")), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin
    assert process.stdout
    await process.stdout.readline()
    await catalogue.upsert([book("新书")])
    assert await index.refresh(catalogue) == Refreshed()
    assert titles(index) == TEN
    process.stdin.close()
    await process.wait()
    assert await index.refresh(catalogue) == Refreshed(1)
    assert titles(index) == sorted([*TEN, "新书"])


async def test_a_search_never_sees_half_a_refresh(index: EmbeddedIndex, catalogue: Catalogue) -> None:
    stop, wrong = threading.Event(), []

    def search_on() -> None:
        while not stop.is_set():
            try:
                found = titles(index, keyword="书")
                if found != TEN:
                    wrong.append(found)
            except Exception as error:
                wrong.append([repr(error)])

    searching = threading.Thread(target=search_on)
    searching.start()
    for pages in range(1, 13):
        await catalogue.upsert(book(f"书{i}", source_id=f"s{i}", pages=pages) for i in range(10))
        await index.refresh(catalogue)
    stop.set()
    searching.join()
    assert wrong == []
