"""Editions of one work share an id; different works do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shutong.catalog.book import Author
from shutong.catalog.works import WORK_ID_CHARACTERS, work_id


def _id(title: str, author: str = "某人") -> str:
    return work_id(title, [Author(name=author)])


@pytest.mark.parametrize(
    ("title", "edition"),
    [
        ("活着", "活著"),
        ("人类简史", "人類簡史"),
        ("人类简史", "人类简史：从动物到上帝"),
        ("算法导论", "算法导论（原书第3版）"),
        ("算法导论", "算法导论 第3版"),
        ("算法导论", "算法导论(第三版)"),
        ("围城", "围城（修订版）"),
        ("围城", "围城（精装）"),
        ("围城", "围城（三十周年纪念版）"),
        ("菊与刀", "菊与刀（精装插图版）"),
        ("红楼梦", "红楼梦（全二册）"),
        ("红楼梦", "红楼梦（上下）"),
        ("小王子", "小王子（中英文对照本）"),
        ("史蒂夫·乔布斯传", "史蒂夫・乔布斯传（修订版）"),
        ("活着", "活着（余华著）"),
        ("The Selfish Gene", "The Selfish Gene (40th Anniversary Edition)"),
        ("The Selfish Gene", "The Selfish Gene, 2nd edition"),
        ("The Road to Wigan Pier", "Road to Wigan Pier (Paperback)"),
        ("Dune", "Dune (Dune Chronicles, #1)"),
        ("Pride & Prejudice", "Pride and Prejudice"),
        ("Henry IV part II", "Henry IV part 2"),
        ("三体II", "三体Ⅱ"),
        ("三体II", "三体2"),
    ],
)
def test_an_edition_is_the_same_work(title: str, edition: str) -> None:
    assert _id(title) == _id(edition)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("三体", "三体II：黑暗森林"),
        ("三体II：黑暗森林", "三体III：死神永生"),
        ("资治通鉴（第一卷）", "资治通鉴（第二卷）"),
        ("平凡的世界（第一部）", "平凡的世界（第二部）"),
        ("罗马史（上卷）", "罗马史（下卷）"),
        ("明朝那些事儿：第1部", "明朝那些事儿：第2部"),
        ("The Lord of the Rings, Vol. 1", "The Lord of the Rings, Vol. 2"),
        ("Dune", "Dune: Messiah"),
        ("Batman: Year One", "Batman: Hush"),
        ("鲁迅", "鲁迅全集"),
        ("1984", "1985"),
        ("C", "C++"),
        ("版本", "本"),
    ],
)
def test_another_volume_or_title_is_another_work(one: str, other: str) -> None:
    assert _id(one) != _id(other)


def test_the_same_title_by_another_author_is_another_work() -> None:
    assert _id("小王子", "圣埃克苏佩里") != _id("小王子", "李四")


def test_a_name_turned_round_is_the_same_author() -> None:
    assert _id("The Three-Body Problem", "Liu, Cixin") == _id("The Three-Body Problem", "Cixin Liu")


def test_a_title_of_only_an_edition_word_keeps_it() -> None:
    assert _id("精装").startswith("精装|")


def test_a_title_without_author_has_an_id() -> None:
    assert work_id("诗经", []) == "诗经|"


@given(st.text(), st.text())
def test_no_text_breaks_it_and_it_is_bounded(title: str, name: str) -> None:
    assert len(work_id(title, [Author(name=name)])) <= WORK_ID_CHARACTERS


@given(st.text(alphabet="第一二三版卷册部上下()（）：: IVXvol.edition12 -", max_size=60))
def test_titles_of_edition_words_do_not_break_it(title: str) -> None:
    assert work_id(title, []).endswith("|")
