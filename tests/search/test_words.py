"""Words end to end: what readers of other systems could not find is found, and nothing else is.

The numbers F01… are those of the list of faults that users of other book systems reported.
"""

import re
from typing import Any

import pytest

from shutong.search.embedded.engine import EmbeddedEngine
from shutong.search.query import BookQuery
from tests.books import book
from tests.conftest import EngineOf
from tests.search.titles import TITLES

CHINESE = re.compile("[\u3400-\u9fff]+")


def titles(engine: EmbeddedEngine, keyword: str) -> list[str]:
    result = engine.search(BookQuery(keyword=keyword, limit=100))
    return [hit.book.title for hit in result.books]


def parts_of(run: str) -> set[str]:
    """Every substring of one to four characters."""
    return {run[i:j] for i in range(len(run)) for j in range(i + 1, min(i + 4, len(run)) + 1)}


async def test_every_part_of_every_title_finds_it(engine_of: EngineOf) -> None:
    engine = await engine_of(book(title, source_id=title) for title in TITLES)
    parts = {(title, part) for title in TITLES for run in CHINESE.findall(title) for part in parts_of(run)}
    assert [(title, part) for title, part in parts if title not in titles(engine, part)] == []


async def test_every_title_finds_itself_first(engine_of: EngineOf) -> None:  # F13
    engine = await engine_of(book(title, source_id=title) for title in TITLES)
    assert [title for title in TITLES if titles(engine, title)[:1] != [title]] == []


@pytest.mark.parametrize(
    ("title", "query"),
    [
        ("安装简单", "简单"),  # F01
        ("大灯", "灯"),  # F02
        ("花", "花"),  # F09
        ("第一篇", "第一"),
        ("不道德公會", "道德"),  # F11
        ("不道德公會", "公會"),
        ("不道德公會", "公会"),
        ("李建光", "李建光"),  # F13
        ("小王1号", "小王1号"),
        ("中文文档", "中文"),  # F14
        ("中文文档", "*中文*"),
        ("我想游泳", "游泳"),  # F15
        ("她", "她"),  # F17
        ("It", "it"),
        ("Python爬虫", "爬虫"),  # F18
        ("Python爬虫", "python"),
        ("Python爬虫", "Python爬虫"),
        ("三体II", "三体Ⅱ"),  # F22
        ("1984", "１９８４"),
        ("活著", "活着"),  # F23
        ("以後", "以后"),  # F24
        ("José", "Jose\u0301"),  # F37
        ("Pride & Prejudice", "pride and prejudice"),  # F39
        ("There There", "There There"),  # F41
        ("We", "We"),
        ("The The", "The The"),
        ("2666", "2666"),  # F44
        ("1Q84", "1Q84"),
        ("华氏451", "451"),
        ("三体II：黑暗森林", "三体II：黑暗森林"),  # F46
        ("三体II：黑暗森林", "三体 (黑暗森林)"),
        ("Dune Messiah", "Dune: Messiah"),
        ("C++ Primer", "C++"),
        ("C++ Primer", "c"),
        ("State-of-the-Art", "state of the art"),  # F47
        ("State of the Art", "state-of-the-art"),
        ("Don't Look Now", "Don’t look now"),
        ("L'Étranger", "etranger"),
        ("Ender's Game", "ender"),
        ("Near and Far", "NEAR"),
        ("And Then There Were None", "AND"),
        ("50% Off", "50%"),
        ("@x", "@x"),
        ("a:b", "a:b"),
    ],
)
async def test_found(engine_of: EngineOf, title: str, query: str) -> None:
    engine = await engine_of([book(title), book("别的书 Another Book", intro="一本不相干的书")])
    assert titles(engine, query) == [title]


@pytest.mark.parametrize(
    ("title", "query"),
    [
        ("包化妆小", "小化妆"),  # F07
        ("皇后", "皇後宫"),
        ("C", "C++"),
        ("Scattered", "cat"),
        ("1984", "198"),
    ],
)
async def test_not_found(engine_of: EngineOf, title: str, query: str) -> None:
    engine = await engine_of([book(title)])
    assert titles(engine, query) == []


NO_WORDS = ["???", "《》", '"…"', "📚", "", "   ", '"(', "*", "'", "\\", "()", "[]", "OR NOT"]
NOT_HELD = ["C++", "a:b", '"(', "-x", "+x", "^2", "~1", "title:x", "[1 TO 2]", "x\\", "AND", "NEAR/2", "{}", "<br>"]


async def test_a_query_without_words_of_the_catalogue_finds_nothing(engine_of: EngineOf) -> None:  # F43
    engine = await engine_of([book("三体"), book("It"), book("We")])
    for query in NO_WORDS:
        for some_words in (False, True):
            result = engine.search(BookQuery(keyword=query), some_words=some_words)
            assert (query, result.total, result.books) == (query, 0, ())


async def test_no_query_is_an_error(engine_of: EngineOf) -> None:  # F47
    engine = await engine_of([book("三体")])
    for query in NOT_HELD:
        for field in ("keyword", "title", "like", "author"):
            assert engine.search(BookQuery(**{field: query}), some_words=True).total == 0


