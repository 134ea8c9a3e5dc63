"""Near misses: the books that miss what was asked by least, and how they miss it."""

from typing import Any

import pytest

from shutong.catalog.book import Author, Price
from shutong.search.embedded.engine import EmbeddedEngine
from shutong.search.query import BookQuery, Conditions
from shutong.search.result import NearMiss
from tests.books import book
from tests.conftest import EngineOf, engine_over

FIELDS: dict[str, Any] = {
    "author": Author(name="张三", country="中国"),
    "translators": ("王五",),
    "tags": ("教材",),
    "language": "zh",
    "level": "beginner",
    "publisher": "人民邮电出版社",
    "series": "图灵丛书",
    "category": "计算机",
    "audience": "成人",
    "isbn13": "9787115613639",
    "price": Price(amount=50.0, currency="CNY"),
    "pages": 300,
    "first_year": 2010,
    "rating_count": 40,
}


@pytest.fixture(scope="module")
def one_book(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedEngine:
    return engine_over([book("爬虫", **FIELDS)], tmp_path_factory.mktemp("one"))


def near(engine: EmbeddedEngine, **query: Any) -> list[NearMiss]:
    return list(engine.search(BookQuery(**query)).near_misses)


def names(found: list[NearMiss]) -> list[str]:
    return [miss.book.title for miss in found]


async def test_a_near_miss_says_what_was_asked_and_what_the_book_has(engine_of: EngineOf) -> None:
    engine = await engine_of([book("爬虫一", rating=8.4), book("爬虫二", rating=7.8)])
    found = near(engine, keyword="爬虫", min_rating=8.0)
    assert names(found) == ["爬虫二"]
    assert [(m.field, m.asked, m.has) for m in found[0].misses] == [("min_rating", 8.0, 7.8)]


async def test_with_enough_books_there_are_none(engine_of: EngineOf) -> None:
    engine = await engine_of([*(book(f"爬虫{i}", rating=9.0) for i in range(5)), book("爬虫", rating=7.9)])
    assert near(engine, keyword="爬虫", min_rating=8.0, limit=5) == []
    assert names(near(engine, keyword="爬虫", min_rating=8.0, limit=6)) == ["爬虫"]


async def test_without_hard_conditions_there_are_none(engine_of: EngineOf) -> None:
    engine = await engine_of([book("爬虫", rating=7.9)])
    assert near(engine, keyword="爬虫") == []


async def test_later_pages_have_none(engine_of: EngineOf) -> None:
    engine = await engine_of([book("爬虫一", rating=8.4), book("爬虫二", rating=7.8)])
    assert near(engine, keyword="爬虫", min_rating=8.0, offset=5) == []


async def test_the_topic_holds(engine_of: EngineOf) -> None:
    engine = await engine_of([book("爬虫", rating=5.0), book("菜谱", rating=7.9)])
    assert names(near(engine, keyword="爬虫", min_rating=8.0)) == ["爬虫"]


@pytest.mark.parametrize(
    "exclusion",
    [{"exclude_authors": ["张三"]}, {"exclude_tags": ["教材"]}, {"exclude_titles": ["爬虫教材"]}],
    ids=str,
)
async def test_every_exclusion_holds(engine_of: EngineOf, exclusion: dict[str, Any]) -> None:
    engine = await engine_of([book("爬虫教材", "张三", tags=("教材",), rating=7.9), book("爬虫", "李四", rating=7.0)])
    assert names(near(engine, keyword="爬虫", min_rating=8.0, **exclusion)) == ["爬虫"]


async def test_the_nearer_comes_first(engine_of: EngineOf) -> None:
    ratings = (6.0, 7.9, 7.0)
    engine = await engine_of(
        [book(f"爬虫{rating}", f"作者{rating}", rating=rating, rating_count=0) for rating in ratings]
    )
    assert names(near(engine, keyword="爬虫", min_rating=8.0)) == ["爬虫7.9", "爬虫7.0", "爬虫6.0"]


async def test_one_miss_comes_before_two(engine_of: EngineOf) -> None:
    two = book("爬虫二", rating=7.9, year=2018)
    one = book("爬虫一", rating=6.0, year=2020)
    engine = await engine_of([two, one])
    found = near(engine, keyword="爬虫", min_rating=8.0, year_from=2019)
    assert [(miss.book.title, len(miss.misses)) for miss in found] == [("爬虫一", 1), ("爬虫二", 2)]


async def test_who_misses_three_conditions_is_not_near(engine_of: EngineOf) -> None:
    engine = await engine_of([book("爬虫", rating=1.0, year=1990, pages=900)])
    assert near(engine, keyword="爬虫", min_rating=8.0, year_from=2019, max_pages=300) == []


async def test_the_unknown_is_offered_after_what_is_known_and_near(engine_of: EngineOf) -> None:
    engine = await engine_of([book("爬虫甲"), book("爬虫乙", rating=7.9)])
    found = near(engine, keyword="爬虫", min_rating=8.0)
    assert names(found) == ["爬虫乙", "爬虫甲"]
    assert found[1].misses[0].has is None


async def test_a_work_is_offered_once_and_not_beside_its_own_hit(engine_of: EngineOf) -> None:
    hit, miss = (book("爬虫", "张三", year=year) for year in (2020, 2010))
    others = [book("爬虫指南", "李四", year=year) for year in (2016, 2017, 2018)]
    engine = await engine_of([hit, miss, *others])
    found = near(engine, keyword="爬虫", year_from=2019)
    assert [(m.book.title, m.book.year) for m in found] == [("爬虫指南", 2018)]


async def test_without_words_the_subject_is_the_topic(engine_of: EngineOf) -> None:
    engine = await engine_of([book("甲", category="科幻", rating=7.9), book("乙", category="历史", rating=7.9)])
    found = near(engine, category=["科幻"], min_rating=8.0)
    assert names(found) == ["甲"]


@pytest.mark.parametrize(
    ("asked", "has"),
    [
        ({"author_country": ["日本"]}, ["中国"]),
        ({"author": ["李四"]}, ["张三"]),
        ({"translator": ["李四"]}, ["王五"]),
        ({"tags": ["绘本"]}, ["教材"]),
        ({"language": ["en"]}, "zh"),
        ({"level": "advanced"}, "beginner"),
        ({"publisher": ["中信"]}, "人民邮电出版社"),
        ({"series": "译丛"}, "图灵丛书"),
        ({"category": ["历史"]}, "计算机"),
        ({"audience": "儿童"}, "成人"),
        ({"isbn": "9787544253994"}, "9787115613639"),
        ({"max_price": 20}, 50.0),
        ({"max_pages": 100}, 300),
        ({"first_year_from": 2015}, 2010),
        ({"min_rating_count": 500}, 40),
        ({"award": "茅盾文学奖"}, None),
    ],
    ids=str,
)
def test_each_condition_says_what_the_book_has(one_book: EmbeddedEngine, asked: dict[str, Any], has: object) -> None:
    result = one_book.search(BookQuery(keyword="爬虫", **asked))
    assert result.total == 0
    assert [(m.field, m.has) for m in result.near_misses[0].misses] == [(next(iter(asked)), has)]


async def test_a_preference_that_no_hit_meets_brings_the_book_that_does(engine_of: EngineOf) -> None:
    good = [book(f"Python{i}", rating=9.0) for i in range(5)]
    engine = await engine_of([*good, book("Python爬虫", rating=7.8, tags=("爬虫",))])
    found = near(engine, keyword="Python", min_rating=8.0, prefer=Conditions(tags=["爬虫"]), limit=5)
    assert names(found)[:1] == ["Python爬虫"]


async def test_beside_a_title_that_is_not_held_nothing_is_near(engine_of: EngineOf) -> None:
    engine = await engine_of([book("三体", rating=7.0)])
    assert near(engine, title=["四体"], min_rating=8.0) == []


async def test_what_is_not_recorded_does_not_keep_a_book_from_being_near(engine_of: EngineOf) -> None:
    engine = await engine_of([book("爬虫", year=2015), book("爬虫二", year=1990, pages=900, rating=1.0)])
    found = near(engine, keyword="爬虫", level="beginner", min_rating=8.0, year_from=2019, max_pages=300)
    assert names(found)[0] == "爬虫"


async def test_a_book_that_mentions_the_topic_in_passing_is_not_near(engine_of: EngineOf) -> None:
    passing = book(
        "The Jungle", intro="A boy, a bear and, once, a python, " + "and much more besides " * 40, rating=7.9
    )
    engine = await engine_of([book("Python Tricks", rating=7.0), passing])
    assert names(near(engine, keyword="python", min_rating=8.0)) == ["Python Tricks"]


async def test_with_nothing_but_a_prize_asked_no_book_is_nearer_than_another(engine_of: EngineOf) -> None:
    engine = await engine_of([book("One", rating=9.9)])
    assert near(engine, award="Booker Prize 2026") == []
