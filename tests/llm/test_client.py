"""The wire model against a server that behaves, more or less."""

import asyncio
import json

import pytest

from shutong.errors import ModelError
from shutong.llm.failures import ToolsRefusedError
from shutong.llm.messages import Message, ModelRequest, ReasoningPart, TextPart, ToolCall, Usage
from shutong.llm.profiles import GENERIC
from tests.doubles.model_server import (
    ModelServer,
    Scene,
    call_delta,
    calls,
    chunk,
    chunks,
    closed,
    event,
    json_body,
    page,
    raw,
    status,
    text,
)
from tests.llm.wire import ASK, ASK_WITH_TOOLS, KEY, parts_of, reply_of, text_in, wire


async def test_an_answer_comes_in_pieces_and_then_whole():
    async with ModelServer([text("三体", "是科幻。")]) as server, wire(server.url) as model:
        *pieces, reply = await parts_of(model)
    assert pieces == [TextPart("三体"), TextPart("是科幻。")]
    assert (reply.content, reply.finish, reply.usage, reply.model) == ("三体是科幻。", "stop", Usage(10, 20), "m")


async def test_calls_come_with_the_reply():
    scene = calls(("search_books", {"keyword": "三体"}), ("get_book", {"number": 1}))
    async with ModelServer([scene]) as server, wire(server.url) as model:
        reply = await reply_of(model, ASK_WITH_TOOLS)
    assert [(call.name, json.loads(call.arguments)) for call in reply.calls] == [
        ("search_books", {"keyword": "三体"}),
        ("get_book", {"number": 1}),
    ]
    assert reply.finish == "tool_calls"


async def test_the_request_carries_model_messages_tools_and_key():
    async with ModelServer([text("a")]) as server, wire(server.url, key=KEY) as model:
        await reply_of(model, ASK_WITH_TOOLS)
    (request,) = server.requests
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert (request.body["model"], request.body["stream"]) == ("m", True)
    assert request.body["messages"] == [{"role": "user", "content": "三体"}]
    assert request.body["tools"][0]["function"]["name"] == "search_books"


async def test_reasoning_comes_apart_from_text():
    scene = chunks({"reasoning_content": "hm"}, {"content": "fine"})
    async with ModelServer([scene]) as server, wire(server.url) as model:
        parts = await parts_of(model)
    assert parts[0] == ReasoningPart("hm")
    assert text_in(parts) == "fine"


async def test_characters_cut_in_two_by_the_network_arrive_whole():
    wire_bytes = b"".join(text("三体 📚").pieces)
    pieces = (wire_bytes[i : i + 7] for i in range(0, len(wire_bytes), 7))
    async with ModelServer([raw(*pieces)]) as server, wire(server.url) as model:
        assert (await reply_of(model)).content == "三体 📚"


async def test_an_answer_that_is_not_streamed_is_read():
    body = {"choices": [{"message": {"role": "assistant", "content": "三体"}}], "usage": {"prompt_tokens": 1}}
    async with ModelServer([json_body(body)]) as server, wire(server.url) as model:
        parts = await parts_of(model)
    assert text_in(parts) == "三体"
    assert parts[-1].usage == Usage(1, 0)


async def test_pings_and_comments_between_events_do_no_harm():
    pieces = (b": ping\n\n", event(chunk({"content": "a"})), b"id: 1\n: ping\n\n", event(chunk({}, "stop")))
    async with ModelServer([raw(*pieces)]) as server, wire(server.url) as model:
        assert (await reply_of(model)).content == "a"


async def test_a_mark_without_a_reason_is_an_end():
    scene = raw(event(chunk({"content": "a"})), event("[DONE]"))
    async with ModelServer([scene]) as server, wire(server.url) as model:
        assert (await reply_of(model)).finish == "stop"


@pytest.mark.parametrize("ending", ["hang", "cut", "end"])
async def test_a_reply_that_is_over_does_not_wait_for_its_mark(ending, monkeypatch):
    monkeypatch.setattr("shutong.llm.limits.REST_SECONDS", 0.05)
    scene = raw(event(chunk({"content": "a"}, "stop")), ending=ending)
    async with ModelServer([scene]) as server, wire(server.url) as model:
        assert (await reply_of(model)).content == "a"


