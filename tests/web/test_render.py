"""Answers as HTML: whatever a model or a record writes, no tag but ours comes out."""

from __future__ import annotations

from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shutong.web.render import Blocks, render

ALLOWED = set("p ul ol li strong em code pre br blockquote hr h3 h4 table thead tbody tr th td a".split())
PIECES = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))", "![x](http://e/x.png)",
    "<a href='http://e'>", "</p>", "<", ">", "&", "&lt;", "&#57344;0&#57345;", "&#xe000;7&#xe001;", "\ue0000\ue001", "\ue000",
    "《", "》", "《一本书》", "《No <b>book</b>》", "《\"' onclick=\"x》", "http://e.example", "<http://e.example>", "`", "```", "**",
    "*", "_", "# ", "- ", "1. ", "> ", "|", "\n", "\n\n", "\t", "    ", "| a | b |\n|---|---|\n| c | d |", "\x00", "\ud800", "word", "书",
]  # fmt: skip
TEXT = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=12).map("".join)


def find(title: str) -> int | None:
    return 7 if "书" in title or "onclick" in title or "<" in title else None


class Tags(HTMLParser):
    """All tags with their attributes, and the text."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def tags(html: str) -> Tags:
    parser = Tags()
    parser.feed(html)
    parser.close()
    return parser


def assert_ours(html: str) -> None:
    for tag, attributes in tags(html).found:
        assert tag in ALLOWED, html
        if tag == "a":
            assert attributes == {"class": "cite", "href": "#book-7", "data-book": "7"}, html
        elif tag == "ol":
            assert set(attributes) <= {"start"}, html
        else:
            assert attributes == {}, html


@given(TEXT)
@settings(max_examples=300, deadline=None)
def test_no_tag_but_ours_comes_out(text):
    assert_ours(render(text, find))


@given(TEXT)
@settings(max_examples=100, deadline=None)
def test_rendering_is_a_function_of_the_text_alone(text):
    assert render(text, find) == render(text, find)


@pytest.mark.parametrize(
    "title", ['A "quoted" 书', "书 <script>", "书 [1](x)", "书 & 书", "**书**", "书's", "`书`", "书 [[3]]"]
)
def test_a_title_is_printed_as_it_is_and_links_to_its_card(title):
    html = render(f"See 《{title}》.", find)
    assert_ours(html)
    assert tags(html).text.strip() == f"See 《{title}》."
    assert html.count("<a ") == 1


def test_a_title_that_the_catalogue_does_not_have_is_no_link():
    assert render("《Unknown》", find) == "<p>《Unknown》</p>"


def test_letters_that_stand_for_links_cannot_be_smuggled_in():
    for text in ("&#57344;0&#57345;", "&#xe000;99999&#xe001;", "\ue0000\ue001", "《一本书》 &#57344;5&#57345;"):
        assert_ours(render(text, find))


def test_markdown_that_answers_use_is_kept():
    html = render("**bold** and *soft*\n\n- one\n- two\n\n| a | b |\n|---|---|\n| c | d |", find)
    for tag in ("strong", "em", "ul", "li", "table", "td"):
        assert f"<{tag}>" in html


def test_a_numbered_list_goes_on_counting_in_its_next_block():
    blocks = Blocks(find)
    html = dict(blocks.feed("1. 《一本书》\n\n2. second\n\n3. third"))
    assert 'start="2"' in html[1]
    assert 'start="3"' in html[2]


# ---- growing


def grown(*texts: str) -> dict[int, str]:
    blocks = Blocks(find)
    shown: dict[int, str] = {}
    for text in texts:
        shown |= dict(blocks.feed(text))
    return shown


def joined(shown: dict[int, str]) -> str:
    return "\n".join(html for _, html in sorted(shown.items()) if html)


PARAGRAPHS = st.lists(
    st.sampled_from(
        ["One sentence.", "**Bold** word.", "- a\n- b", "《一本书》好看。", "| a | b |\n|---|---|\n| c | d |", "书"]
    ),
    min_size=1,
    max_size=6,
).map("\n\n".join)


@given(PARAGRAPHS, st.lists(st.integers(0, 200), max_size=6))
@settings(max_examples=150, deadline=None)
def test_blocks_joined_are_the_same_however_the_text_is_cut(text, cuts):
    places = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    pieces = [text[a:b] for a, b in pairwise(places)]
    assert joined(grown(*pieces)) == joined(grown(text))


@given(st.lists(st.sampled_from(["One sentence.", "Two.", "《一本书》好看。", "**b**"]), min_size=1, max_size=5))
@settings(max_examples=50, deadline=None)
def test_blocks_of_paragraphs_joined_are_the_whole_rendered_at_once(paragraphs):
    text = "\n\n".join(paragraphs)
    assert joined(grown(text)) == render(text, find)


@given(TEXT, st.integers(0, 60))
@settings(max_examples=150, deadline=None)
def test_no_tag_but_ours_comes_out_of_blocks(text, cut):
    for html in grown(text[:cut], text[cut:]).values():
        assert_ours(html)


def test_only_the_blocks_that_change_are_given_again():
    blocks = Blocks(find)
    assert [number for number, _ in blocks.feed("one\n\ntwo")] == [0, 1]
    assert [number for number, _ in blocks.feed(" more")] == [1]


def test_white_space_alone_changes_no_block():
    blocks = Blocks(find)
    blocks.feed("one\n\n")
    assert blocks.feed("\n") == []
    assert blocks.current == 1


def test_after_clearing_the_first_block_is_written_again():
    blocks = Blocks(find)
    blocks.feed("one\n\ntwo")
    blocks.clear()
    assert blocks.feed("three") == [(0, "<p>three</p>")]
