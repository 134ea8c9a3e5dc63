"""The sentences that the page shows beside the answer."""

from __future__ import annotations

from typing import Any

from shutong.agent.events import Books
from shutong.llm.builtin.phrases import Voice
from shutong.search.result import Miss, NearMiss
from shutong.web.wording import near_text
from tests.support import a_book


def near(*misses: tuple[int, tuple[Miss, ...]]) -> Books:
    found = tuple((n, NearMiss(book=a_book(n, title=f"书{n}"), misses=missed)) for n, missed in misses)
    return Books(0, False, (), found)


def miss(field: str, asked: Any, has: Any) -> Miss:
    return Miss(field=field, asked=asked, has=has)


def test_the_line_over_near_misses_says_the_smallest_step_that_brings_one_in():
    books = near((1, (miss("max_pages", 200, 240),)), (2, (miss("max_pages", 200, 212),)))
    assert near_text(books, Voice("zh")) == "差一点点：页数放宽到 212 页，《书2》就合适。"
    assert near_text(books, Voice("en")) == "Just missed: at 212 pages, 书2 would fit."


def test_a_step_that_is_not_all_it_takes_is_not_promised():
    two = near((1, (miss("max_pages", 200, 240), miss("level", "beginner", "advanced"))))
    assert near_text(two, Voice("zh")) == "差一点点：只差一两个条件。"
    unknown = near((1, (miss("max_pages", 200, None),)))
    assert near_text(unknown, Voice("zh")) == "差一点点：只差一个条件。"


def test_the_line_is_in_the_readers_script():
    books = near((1, (miss("min_rating", 9.0, 8.9),)))
    assert near_text(books, Voice("zh", "hant")) == "差一點點：評分放寬到 8.9，《书1》就合適。"


def test_without_near_misses_there_is_no_line():
    assert near_text(near(), Voice("zh")) == ""