async def test_a_server_that_keeps_the_connection_after_its_mark_does_not_hold_up_the_reply():
    scene = raw(event(chunk({"content": "a"})), event("[DONE]"), ending="hang")
    async with ModelServer([scene]) as server, wire(server.url) as model:
        assert (await reply_of(model)).content == "a"


async def test_ids_that_the_talk_has_used_do_not_come_again():
    talk = (
        *ASK.messages,
        Message("assistant", "", calls=(ToolCall("call_1", "search_books", "{}"),)),
        Message("tool", "nothing", call_id="call_1"),
    )
    scene = chunks(call_delta("{}"), finish="tool_calls")
    async with ModelServer([scene], strict=True) as server, wire(server.url) as model:
        (call,) = (await reply_of(model, ModelRequest(talk))).calls
    assert call.id != "call_1"


async def test_calls_one_after_the_other_share_a_connection(monkeypatch):
    monkeypatch.setattr("shutong.llm.client.DRAIN_SECONDS", 5)
    scenes = [text("a"), status(429), text("b")]
    async with ModelServer(scenes) as server, wire(server.url) as model:
        await reply_of(model)
        with pytest.raises(ModelError):
            await reply_of(model)
        await reply_of(model)
        assert server.accepted == 1


async def test_a_kept_connection_that_the_server_has_closed_is_made_anew(monkeypatch):
    monkeypatch.setattr("shutong.llm.client.DRAIN_SECONDS", 5)
    async with ModelServer([text("a"), closed(), text("b")]) as server, wire(server.url) as model:
        await reply_of(model)
        assert (await reply_of(model)).content == "b"
        assert server.accepted == 2


async def test_no_more_calls_run_at_a_time_than_the_setting_allows():
    scenes = [raw(ending="hang"), raw(ending="hang"), text("c")]
    async with ModelServer(scenes) as server, wire(server.url, llm_concurrency=2) as model:
        tasks = [asyncio.create_task(reply_of(model)) for _ in range(3)]
        await server.until(lambda s: len(s.requests) == 2)
        await asyncio.sleep(0.02)
        assert len(server.requests) == 2
        tasks[0].cancel()
        assert (await tasks[2]).content == "c"
        tasks[1].cancel()


# ---- addresses


async def test_a_base_address_without_v1_is_found_once_and_remembered():
    async with ModelServer([text("a"), text("b")]) as server, wire(server.root) as model:
        assert (await reply_of(model)).content == "a"
        assert (await reply_of(model)).content == "b"
    assert [request.path for request in server.requests] == [
        "/chat/completions",
        "/v1/chat/completions",
        "/v1/chat/completions",
    ]


async def test_a_base_address_without_v1_is_used_as_given_where_it_works():
    async with ModelServer([text("a")], prefix="") as server, wire(server.root + "/") as model:
        await reply_of(model)
    assert [request.path for request in server.requests] == ["/chat/completions"]


async def test_a_wrong_path_names_both_settings_that_may_be_wrong():
    async with ModelServer(prefix="/other") as server, wire(server.root) as model:
        with pytest.raises(ModelError, match=r"404.*LLM_BASE_URL and LLM_MODEL") as caught:
            await reply_of(model)
    assert (caught.value.kind, caught.value.http_status) == ("http", 404)


async def test_a_web_page_in_place_of_an_answer_is_named():
    async with ModelServer([page()]) as server, wire(server.url) as model:
        with pytest.raises(ModelError, match=r"web page.*LLM_BASE_URL"):
            await reply_of(model)


async def test_a_redirect_is_not_followed():
    away = Scene(status=307, headers=(("location", "http://127.0.0.1:1/v1"),))
    async with ModelServer([away]) as server, wire(server.url, key=KEY) as model:
        with pytest.raises(ModelError, match=r"307: it redirects. Set LLM_BASE_URL"):
            await reply_of(model)


# ---- the model's name


async def test_without_a_name_the_first_listed_model_is_used_and_asked_for_once():
    server = ModelServer([text("a"), text("b")], models=("qwen", "other"))
    async with server, wire(server.root, model=None) as model:
        assert model.name == server.root
        await reply_of(model)
        await reply_of(model)
        assert model.name == "qwen"
    assert [body["model"] for body in server.chats] == ["qwen", "qwen"]
    assert [request.path for request in server.requests].count("/v1/models") == 1


