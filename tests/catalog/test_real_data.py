"""The first rows of real catalogues are read with sane results. They are not part of the product: named by SHUTONG_TEST_DATA."""

import os
from itertools import islice
from pathlib import Path

import pytest

from shutong.catalog.importers.record import Record
from shutong.catalog.importers.run import Reader, read_books

ROWS = 3000
BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"
DATA = Path(os.environ.get("SHUTONG_TEST_DATA", BESIDE))

pytestmark = pytest.mark.data


def read(name: str, rows: int = ROWS) -> tuple[Reader, list[Record]]:
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{name} is not here; SHUTONG_TEST_DATA names the folder of real catalogues")
    with read_books(path) as reader:
        return reader, list(islice(reader, rows))


def share(records: list[Record], field: str) -> float:
    """The share of books that have a field."""
    books = [r.book for r in records if r.book]
    return sum(getattr(book, field) not in (None, ()) for book in books) / len(books)


CATALOGUES = ["zh-douban2020/books.csv.gz", "zh-merged/books.jsonl.gz", "en-merged/books.jsonl.gz"]


@pytest.mark.parametrize("name", CATALOGUES)
def test_nearly_all_rows_become_books_without_a_problem(name: str) -> None:
    reader, records = read(name)
    assert len(records) == ROWS
    assert reader.refused == 0
    assert reader.mended < ROWS * 0.02
    assert reader.detected.source == "books"


@pytest.mark.parametrize("name", CATALOGUES)
def test_names_hold_no_marks_and_no_role_words(name: str) -> None:
    names = [a.name for r in read(name)[1] if r.book for a in r.book.authors]
    assert not [n for n in names if n[0] in "[［【〔(（" or n.endswith((" 著", " 编", " 译", "]", "】", "〕"))]


def test_the_chinese_catalogue_keeps_its_fields() -> None:
    _, records = read("zh-merged/books.jsonl.gz")
    for field in ("authors", "publisher", "year", "rating", "category", "tags"):
        assert share(records, field) > 0.9, field
    books = [r.book for r in records if r.book]
    assert sum(b.language == "zh" for b in books) > ROWS * 0.98
    assert {a.country for b in books for a in b.authors} >= {"美国", "日本", "英国", "法国", "俄罗斯", "哥伦比亚"}
    assert all(b.year is None or 1900 <= b.year < 2030 for b in books)
    assert max(len(b.tags) for b in books) == 40


def test_the_english_catalogue_has_its_ratings_doubled() -> None:
    reader, records = read("en-merged/books.jsonl.gz")
    rated = [r.book.rating for r in records if r.book and r.book.rating]
    assert reader.detected.rating_scale == 5
    assert 7.5 < sum(rated) / len(rated) < 8.5
    assert share(records, "series_index") > 0.2


def test_the_plain_douban_file_is_read_as_it_stands() -> None:
    _, records = read("zh-douban2020/books.csv.gz")
    assert share(records, "authors") > 0.9
    assert share(records, "year") > 0.98
    assert share(records, "rating_count") > 0.98
