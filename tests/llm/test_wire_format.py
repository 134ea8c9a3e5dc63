"""Messages and requests as JSON."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shutong.llm.messages import Message, ModelRequest, ToolCall
from shutong.llm.profiles import DEEPSEEK, GENERIC, OPENAI, Profile
from shutong.llm.wire_format import canonical_arguments, encode, request_body, to_wire
from tests.llm.wire import ASK, ASK_WITH_TOOLS


def assistant(arguments="{}", name="search_books", content="", reasoning=None) -> Message:
    return Message("assistant", content, calls=(ToolCall("c1", name, arguments),), reasoning=reasoning)


def test_every_role_has_its_keys():
    talk = [Message("system", "s"), Message("user", "u"), assistant('{"a":1}'), Message("tool", "r", call_id="c1")]
    function = {"name": "search_books", "arguments": '{"a": 1}'}
    assert to_wire(talk, GENERIC) == [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "u"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "type": "function", "function": function}]},
        {"role": "tool", "content": "r", "tool_call_id": "c1"},
    ]


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_assistant_message_without_anything_is_left_out(text):
    assert to_wire([Message("user", "u"), Message("assistant", text)], GENERIC) == [{"role": "user", "content": "u"}]


@pytest.mark.parametrize(("profile", "content"), [(GENERIC, ""), (OPENAI, None)])
def test_the_content_beside_calls_is_empty_in_the_providers_way(profile, content):
    assert to_wire([assistant()], profile)[0]["content"] == content


@pytest.mark.parametrize(("kept", "sent"), [("hm", "hm"), ("", ""), (None, "")])
def test_reasoning_goes_back_with_calls_where_it_is_wanted(kept, sent):
    assert to_wire([assistant(reasoning=kept)], DEEPSEEK)[0]["reasoning_content"] == sent


def test_reasoning_goes_nowhere_else():
    answer = Message("assistant", "a", reasoning="hm")
    wires = [*to_wire([assistant(reasoning="hm")], GENERIC), *to_wire([answer], DEEPSEEK)]
    assert not any("reasoning_content" in wire for wire in wires)


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("", {}),
        ("  ", {}),
        ("null", {}),
        ('{"q": "what\'s new"}', {"q": "what's new"}),
        ('"{\\"q\\": 1}"', {"q": 1}),
        ("{'q': 1}", {"invalid_arguments": "{'q': 1}"}),
        ('{"q": "du', {"invalid_arguments": '{"q": "du'}),
        ("[1]", {"invalid_arguments": "[1]"}),
        ('{"q": NaN}', {"q": "NaN"}),
    ],
)
def test_arguments_go_back_as_an_object(written, sent):
    assert json.loads(canonical_arguments(written)) == sent


@settings(deadline=None)
@given(st.text() | st.recursive(st.none() | st.floats() | st.text(), st.lists).map(json.dumps))
def test_arguments_go_back_as_an_object_whatever_was_written(written):
    assert isinstance(json.loads(canonical_arguments(written)), dict)


@pytest.mark.parametrize("name", ['search_books" />', "查书", "", "a" * 99, "functions.search"])
def test_a_name_goes_back_in_letters_that_providers_accept(name):
    sent = to_wire([assistant(name=name)], GENERIC)[0]["tool_calls"][0]["function"]["name"]
    assert 0 < len(sent) <= 64
    assert sent.isascii()
    assert not set(sent) & set('" />.')


def test_a_request_always_streams_and_asks_for_usage():
    body = request_body("m", ASK, GENERIC, 0.3)
    assert body == {
        "model": "m",
        "messages": [{"role": "user", "content": "三体"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0.3,
    }


def test_what_the_profile_forbids_is_not_sent():
    profile = Profile("x", send_stream_options=False, send_temperature=False, native_tools=False)
    assert request_body("m", ASK_WITH_TOOLS, profile, 0.3).keys() == {"model", "messages", "stream"}


def test_tools_are_sent_as_functions():
    (tool,) = request_body("m", ASK_WITH_TOOLS, GENERIC, 0.3)["tools"]
    assert (tool["type"], tool["function"]["name"], tool["function"]["parameters"]["type"]) == (
        "function",
        "search_books",
        "object",
    )


def test_the_requests_own_temperature_and_stops_are_sent():
    body = request_body("m", ModelRequest(ASK.messages, temperature=0.0, stop=("\n\n",)), GENERIC, 0.3)
    assert (body["temperature"], body["stop"]) == (0.0, ["\n\n"])


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=[])))
def test_any_text_can_be_encoded(text):
    assert json.loads(encode({"content": text}))