@pytest.mark.parametrize(
    ("asked_for", "shown"),
    [("/models/qwen.gguf", "qwen.gguf"), (r"C:\models\qwen.gguf", "qwen.gguf"), ("Qwen/Qwen3-8B", "Qwen/Qwen3-8B")],
)
async def test_a_model_named_by_its_file_is_shown_without_the_folders(asked_for, shown):
    async with ModelServer([text("a")]) as server, wire(server.url, model=asked_for) as model:
        assert (await reply_of(model)).model == model.name == shown
    assert server.chats[0]["model"] == asked_for


@pytest.mark.parametrize(("models", "prefix"), [((), "/v1"), (("x",), "/elsewhere")])
async def test_a_server_that_lists_no_model_leads_to_the_setting(models, prefix):
    async with ModelServer(models=models, prefix=prefix) as server, wire(server.root + "/v1", model=None) as model:
        with pytest.raises(ModelError, match="LLM_MODEL is not set") as caught:
            await reply_of(model)
    assert caught.value.kind == "http"


# ---- what is learnt from a refusal


def refusing(*names: str):
    """A check that refuses requests with these fields, the first one that is there named."""
    return lambda body: next((f"Unsupported parameter: {name}" for name in names if name in body), "")


async def test_what_is_refused_is_left_out_and_never_sent_again():
    server = ModelServer([text("a"), text("b")], check=refusing("stream_options", "temperature"))
    async with server, wire(server.url) as model:
        await reply_of(model)
        await reply_of(model)
    assert ["stream_options" in body for body in server.chats] == [True, False, False, False]
    assert ["temperature" in body for body in server.chats] == [True, True, False, False]
    assert not model.profile.send_stream_options


async def test_a_refusal_that_leaving_out_does_not_mend_is_raised_and_nothing_is_learnt():
    server = ModelServer(check=lambda body: "temperature or not, no")
    async with server, wire(server.url) as model:
        with pytest.raises(ModelError, match="temperature or not, no"):
            await reply_of(model)
    assert len(server.chats) == 2
    assert model.profile == GENERIC


async def test_refused_tools_ask_the_caller_for_text_and_are_not_sent_again():
    async with ModelServer([text("a")], check=refusing("tools")) as server, wire(server.url) as model:
        assert model.native_tools is None
        with pytest.raises(ToolsRefusedError, match="tools") as caught:
            await reply_of(model, ASK_WITH_TOOLS)
        assert (caught.value.kind, caught.value.http_status) == ("http", 400)
        assert model.native_tools is False
        assert (await reply_of(model, ASK_WITH_TOOLS)).content == "a"


async def test_a_complaint_about_tools_without_tools_in_the_request_is_a_plain_refusal():
    async with ModelServer([status(400, "tools are odd")]) as server, wire(server.url) as model:
        with pytest.raises(ModelError) as caught:
            await reply_of(model)
    assert not isinstance(caught.value, ToolsRefusedError)
    assert model.native_tools is None


async def test_reasoning_that_a_server_wants_back_is_sent_from_then_on():
    def check(body):
        sent = [message for message in body["messages"] if message.get("tool_calls")]
        lacking = any("reasoning_content" not in message for message in sent)
        return "The reasoning_content in the thinking mode must be passed back" if lacking else ""

    asked = Message("assistant", "", calls=(ToolCall("c", "search_books", "{}"),), reasoning="hm")
    request = ModelRequest((*ASK.messages, asked, Message("tool", "r", call_id="c")))
    async with ModelServer([text("a")], check=check) as server, wire(server.url) as model:
        assert (await reply_of(model, request)).content == "a"
    assert server.chats[-1]["messages"][1]["reasoning_content"] == "hm"


async def test_nothing_secret_is_in_any_sentence():
    scene = status(401, f"Incorrect API key provided: {KEY}, see https://h/?token=other-secret")
    base = "http://user:other-secret@127.0.0.1:{}/v1?k=query-secret"
    async with ModelServer([scene]) as server, wire(base.format(server.port), key=KEY) as model:
        with pytest.raises(ModelError, match="LLM_API_KEY") as caught:
            await reply_of(model)
    sentence = caught.value.sentence
    assert not any(secret in sentence for secret in (KEY, "other-secret", "query-secret", "user"))
    assert server.requests[0].path == "/v1/chat/completions?k=query-secret"
