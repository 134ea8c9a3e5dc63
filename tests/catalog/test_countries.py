"""Countries and people are known by all their names."""

from __future__ import annotations

import pytest

from shutong.catalog import countries, people


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("美", "US"), ("[美]", "US"), ("美国", "US"), ("American", "US"), ("U.S.", "US"), ("英", "GB"), ("British", "GB"), ("Scottish", "GB"), ("日", "JP"),
        ("日本人", "JP"), ("Japanese", "JP"), ("前苏联", "RU"), ("前蘇聯", "RU"), ("清", "CN"), ("先秦", "CN"), ("民国", "CN"), ("中國", "CN"), ("臺灣", "TW"),
        ("香港", "HK"), ("Türkiye", "TR"), ("土耳其", "TR"), ("Iranian", "IR"), ("德国", "DE"), ("fr", "FR"), ("Côte d'Ivoire", "CI"), ("古希腊", "GR"),
    ],
)  # fmt: skip
def test_any_name_leads_to_its_code(name: str, code: str) -> None:
    assert countries.code(name) == code


@pytest.mark.parametrize("name", ["", "火星", "Narnia", "拉美", "Nordic"])
def test_what_is_no_single_country_has_no_code(name: str) -> None:
    assert countries.code(name) is None


def test_regions_stand_for_their_countries() -> None:
    assert countries.codes("北欧") == countries.codes("Scandinavian") == {"DK", "SE", "NO", "FI", "IS"}
    assert {"AR", "CO", "MX"} <= countries.codes("拉丁美洲")
    assert countries.codes("EG") <= countries.codes("Arab") & countries.codes("非洲") & countries.codes("中东")


def test_a_list_of_marks_stands_for_all() -> None:
    assert countries.codes("美/英") == {"US", "GB"}


def test_usual_names() -> None:
    assert (countries.name("tr", "zh"), countries.name("TR", "en"), countries.name("QQ", "en")) == (
        "土耳其",
        "Turkey",
        None,
    )
    assert (countries.usual("Turkish", "zh"), countries.usual("拉丁美洲", "en"), countries.usual("Narnia", "en")) == (
        "土耳其",
        "Latin America",
        "Narnia",
    )


def test_every_country_has_a_name_in_both_languages() -> None:
    known = {code for codes in countries.spellings().values() for code in codes}
    assert all(countries.name(code, "zh") and countries.name(code, "en") for code in known)


def test_the_names_of_one_person_are_one() -> None:
    assert people.usual("馬奎斯", "zh") == "加西亚·马尔克斯"
    assert people.usual("marquez", "en") == people.usual("马尔克斯", "en") == "Gabriel García Márquez"
    assert "Orhan Pamuk" in people.spellings("帕慕克")


def test_an_unknown_person_stands_for_themselves() -> None:
    assert people.usual("Zed Quux", "zh") == "Zed Quux"
    assert people.spellings("Zed Quux") == ("Zed Quux",)
