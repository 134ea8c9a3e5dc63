"""Headers are known by name, in both languages and scripts, however they are dressed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shutong.catalog.importers.mapping import map_headers
from shutong.errors import ImportFailedError


@pytest.mark.parametrize(
    ("header", "field"),
    [
        *[
            (h, "title")
            for h in ("书名", "書名", "Title", "TITLE", "ｔｉｔｌｅ", " Book-Title ", "\ufeffTitle", "標題", "题名")
        ],
        *[(h, "authors") for h in ("作者", "Author", "Authors", "book_author", "責任者", "著者")],
        *[(h, "translators") for h in ("译者", "譯者", "translator")],
        *[(h, "publisher") for h in ("出版社", "Publisher", "出版者")],
        *[
            (h, "year")
            for h in ("出版年", "出版日期", "pub_date", "Year Published", "published_year", "Year-Of-Publication")
        ],
        *[(h, "first_year") for h in ("original_year", "Original Publication Year", "首次出版")],
        *[(h, "pages") for h in ("页数", "頁數", "pages", "  num_pages", "# num_pages", "Number of Pages")],
        *[(h, "isbn") for h in ("ISBN", "isbn13", "ISBN-13", "isbn_10", "ISBN/UID")],
        *[(h, "rating") for h in ("评分", "評分", "rating", "Average Rating", "Avg_Rating")],
        *[(h, "rating_count") for h in ("评分人数", "votes", "ratings_count", "Num_Ratings")],
        *[(h, "tags") for h in ("标签", "標籤", "tags", "subjects")],
        *[(h, "category") for h in ("分类", "categories", "Genres")],
        *[(h, "intro") for h in ("简介", "內容簡介", "description", "summary")],
        *[(h, "language") for h in ("语言", "lang", "language_code")],
        *[(h, "series") for h in ("丛书", "Series")],
        *[(h, "price") for h in ("定价", "定價", "Price")],
        ("原作名", "original_title"),
        ("副标题", "subtitle"),
        ("封面", "cover_url"),
        ("国家", "author_country"),
        *[(h, "source_id") for h in ("id", "douban_id", "Book Id", "book_id")],
    ],
)
def test_a_header_is_known_by_any_of_its_names(header: str, field: str) -> None:
    mapping = map_headers(["书名", header] if field != "title" else [header])
    assert header in mapping.fields[field]
    assert mapping.unknown == ()


def test_headers_of_no_field_are_listed() -> None:
    assert map_headers(["title", "My Review", "shelf", ""]).unknown == ("My Review", "shelf")


def test_the_more_trusted_of_two_headers_comes_first() -> None:
    mapping = map_headers(["title", "pub_date", "year", "isbn", "isbn13"])
    assert mapping.fields["year"] == ("year", "pub_date")
    assert mapping.fields["isbn"] == ("isbn13", "isbn")


def test_my_rating_is_not_the_books_rating() -> None:
    assert map_headers(["Title", "My Rating", "Average Rating"]).fields["rating"] == ("Average Rating",)


def test_without_a_title_the_error_names_what_was_seen_and_looked_for() -> None:
    with pytest.raises(ImportFailedError, match=r"“Titel”, “Author”.*Looked for: .*title.*书名"):
        map_headers(["Titel", "Author"])


@given(st.lists(st.text()))
def test_no_headers_break_it(headers: list[str]) -> None:
    mapping = map_headers(["title", *headers])
    assert mapping.headers <= {"title", *headers}