async def test_a_name_of_two_characters_does_not_fall_apart(engine_of: EngineOf) -> None:  # F04
    engine = await engine_of([book("日本"), book("本田"), book("田本")])
    assert titles(engine, "本田") == ["本田"]


async def test_a_whole_sentence_finds_most_of_its_words(engine_of: EngineOf) -> None:  # F06
    engine = await engine_of([book("如何写周报"), book("如何"), book("写作课")])
    sentence = BookQuery(keyword="告诉我如何写周报")
    assert engine.search(sentence).total == 0
    result = engine.search(sentence, some_words=True)
    assert [hit.book.title for hit in result.books] == ["如何写周报"]
    assert result.some_words


async def test_when_a_book_has_all_words_only_such_books_come(engine_of: EngineOf) -> None:
    engine = await engine_of([book("如何写周报"), book("如何写")])
    result = engine.search(BookQuery(keyword="如何写周报"), some_words=True)
    assert [hit.book.title for hit in result.books] == ["如何写周报"]
    assert not result.some_words


async def test_both_scripts_find_the_same_in_the_same_order(engine_of: EngineOf) -> None:  # F08
    engine = await engine_of(
        [book("国际论坛"), book("國際論壇年鑒"), book("论坛", intro="国际论坛的历史"), book("国际")]
    )
    assert titles(engine, "國際論壇") == titles(engine, "国际论坛")
    assert set(titles(engine, "国际论坛")) == {"国际论坛", "國際論壇年鑒", "论坛"}


async def test_what_is_shown_is_not_converted(engine_of: EngineOf) -> None:  # F23
    engine = await engine_of([book("皇后與以後", "徐乾學")])
    assert titles(engine, "以后") == ["皇后與以後"]
    assert engine.search(BookQuery(author=["徐乾学"])).books[0].book.first_author == "徐乾學"


@pytest.mark.parametrize("query", ["沈从文", "沈從文"])
async def test_an_author_in_either_script_has_all_books(engine_of: EngineOf, query: str) -> None:  # F21
    engine = await engine_of([book("边城", "沈从文"), book("長河", "沈從文"), book("家", "巴金")])
    assert set(titles(engine, query)) == {"边城", "長河"}
    assert engine.search(BookQuery(author=[query])).total == 2


@pytest.mark.parametrize(
    ("keyword", "exact", "others"),
    [
        ("There There", "There There", ["There", "There Will Be There There Stories", "Here and There There"]),
        ("We", "We", ["We We We", "How We Live", "As We Are"]),
        ("1984", "1984", ["1984 Readings", "The Year 1984 in 1984 Pictures"]),
        ("三体", "三体", ["三体三体三体", "三体全集", "读三体"]),
        ("家", "家", ["家家家", "家有家", "大家"]),
        ("The Widow", "The Widow", ["Widow", "Widow Widow", "Iron Widow"]),  # "the" falls away as a word
        ("一個人的第一次", "一个人的第一次", ["一个人的第一次 第一次一个人旅行"]),
    ],
)
async def test_the_exact_title_comes_first(engine_of: EngineOf, keyword: str, exact: str, others: list[str]) -> None:
    praised: dict[str, Any] = {"rating": 9.9, "rating_count": 99_999, "popularity": 10.0, "year": 2026}
    subtitle: dict[str, Any] = {
        "subtitle": "with a very long subtitle that says what the whole book is about, in many words"
    }
    engine = await engine_of([book(exact, **subtitle), *(book(title, **praised) for title in others)])
    assert titles(engine, keyword)[0] == exact


async def test_a_word_and_its_translation_find_each_other(engine_of: EngineOf) -> None:
    engine = await engine_of([book("A Detective Story", tags=("mystery",)), book("推理小说集"), book("菜谱")])
    assert set(titles(engine, "推理")) == {"A Detective Story", "推理小说集"}


async def test_words_may_stand_in_different_fields(engine_of: EngineOf) -> None:
    engine = await engine_of([book("三体", "刘慈欣"), book("三体解读", "某人"), book("球状闪电", "刘慈欣")])
    assert titles(engine, "刘慈欣 三体") == ["三体"]


async def test_a_word_is_found_in_every_field_that_people_search(engine_of: EngineOf) -> None:
    fields: dict[str, Any] = {
        "subtitle": "a zebra",
        "original_title": "Zebra",
        "translators": ("Zebra",),
        "series": "Zebra Books",
        "tags": ("zebra",),
        "category": "Zebra",
        "intro": "of a zebra",
        "publisher": "Zebra Press",
    }
    engine = await engine_of([book(name, **{name: value}) for name, value in fields.items()])
    assert set(titles(engine, "zebra")) == set(fields)


async def test_an_empty_catalogue_finds_nothing(engine_of: EngineOf) -> None:
    engine = await engine_of([])
    assert engine.size == 0
    assert engine.search(BookQuery(keyword="三体"), some_words=True, facets=True).total == 0
    assert engine.search(BookQuery(min_rating=8)).near_misses == ()
    assert engine.title("三体") == []
