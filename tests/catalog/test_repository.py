"""The catalogue in the database: what is written comes back, is counted right, and is noted for the index."""

import asyncio

import pytest
from sqlalchemy import func, select

from shutong.catalog import repository
from shutong.catalog.book import Author, Book, Price
from shutong.catalog.repository import BATCH, Catalogue, Written
from shutong.storage.database import Database
from shutong.storage.tables import index_changes
from tests.books import book

FULL = Book(
    work_id="w",
    title="三体Ⅱ：黑暗森林",
    subtitle="s",
    original_title="o",
    authors=(Author(name="刘慈欣", country="中国"), Author(name="某人", role="editor")),
    translators=("译者",),
    publisher="重庆出版社",
    year=2008,
    first_year=2008,
    pages=470,
    language="zh",
    isbn13="9787536693968",
    series="三体",
    series_index=2.5,
    category="科幻",
    tags=("科幻", "硬科幻"),
    rating=9.3,
    rating_count=10**10,
    rating_source="demo",
    popularity=9.9,
    intro="简介 📚\n第二行",
    cover_url="https://img.example.org/1.jpg",
    price=Price(amount=32.0, currency="CNY"),
    level="advanced",
    audience="成人",
    source="test",
    source_id="full",
)


async def everything(catalogue: Catalogue) -> list[Book]:
    return [one async for batch in catalogue.everything() for one in batch]


async def noted(database: Database) -> int:
    async with database.read() as connection:
        return int((await connection.execute(select(func.count()).select_from(index_changes))).scalar_one())


# What is written comes back


@pytest.mark.parametrize("one", [FULL, book("nothing else is known")], ids=["full", "bare"])
async def test_a_book_comes_back_as_it_was(catalogue: Catalogue, one: Book) -> None:
    await catalogue.upsert([one])
    (stored,) = await everything(catalogue)
    assert stored == one.model_copy(update={"id": stored.id})
    assert stored.id > 0


async def test_odd_text_comes_back_as_it_was(catalogue: Catalogue) -> None:
    odd = ["'; DROP TABLE books; --", '"', "%_\\", "📚👩‍👧", "𠮷野家", "\n\t", " ", "null", "{}", "ア" * 5000]
    await catalogue.upsert(book(text, text, intro=text, tags=(text,), source_id=text) for text in odd)
    stored = await everything(catalogue)
    assert [(one.title, one.first_author, one.intro, one.tags, one.source_id) for one in stored] == [
        (text, text, text, (text,), text) for text in odd
    ]


async def test_ids_that_are_not_there_are_left_out(catalogue: Catalogue) -> None:
    await catalogue.upsert([FULL])
    (stored,) = await everything(catalogue)
    assert await catalogue.get([stored.id, 99]) == {stored.id: stored}
    assert await catalogue.get([]) == {}


async def test_everything_comes_once_in_order_and_in_batches(catalogue: Catalogue) -> None:
    await catalogue.upsert(book(str(i)) for i in range(25))
    batches = [batch async for batch in catalogue.everything(batch=10)]
    assert [len(batch) for batch in batches] == [10, 10, 5]
    ids = [one.id for batch in batches for one in batch]
    assert ids == sorted(set(ids))


async def test_editions_of_a_work_come_newest_first(catalogue: Catalogue) -> None:
    await catalogue.upsert([book("活着", "余华", year=year) for year in (1998, 2012, 2003)] + [book("围城")])
    assert [one.year for one in await catalogue.editions("活着|余华")] == [2012, 2003, 1998]
    assert len(await catalogue.editions("活着|余华", limit=2)) == 2
    assert await catalogue.editions("nothing") == []


async def test_two_volumes_with_one_isbn_are_two_books(catalogue: Catalogue) -> None:  # F68
    await catalogue.upsert([book(f"史记 第{i}卷", isbn13="9787101003048") for i in (1, 2)])
    assert await catalogue.count() == 2


# Counting


async def test_new_updated_and_unchanged_are_told_apart(catalogue: Catalogue) -> None:
    one, two = book("一"), book("二")
    assert await catalogue.upsert([one, two]) == Written(new=2)
    assert await catalogue.upsert([one, two]) == Written(unchanged=2)
    changed = two.model_copy(update={"rating": 8.0})
    assert await catalogue.upsert([one, changed, book("三")]) == Written(new=1, updated=1, unchanged=1)


