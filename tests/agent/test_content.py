"""The filter between a model's content and the reader."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shutong.agent.protocols.content import ContentFilter, Hidden, Piece, Visible, Withdrawn
from shutong.llm.messages import ToolCall

TOOLS = ("search_books", "get_book", "list_shelves")
ARGS = {"keyword": "Python 爬虫", "limit": 3}
BODY = json.dumps({"tool": "search_books", "params": ARGS}, ensure_ascii=False)


def run(*chunks: str) -> tuple[ContentFilter, list[Piece]]:
    content = ContentFilter(TOOLS)
    pieces: list[Piece] = []
    for chunk in chunks:
        pieces += content.feed(chunk)
    pieces += content.end()
    return content, pieces


def merged(pieces: list[Piece]) -> list[Piece]:
    out: list[Piece] = []
    for piece in pieces:
        if out and type(out[-1]) is type(piece):
            out[-1] = type(piece)(out[-1].text + piece.text)
        else:
            out.append(piece)
    return out


def only(text: str) -> ToolCall:
    content, _ = run(text)
    (call,) = content.actions
    return call


ACTIONS = {
    "action": f"ACTION: {BODY}",
    "mixed case": f"Action: {BODY}",
    "chinese": f"行动:{BODY}",
    "full-width colon": f"行动：{BODY}",
    "bold": f"**ACTION:** {BODY}",
    "bold word": f"**ACTION**: {BODY}",
    "heading": f"### Action: {BODY}",
    "next line": f"ACTION:\n{BODY}",
    "fence after": f"ACTION:\n```json\n{BODY}\n```",
    "fence around": f"```\nACTION: {BODY}\n```",
    "polite line": f"好的,我来帮您查一查。\n\nACTION: {BODY}",
    "polite, same line": f"好的,我来帮您查一查。ACTION: {BODY}",
    "fenced json": f"```json\n{BODY}\n```",
    "fence without language": f"```\n{BODY}\n```",
    "bare": BODY,
    "bare on a line": f"Let me look.\n{BODY}",
    "named before": f"Action: search_books {json.dumps(ARGS, ensure_ascii=False)}",
    "named before, input": f"Action: search_books\nAction Input: {json.dumps(ARGS, ensure_ascii=False)}",
    "called": f"Action: search_books({json.dumps(ARGS, ensure_ascii=False)})",
    "tag": f"<tool_call>\n{BODY}\n</tool_call>",
    "tag, unclosed": f"<tool_call>{BODY}",
    "tag in a fence": f"```xml\n```\n<tool_call>{BODY}</tool_call>",
    "after reasoning": f"<think>I should search.</think>\n\n{BODY}",
    "indented": json.dumps({"name": "search_books", "arguments": ARGS}, ensure_ascii=False, indent=2),
    "text arguments": json.dumps({"function": "search_books", "args": json.dumps(ARGS)}),
    "nested": json.dumps({"type": "function", "function": {"name": "search_books", "parameters": ARGS}}),
    "flat": json.dumps({"tool": "search_books", **ARGS}),
}


@pytest.mark.parametrize("text", ACTIONS.values(), ids=ACTIONS.keys())
def test_an_action_is_understood_however_it_is_written(text: str) -> None:
    call = only(text)
    assert call.name == "search_books"
    assert json.loads(call.arguments) == ARGS


@pytest.mark.parametrize("text", ACTIONS.values(), ids=ACTIONS.keys())
def test_no_character_of_an_action_is_shown(text: str) -> None:
    content, _ = run(*text)
    assert not any(mark in content.visible for mark in ("search_books", "{", "ACTION", "Action", "行动", "tool_call>"))


def test_the_function_dialect_is_understood() -> None:
    call = only(
        "<tool_call>\n<function=search_books>\n<parameter=keyword>\n1984\n</parameter>\n"
        '<parameter=tags>["a", "b"]</parameter></function>\n</tool_call>'
    )
    assert (call.name, json.loads(call.arguments)) == ("search_books", {"keyword": "1984", "tags": ["a", "b"]})


def test_the_function_dialect_without_its_outer_tag_is_understood() -> None:
    call = only("<function=list_shelves></function>")
    assert (call.name, call.arguments) == ("list_shelves", "{}")


def test_tagged_calls_in_a_row_are_all_calls() -> None:
    other = '<tool_call>{"name": "get_book", "arguments": {"id": 2}}</tool_call>'
    content, _ = run(f"<tool_call>{BODY}</tool_call>\n{other} and then {other}")
    assert [call.name for call in content.actions] == ["search_books", "get_book"]


def test_ids_of_calls_in_content_are_marked_and_distinct_over_steps() -> None:
    content = ContentFilter(TOOLS, step=3)
    content.feed(BODY)
    content.end()
    assert content.actions[0].id == "content-3-1"


def test_what_follows_the_first_action_is_hidden_and_not_run() -> None:
    content, _ = run(f"ACTION: {BODY}\nOBSERVATION: 《虚构》\nACTION: {BODY}\n推荐《虚构》。")
    assert len(content.actions) == 1
    assert content.visible == ""


def test_an_observation_of_the_models_own_is_hidden() -> None:
    content, _ = run("好的。\nOBSERVATION 2 (search_books): total 2\n《虚构》")
    assert (content.visible, content.actions) == ("好的。\n", [])


def test_an_unknown_tool_after_action_is_handed_on() -> None:
    assert only('ACTION: {"tool": "serch_book", "params": {}}').name == "serch_book"


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("ACTION: {'tool': 'search_books', 'params': {'keyword': \"what's new\"}}", "{'keyword': \"what's new\"}"),
        ('ACTION: {"tool": "search_books", "params": {"keyword": "x",},}', '{"keyword": "x",}'),
        ('ACTION: {"tool": "search_books", "params": {"keyword": "pyth', '{"keyword": "pyth'),
        ('{"name": "search_books", "arguments": {"keyword": "py', '{"keyword": "py'),
    ],
)
def test_arguments_that_are_not_json_are_handed_on_as_written(text: str, arguments: str) -> None:
    call = only(text)
    assert (call.name, call.arguments) == ("search_books", arguments)


@pytest.mark.parametrize("arguments", ["null", '""', "{}"])
def test_empty_arguments_are_an_empty_object(arguments: str) -> None:
    assert only(f'ACTION: {{"tool": "list_shelves", "params": {arguments}}}').arguments == "{}"


PLAIN = {
    "other json": '{"title": "三体", "year": 2008}',
    "fenced json": '```json\n{"title": "三体"}\n```\n之后的文字',
    "unknown tool in bare json": '{"tool": "fly", "params": {}}',
    "code fence": f"看这段:\n```python\nACTION: {BODY}\n{BODY}\n```\n完。",
    "tag in a code fence": f"```text\n<tool_call>{BODY}</tool_call>\n</think>\n```\n",
    "inline code": f"写成 `ACTION: {BODY}` 即可",
    "quoted": f"他说“ACTION: {BODY}”。",
    "block quote": f"> ACTION: {BODY}",
    "action as a word": "Action: the hero leaves. 行动:从今天开始。",
    "action at the end": "行动",
    "a tag": "a < b, <b>bold</b>, <thin>",
    "braces": "集合 {1, 2}\n{x}",
    "unfinished": '{"title": "三体',
    "in a word": "transACTION: {x}",
    "object in a sentence": f"它是 {BODY} 这样的",
    "markdown": "# 书单\n\n1. **《三体》** — *刘慈欣*\n- _a_\n* b\n---\n",
}


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN.keys())
def test_what_is_no_action_is_shown_unchanged(text: str) -> None:
    content, pieces = run(*text)
    assert (content.visible, content.actions) == (text, [])
    assert all(isinstance(piece, Visible) for piece in pieces)


@pytest.mark.parametrize(
    "text",
    [
        "<think>SECRET plan</think>fine",
        "<think>SECRET\n\n< plan </b></think>\n\n fine",
        "<thinking>SECRET</thinking>fine",
        "< think >SECRET</ think >\nfine",
        '<THINK>SECRET `<tool_call>` {"tool"</THINK>fine',
        "SECRET plan\n</think>\n\nfine",
        "<think><think>SECRET</think></think>fine",
    ],
)
def test_reasoning_is_hidden_and_kept(text: str) -> None:
    content, pieces = run(*text)
    assert content.visible == "fine"
    assert "SECRET" in content.reasoning
    assert content.actions == []
    assert "".join(piece.text for piece in pieces if not isinstance(piece, Withdrawn)) == text


def test_unclosed_reasoning_is_never_shown() -> None:
    content, _ = run("<think>SEC", "RET")
    assert (content.visible, content.reasoning) == ("", "SECRET")


def test_a_lone_closing_tag_withdraws_what_was_shown() -> None:
    _, pieces = run("SECRET", " plan</think>", "fine")
    assert merged(pieces) == [Visible("SECRET plan"), Withdrawn("SECRET plan"), Hidden("</think>"), Visible("fine")]


@pytest.mark.parametrize("text", ["Apples", "行李", "*重点", "`code", "<b>", "Oh", "- 三体", "{x", "# 书"])
def test_ordinary_text_is_released_as_soon_as_it_is_known_to_be_ordinary(text: str) -> None:
    content = ContentFilter(TOOLS)
    for char in text:
        content.feed(char)
    assert content.visible == text


def test_a_line_that_may_become_an_action_is_held() -> None:
    content = ContentFilter(TOOLS)
    content.feed("好的。\n**ACTION:** ")
    assert content.visible == "好的。\n"
    content.end()
    assert content.visible == "好的。\n**ACTION:** "


SCRAPS = st.sampled_from(
    [
        BODY,
        "ACTION: ",
        "**Action:** ",
        "行动：",
        "<think>",
        "</think>",
        "<tool_call>",
        "</tool_call>",
        "```json\n",
        "```",
        "```python\n",
        "\n",
        " ",
        "好的。",
        "{",
        "}",
        '"',
        "'",
        "“",
        "”",
        "`",
        "A",
        "<",
        "《三体》",
        "<function=search_books>",
        "</function>",
        "search_books",
        "> ",
        '{"a": 1}',
        "OBSERVATION 1 (",
        "- ",
        "\\",
        "x",
    ]
)
REPLIES = st.lists(SCRAPS, max_size=14).map("".join) | st.sampled_from([*ACTIONS.values(), *PLAIN.values()])


@settings(max_examples=400, deadline=None)
@given(REPLIES, st.data())
def test_a_reply_means_the_same_however_it_is_cut(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    chunks = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    whole, whole_pieces = run(text)
    for pieces_of in (chunks, list(text)):
        cut, cut_pieces = run(*pieces_of)
        assert merged(cut_pieces) == merged(whole_pieces)
        assert (cut.actions, cut.reasoning, cut.visible) == (whole.actions, whole.reasoning, whole.visible)


@settings(max_examples=200, deadline=None)
@given(REPLIES | st.text(max_size=60))
def test_no_character_is_lost(text: str) -> None:
    _, pieces = run(text)
    assert "".join(piece.text for piece in pieces if not isinstance(piece, Withdrawn)) == text


@pytest.mark.parametrize("scrap", ['{"a": ', "A", "<", "- ", "`", "<think>", "[{", "ACTION: {", "**", "a_"])
def test_time_grows_with_the_length_and_not_with_its_square(scrap: str) -> None:
    def seconds(count: int) -> float:
        start = time.process_time()
        run(*[scrap] * count)
        return time.process_time() - start

    assert seconds(8000) < 20 * seconds(1000) + 0.5
