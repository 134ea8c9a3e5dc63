"""What a record says of itself: its level in its title, its authors' countries by who they are."""

from __future__ import annotations

import pytest

from shutong.catalog import author_countries, countries
from shutong.catalog.importers.implied import level


@pytest.mark.parametrize(
    ("title", "subtitle", "tags", "found"),
    [
        ("Python编程", "从入门到实践", (), "beginner"),
        ("零基础学机器学习", None, (), "beginner"),
        ("Python from Zero", None, ("入门",), "beginner"),
        ("JavaScript for Beginners", None, (), "beginner"),
        ("Python Crash Course", None, (), "beginner"),
        ("UNIX环境高级编程", None, (), "advanced"),
        ("Advanced R", None, (), "advanced"),
        ("深度学习进阶", None, (), "intermediate"),
        ("Java 从入门到进阶", None, (), "beginner"),
        ("三体", None, ("科幻",), None),
        ("In the Beginning", "A Novel", ("fiction",), None),
        ("高级动物", None, (), None),
    ],
)
def test_a_level_is_read_only_where_it_is_stated(
    title: str, subtitle: str | None, tags: tuple[str, ...], found: str | None
) -> None:
    assert level(title, subtitle, tags) == found


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("刘慈欣", "CN"),
        ("劉慈欣", "CN"),
        ("Gabriel García Márquez", "CO"),
        ("Haruki Murakami", "JP"),
        ("张三丰五", None),
    ],
)
def test_well_known_authors_have_a_country(name: str, code: str | None) -> None:
    assert author_countries.code_of(name) == code


def test_every_listed_country_is_one() -> None:
    codes = set(author_countries._table().values())
    assert len(codes) > 100
    assert all(countries.name(code, "zh") for code in codes)


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("中国文学", "CN"),
        ("中国现当代文学", "CN"),
        ("日本推理", "JP"),
        ("Irish fiction", "IE"),
        ("古典文学", None),
        ("历史小说", None),
        ("科幻小说", None),
        ("日本", None),
    ],
)
def test_a_countrys_literature_is_told_from_other_tags(tag: str, code: str | None) -> None:
    assert countries.of_literature(tag) == code