async def test_comparing_counts_as_writing_would_and_writes_nothing(catalogue: Catalogue, database: Database) -> None:
    one, two = book("一"), book("二")
    await catalogue.upsert([one, two])
    before = await everything(catalogue), await noted(database)
    changed = two.model_copy(update={"rating": 8.0})
    assert await catalogue.compare([one, changed, book("三")]) == Written(new=1, updated=1, unchanged=1)
    assert (await everything(catalogue), await noted(database)) == before


async def test_an_update_keeps_the_id_and_forgets_what_is_no_longer_said(catalogue: Catalogue) -> None:
    await catalogue.upsert([FULL])
    (before,) = await everything(catalogue)
    await catalogue.upsert([book("三体", source_id="full")])
    (after,) = await everything(catalogue)
    assert after.id == before.id
    assert (after.title, after.rating, after.price, after.tags) == ("三体", None, None, ())


async def test_of_a_repeated_book_the_last_one_stays(catalogue: Catalogue) -> None:
    near = [book(f"近{i}", source_id="near") for i in range(3)]
    far = [book("远0", source_id="far"), *(book("x") for _ in range(BATCH)), book("远1", source_id="far")]
    await catalogue.upsert([*near, *far])
    titles = {one.title for one in await everything(catalogue)}
    assert {"近2", "远1"} <= titles
    assert not titles & {"近0", "近1", "远0"}


async def test_the_same_id_from_two_sources_is_two_books(catalogue: Catalogue) -> None:
    await catalogue.upsert([book("甲", source="a", source_id="1"), book("乙", source="b", source_id="1")])
    assert await catalogue.sources() == {"a": 1, "b": 1}
    assert (await catalogue.count(), await catalogue.count("a"), await catalogue.count("c")) == (2, 1, 0)


async def test_source_ids_are_compared_letter_for_letter(catalogue: Catalogue) -> None:
    assert await catalogue.upsert([book("x", source_id="ab"), book("x", source_id="AB")]) == Written(new=2)


async def test_writers_at_once_write_each_book_once(catalogue: Catalogue) -> None:
    shared = [book(f"书{i}") for i in range(50)]
    done = await asyncio.gather(*(catalogue.upsert(shared) for _ in range(4)))
    assert sum(written.new for written in done) == 50
    assert sum(written.unchanged for written in done) == 150


# What the index has to learn


async def test_every_write_is_noted_and_nothing_else(catalogue: Catalogue) -> None:
    one, two = book("一"), book("二")
    await catalogue.upsert([one, two])
    seq, ids = await catalogue.changes(0, 100) or (0, [])
    assert sorted(ids) == [one.id for one in await everything(catalogue)]
    await catalogue.upsert([one, two])
    assert await catalogue.changes(seq, 100) == (seq, [])
    await catalogue.upsert([two.model_copy(update={"year": 2020})])
    assert await catalogue.changes(seq, 100) == (seq + 1, [ids[1]])


async def test_removed_books_are_noted(catalogue: Catalogue) -> None:
    await catalogue.upsert([book("一", source="a"), book("二", source="b")])
    seq = await catalogue.last_change()
    gone = (await everything(catalogue))[0].id
    assert await catalogue.remove_source("a") == 1
    assert await catalogue.changes(seq, 100) == (seq + 1, [gone])
    assert await catalogue.remove_source("a") == 0


async def test_changes_are_read_in_order_and_in_pieces(catalogue: Catalogue) -> None:
    await catalogue.upsert(book(str(i)) for i in range(5))
    first = await catalogue.changes(0, 3)
    assert first is not None
    second = await catalogue.changes(first[0], 3)
    assert second is not None
    assert [*first[1], *second[1]] == [one.id for one in await everything(catalogue)]


async def test_a_book_that_changed_twice_is_named_once(catalogue: Catalogue) -> None:
    one = book("一")
    await catalogue.upsert([one])
    await catalogue.upsert([one.model_copy(update={"year": 2020})])
    assert await catalogue.changes(0, 100) == (2, [1])


async def test_a_point_of_another_history_is_told(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    assert await catalogue.changes(0, 100) == (0, [])
    assert await catalogue.changes(5, 100) is None
    await catalogue.upsert(book(str(i)) for i in range(5))
    assert await catalogue.changes(6, 100) is None
    monkeypatch.setattr(repository, "KEPT_CHANGES", 2)
    await catalogue.forget_changes(5)
    assert await catalogue.changes(2, 100) is None
    assert await catalogue.changes(3, 100) == (5, [4, 5])


async def test_numbers_of_changes_are_not_used_again(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    await catalogue.upsert([book("一")])
    monkeypatch.setattr(repository, "KEPT_CHANGES", 0)
    await catalogue.forget_changes(1)
    await catalogue.upsert([book("二")])
    assert await catalogue.last_change() == 2
