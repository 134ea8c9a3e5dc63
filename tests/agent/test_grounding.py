"""No invented title gets through, and true sentences do."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shutong.agent.events import Citation
from shutong.agent.facts import BookRef
from shutong.agent.grounding import Grounder, Refused, Released, evidence, feedback
from shutong.agent.observation import fenced
from tests.agent.library import BOOKS, EN, OBSERVATION, ZH, by_number, lookup, number_of


def grounder(language: str = "zh", *reader: str, observed: str = OBSERVATION) -> Grounder:
    return Grounder(lookup, by_number, lambda: observed, reader, language)


def shown(unit: str, language: str = "zh", *reader: str) -> str:
    released = grounder(language, *reader).check(unit)
    assert isinstance(released, Released), released
    return released.text


def reason(unit: str, language: str = "zh", *reader: str) -> str:
    refused = grounder(language, *reader).check(unit)
    assert isinstance(refused, Refused), refused
    return refused.reason


def filled(template: str, book: BookRef, other: BookRef) -> str:
    return template.format(
        t=book.title,
        n=f"[[{number_of(book)}]]",
        a=book.authors[0],
        y=book.year,
        f=book.first_year,
        r=book.rating,
        p=book.pages,
        t2=other.title,
        n2=f"[[{number_of(other)}]]",
        r2=other.rating,
        y2=other.year,
    )


TRUE_ZH = """
推荐《{t}》{n},作者{a}。
《{t}》{n}({a},{y})是很好的入门书。
《{t}》{n}（{a}，{y} 年，★{r}，{p} 页）：适合零基础。
1. 《{t}》{n} — {a},{y} 年出版,评分 {r}
1. **《{t}》**{n} — {a}（{y}）：语言平实,例子多。
- **{t}**{n}:{a} 著,{p} 页,评分 {r} 分
| 《{t}》{n} | {a} | {y} | {r} | {p} 页 |
| {t}{n} | {a} | {y} | {r} |
《{t}》{n} 是 {r},略低于您要的 9.9,但最接近“爬虫”。
《{t}》{n}评分 {r} 分,符合您“评分 7 分以上”的要求。
如果只读一本,就选《{t}》{n}:{p} 页,每天读 20 页就够了。
《{t}》首版于 {f} 年,讲的是 1967 年之后的事。
{a}的《{t}》{n}文笔很好,豆瓣 {r}。
《{t}》{n}和《{t2}》{n2}都值得读。
《{t}》{n}评分 {r},《{t2}》{n2}评分 {r2}。
与《{t2}》{n2}相比,《{t}》{n}更适合入门。
“{t}”({y})值得一看。
您可以先读《{t}》,再读《{t2}》,它们都是 2000 年之前写的吗?不一定。
2019 年之后出版的书里没有更合适的,《{t}》{n}是 {y} 年出版的。
《{t}》{n} 由{a}所著,一共 {p} 页,不到 3000 页。
""".strip().splitlines()

TRUE_EN = """
I recommend 《{t}》{n} by {a}.
《{t}》{n} ({a}, {y}) is a good place to start.
1. **{t}** {n} by {a} ({y}): clear and short.
- *{t}* {n} — {a}, {f}, {p} pages, rated {r}
| {t} {n} | {a} | {y} | {r} |
“{t}” by {a} was first published in {f}.
Try {t} by {a}.
《{t}》{n} is rated {r}, just under your 9.9, but the closest to crime.
At {p} pages, 《{t}》{n} is a quick read.
《{t}》{n} has {p} pages; you asked for under 3000 pages.
{a}'s 《{t}》{n} was published in {y}.
Both 《{t}》{n} and 《{t2}》{n2} fit, rated {r} and {r2}.
**{t}**{n} (rating: {r}) suits "beginners" who like 'slow' books.
If you liked 《{t2}》{n2}, read 《{t}》{n} next.
- **Why:** 《{t}》{n} is kind and funny.
""".strip().splitlines()


def true_units() -> list[tuple[str, str]]:
    units = []
    for language, templates, books in (("zh", TRUE_ZH, ZH), ("en", TRUE_EN, EN)):
        for at, book in enumerate(books):
            other = books[(at + 7) % len(books)]
            units += [(language, filled(template, book, other)) for template in templates]
    return units


def without_numbers(unit: str) -> str:
    return re.sub(r"(?<=[\w)*》”\"?]) (?=\[\[\d+\]\](?:[ \n,.;:!?)|]|\Z))|\[\[\d+\]\]", "", unit)


def test_at_least_98_percent_of_true_units_pass_unchanged() -> None:
    units = true_units()
    failed = []
    for language, unit in units:
        outcome = grounder(language).check(unit)
        if not isinstance(outcome, Released) or outcome.text != re.sub(r"\[\[\d+\]\]", "", without_numbers(unit)):
            failed.append((unit, outcome))
    assert len(units) >= 300
    assert len(failed) <= 0.02 * len(units), failed[:: max(1, len(failed) // 25)]


def test_every_true_unit_carries_the_card_of_its_book() -> None:
    for language, unit in true_units():
        outcome = grounder(language).check(unit)
        assert isinstance(outcome, Refused) or outcome.citations, unit


INVENTED_ZH = "星海孤帆 代码之禅 零起点学爬虫十讲 月光下的信使 长安十二夜 人工智能漫游指南 河流的第三种语言 雾都密码 沉默的算法 给年轻人的经济学 最后一位守夜人 山中岁月长".split()
INVENTED_EN = [
    "The Silent Algorithm",
    "Gardens of Mercury",
    "Dune: The Lost Prophecy",
    "Python for Tired People",
    "The Cartographer's Winter",
    "Emma and the Iron Gate",
    "A Brief History of Rain",
    "Twelve Nights in Kyoto",
    "Zero to Hero: Scraping",
    "Midnight Ledger",
]
FALSE_ZH = """
推荐《{x}》,作者{a}。
推荐〈{x}〉。
《{x}》({a},{y})是很好的入门书。
《{x}》[[999]]值得一读。
1. 《{x}》 — {a},评分 {r}
1. **{x}** — {a}({y})
1. **{x}**:语言平实,例子多。
- “{x}”,{a}著,{y} 年出版
- **{x}**
- 「{x}」:经典之作
| {x} | {a} | {y} | {r} |
| **{x}** | {a} | {y} | {r} |
除了《{t}》{n},还有《{x}》也不错。
《{t}》{n}和《{x}》都是{a}的作品。
“{x}”({y})值得一看。
**{x}**({a},{y})很好。
您要的书有:书名:{x},作者:{a}
2. {x}（{a}，{y}）
2. {x} - {a}著
没有比《{x}》更好的了。
这本《{x}》讲述了爬虫
推荐“{x}”。
“{x}”一书很好。
小说“{x}”很好。
我没读过《{x}
[[{x}]]很好
""".strip().splitlines()
FALSE_EN = """
I recommend 《{x}》 by {a}.
Try {x} by {a}.
1. **{x}** by {a} ({y})
1. **{x}**: clear and short.
- *{x}* — {a}, {y}
- "{x}" ({y})
- {x} by {a}
- {x} ({y})
- {x} — {a}
| {x} | {a} | {y} | {r} |
“{x}” by {a} is lovely.
*{x}* ({y}) is lovely.
Besides 《{t}》{n}, read 《{x}》.
《{x}》 [[999]] is a must.
**{x}**, by {a}, fits.
Title: {x}, Author: {a}
{x} (by {a}) fits.
"{x}," by {a}, fits.
I recommend “{x}”.
The novel "{x}" is lovely.
You will not find a better book than 《{x}》.
Both {t} by {a} and {x} by {a} fit.
""".strip().splitlines()


def invented_units() -> list[tuple[str, str, str]]:
    units = []
    for language, templates, titles, books in (("zh", FALSE_ZH, INVENTED_ZH, ZH), ("en", FALSE_EN, INVENTED_EN, EN)):
        for at, title in enumerate(titles):
            for number, template in enumerate(templates):
                book = books[(at * 5 + number) % len(books)]
                made = filled(template.replace("{x}", "\0"), book, book).replace("\0", title)
                units.append((language, title, made))
    return units


def test_no_invented_title_passes() -> None:
    units = invented_units()
    passed = [unit for language, _, unit in units if isinstance(grounder(language).check(unit), Released)]
    assert len(units) >= 300
    assert passed == []


def test_an_invented_title_with_a_valid_number_is_printed_as_the_record() -> None:
    for title in INVENTED_ZH:
        assert shown(f"《{title}》[[1]]很好。") == "《三体》很好。"
        assert shown(f"1. **{title}**[[1]]:很好") == "1. **三体**:很好"
        assert shown(f"1. {title}[[1]]:很好") == "1. 三体:很好"
        assert shown(f"| {title}[[1]] | 2008 |") == "| 三体 | 2008 |"


WRONG = [
    ("《三体》[[1]](余华,2008)", "刘慈欣"),
    ("余华的《三体》[[1]]很好。", "刘慈欣"),
    ("《三体》[[1]],余华著。", "刘慈欣"),
    ("《三体》[[1]]——作者:余华", "刘慈欣"),
    ("1. **三体**[[1]] — 余华", "刘慈欣"),
    ("《三体》[[1]](2019)", "2008 / 2006"),
    ("《三体》是 2019 年出版的。", "2008 / 2006"),
    ("2019 年出版的《三体》", "2008 / 2006"),
    ("| 三体[[1]] | 刘慈欣 | 2019 | 8.9 |", "2008 / 2006"),
    ("| 三体[[1]] | 刘慈欣 | 2008 | 9.8 |", "8.9"),
    ("《三体》[[1]]评分 9.8。", "8.9"),
    ("《三体》[[1]]★9.8", "8.9"),
    ("《三体》[[1]]高达 9.8 分", "8.9"),
    ("《三体》[[1]]只有 120 页。", "302"),
    ("《三体》[[1]](120 页)", "302"),
    ("1. 《三体》[[1]],页数:120", "302"),
    ("《活着》[[4]]评分 9.4,《三体》[[1]]评分 9.4。", "8.9"),
]


@pytest.mark.parametrize(("unit", "right"), WRONG)
def test_a_wrong_fact_is_refused_and_the_right_one_is_told(unit: str, right: str) -> None:
    assert right in reason(unit)


@pytest.mark.parametrize(
    ("unit", "right"),
    [
        ("《Dune》[[37]] by Jane Austen.", "Frank Herbert"),
        ("Try Dune by Jane Austen.", "Frank Herbert"),
        ("Jane Austen's 《Dune》[[37]] is long.", "Frank Herbert"),
        ("*Dune* [[37]] (1999)", "1990 / 1965"),
        ("《Dune》[[37]] was published in 2001.", "1990 / 1965"),
        ("《Dune》[[37]] is rated 9.9.", "8.5"),
        ("《Dune》[[37]] has 200 pages.", "604"),
    ],
)
def test_a_wrong_fact_in_english_is_refused(unit: str, right: str) -> None:
    assert right in reason(unit, "en")


def test_a_fact_that_the_record_does_not_know_is_refused() -> None:
    bare = BookRef(1, "三体")
    check = Grounder(lambda _: bare, lambda _: bare, lambda: "", (), "zh").check
    assert isinstance(check("《三体》评分 8.9。"), Refused)
    assert isinstance(check("《三体》很好。"), Released)


FREE = [
    "适合“入门”,讲得“深入浅出”。",
    "**重点**:先看第三章“变量”,再看 *练习*。",
    "“零基础”2019 年之后出版的书有三本。",
    "改编的电影“霸王别姬”也好看。",
    "- **推荐理由**:文笔好。",
    "- **适合人群**:完全没有编程经验的读者",
    "- **科幻**",
    "书里的《认知革命》一章最精彩。",
    "共找到 14 本,先看这 3 本(按评分)。",
    "| 书名 | 作者 | 年份 | 评分 |",
    "|---|---|---|---|",
    "- 预算:50 元以内(2019 年之后)",
    "1. 先确定方向(编程或历史)",
    "评分 8 分以上、300 页以内的书没有找到。",
    "他说“好,2019 年见”。",
    "\n## 入门\n",
    "12 × 8 = 96",
    "推荐“循序渐进”的读法。",
    "- 共两本(2019 年之后)",
    "- 预算 - 五十元",
    "作者都是中国人吗?是的。",
]
FREE_EN = [
    'It is a "gentle" start, with **lots** of *practice*.',
    "Written by people who teach, for people who learn.",
    "Published by Penguin, translated by Jay Rubin.",
    "Step by Step, you will get there.",
    "Two novels by Jane Austen fit.",
    'Chapter 3, "The Long Dark", is the best.',
    "- **Why it fits:** it is short.",
    "I found 14 books published since 2019, rated above 8.0.",
    "The film “The Shining” is scarier.",
    "Sorry, nothing under 200 pages.",
    "Shall I look for something by the same author?",
    "| Title | Author | Year |",
]


@pytest.mark.parametrize("unit", FREE)
def test_emphasis_films_chapters_and_conditions_are_free(unit: str) -> None:
    assert grounder("zh").check(unit) == Released(unit)


@pytest.mark.parametrize("unit", FREE_EN)
def test_emphasis_films_chapters_and_conditions_are_free_in_english(unit: str) -> None:
    assert grounder("en").check(unit) == Released(unit)


def test_a_quoted_word_that_is_a_title_of_the_catalogue_gets_its_card() -> None:
    assert grounder().check("请读“活着”吧。") == Released("请读“活着”吧。", (Citation("活着", 104),))


def test_a_title_that_only_the_reader_named_is_marked() -> None:
    assert shown("《星海孤帆》很像《三体》。", "zh", "有《星海孤帆》吗") == "《星海孤帆》（目录里没有）很像《三体》。"
    assert (
        shown("《Midnight Ledger》 is fun.", "en", "like Midnight Ledger")
        == "《Midnight Ledger》 (not in this catalogue) is fun."
    )


@pytest.mark.parametrize(
    "unit", ["目录里没有《星海孤帆》。", "没有找到《星海孤帆》,可以看看《三体》。", "《星海孤帆》暂未收录。"]
)
def test_a_title_said_to_be_missing_needs_no_mark(unit: str) -> None:
    assert shown(unit, "zh", "有星海孤帆吗") == unit


def test_saying_that_nothing_is_better_is_not_saying_that_it_is_missing() -> None:
    assert "目录里没有" in shown("没有比《星海孤帆》更好的。", "zh", "星海孤帆")


def test_an_invalid_number_is_dropped_when_the_title_is_known() -> None:
    assert grounder().check("《三体》[[999]]好。") == Released("《三体》好。", (Citation("三体", 101),))


def test_a_lone_invalid_number_is_refused() -> None:
    assert "[[999]]" in reason("第二本[[999]]更好。")


@pytest.mark.parametrize(
    ("unit", "printed"),
    [
        ("《三體》[[1]]好。", "《三体》好。"),
        ("**《三体》**[[1]]好。", "**《三体》**好。"),
        ("《三体》(刘慈欣)[[1]]好。", "《三体》(刘慈欣)好。"),
        ("[[1]]《三体》好。", "《三体》好。"),
        ("《三体》[1]好。", "《三体》好。"),
        ("《三体》[[1]] [[4]]好。", "《三体》 《活着》好。"),
        ("| [[1]] 三体 | 8.9 |", "| 三体 | 8.9 |"),
        ("- 《Clean Code》 Robert C. Martin[[51]] | 2008", "- 《Clean Code》 Robert C. Martin | 2008"),
        ("《三体》刘慈欣[[1]]。", "《三体》刘慈欣。"),
        ("第一本[[1]]好。", "第一本《三体》好。"),
        ("我推荐三体[[1]]。", "我推荐三体。"),
        ("[[三体]]好。", "《三体》好。"),
        ("[[三体]][[1]]好。", "《三体》好。"),
    ],
)
def test_numbers_are_taken_out_and_the_record_is_printed(unit: str, printed: str) -> None:
    assert shown(unit) == printed


@pytest.mark.parametrize(
    "title",
    [
        "人类简史:从动物到上帝",
        "Python編程：從入門到實踐",
        "ＤＵＮＥ",
        "Nineteen Eighty-Four",
        "三体（典藏版）",
        "三体(刘慈欣)",
        "Fluent  Python",
        "Clean Code (2nd edition)",
    ],
)
def test_spellings_of_a_known_title_are_that_title(title: str) -> None:
    assert shown(f"《{title}》好。") == f"《{title}》好。"


def test_a_subtitle_must_be_the_records_own() -> None:
    book = BookRef(1, "沙丘", subtitle="厄拉科斯的救世主")
    check = Grounder(lambda t: book if t == "沙丘" else None, lambda _: None, lambda: "", (), "zh").check
    assert isinstance(check("《沙丘：厄拉科斯的救世主》好。"), Released)
    assert isinstance(check("《沙丘：失落的预言》好。"), Refused)


def test_a_slip_in_the_number_is_mended_when_title_and_facts_agree() -> None:
    assert shown("《球状闪电》[[1]](2005,★8.4)好。") == "《球状闪电》(2005,★8.4)好。"
    assert shown("《球状闪电》[[1]]好。") == "《三体》好。"


def test_citations_keep_the_order_of_the_text() -> None:
    outcome = grounder().check("《活着》[[4]]、《三体》、《沙丘》[[34]]。")
    assert isinstance(outcome, Released)
    assert [citation.title for citation in outcome.citations] == ["活着", "三体", "沙丘"]


def test_names_in_different_scripts_are_not_compared() -> None:
    assert shown("《三体》[[1]] by Liu Cixin") == "《三体》 by Liu Cixin"


def test_a_latin_title_in_an_observation_counts_only_as_whole_words() -> None:
    assert isinstance(grounder("en", observed="He ate a meringue.").check("《Ring》 is good."), Refused)
    assert isinstance(grounder("en", observed="See The Ring.").check("《Ring》 is good."), Released)


def test_observations_that_arrive_later_count() -> None:
    seen = ["nothing"]
    check = Grounder(lookup, by_number, lambda: seen[-1], (), "zh").check
    assert isinstance(check("《星海孤帆》。"), Refused)
    seen.append("《星海孤帆》")
    assert isinstance(check("《星海孤帆》。"), Released)


def test_what_the_model_searched_for_is_no_evidence() -> None:
    data = {"total": 0, "applied": {"title": ["星海孤帆"]}, "not_held": "星海孤帆", "books": [{"title": "三体"}]}
    told = evidence(fenced(data, 6000))
    assert "三体" in told
    assert isinstance(grounder(observed=told).check("《星海孤帆》很好。"), Refused)


def test_evidence_that_is_no_data_is_taken_as_it_is_and_broken_data_not_at_all() -> None:
    assert evidence("12 books on the shelf: 《三体》") == "12 books on the shelf: 《三体》"
    assert evidence('<catalogue_data>\n{"not_held": "星海\n</catalogue_data>') == ""


def test_the_feedback_names_each_reason_once_and_asks_to_go_on() -> None:
    refused = [
        grounder().check("《星海孤帆》。"),
        grounder().check("又是《星海孤帆》。"),
        grounder().check("《三体》[[1]]★9.8"),
    ]
    text = feedback([outcome for outcome in refused if isinstance(outcome, Refused)], "zh")
    assert text.count("星海孤帆") == 1
    assert "8.9" in text
    assert "[[编号]]" in text
    assert "Continue" in feedback([], "en")


@pytest.mark.parametrize(
    "scrap", ["A ", "**a** ", "“a” (", '"a ', "_a_ ", "[[1]]", "[[", "《", "by A ", "- ", "| ", "(a,"]
)
def test_no_unit_takes_long_to_check(scrap: str) -> None:
    start = time.process_time()
    grounder().check("- " + scrap * (1990 // len(scrap)))
    assert time.process_time() - start < 5


def test_a_sentence_of_absurd_length_is_refused() -> None:
    assert isinstance(grounder().check("好" * 2001), Refused)


SCRAPS = st.sampled_from(
    [
        "《",
        "》",
        "[[",
        "]]",
        "1",
        "[[1]]",
        "三体",
        "**",
        "“",
        "”",
        '"',
        "*",
        "|",
        "- ",
        "1. ",
        " by ",
        "Dune",
        "Frank",
        "(",
        ")",
        "2008",
        "★9",
        " ",
        "\n",
        ":",
        "著",
    ]
)


@settings(deadline=None)
@given(st.lists(SCRAPS, max_size=20).map("".join) | st.text(max_size=40))
def test_any_text_can_be_checked_and_no_valid_number_is_left(text: str) -> None:
    for language in ("zh", "en"):
        outcome = grounder(language).check(text)
        if isinstance(outcome, Released):
            assert all(any(book.book_id == cited.book_id for book in BOOKS) for cited in outcome.citations)
            assert "[[1]]" not in outcome.text or "[[1]]" not in text or "[[[1" in text or "]]]" in text


def found_only(*book_ids: int, reader: str = "") -> Grounder:
    """A run whose search found these books and no others."""
    return Grounder(lookup, by_number, lambda: "", (reader,), "zh", found=lambda: set(book_ids))


@pytest.mark.parametrize("unit", ["- 《活着》[[4]]，1993 年。", "2. 《活着》，余华。", "《活着》讲一个人的一生。"])
def test_after_a_search_no_item_is_headed_by_a_book_that_it_did_not_find(unit: str) -> None:
    refused = found_only(number_to_id(1)).check(unit)
    assert isinstance(refused, Refused)
    assert "不在这次的检索结果里" in refused.reason
    assert isinstance(found_only(number_to_id(1), number_to_id(4)).check(unit), Released)
    assert isinstance(found_only().check(unit), Released)  # nothing was looked for, so nothing binds the answer


def test_a_book_of_no_search_may_be_compared_with_and_spoken_of_when_the_reader_named_it() -> None:
    assert isinstance(found_only(number_to_id(1)).check("- 《三体》[[1]]，和《活着》不是一类。"), Released)
    assert isinstance(found_only(number_to_id(1), reader="像《活着》那样的").check("《活着》这样的书不多。"), Released)


@pytest.mark.parametrize("unit", ["《三体》[[1]] book_id=101，2008 年。", "《三体》[[1]] [[26.8 CNY]]，2008 年。"])
def test_ids_and_citations_that_are_none_are_cut_out(unit: str) -> None:
    assert shown(unit) == "《三体》，2008 年。"


def number_to_id(number: int) -> int:
    book = by_number(number)
    assert book is not None
    return book.book_id
