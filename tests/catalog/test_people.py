"""People out of dirty cells: names clean, country and role kept apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shutong.catalog.importers.people import MAX_PEOPLE, Person, people


@pytest.mark.parametrize(
    ("cell", "name", "country"),
    [
        ("［法］加缪", "加缪", "FR"),
        ("[美] 刘易斯", "刘易斯", "US"),
        ("（英）奥威尔", "奥威尔", "GB"),
        ("〔日〕夏目漱石", "夏目漱石", "JP"),
        ("【清】曹雪芹", "曹雪芹", "CN"),
        ("(日)东野圭吾 著", "东野圭吾", "JP"),
        ("[哥伦比亚] 加西亚・马尔克斯", "加西亚·马尔克斯", "CO"),
        ("美]罗伯特·西尔弗伯格", "罗伯特·西尔弗伯格", "US"),
        ("保罗.福塞尔(美)", "保罗·福塞尔", "US"),
        ("[美]莎拉·布雷克（Sarah Blake, Jr.）", "莎拉·布雷克", "US"),
        ("（美）格雷（Gray", "格雷", "US"),
        ("[英]J.K.罗琳", "J.K.罗琳", "GB"),
        ("唐·德里罗", "唐·德里罗", None),
        ("徐乾學", "徐乾學", None),
    ],
)
def test_a_mark_of_nation_or_dynasty_becomes_the_country(cell: str, name: str, country: str | None) -> None:
    assert people(cell) == (Person(name, country),)


@pytest.mark.parametrize("dot", "·・•‧.．﹒")
def test_what_stands_after_a_middle_dot_is_kept(dot: str) -> None:
    assert [p.name for p in people(f"加西亚{dot}马尔克斯")] == ["加西亚·马尔克斯"]


@pytest.mark.parametrize(
    ("cell", "name", "role"),
    [
        ("鲁迅著", "鲁迅", "author"),
        ("鲁迅 著", "鲁迅", "author"),
        ("余華著", "余華", "author"),
        ("柳鸣九 译", "柳鸣九", "translator"),
        ("柳鸣九译", "柳鸣九", "translator"),
        ("译者：李继宏", "李继宏", "translator"),
        ("王水照 主编", "王水照", "editor"),
        ("段万翰编著", "段万翰", "author"),
        ("几米 绘", "几米", "illustrator"),
        ("（日）岩崎千弘(绘)", "岩崎千弘", "illustrator"),
        ("Raina Telgemeier (Illustrator)", "Raina Telgemeier", "illustrator"),
        ("Robert Fagles (Translator)", "Robert Fagles", "translator"),
        ("(美)大卫·香农 文/图", "大卫·香农", "author"),
        ("莫言 等 著", "莫言", "author"),
        ("柳鸣九 等", "柳鸣九", "author"),
        ("张译", "张译", "author"),
        ("从文", "从文", "author"),
    ],
)
def test_role_words_are_taken_off_the_name(cell: str, name: str, role: str) -> None:
    assert [(p.name, p.role) for p in people(cell)] == [(name, role)]


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("余华,莫言", ["余华", "莫言"]),
        ("李银河、王小波", ["李银河", "王小波"]),
        ("陶谦//黄果", ["陶谦", "黄果"]),
        ("武玉成，顾丛龙 注", ["武玉成", "顾丛龙"]),
        ("[美]亨利·克劳德(Henry Cloud) [美]约翰·汤森德(John Townsend)", ["亨利·克劳德", "约翰·汤森德"]),
        ("J.K. Rowling/Mary GrandPré", ["J.K. Rowling", "Mary GrandPré"]),
        ("Terry Pratchett, Neil Gaiman", ["Terry Pratchett", "Neil Gaiman"]),
        ("Neil Gaiman & Terry Pratchett", ["Neil Gaiman", "Terry Pratchett"]),
        ("Liu, Cixin", ["Liu, Cixin"]),
        ("Le Guin, Ursula K.", ["Le Guin, Ursula K."]),
        ("Frederick P. Brooks, Jr.", ["Frederick P. Brooks, Jr."]),
        ("Simon & Schuster", ["Simon & Schuster"]),
        ("Flanagan, David; Lutz, Mark", ["Flanagan, David", "Lutz, Mark"]),
        ('["余华", "莫言"]', ["余华", "莫言"]),
        ("['A. Smith', \"C. O'Neil\"]", ["A. Smith", "C. O'Neil"]),
        ("边芹 郑若麟 王殿忠", ["边芹", "郑若麟", "王殿忠"]),
        ("阿摩司 奥兹", ["阿摩司 奥兹"]),
        ("余华; 余华", ["余华"]),
    ],
)
def test_several_people_are_split_and_one_is_not(cell: str, names: list[str]) -> None:
    assert [p.name for p in people(cell)] == names


def test_a_role_after_the_last_of_several_is_everyones() -> None:
    assert {p.role for p in people("王蕾、高磊 译")} == {"translator"}


def test_authors_and_translators_in_one_cell_keep_their_roles() -> None:
    found = people("(意大利)亚历山德罗·巴里科著、储蕾译")
    assert [(p.name, p.role) for p in found] == [("亚历山德罗·巴里科", "author"), ("储蕾", "translator")]


@pytest.mark.parametrize(
    "cell", ["", "佚名", "Unknown", "未知", "2003/01", "14,800원", "等", "()", None, [], float("nan")]
)
def test_what_is_no_person_is_nobody(cell: object) -> None:
    assert people(cell) == ()


def test_people_are_bounded() -> None:
    assert len(people(";".join(f"Author {c}x" for c in "abcdefghijklmnopqrstuvwxyz"))) == MAX_PEOPLE


@given(st.one_of(st.text(), st.text(alphabet="[]（）()【】美英清著译编绘等/、,，&;·. AbJr\n"), st.lists(st.text())))
def test_no_cell_breaks_it_and_names_are_never_empty(cell: object) -> None:
    assert all(person.name.strip() for person in people(cell))
