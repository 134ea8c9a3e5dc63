"""Numbers out of dirty cells: value and unit, or unknown with a reason."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shutong.catalog.book import Price
from shutong.catalog.importers import dates, values

ANY_CELL = st.one_of(
    st.text(),
    st.integers(),
    st.floats(),
    st.booleans(),
    st.none(),
    st.lists(st.text(), max_size=5),
    st.dictionaries(st.text(), st.text(), max_size=3),
    st.text(alphabet="0123456789xX.,-/年月日民国页册元$¥NTHKUSDe+ =\"'：()", max_size=30),
)


@pytest.mark.parametrize(
    ("cell", "pages"),
    [
        ("302", 302),
        (302, 302),
        ("302.0", 302),
        ("xii, 302 p.", 302),
        ("xii, 302", 302),
        ("约300页", 300),
        ("约 300", 300),
        ("2册(812页)", 812),
        ("302 pages", 302),
        ("1,024 p", 1024),
        ("302 p. ; 23 cm", 302),
        ("３０２頁", 302),
    ],
)
def test_pages_are_read(cell: Any, pages: int) -> None:
    assert values.pages(cell) == (pages, None)


@pytest.mark.parametrize("cell", ["3册", "全2册", "24 cm", "3 v.", "平装", "-5", "999999999"])
def test_a_number_that_does_not_count_pages_is_refused(cell: str) -> None:
    value, reason = values.pages(cell)
    assert value is None
    assert reason


@pytest.mark.parametrize(
    ("cell", "amount", "currency"),
    [
        ("CNY39.80元", 39.8, "CNY"),
        ("29.00元", 29, "CNY"),
        ("$9.99", 9.99, "USD"),
        ("US$8.72 (HK$68)", 8.72, "USD"),
        ("NT$320", 320, "TWD"),
        ("NTD250元", 250, "TWD"),
        ("新台币950元", 950, "TWD"),
        ("400NT", 400, "TWD"),
        ("HK$ 118.00", 118, "HKD"),
        ("港幣98元", 98, "HKD"),
        ("39.95美元", 39.95, "USD"),
        ("3150日元", 3150, "JPY"),
        ("JPY 1,785", 1785, "JPY"),
        ("2,900円（税込）", 2900, "JPY"),
        ("£8.99", 8.99, "GBP"),
        ("EUR 62.00", 62, "EUR"),
        ("12,50 €", 12.5, "EUR"),
        ("39.8(全三册)", 39.8, None),
        ("35.00元（有2013年10月4印本）", 35, "CNY"),
        ("1480.00", 1480, None),
        ("１６．００元", 16, "CNY"),
        (39.8, 39.8, None),
        ({"amount": 12.5, "currency": "EUR"}, 12.5, "EUR"),
    ],
)
def test_a_price_is_an_amount_and_a_currency(cell: Any, amount: float, currency: str | None) -> None:
    assert values.price(cell) == (Price(amount=amount, currency=currency), None)


def test_a_bare_yen_or_yuan_mark_is_read_by_the_language() -> None:
    assert values.price("¥650", "ja")[0] == Price(amount=650, currency="JPY")
    assert values.price("¥18.00", "zh")[0] == Price(amount=18, currency="CNY")


@pytest.mark.parametrize("cell", ["2008", "not for sale", "99999999999"])
def test_what_is_no_price_is_refused(cell: str) -> None:
    value, reason = values.price(cell)
    assert value is None
    assert reason


def test_a_price_of_zero_is_unknown() -> None:
    assert values.price("0.00元") == (None, None)


@pytest.mark.parametrize(
    ("cell", "scale", "rating"),
    [("8.9", 10, 8.9), (4.47, 5, 8.94), ("4.5/5", 10, 9.0), ("8.9/10", 5, 8.9), ("90", 100, 9.0), ("8.8分", 10, 8.8)],
)
def test_a_rating_is_brought_to_ten(cell: Any, scale: float, rating: float) -> None:
    assert values.rating(cell, scale) == (rating, None)


def test_a_rating_of_zero_is_none() -> None:
    assert values.rating("0.0", 10) == (None, None)


@pytest.mark.parametrize("cell", ["12", -1, "good", "11/10"])
def test_a_rating_outside_its_scale_is_refused(cell: Any) -> None:
    value, reason = values.rating(cell, 10)
    assert value is None
    assert reason


@pytest.mark.parametrize(
    ("cell", "count"),
    [
        ("1,204人评价", 1204),
        ("000042", 42),
        (647614, 647614),
        ("1.2万", 12000),
        ("5,691,311", 5691311),
        ("12k", 12000),
        ("42.0", 42),
    ],
)
def test_a_count_is_read(cell: Any, count: int) -> None:
    assert values.count(cell) == (count, None)


@pytest.mark.parametrize(
    "cell",
    [
        "9787536692930",
        "978-7-5366-9293-0",
        "978 7 5366 9293 0",
        "９７８７５３６６９２９３０",
        '="9787536692930"',
        "ISBN: 978-7-5366-9293-0",
        "978‐7‐5366‐9293‐0",
        "7536692935",
        "9787536692930 (平装)",
        9787536692930,
        ["bad", "9787536692930"],
    ],
)
def test_an_isbn_in_any_dress_is_the_same(cell: Any) -> None:
    assert values.isbn(cell) == ("9787536692930", None)


@pytest.mark.parametrize(
    ("cell", "isbn"),
    [
        ("9787536692930.0", "9787536692930"),
        (9787536692930.0, "9787536692930"),
        ("80442957X", "9780804429573"),
        ("439785960", "9780439785969"),
    ],
)
def test_what_a_spreadsheet_damaged_is_mended_where_that_is_certain(cell: Any, isbn: str) -> None:
    value, reason = values.isbn(cell)
    assert value == isbn
    assert reason or isinstance(cell, float)


@pytest.mark.parametrize("cell", ["9.78754E+12", "9.78043902348e+12"])
def test_a_rounded_isbn_is_refused_with_its_reason(cell: str) -> None:
    value, reason = values.isbn(cell)
    assert value is None
    assert "rounded" in (reason or "")


@pytest.mark.parametrize("cell", ["9787536692931", "c4a760a8-b1e5-4b2f", "123"])
def test_what_is_no_isbn_is_refused(cell: str) -> None:
    value, reason = values.isbn(cell)
    assert value is None
    assert "is no ISBN" in (reason or "")


@pytest.mark.parametrize("cell", ['=""', "", "[]"])
def test_an_empty_isbn_is_none_and_no_problem(cell: str) -> None:
    assert values.isbn(cell) == (None, None)


@pytest.mark.parametrize(
    ("cell", "year"),
    [
        ("2006-5", 2006),
        ("2008年1月", 2008),
        ("20051101", 2005),
        ("200511", 2005),
        ("7/1/2010", 2010),
        ("c1998", 1998),
        ("©2001", 2001),
        ("[1999]", 1999),
        ("二〇一九年", 2019),
        ("一九八四年五月", 1984),
        ("民国25年", 1936),
        ("民國二十五年", 1936),
        ("平成3年", 1991),
        ("2001.0", 2001),
        (2001, 2001),
        ("2006.5", 2006),
        ("1999年9月第1版", 1999),
        ("2019-03-05T01:00:00+01:00", 2019),
        ("March 2005", 2005),
        ("２０１０－１", 2010),
        ("1900", 1900),
    ],
)
def test_a_year_is_read_from_any_form_of_date(cell: Any, year: int) -> None:
    assert dates.year(cell) == (year, None)


@pytest.mark.parametrize(
    "cell", ["8858", "9999", "1900-01-01", "1900/1/1", "0001", "0101-01-01T00:00:00", "1899-12-30", 9999, "3月5日"]
)
def test_a_date_that_stands_for_unknown_is_refused(cell: Any) -> None:
    value, reason = dates.year(cell)
    assert value is None
    assert reason


def test_an_old_work_may_be_older_than_printing() -> None:
    assert dates.first_year("-750.0") == (-750, None)
    assert dates.year("-750")[0] is None


@pytest.mark.parametrize(("cell", "level"), [("入门", "beginner"), ("Advanced", "advanced"), ("进阶", "intermediate")])
def test_a_level_is_known_by_its_names(cell: str, level: str) -> None:
    assert values.level(cell) == (level, None)


@given(ANY_CELL)
def test_no_cell_breaks_a_cleaner_and_values_stay_in_range(cell: Any) -> None:
    pages, _ = values.pages(cell)
    price, _ = values.price(cell)
    rating, _ = values.rating(cell, 10)
    count, _ = values.count(cell)
    isbn, _ = values.isbn(cell)
    year, _ = dates.year(cell)
    values.level(cell)
    values.number(cell)
    assert pages is None or 0 < pages <= values.MAX_PAGES
    assert price is None or (math.isfinite(price.amount) and 0 < price.amount <= values.MAX_PRICE)
    assert rating is None or 0 < rating <= 10
    assert count is None or 0 <= count <= values.MAX_COUNT
    assert isbn is None or (len(isbn) == 13 and isbn.isdecimal())
    assert year is None or year >= dates.FIRST_YEAR


@given(st.one_of(st.integers(), st.floats(), st.text()), st.sampled_from([5, 10, 100]))
def test_a_rating_never_leaves_its_range(cell: Any, scale: float) -> None:
    rating, _ = values.rating(cell, scale)
    assert rating is None or 0 <= rating <= 10
