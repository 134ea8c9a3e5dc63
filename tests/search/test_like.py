"""Books like a book: near it in subject and people, and never the book itself."""

import pytest

from shutong.search.embedded.engine import EmbeddedEngine
from shutong.search.query import BookQuery
from tests.books import book
from tests.conftest import EngineOf


def like(engine: EmbeddedEngine, title: str) -> list[str]:
    return [hit.book.title for hit in engine.search(BookQuery(like=title, limit=50)).books]


@pytest.fixture
async def engine(engine_of: EngineOf) -> EmbeddedEngine:
    return await engine_of(
        [
            book("三体", "刘慈欣", tags=("科幻", "硬科幻", "文明"), category="科幻", year=2008),
            book("三体", "刘慈欣", tags=("科幻", "硬科幻", "文明"), category="科幻", year=2022, publisher="另一家"),
            book("球状闪电", "刘慈欣", tags=("科幻", "硬科幻"), category="科幻"),
            book("沙丘", "弗兰克·赫伯特", tags=("科幻",), category="科幻"),
            book("活着", "余华", tags=("小说",), category="小说"),
            book("无标签"),
        ]
    )


async def test_the_nearest_come_first_and_strangers_not_at_all(engine: EmbeddedEngine) -> None:
    assert like(engine, "三体") == ["球状闪电", "沙丘"]


async def test_a_book_can_be_named_by_its_id(engine: EmbeddedEngine) -> None:
    assert like(engine, f"#{engine.title('三体')[0].id}") == ["球状闪电", "沙丘"]


async def test_no_edition_of_the_book_itself_is_given(engine: EmbeddedEngine) -> None:  # F70
    assert "三体" not in like(engine, "三体")


async def test_for_a_book_that_is_not_held_its_words_are_looked_for(engine: EmbeddedEngine) -> None:
    result = engine.search(BookQuery(like="球状闪电之后"))
    assert result.not_held == "球状闪电之后"
    assert result.some_words
    assert [hit.book.title for hit in result.books] == ["球状闪电"]


@pytest.mark.parametrize("title", ["???", "zzz", "#", "#0", "#²", "#" + "9" * 40])
async def test_a_book_of_which_nothing_is_known_is_like_none(engine: EmbeddedEngine, title: str) -> None:
    result = engine.search(BookQuery(like=title))
    assert (result.total, result.not_held) == (0, title)


async def test_a_book_without_subject_and_people_is_like_none(engine: EmbeddedEngine) -> None:
    assert like(engine, "无标签") == []


async def test_conditions_hold_for_the_like_too(engine: EmbeddedEngine) -> None:
    result = engine.search(BookQuery(like="三体", exclude_authors=["刘慈欣"]))
    assert [hit.book.title for hit in result.books] == ["沙丘"]
