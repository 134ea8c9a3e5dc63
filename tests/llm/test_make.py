"""The model that the settings name."""

from contextlib import asynccontextmanager

import pytest

from shutong.errors import SettingsError
from shutong.llm.http_client import make_client
from shutong.llm.make import make_model
from shutong.llm.messages import FellBack, Reply
from shutong.settings import Settings
from tests.doubles.model_server import ModelServer, status, text
from tests.doubles.scripted_model import ScriptedModel
from tests.llm.wire import ASK_WITH_TOOLS, KEY, parts_of, reply_of

BUILTIN = "builtin"


@asynccontextmanager
async def made(**settings):
    """The model of these settings; the built-in one behind it answers `built in`."""
    options = Settings(**settings)
    async with make_client(options) as client:
        yield make_model(options, client, ScriptedModel([Reply("built in")], name=BUILTIN))


async def test_without_an_address_the_built_in_model_answers():
    async with made(llm_base_url=None) as model:
        assert model.name == BUILTIN


async def test_with_an_address_the_model_there_answers():
    server = ModelServer([text("wire")])
    async with server, made(llm_base_url=server.url, llm_model="m", llm_api_key=KEY) as model:
        assert model.name == "m"
        assert (await reply_of(model)).content == "wire"
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


async def test_a_fallback_of_the_same_server_answers_before_the_built_in_model():
    server = ModelServer([status(500), text("second")])
    async with server, made(llm_base_url=server.url, llm_model="a", llm_fallbacks="b, c", llm_retries=0) as model:
        parts = await parts_of(model)
    assert [part.next for part in parts if isinstance(part, FellBack)] == ["b"]
    assert [chat["model"] for chat in server.chats] == ["a", "b"]


async def test_without_a_name_the_server_is_asked_only_when_the_model_is_used():
    async with ModelServer([text("wire")], models=("qwen",)) as server, made(llm_base_url=server.url) as model:
        assert not server.requests
        assert (await reply_of(model)).model == "qwen"


async def test_when_the_server_lists_no_model_the_built_in_one_answers_and_the_reason_is_said():
    async with ModelServer(models=()) as server, made(llm_base_url=server.url) as model:
        first, *_, reply = await parts_of(model)
    assert isinstance(first, FellBack)
    assert "Set LLM_MODEL" in first.reason
    assert reply.content == "built in"


async def test_when_nobody_listens_the_built_in_model_answers_at_once():
    async with made(llm_base_url="http://127.0.0.1:1/v1", llm_model="m") as model:
        first, *_, reply = await parts_of(model)
    assert (first.failed, first.next) == ("m", BUILTIN)
    assert reply.content == "built in"


async def test_the_text_protocol_keeps_tools_off_the_wire():
    server = ModelServer([text("wire")])
    async with server, made(llm_base_url=server.url, llm_model="m", llm_protocol="text") as model:
        assert model.native_tools is False
        await reply_of(model, ASK_WITH_TOOLS)
    assert "tools" not in server.chats[0]


async def test_a_wrong_address_is_said_before_anything_starts():
    with pytest.raises(SettingsError, match="LLM_BASE_URL"):
        async with made(llm_base_url="http://h:port"):
            pass
