"""The two protocols: reading calls out of a reply, and writing their results back."""

from __future__ import annotations

import json

from shutong.agent.protocols import native, text
from shutong.agent.protocols.content import ContentFilter
from shutong.llm.messages import Message, Reply, ToolCall, ToolSpec

CALL = ToolCall("c1", "search_books", '{"keyword": "三体"}')


def filtered(content: str, step: int = 1) -> ContentFilter:
    made = ContentFilter(["search_books"], step)
    made.feed(content)
    made.end()
    return made


def test_native_calls_come_before_those_in_the_content() -> None:
    content = 'ACTION: {"tool": "search_books", "params": {}}'
    assert native.read(Reply(content, calls=(CALL,)), filtered(content)) == [CALL]


def test_native_understands_an_action_in_the_content_and_marks_it() -> None:
    content = 'ACTION: {"tool": "search_books", "params": {}}'
    (call,) = native.read(Reply(content), filtered(content))
    assert call.id.startswith("content-")


def test_ids_are_made_distinct() -> None:
    same = tuple(ToolCall(i, "search_books", "{}") for i in ("x", "x", "", ""))
    ids = [call.id for call in native.read(Reply(calls=same), filtered(""))]
    assert ids[0] == "x"
    assert len(set(ids)) == 4
    assert all(ids)


def test_native_results_follow_the_order_of_the_calls() -> None:
    other = ToolCall("c2", "get_book", "{}")
    reply = Reply("Let me look.", reasoning="", calls=(CALL, other))
    said, *results = native.write(reply, [CALL, other], [(other, "two"), (CALL, "one")])
    assert said == Message("assistant", "Let me look.", calls=(CALL, other), reasoning="")
    assert [(m.role, m.call_id, m.name, m.content) for m in results] == [
        ("tool", "c1", "search_books", "one"),
        ("tool", "c2", "get_book", "two"),
    ]


def test_what_a_server_would_choke_on_is_not_sent_back() -> None:
    bad = [ToolCall("a", 'search_books" />', ""), ToolCall("b", "", "{'x': 1,}"), ToolCall("c", "f", '"text"')]
    said, *_ = native.write(Reply(calls=tuple(bad)), bad, [(call, "error") for call in bad])
    assert [(call.name, call.arguments) for call in said.calls] == [
        ("search_books", "{}"),
        ("unknown", "{}"),
        ("f", "{}"),
    ]


def test_an_action_in_the_content_is_not_repeated_as_text() -> None:
    content = 'Sure.\nACTION: {"tool": "search_books", "params": {}}'
    calls = native.read(Reply(content), filtered(content))
    said, _ = native.write(Reply(content), calls, [(calls[0], "one")])
    assert (said.content, said.calls) == ("", tuple(calls))


def test_text_writes_the_action_and_numbered_observations() -> None:
    other = ToolCall("content-1-2", "get_book", "{}")
    said, observed = text.write(Reply("Sure. ACTION: …"), [CALL, other], [(CALL, "total 1"), (other, "none")])
    assert json.loads(said.content.splitlines()[0].removeprefix("ACTION: ")) == {
        "tool": "search_books",
        "params": {"keyword": "三体"},
    }
    assert observed.content == "OBSERVATION 1 (search_books): total 1\n\nOBSERVATION 2 (get_book): none"
    assert (said.role, observed.role) == ("assistant", "user")
    assert text.is_observation(observed)


def test_text_shows_arguments_that_are_not_json_as_they_were() -> None:
    bad = ToolCall("x", "search_books", "{'a'")
    said, _ = text.write(Reply(), [bad], [(bad, "error")])
    assert json.loads(said.content.removeprefix("ACTION: "))["params"] == "{'a'"


def test_what_text_writes_is_read_again_as_the_same_call() -> None:
    said, _ = text.write(Reply(), [CALL], [(CALL, "x")])
    (call,) = text.read(Reply(said.content), filtered(said.content))
    assert (call.name, call.arguments) == (CALL.name, CALL.arguments)


def test_the_instructions_name_tools_purposes_and_arguments() -> None:
    schema = {"properties": {"keyword": {}, "limit": {}}, "required": ["keyword"]}
    prompt = text.instructions([ToolSpec("search_books", "Find books.\nMore words.", schema)])
    assert "- search_books(keyword, limit?): Find books.\n" in prompt
    assert 'ACTION: {"tool"' in prompt
    assert text.instructions([]) == ""
