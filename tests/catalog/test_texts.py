"""Words out of dirty cells: titles, introductions, lists, languages."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shutong.catalog.importers import languages, texts

MARKUP = st.text(alphabet="<>&;/!-scriptbrpal t#x60;39\"'", max_size=80)


@pytest.mark.parametrize(
    ("cell", "title"),
    [
        ("三体 [专著]", "三体"),
        ("三体【電子資源】", "三体"),
        ("三体 [M] /", "三体"),
        ("三体 /", "三体"),
        ("《三体》", "三体"),
        ("《史记》与《汉书》", "《史记》与《汉书》"),
        ("Merriam-Webster&#39;s Builder", "Merriam-Webster's Builder"),
        ("A &amp;amp; B", "A & B"),
        ("<b>三体</b>", "三体"),
        ("I <3 You", "I <3 You"),
        ("  三\u3000体\n", "三 体"),
        ("活著 (余華著)", "活著 (余華著)"),
        ("皇后", "皇后"),
        ("1984", "1984"),
        (1984, "1984"),
        (2666.0, "2666"),
        ("None", "None"),
        ("无", "无"),
        ("?", "?"),
        ("\ufeff三体\x00", "三体"),
    ],
)
def test_a_title_is_cleaned_and_keeps_its_own_words(cell: Any, title: str) -> None:
    assert texts.title(cell) == (title, None)


@pytest.mark.parametrize("cell", ["", "   ", " / ", None])
def test_no_title_is_none(cell: Any) -> None:
    assert texts.title(cell) == (None, None)


def test_a_title_whose_letters_were_lost_is_refused() -> None:
    value, reason = texts.title("????")
    assert value is None
    assert reason


def test_a_title_is_cut_and_said_to_be() -> None:
    value, reason = texts.title("长" * 1000)
    assert len(value or "") == texts.TITLE_CHARACTERS
    assert reason


@pytest.mark.parametrize(
    ("cell", "intro"),
    [
        ("<p>好&nbsp;书<script>alert(1)</script>", "好 书"),
        ("<p>一</p><p>二</p>", "一\n\n二"),
        ("一<br/>二", "一\n二"),
        ("&lt;p&gt;好&lt;script&gt;alert(1)&lt;/script&gt;", "好"),
        ("a < b and c > d", "a < b and c > d"),
        ("<scr<b>ipt>alert(1)</script>好", None),
        ("<style>p{}</style>好<!-- 不 -->", "好"),
        ("Text.\r\n([source][1])\r\n\r\n  [1]: https://example.org/x", "Text."),
        ("Text.\r\n\r\n----------\r\nAlso contained in:\r\n - [X](https://example.org)", "Text."),
        ("好书(展开全部)", "好书"),
        ("   ", None),
    ],
)
def test_an_introduction_is_plain_text(cell: str, intro: str | None) -> None:
    value, _ = texts.intro(cell)
    assert (value and re.sub(r"\n+", "\n", value)) == (intro and re.sub(r"\n+", "\n", intro))


def test_a_long_introduction_is_cut_at_a_sentence() -> None:
    value, _ = texts.intro("一二三四五六七八九。" * 1000)
    assert value is not None
    assert len(value) <= texts.INTRO_CHARACTERS
    assert value.endswith("。…")


@pytest.mark.parametrize(
    ("cell", "items"),
    [
        (["a", "b"], ["a", "b"]),
        ('["小说", "推理"]', ["小说", "推理"]),
        ("['orphans', \"children's\"]", ["orphans", "children's"]),
        ("Fantasy;Young Adult;Fantasy,Magic", ["Fantasy", "Young Adult", "Fantasy", "Magic"]),
        ("生活/情感", ["生活", "情感"]),
        ("小说|推理", ["小说", "推理"]),
        ("小说、推理，日本", ["小说", "推理", "日本"]),
        ("小说 外国文学", ["小说", "外国文学"]),
        ("science fiction", ["science fiction"]),
    ],
)
def test_lists_come_in_many_forms(cell: Any, items: list[str]) -> None:
    assert texts.items(cell) == items


def test_tags_are_unique_in_any_case_bounded_and_short() -> None:
    assert texts.tags(["Fiction; fiction;FICTION;x"])[0] == ("Fiction", "x")
    assert texts.tags([[f"t{n}" for n in range(100)]])[0] == tuple(f"t{n}" for n in range(texts.MAX_TAGS))
    assert texts.tags([["a" * 61, "nyt:list=2006", "b"]])[0] == ("b",)


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        *[(c, "zh") for c in ("中文", "chi", "zho", "zh-CN", "zh_TW", "简体中文", "繁體中文", "Chinese")],
        *[(c, "en") for c in ("eng", "English", "en-US", "英文", "EN", "英语; 法语")],
        ("jpn", "ja"),
        ("ger", "de"),
        ("français", "fr"),
        ("grc", "grc"),
        ("mul", None),
    ],
)
def test_a_language_is_known_by_its_names(cell: str, code: str | None) -> None:
    assert languages.read_language(cell) == (code, None)


def test_an_unknown_language_is_refused() -> None:
    value, reason = languages.read_language("Klingonish")
    assert value is None
    assert reason


@pytest.mark.parametrize(
    ("title", "code"),
    [
        ("三体", "zh"),
        ("Dune", "en"),
        ("ノルウェイの森", "ja"),
        ("채식주의자", "ko"),
        ("Война и мир", "ru"),
        ("???", None),
        ("东京の味", "zh"),
        ("L'Étranger", None),
    ],
)
def test_letters_tell_the_language(title: str, code: str | None) -> None:
    assert languages.guess(title) == code


def test_only_web_addresses_are_covers() -> None:
    assert texts.url("//img.example.org/a.jpg") == ("https://img.example.org/a.jpg", None)
    assert texts.url("javascript:alert(1)")[0] is None


def test_a_series_behind_the_title_is_taken_apart() -> None:
    assert texts.title_and_series("Dune (Dune Chronicles, #1)") == ("Dune", "Dune Chronicles", 1.0)
    assert texts.title_and_series("Half-Blood Prince (Harry Potter  #6)") == ("Half-Blood Prince", "Harry Potter", 6.0)
    assert texts.title_and_series("C# in Depth") == ("C# in Depth", None, None)


@given(st.one_of(st.text(), MARKUP, st.integers(), st.floats(), st.none(), st.lists(st.text())))
def test_no_cell_breaks_a_cleaner_and_no_tag_is_left(cell: Any) -> None:
    title, _ = texts.title(cell)
    intro, _ = texts.intro(cell)
    texts.short(cell)
    texts.url(cell)
    texts.tags([cell])
    languages.read_language(cell)
    assert title is None or title.strip()
    assert intro is None or not re.search(r"</?[a-zA-Z][^<>]*>", intro)


@given(MARKUP)
def test_markup_never_survives(text: str) -> None:
    assert not re.search(r"</?[a-zA-Z][^<>]*>", texts.without_markup(text))


@given(st.text(max_size=80))
def test_letters_never_break_the_guess(title: str) -> None:
    languages.guess(title)
    languages.has_kana(title)
    texts.title_and_series(title)
    texts.series_and_number(title)
