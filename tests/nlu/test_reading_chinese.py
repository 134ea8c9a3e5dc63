"""Requests in Chinese and the conditions they state."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from shutong.nlu.dialogue import DialogueState
from shutong.nlu.reader import read

TODAY = date(2026, 11, 30)

HARD: list[tuple[str, dict[str, Any]]] = [
    ("找和《告白》相似的书", {"like": "告白"}),
    ("有没有和《活着》相近的小说", {"like": "活着", "category": ["小说"]}),
    # years
    ("2019 年之后的散文", {"year_from": 2019, "category": ["散文"]}),
    ("2019年以后的散文", {"year_from": 2019, "category": ["散文"]}),
    ("二〇一九年以来的散文", {"year_from": 2019, "category": ["散文"]}),
    ("2019年出版的散文", {"year_from": 2019, "year_to": 2019, "category": ["散文"]}),
    ("2000年以前的散文", {"year_to": 1999, "category": ["散文"]}),
    ("2000年到2010年的散文", {"year_from": 2000, "year_to": 2010, "category": ["散文"]}),
    ("近三年的散文", {"year_from": 2023, "category": ["散文"]}),
    ("最近出版的散文", {"year_from": 2023, "category": ["散文"]}),
    ("去年出版的散文", {"year_from": 2025, "year_to": 2025, "category": ["散文"]}),
    ("九十年代的散文", {"year_from": 1990, "year_to": 1999, "category": ["散文"]}),
    ("上世纪八十年代的散文", {"year_from": 1980, "year_to": 1989, "category": ["散文"]}),
    ("19世纪的散文", {"first_year_from": 1801, "first_year_to": 1900, "category": ["散文"]}),
    ("不要2010年之前的散文", {"year_from": 2010, "category": ["散文"]}),
    # rating
    ("评分8分以上的散文", {"min_rating": 8.0, "category": ["散文"]}),
    ("八分以上的散文", {"min_rating": 8.0, "category": ["散文"]}),
    ("评分八点五以上的散文", {"min_rating": 8.5, "category": ["散文"]}),
    ("超过8分的散文", {"min_rating": 8.1, "category": ["散文"]}),
    ("评分四星以上的散文", {"min_rating": 8.0, "category": ["散文"]}),
    ("豆瓣 9 分以上的散文", {"min_rating": 9.0, "category": ["散文"]}),
    ("不要低于8分的散文", {"min_rating": 8.0, "category": ["散文"]}),
    ("评价人数超过一万的散文", {"min_rating_count": 10001, "category": ["散文"]}),
    # pages and price
    ("300页以内的小说", {"max_pages": 300, "category": ["小说"]}),
    ("不超过三百页的小说", {"max_pages": 300, "category": ["小说"]}),
    ("不到300页的小说", {"max_pages": 299, "category": ["小说"]}),
    ("至少500页的奇幻小说", {"min_pages": 500, "category": ["奇幻小说"]}),
    ("超过500页的奇幻小说", {"min_pages": 501, "category": ["奇幻小说"]}),
    ("短一点的小说", {"max_pages": 199, "category": ["小说"]}),
    ("预算50元以内的诗集", {"max_price": 50.0, "category": ["诗集"]}),
    ("二十块钱以内的诗集", {"max_price": 20.0, "category": ["诗集"]}),
    # countries
    ("中国作者写的科幻", {"author_country": ["中国"], "category": ["科幻"]}),
    ("土耳其或者伊朗作家的小说", {"author_country": ["土耳其", "伊朗"], "category": ["小说"]}),
    ("日本推理", {"author_country": ["日本"], "category": ["推理"]}),
    ("拉美文学", {"author_country": ["拉美"], "category": ["文学"]}),
    ("不要美国作者的科幻", {"exclude_countries": ["美国"], "category": ["科幻"]}),
    ("韩国女作家的小说", {"author_country": ["韩国"], "category": ["小说"]}),
    # people, publishers, series
    ("余华的书", {"author": ["余华"]}),
    ("刘慈欣写的科幻小说", {"author": ["刘慈欣"], "category": ["科幻小说"]}),
    ("爱德华·威尔逊写的书", {"author": ["爱德华·威尔逊"]}),
    ("莫言或者余华的小说", {"author": ["莫言", "余华"], "category": ["小说"]}),
    ("馬奎斯的短篇小說集", {"author": ["加西亚·马尔克斯"], "tags": ["短篇小說集"]}),
    ("译者是林少华的村上春树小说", {"translator": ["林少华"], "author": ["村上春树"], "category": ["小说"]}),
    ("译林出版社的名著", {"publisher": ["译林出版社"], "tags": ["名著"]}),
    ("要人教版的《朝花夕拾》", {"publisher": ["人民教育出版社"], "title": ["朝花夕拾"]}),
    ("牛津通识读本系列有哪些", {"series": "牛津通识读本"}),
    # titles
    ("有《她》吗？", {"title": ["她"]}),
    ("《1984》", {"title": ["1984"]}),
    ("1984 那本书", {"title": ["1984"]}),
    ("书名叫围城的书", {"title": ["围城"]}),
    ("她", {"title": ["她"]}),
    ("三体", {"keyword": "三体"}),
    ("像《三体》那样的科幻小说", {"like": "三体", "category": ["科幻小说"]}),
    ("类似三体的书", {"like": "三体"}),
    ("９７８－７－５３６６－９２９３－０", {"isbn": "9787536692930"}),
    # what is not wanted
    (
        "推荐三本日本推理小说，不要东野圭吾",
        {"author_country": ["日本"], "category": ["推理小说"], "exclude_authors": ["东野圭吾"]},
    ),
    ("想看小说，帕慕克看过了不要", {"category": ["小说"], "exclude_authors": ["奥尔罕·帕慕克"]}),
    (
        "马尔克斯的小说，《百年孤独》不要",
        {"author": ["加西亚·马尔克斯"], "category": ["小说"], "exclude_titles": ["百年孤独"]},
    ),
    ("除了《三体》，刘慈欣还写过什么", {"author": ["刘慈欣"], "exclude_titles": ["三体"]}),
    ("想学理财，不要鸡汤", {"keyword": "理财", "exclude_tags": ["鸡汤"]}),
    ("没有血腥暴力的悬疑小说", {"category": ["悬疑小说"], "exclude_tags": ["血腥", "暴力"]}),
    ("刘慈欣之外的中国科幻", {"author_country": ["中国"], "category": ["科幻"], "exclude_authors": ["刘慈欣"]}),
    ("医学生想读点课本以外的书", {"keyword": "医学", "exclude_tags": ["课本"]}),
    ("不要超过200页的散文", {"max_pages": 200, "category": ["散文"]}),
    # level, audience, language, prize
    ("零基础入门 Python 的书", {"level": "beginner", "keyword": "Python"}),
    ("进阶的机器学习教材", {"level": "advanced", "keyword": "机器学习", "tags": ["教材"]}),
    ("适合初中生的科普书", {"audience": "初中", "category": ["科普书"]}),
    ("七年级上册配套的《朝花夕拾》", {"audience": "初中", "title": ["朝花夕拾"]}),
    ("给五岁孩子的绘本", {"audience": "幼儿", "tags": ["绘本"]}),
    ("《三体》的英文版", {"title": ["三体"], "language": ["en"]}),
    ("村上春树，要中文译本", {"author": ["村上春树"], "language": ["zh"]}),
    ("茅盾文学奖获奖作品", {"award": "茅盾文学奖"}),
    # topics
    ("生物、进化方面的科普", {"keyword": "生物 进化", "category": ["科普"]}),
    ("想找講機器學習、用Python當例子的書", {"keyword": "機器學習 Python"}),
    ("推荐三本讲城市的散文", {"keyword": "城市", "category": ["散文"]}),
    ("存在主义哲学或文学", {"keyword": "存在主义", "category": ["哲学", "文学"]}),
    ("要去德国了，想看关于德国的书", {"keyword": "去德国 德国"}),
]

SOFT: list[tuple[str, dict[str, Any]]] = [
    ("入门 Python，最好讲爬虫", {"keyword": "爬虫"}),
    ("想读点哲学，别太厚", {"max_pages": 300}),
    ("哲学书，不要太长", {"max_pages": 300}),
    ("科幻小说，最好是中国作家", {"author_country": ["中国"]}),
    ("科幻小说，2015年以后的优先", {"year_from": 2015}),
    ("睡前读的小说", {"tags": ["睡前"]}),
    ("学机器学习，不要太难", {"level": "beginner"}),
    ("心情不好，想看点治愈的书", {"tags": ["治愈"]}),
]


@pytest.mark.parametrize(("message", "hard"), HARD)
def test_hard_conditions_are_read(message: str, hard: dict[str, Any]) -> None:
    assert read(message, DialogueState(), TODAY).query.hard() == hard


@pytest.mark.parametrize(("message", "wishes"), SOFT)
def test_wishes_are_soft(message: str, wishes: dict[str, Any]) -> None:
    assert read(message, DialogueState(), TODAY).query.said()["prefer"] == wishes


@pytest.mark.parametrize(
    ("message", "sort"),
    [
        ("口碑好的散文", "rating"),
        ("评分高的散文", "rating"),
        ("最新的科幻", "year"),
        ("热门悬疑小说", "hot"),
        ("散文", "overall"),
    ],
)
def test_the_order_is_read(message: str, sort: str) -> None:
    assert read(message, DialogueState(), TODAY).query.sort == sort


@pytest.mark.parametrize(
    ("message", "limit"),
    [("推荐三本散文", 3), ("来两本科幻", 2), ("推荐一本科幻", 1), ("小时候看过一本童话", 5), ("第三本科幻", 5)],
)
def test_the_number_of_books_is_read(message: str, limit: int) -> None:
    assert read(message, DialogueState(), TODAY).query.limit == limit


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("《金瓶梅》的影印本，不删节的", ["影印本", "不删节的"]),
        ("有声书版的散文", ["有声书"]),
        ("女作家写的散文", ["女作家"]),
        ("大字版的散文", ["大字版"]),
    ],
)
def test_what_no_field_can_tell_is_kept_in_the_readers_words(message: str, said: list[str]) -> None:
    assert read(message, DialogueState(), TODAY).query.unknowable == said


def test_a_half_remembered_book_gives_only_wishes() -> None:
    message = "小时候看过一本，守灯塔的老人和一只狐狸，大概九十年代，书名完全想不起来。"
    query = read(message, DialogueState(), TODAY).query
    assert query.hard() == {}
    assert (query.prefer.year_from, query.prefer.year_to) == (1985, 2004)
    assert "灯塔" in (query.prefer.keyword or "")


def test_recent_is_an_assumption_to_be_said() -> None:
    assert read("最近出版的散文", DialogueState(), TODAY).assumed == ("这里按 2023 年及以后来找",)


def test_figures_are_plain_and_topics_are_not() -> None:
    reading = read("2019 年之后的 Python 书，8 分以上", DialogueState(), TODAY)
    assert set(reading.plain) == {"year_from", "min_rating"}


@pytest.mark.parametrize("message", ["太空歌剧", "短篇小说", "太宰治的书"])
def test_letters_inside_words_are_no_length(message: str) -> None:
    query = read(message, DialogueState(), TODAY).query
    assert query.max_pages is None
    assert query.prefer.max_pages is None
