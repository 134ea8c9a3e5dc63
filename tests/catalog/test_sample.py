"""The sample catalogue: enough to show what the program can do, and honest about what is made up."""

import re

import pytest
from stdnum import isbn

from shutong.catalog import countries
from shutong.catalog.book import Book
from shutong.catalog.repository import Catalogue, Written
from shutong.catalog.sample import SOURCE, sample_books
from shutong.search.embedded.engine import EmbeddedEngine
from shutong.search.query import BookQuery, Conditions
from shutong.text import clean

BOOKS = tuple(sample_books())


def ids(books: tuple[Book, ...]) -> list[str]:
    return [one.source_id for one in books]


# Every book


@pytest.mark.parametrize("one", BOOKS, ids=ids(BOOKS))
def test_a_book_of_the_sample_is_valid(one: Book) -> None:
    assert one.title
    assert one.title == clean(one.title).strip()
    assert one.authors
    assert all(author.country is None or countries.code(author.country) for author in one.authors)
    assert one.source == SOURCE
    assert one.work_id
    assert one.language in {"zh", "en"}
    assert one.isbn13 is None or isbn.is_valid(one.isbn13)
    assert one.year is None or 1900 <= one.year <= 2030
    assert None in (one.first_year, one.year) or (one.first_year or 0) <= (one.year or 0)
    assert one.pages is None or 10 < one.pages < 3000
    assert one.category
    assert one.tags
    assert one.intro


@pytest.mark.parametrize("one", BOOKS, ids=ids(BOOKS))
def test_made_up_figures_say_that_they_are(one: Book) -> None:
    assert one.rating_source == "demo"  # of the popularity too, where there is no rating


@pytest.mark.parametrize("one", BOOKS, ids=ids(BOOKS))
def test_an_intro_is_in_the_language_of_its_book(one: Book) -> None:
    chinese = len(re.findall("[\u4e00-\u9fff]", one.intro or ""))
    assert (chinese > 10) == (one.language == "zh")


def test_no_book_is_there_twice() -> None:
    assert len(set(ids(BOOKS))) == len(BOOKS)
    numbers = [one.isbn13 for one in BOOKS if one.isbn13]
    assert len(set(numbers)) == len(numbers)
    editions = [(one.work_id, one.publisher, one.year) for one in BOOKS]
    assert len(set(editions)) == len(editions)


def test_no_invented_book_is_there() -> None:
    assert not any("人工智能简史" in one.title for one in BOOKS)


async def test_it_can_be_stored_twice_without_a_change(catalogue: Catalogue) -> None:
    assert await catalogue.upsert(BOOKS) == Written(new=len(BOOKS))
    assert await catalogue.upsert(sample_books()) == Written(unchanged=len(BOOKS))


# What the sentences of the demonstration need


BEGINNERS = BookQuery(keyword="Python", level="beginner", year_from=2019, min_rating=8, language=["zh"], limit=20)


def test_there_are_python_books_for_beginners(sample_engine: EmbeddedEngine) -> None:
    assert sample_engine.search(BEGINNERS).total >= 4


def test_one_of_them_is_about_scraping_and_comes_first(sample_engine: EmbeddedEngine) -> None:
    query = BEGINNERS.model_copy(update={"prefer": Conditions(keyword="爬虫")})
    assert "爬虫" in sample_engine.search(query).books[0].book.tags


def test_one_of_them_is_by_a_chinese_author(sample_engine: EmbeddedEngine) -> None:
    query = BEGINNERS.model_copy(update={"author_country": ["中国"]})
    assert sample_engine.search(query).total >= 1


def test_a_scraping_book_just_misses_the_rating(sample_engine: EmbeddedEngine) -> None:
    query = BEGINNERS.model_copy(update={"prefer": Conditions(keyword="爬虫")})
    misses = [miss for near in sample_engine.search(query).near_misses for miss in near.misses]
    assert any(miss.field == "min_rating" and 7.5 <= miss.has < 8 for miss in misses)


@pytest.mark.parametrize(
    "query",
    [
        BookQuery(keyword="三体"),
        BookQuery(author=["刘慈欣"]),
        BookQuery(category=["推理"]),
        BookQuery(category=["mystery"], language=["en"]),
        BookQuery(keyword="machine learning", language=["en"]),
        BookQuery(keyword="机器学习", level="beginner"),
        BookQuery(author_country=["日本"]),
        BookQuery(author_country=["拉美"]),
        BookQuery(category=["科幻"], author_country=["中国"]),
        BookQuery(audience="children"),
        BookQuery(max_pages=200),
        BookQuery(title=["1984"], exact_title=True),
        BookQuery(title=["It"], exact_title=True),
        BookQuery(like="三体"),
    ],
    ids=lambda query: str(query.said()),
)
def test_each_kind_of_request_finds_something(sample_engine: EmbeddedEngine, query: BookQuery) -> None:
    assert sample_engine.search(query).total >= 1


def test_a_work_with_two_editions_shows_how_editions_are_counted(sample_engine: EmbeddedEngine) -> None:
    assert sample_engine.search(BookQuery(title=["活着"], exact_title=True)).books[0].editions == 2
