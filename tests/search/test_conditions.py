"""Hard conditions: exactly what was asked, bounds included, and never a book whose value is unknown."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from shutong.catalog.book import Author, Book, Price
from shutong.search.embedded.columns import ColumnsBuilder, no_columns
from shutong.search.embedded.conditions import HARD, at_least, at_most
from shutong.search.embedded.engine import EmbeddedEngine
from shutong.search.embedded.names import matching_names, name_key
from shutong.search.embedded.state import State
from shutong.search.embedded.words import WordIndex
from shutong.search.query import BookQuery
from tests.books import book
from tests.conftest import EngineOf, engine_over

FULL: dict[str, Any] = {
    "author": [Author(name="加西亚·马尔克斯", country="哥伦比亚")],
    "translators": ("范晔",),
    "publisher": "南海出版公司",
    "series": "新经典文库",
    "category": "小说",
    "tags": ("魔幻现实主义", "经典"),
    "language": "zh",
    "level": "beginner",
    "audience": "成人",
    "isbn13": "9787544253994",
    "year": 2011,
    "first_year": 1967,
    "pages": 360,
    "price": Price(amount=39.5, currency="CNY"),
    "rating": 8.0,
    "rating_count": 1000,
}

MET: list[dict[str, Any]] = [
    {"author": "马尔克斯"},
    {"author": ["无此人", "加西亚马尔克斯"]},
    {"author_country": "Colombia"},
    {"author_country": "拉美"},
    {"translator": "范晔"},
    {"publisher": "南海"},
    {"series": "新经典文库"},
    {"category": "小说"},
    {"category": "fiction"},
    {"tags": ["魔幻现实主义", "经典"]},
    {"language": "zh"},
    {"language": ["en", "ZH"]},
    {"level": "beginner"},
    {"audience": "成人"},
    {"isbn": "9787544253994"},
    {"isbn": "978-7-5442-5399-4"},
    {"isbn": "978 7 5442 5399 4"},
    {"isbn": "７５４４２５３９９６"},
    {"year_from": 2011},
    {"year_to": 2011},
    {"first_year_from": 1967},
    {"first_year_to": 1967},
    {"min_pages": 360},
    {"max_pages": 360},
    {"max_price": 39.5},
    {"min_rating": 8.0},
    {"min_rating_count": 1000},
]
NOT_MET: list[dict[str, Any]] = [
    {"author": "范晔"},
    {"author_country": "西班牙"},
    {"author_country": "nowhere at all"},
    {"translator": "马尔克斯"},
    {"publisher": "中信"},
    {"series": "企鹅经典"},
    {"category": "历史"},
    {"tags": ["魔幻现实主义", "编程"]},
    {"language": "en"},
    {"level": "advanced"},
    {"audience": "儿童"},
    {"award": "诺贝尔文学奖"},
    {"isbn": "9787544253995"},
    {"isbn": "²"},
    {"isbn": "1"},
    {"year_from": 2012},
    {"year_to": 2010},
    {"first_year_from": 1968},
    {"first_year_to": 1966},
    {"min_pages": 361},
    {"max_pages": 359},
    {"max_price": 39.4},
    {"min_rating": 8.1},
    {"min_rating_count": 1001},
]


@pytest.fixture(scope="module")
def full_and_unknown(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedEngine:
    return engine_over([book("full", **FULL), book("unknown")], tmp_path_factory.mktemp("full"))


def found(engine: EmbeddedEngine, **conditions: Any) -> list[str]:
    return sorted(hit.book.title for hit in engine.search(BookQuery(limit=100, **conditions)).books)


# Each condition by itself


@pytest.mark.parametrize("asked", MET, ids=str)
def test_a_condition_that_holds_keeps_the_book_and_not_one_that_tells_nothing(
    full_and_unknown: EmbeddedEngine, asked: dict[str, Any]
) -> None:
    assert found(full_and_unknown, **asked) == ["full"]


@pytest.mark.parametrize("asked", NOT_MET, ids=str)
def test_a_condition_that_does_not_hold_keeps_nothing(full_and_unknown: EmbeddedEngine, asked: dict[str, Any]) -> None:
    assert found(full_and_unknown, **asked) == []


def test_every_hard_condition_is_tried_here() -> None:
    tried = {name for asked in MET for name in asked}
    assert tried == HARD.keys() - {"award"}  # no catalogue has a field for awards yet
    assert tried == {name for asked in NOT_MET for name in asked} - {"award"}


async def test_why_names_the_conditions_that_were_met(engine_of: EngineOf) -> None:
    engine = await engine_of([book("full", **FULL)])
    hit = engine.search(BookQuery(keyword="full", min_rating=8, year_from=2000)).books[0]
    assert set(hit.why) == {"keyword", "min_rating", "year_from"}


async def test_conditions_hold_all_together(engine_of: EngineOf) -> None:
    engine = await engine_of(
        [book("both", rating=9, year=2020), book("old", rating=9, year=1999), book("bad", year=2020)]
    )
    assert found(engine, min_rating=8, year_from=2019) == ["both"]


# Numbers


def one_rating(rating: float) -> State:
    builder = ColumnsBuilder(no_columns())
    builder.add(Book(id=1, title="x", rating=rating))
    return State(WordIndex(None), builder.build(), 0)


@given(rating=st.integers(0, 100), bound=st.integers(0, 100))
@hypothesis_settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_ratings_of_one_decimal_are_compared_as_they_are_written(rating: int, bound: int) -> None:
    state = one_rating(rating / 10)
    assert bool(at_least("rating", state, bound / 10)[0]) == (rating >= bound)
    assert bool(at_most("rating", state, bound / 10)[0]) == (rating <= bound)


async def test_a_rating_at_the_bound_is_in_and_just_under_it_is_out(engine_of: EngineOf) -> None:
    engine = await engine_of([book("8.0", rating=8.0), book("7.9", rating=7.9), book("8.3", rating=8.3)])
    assert found(engine, min_rating=8.0) == ["8.0", "8.3"]
    assert found(engine, min_rating=8.3) == ["8.3"]


async def test_bounds_far_out_of_range_are_no_error(engine_of: EngineOf) -> None:
    engine = await engine_of([book("x", year=2000, pages=100, rating_count=5)])
    assert found(engine, year_from=-3000, max_pages=1_000_000_000) == ["x"]
    assert found(engine, min_rating_count=1_000_000_000) == []


# People and places


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("ursula leguin", "Ursula K. Le Guin"),
        ("le guin", "Ursula K. Le Guin"),
        ("LeGuin", "Ursula K. Le Guin"),
        ("U. K. Le Guin", "Ursula K. Le Guin"),
        ("马尔克斯", "加西亚·马尔克斯"),
        ("加西亚马尔克斯", "加西亚·马尔克斯"),
        ("加西亞・馬爾克斯", "加西亚·马尔克斯"),
        ("J.R.R. Tolkien", "J. R. R. Tolkien"),
        ("JRR Tolkien", "J. R. R. Tolkien"),
        ("tolkien", "J. R. R. Tolkien"),
        ("Mc Carthy", "Cormac McCarthy"),
        ("OBrien", "Tim O'Brien"),
        ("Garcia Marquez", "Gabriel García Márquez"),
        ("JK罗琳", "J.K. 罗琳"),
        ("king", "Stephen King"),
        ("Stephen KING", "Stephen King"),
        ("Æschylus", "Aeschylus"),
        ("余华", "余华"),
    ],
)
def test_names_that_mean_the_same_person(asked: str, name: str) -> None:
    assert matching_names(asked, [name_key(name)]) == [0]


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("king", "Kingsley Amis"),
        ("king", "Barbara Kingsolver"),
        ("ann lee", "Joanna Leeson"),
        ("Stephen King", "Stephen Hawking"),
        ("余华", "余秋雨"),
        ("马尔克", "马克·吐温"),
        ("", "余华"),
        ("???", "余华"),
        ("X", "Stephen King"),
    ],
)
def test_names_that_mean_another_person(asked: str, name: str) -> None:
    assert matching_names(asked, [name_key(name)]) == []


def test_a_whole_name_is_preferred_to_one_written_together() -> None:
    names = [name_key("Ursula K. Le Guin"), name_key("John Leguin")]
    assert matching_names("leguin", names) == [1]


@given(st.text(st.characters(), max_size=30), st.text(st.characters(), max_size=30))
def test_no_name_makes_it_raise(asked: str, name: str) -> None:
    matching_names(asked, [name_key(name)])


async def test_countries_are_compared_by_meaning_and_regions_hold_theirs(engine_of: EngineOf) -> None:
    engine = await engine_of(
        [
            book("jp", Author(name="a", country="[日]")),
            book("us", Author(name="b", country="美国")),
            book("uk", Author(name="c", country="British")),
            book("both", [Author(name="d", country="日本"), Author(name="e", country="United States")]),
            book("none", Author(name="f")),
        ]
    )
    assert found(engine, author_country="Japan") == ["both", "jp"]
    assert found(engine, author_country=["英国", "USA"]) == ["both", "uk", "us"]
    assert found(engine, author_country="欧美") == ["both", "uk", "us"]
    assert found(engine, exclude_countries="日本") == ["none", "uk", "us"]


async def test_a_country_that_nobody_knows_is_compared_as_it_is_written(engine_of: EngineOf) -> None:
    engine = await engine_of([book("x", Author(name="a", country="Middle-earth"))])
    assert found(engine, author_country="middle earth") == ["x"]


# Exclusions


@pytest.mark.parametrize(
    "exclusion",
    [
        {"exclude_tags": ["推理"]},
        {"exclude_tags": ["mystery"]},
        {"exclude_categories": ["推理"]},
        {"exclude_authors": ["东野圭吾"]},
        {"exclude_countries": ["日本"]},
        {"exclude_keywords": ["雪夜"]},
        {"exclude_series": ["加贺探案"]},
        {"exclude_titles": ["白夜行"]},
    ],
    ids=str,
)
async def test_what_is_excluded_is_out_and_the_rest_stays(engine_of: EngineOf, exclusion: dict[str, Any]) -> None:
    out = book(
        "白夜行", Author(name="东野圭吾", country="日本"), category="推理", series="加贺探案", intro="雪夜的案子"
    )
    engine = await engine_of([out, book("活着", Author(name="余华", country="中国"), category="小说"), book("plain")])
    assert found(engine, **exclusion) == ["plain", "活着"]


async def test_an_excluded_title_work_or_id_takes_all_editions_along(engine_of: EngineOf) -> None:  # F70
    old, new = (book("活着", "余华", year=year, publisher=f"{year} 出版社") for year in (1998, 2012))
    engine = await engine_of([old, new, book("围城", "钱锺书")])
    one = engine.title("活着")[0]
    assert found(engine, exclude_titles=["活着"]) == ["围城"]
    assert found(engine, exclude_works=[one.work_id]) == ["围城"]
    assert found(engine, exclude_ids=[one.id]) == ["围城"]


async def test_an_excluded_title_in_another_script_is_out_too(engine_of: EngineOf) -> None:
    engine = await engine_of([book("圍城")])
    assert found(engine, exclude_titles=["围城"]) == []


async def test_ids_that_no_book_can_have_exclude_nothing(engine_of: EngineOf) -> None:
    engine = await engine_of([book("x")])
    assert found(engine, exclude_ids=[0, -1, 10**30]) == ["x"]


async def test_an_exclusion_without_letters_excludes_nothing(engine_of: EngineOf) -> None:
    engine = await engine_of([book("x", "y")])
    for field in ("exclude_titles", "exclude_authors", "exclude_keywords", "exclude_series"):
        assert found(engine, **{field: ["???"]}) == ["x"]


# Titles, numbers and books that are named


async def test_a_title_is_found_by_each_of_its_names(engine_of: EngineOf) -> None:
    engine = await engine_of(
        [book("三体II：黑暗森林", original_title="The Dark Forest"), book("人类简史", subtitle="从动物到上帝")]
    )
    for name in ("三体II：黑暗森林", "三体Ⅱ", "The Dark Forest", "the dark forest"):
        assert [b.title for b in engine.title(name)] == ["三体II：黑暗森林"]
    for name in ("人类简史", "人类简史：从动物到上帝"):
        assert [b.title for b in engine.title(name)] == ["人类简史"]
    assert engine.title("简史") == []
    assert engine.title("《》") == []


async def test_a_title_condition_also_finds_longer_titles_after_it(engine_of: EngineOf) -> None:
    engine = await engine_of(
        [book("读三体", rating=9.9, popularity=10, year=2026), book("三体"), book("活着", intro="三体")]
    )
    assert [hit.book.title for hit in engine.search(BookQuery(title=["三体"])).books] == ["三体", "读三体"]


async def test_an_exact_title_stands_over_a_longer_one_that_is_praised_and_in_the_language_of_the_reader(
    engine_of: EngineOf,
) -> None:
    praised: dict[str, Any] = {
        "rating": 9.9,
        "rating_count": 99_999,
        "popularity": 10.0,
        "year": 2026,
        "language": "zh",
    }
    long = "Little House on the Prairie"
    engine = await engine_of([book(f"{long} 2 小木屋", **praised), book(long, language="en", rating=7.0)])
    result = engine.search(BookQuery(title=[long]), reader_language="zh")
    assert result.books[0].book.title == long


@pytest.mark.parametrize("title", ["1984", "2666", "It", "We", "The The", "家"])
async def test_an_exact_title_is_that_title_alone(engine_of: EngineOf, title: str) -> None:  # F41, F44
    engine = await engine_of([book(title), book(f"{title} and more"), book(f"家 {title}")])
    result = engine.search(BookQuery(title=[title], exact_title=True))
    assert [hit.book.title for hit in result.books] == [title]
    assert result.not_held is None


async def test_a_title_that_is_not_held_is_named(engine_of: EngineOf) -> None:
    engine = await engine_of([book("三体")])
    result = engine.search(BookQuery(title=["四体"], exact_title=True))
    assert (result.total, result.not_held) == (0, "四体")
    assert engine.search(BookQuery(title=["三体"])).not_held is None


async def test_several_titles_are_alternatives(engine_of: EngineOf) -> None:
    engine = await engine_of([book("三体"), book("活着"), book("围城")])
    assert found(engine, title=["三体", "活着"]) == ["三体", "活着"]


async def test_a_book_is_given_by_its_id(engine_of: EngineOf) -> None:
    engine = await engine_of([book("三体"), book("活着")])
    held = engine.title("活着")[0]
    assert engine.book(held.id) == held
    assert engine.book(held.id + 100) is None
    assert engine.book(10**30) is None


async def test_a_wide_and_a_narrow_filter_find_the_same(engine_of: EngineOf, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = await engine_of(book(f"书 {i}", rating=i % 10) for i in range(60))
    wide = found(engine, keyword="书", min_rating=5)
    monkeypatch.setattr("shutong.search.embedded.topic.NARROW", 40)
    assert found(engine, keyword="书", min_rating=5) == wide
    assert len(wide) == 30


async def test_a_word_inside_the_name_of_another_genre_is_not_that_genre(engine_of: EngineOf) -> None:
    engine = await engine_of(
        [
            book("Roads", tags=("Travel",)),
            book("Loops", tags=("Time Travel",)),
            book("Rivers", tags=("Travel writing, Asia",)),
        ]
    )
    found = engine.search(BookQuery(category=["travel"])).books
    assert {hit.book.title for hit in found} == {"Roads", "Rivers"}


async def test_an_age_group_takes_what_is_tagged_for_children_but_no_picture_books(engine_of: EngineOf) -> None:
    engine = await engine_of(
        [
            book("Quest", tags=("Middle Grade",)),
            book("Bears", tags=("Childrens", "Picture Books")),
            book("Taxes", tags=("Finance",)),
            book("Nine", audience="children 9-12"),
        ]
    )
    found = engine.search(BookQuery(audience="children 9-12")).books
    assert {hit.book.title for hit in found} == {"Quest", "Nine"}
