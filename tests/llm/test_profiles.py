"""Providers' profiles, and what is learnt from a refusal."""

import pytest

from shutong.llm.messages import Message, ModelRequest, ToolCall
from shutong.llm.profiles import DEEPSEEK, GENERIC, OPENAI, mended, profile_for, refuses_tools
from shutong.llm.wire_format import request_body
from tests.llm.wire import ASK

WITH_CALLS = ModelRequest((*ASK.messages, Message("assistant", "", calls=(ToolCall("c", "t", "{}"),))))


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("https://api.openai.com/v1", "openai"),
        ("https://dashscope.aliyuncs.com/compatible-mode/v1", "dashscope"),
        ("https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "dashscope"),
        ("https://api.deepseek.com", "deepseek"),
        ("http://localhost:11434", "ollama"),
        ("http://10.0.0.7:8000/v1", "vllm"),
        ("http://127.0.0.1:8080", "llamacpp"),
        ("http://[::1]:1234/v1", "lmstudio"),
        ("https://openai.com.example.org/v1", "generic"),
        ("https://notdeepseek.com/v1", "generic"),
    ],
)
def test_a_profile_is_found_by_host_or_port(address, kind):
    assert profile_for(address).kind == kind


@pytest.mark.parametrize(
    "complaint",
    [
        "registry.ollama.ai/library/gemma:2b does not support tools",
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        "tools param requires --jinja flag",
        "No endpoints found that support tool use",
        "Invalid schema for function 'search_books'",
        "Extra inputs are not permitted (body.tools)",
    ],
)
def test_a_complaint_about_function_calling_is_recognised(complaint):
    assert refuses_tools(complaint)


@pytest.mark.parametrize(
    "complaint",
    [
        "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'",
        "An assistant message with 'tool_calls' must be followed by tool messages",
        "stream_options is not supported",
        "",
    ],
)
def test_a_complaint_about_the_order_of_messages_is_not_about_tools(complaint):
    assert not refuses_tools(complaint)


@pytest.mark.parametrize(
    ("complaint", "field", "value"),
    [
        ("Unknown parameter: stream_options", "send_stream_options", False),
        ("Unsupported value: 'temperature' does not support 0.3", "send_temperature", False),
        ("The reasoning_content in the thinking mode must be passed back", "reasoning_back", True),
        ("'content' field must be a string", "empty_content", None),
    ],
)
def test_what_a_complaint_names_is_changed(complaint, field, value):
    body = request_body("m", WITH_CALLS, GENERIC, 0.3)
    assert getattr(mended(GENERIC, GENERIC, complaint, body), field) == value


def test_the_other_way_round_is_learnt_too():
    body = request_body("m", WITH_CALLS, DEEPSEEK, 0.3)
    assert mended(DEEPSEEK, DEEPSEEK, "unexpected key reasoning_content", body).reasoning_back is False
    body = request_body("m", WITH_CALLS, OPENAI, 0.3)
    assert mended(OPENAI, OPENAI, "content must be a string", body).empty_content == ""


@pytest.mark.parametrize("complaint", ["", "model not found", "content policy", "reasoning_content"])
def test_a_complaint_about_what_was_not_sent_changes_nothing(complaint):
    assert mended(GENERIC, GENERIC, complaint, request_body("m", ASK, GENERIC, 0.3)) is None


def test_a_field_is_changed_only_once():
    once = mended(GENERIC, GENERIC, "content", request_body("m", WITH_CALLS, GENERIC, 0.3))
    assert mended(once, GENERIC, "content", request_body("m", WITH_CALLS, once, 0.3)) is None
