"""Order, paging, counts and facets: what comes first, and every work once."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shutong.search import ranking
from shutong.search.embedded import engine as embedded
from shutong.search.embedded.engine import EmbeddedEngine
from shutong.search.query import BookQuery, Conditions, Sort
from shutong.search.result import search_json
from tests.books import book
from tests.conftest import EngineOf


def titles(engine: EmbeddedEngine, reader_language: str | None = None, **query: Any) -> list[str]:
    result = engine.search(BookQuery(**{"limit": 100} | query), reader_language=reader_language)
    return [hit.book.title for hit in result.books]


# The formula


def test_overall_is_half_rating_three_tenths_popularity_two_tenths_recency() -> None:
    parts = [np.array([value], np.float32) for value in (8, 5, 10)]
    assert ranking.overall(*parts)[0] == pytest.approx(7.5)


@pytest.mark.parametrize(
    ("year", "points"), [(2026, 10), (2030, 10), (2023, 10), (2022, 9.5), (2013, 5), (2003, 0), (1850, 0), (-1, 0)]
)
def test_recency_is_ten_for_three_years_and_loses_half_a_point_a_year(year: int, points: float) -> None:
    assert ranking.recency(np.array([year], np.int16), 2026)[0] == points


def test_a_rating_of_few_readers_is_drawn_to_the_mean() -> None:
    rating, count = np.array([9.5, 9.0, 6.0], np.float32), np.array([1, 10_000, 10_000])
    shrunk = ranking.shrunk_rating(rating, count)
    assert shrunk[1] > shrunk[0] > shrunk[2]


def test_an_unknown_rating_is_taken_for_the_mean() -> None:
    rating = np.array([9.0, 7.0, math.nan], np.float32)
    assert ranking.shrunk_rating(rating, np.array([5, 5, -1]))[2] == pytest.approx(8.0)


@given(st.lists(st.tuples(st.floats(0, 10) | st.none(), st.integers(-1, 10**9)), min_size=1, max_size=8))
def test_all_parts_stay_between_nought_and_ten(books: list[tuple[float | None, int]]) -> None:
    values = np.array([math.nan if value is None else value for value, _ in books], np.float32)
    counts = np.array([count for _, count in books])
    for part in (ranking.shrunk_rating(values, counts), ranking.popularity(values, counts)):
        assert ((part >= -1e-4) & (part <= 10 + 1e-4)).all()


# Sort orders


BOOKS: dict[str, dict[str, Any]] = {
    "rated": {"rating": 9.8, "rating_count": 200, "popularity": 1.0, "year": 1990},
    "hot": {"rating": 6.0, "rating_count": 90_000, "popularity": 10.0, "year": 2000},
    "new": {"rating": 5.0, "rating_count": 10, "popularity": 2.0, "year": 2024},
    "unknown": {},
}


@pytest.mark.parametrize(
    ("sort", "first"), [("rating", ["rated", "hot", "new"]), ("hot", ["hot", "new"]), ("year", ["new", "hot", "rated"])]
)
async def test_a_sort_order_puts_the_unknown_last(engine_of: EngineOf, sort: Sort, first: list[str]) -> None:
    engine = await engine_of(book(title, **fields) for title, fields in BOOKS.items())
    found = titles(engine, sort=sort)
    assert found[: len(first)] == first
    assert found[-1] == "unknown"


async def test_without_a_topic_the_overall_score_orders(engine_of: EngineOf) -> None:
    engine = await engine_of(book(title, **fields) for title, fields in BOOKS.items())
    scores = [hit.scores["overall"] for hit in engine.search(BookQuery(limit=10)).books]
    assert scores == sorted(scores, reverse=True)
    assert titles(engine, sort="relevance") == titles(engine)


async def test_with_a_topic_relevance_leads(engine_of: EngineOf) -> None:
    praised: dict[str, Any] = {"rating": 9.9, "rating_count": 10_000, "popularity": 10.0, "year": 2026}
    engine = await engine_of(
        [book("菜谱", intro="其中一章讲园艺", **praised), book("园艺入门"), book("别的", **praised)]
    )
    assert titles(engine, keyword="园艺") == ["园艺入门", "菜谱"]
    assert titles(engine, keyword="园艺", sort="rating") == ["菜谱", "园艺入门"]


async def test_what_is_as_relevant_is_settled_by_the_overall_score(engine_of: EngineOf) -> None:
    engine = await engine_of(
        [book("园艺一", rating=5.0, rating_count=999), book("园艺二", rating=9.0, rating_count=999)]
    )
    assert titles(engine, keyword="园艺") == ["园艺二", "园艺一"]


async def test_the_parts_of_a_place_are_told(engine_of: EngineOf) -> None:
    engine = await engine_of([book("园艺", rating=9.0, rating_count=100, popularity=4.0, year=2020)])
    scores = engine.search(BookQuery(keyword="园艺")).books[0].scores
    assert set(scores) == {"rating", "popularity", "recency", "overall", "preference", "own_language", "relevance"}
    assert scores["popularity"] == 4.0
    assert scores["relevance"] == 10.0


# Preferences


async def test_a_preference_lifts_and_never_excludes(engine_of: EngineOf) -> None:
    engine = await engine_of([book("甲", rating=8.0), book("乙", rating=8.0, tags=("爬虫",)), book("丙", rating=8.0)])
    wanted = Conditions(tags=["爬虫"], keyword="爬虫", year_from=2020, author=["nobody"])
    plain, lifted = titles(engine), titles(engine, prefer=wanted)
    assert lifted[0] == "乙"
    assert sorted(lifted) == sorted(plain)


async def test_each_preference_that_is_met_counts_and_is_told(engine_of: EngineOf) -> None:
    both, one = book("both", tags=("爬虫", "数据")), book("one", tags=("数据",))
    engine = await engine_of([book("none"), one, both])
    hits = engine.search(BookQuery(prefer=Conditions(tags=["爬虫", "数据"]))).books
    assert [hit.book.title for hit in hits] == ["both", "one", "none"]
    assert [hit.why for hit in hits] == [("prefer.tags",), ("prefer.tags",), ()]
    assert hits[0].scores["preference"] == 2 * ranking.PREFERENCE_BONUS


async def test_books_in_the_language_of_the_reader_are_lifted(engine_of: EngineOf) -> None:
    engine = await engine_of([book("english", language="en", rating=9.0), book("中文", language="zh", rating=8.0)])
    assert titles(engine, reader_language="zh") == ["中文", "english"]
    assert titles(engine, reader_language="en") == ["english", "中文"]


async def test_a_language_that_was_asked_outweighs_the_language_of_the_reader(engine_of: EngineOf) -> None:
    engine = await engine_of([book("english", language="en", rating=9.0), book("中文", language="zh", rating=8.0)])
    assert titles(engine, reader_language="zh", language=["en", "zh"]) == ["english", "中文"]
    assert titles(engine, reader_language="zh", prefer=Conditions(language=["en"]))[0] == "english"


# Works, totals and pages


async def test_editions_of_a_work_count_once(engine_of: EngineOf) -> None:
    editions = [book("活着", "余华", year=year, rating=9.0 if year == 2012 else 8.0) for year in (1998, 2008, 2012)]
    engine = await engine_of([*editions, book("围城", "钱锺书", rating=8.5)])
    result = engine.search(BookQuery(limit=10))
    assert result.total == len(result.books) == 2
    assert {hit.book.title: hit.editions for hit in result.books} == {"活着": 3, "围城": 1}
    assert next(hit.book.year for hit in result.books if hit.book.title == "活着") == 2012
    assert engine.size == 4


async def test_only_editions_that_meet_the_conditions_are_counted(engine_of: EngineOf) -> None:
    engine = await engine_of([book("活着", "余华", year=1998), book("活着", "余华", year=2012)])
    hit = engine.search(BookQuery(year_from=2000)).books[0]
    assert (hit.book.year, hit.editions) == (2012, 1)


@pytest.mark.parametrize("query", [{}, {"keyword": "书"}, {"keyword": "书", "sort": "year"}, {"sort": "rating"}])
async def test_the_pages_give_every_work_once(engine_of: EngineOf, query: dict[str, Any]) -> None:
    engine = await engine_of(
        [book(f"书 第{i}本", f"作者{i}", year=1990 + n, rating=i % 7 + n) for i in range(23) for n in range(2)]
    )
    pages = [engine.search(BookQuery(limit=5, offset=offset, **query)) for offset in range(0, 30, 5)]
    shown = [hit.book.work_id for page in pages for hit in page.books]
    assert {page.total for page in pages} == {23}
    assert len(shown) == len(set(shown)) == 23
    assert shown == [hit.book.work_id for hit in engine.search(BookQuery(limit=50, **query)).books]


async def test_the_total_is_exact_far_beyond_the_page(engine_of: EngineOf) -> None:
    engine = await engine_of(book(f"书{i}", "x") for i in range(300))
    result = engine.search(BookQuery(keyword="书", limit=1))
    assert (len(result.books), result.total, result.total_is_floor) == (1, 300, False)


async def test_beyond_what_is_counted_a_total_is_more_than(
    engine_of: EngineOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "EXACT_TOTAL", 20)
    engine = await engine_of(book(f"书{i}", "x") for i in range(30))
    result = engine.search(BookQuery(limit=1))
    assert (result.total, result.total_is_floor) == (20, True)


async def test_beyond_what_is_fetched_a_total_is_more_than(
    engine_of: EngineOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutong.search.embedded.topic.FIRST_FETCH", 20)
    monkeypatch.setattr("shutong.search.embedded.topic.ENOUGH", 10)
    engine = await engine_of(book(f"书{i}", "x") for i in range(30))
    result = engine.search(BookQuery(keyword="书", limit=1))
    assert (result.total, result.total_is_floor) == (20, True)


async def test_an_order_of_its_own_looks_at_every_match(engine_of: EngineOf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutong.search.embedded.topic.FIRST_FETCH", 5)
    monkeypatch.setattr("shutong.search.embedded.topic.ENOUGH", 2)
    engine = await engine_of(book(f"书 {'很长' * i}", "x", year=1980 + i) for i in range(30))
    result = engine.search(BookQuery(keyword="书", sort="year", limit=3))
    assert [hit.book.year for hit in result.books] == [2009, 2008, 2007]


# Facets, and what other programs read


async def test_facets_count_what_was_found(engine_of: EngineOf) -> None:
    engine = await engine_of(
        [
            book("a", language="zh", year=2012, level="beginner", tags=("科幻",)),
            book("b", language="zh", year=2019, category="科幻小说"),
            book("c", language="en", tags=("Science Fiction",)),
            book("d", language="en", year=1999),
        ]
    )
    facets = engine.search(BookQuery(min_rating=None), facets=True).facets
    assert facets is not None
    assert facets["languages"] == {"zh": 2, "en": 2}
    assert facets["decades"] == {"1990s": 1, "2010s": 2}
    assert facets["levels"] == {"beginner": 1}
    assert facets["subjects"] == {"sciencefiction": 3}
    narrowed = engine.search(BookQuery(language=["zh"]), facets=True).facets
    assert narrowed is not None
    assert narrowed["languages"] == {"zh": 2}


async def test_without_being_asked_for_there_are_no_facets(engine_of: EngineOf) -> None:
    engine = await engine_of([book("a")])
    assert engine.search(BookQuery()).facets is None


async def test_the_json_of_a_result_keeps_its_keys(engine_of: EngineOf) -> None:
    engine = await engine_of([book("三体", "刘慈欣", rating=9.0), book("球状闪电", "刘慈欣", rating=7.9)])
    shown = search_json(engine.search(BookQuery(author=["刘慈欣"], min_rating=8)))
    assert list(shown) == [
        *(
            "total",
            "total_is_floor",
            "books",
            "scores",
            "applied",
            "near_misses",
            "facets",
            "milliseconds",
            "some_words",
        )
    ]
    assert shown["applied"] == {"author": ["刘慈欣"], "min_rating": 8.0}
    assert [b["title"] for b in shown["books"]] == ["三体"]
    assert shown["near_misses"][0]["misses"] == [{"field": "min_rating", "asked": 8.0, "has": 7.9}]


async def test_the_oldest_come_first_when_asked_and_the_undated_last(engine_of: EngineOf) -> None:
    engine = await engine_of([book("New", year=2020), book("Undated"), book("Old", year=1924)])
    assert titles(engine, sort="oldest") == ["Old", "New", "Undated"]
