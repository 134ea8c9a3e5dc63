"""Short ways to ask a model in a test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from pydantic import SecretStr

from shutong.llm.client import WireModel
from shutong.llm.failures import Origin
from shutong.llm.http_client import make_client
from shutong.llm.messages import Message, Model, ModelRequest, Part, Reply, TextPart, ToolSpec
from shutong.llm.profiles import Profile
from shutong.settings import Settings

ORIGIN = Origin("http://model.test/v1")
ASK = ModelRequest((Message("user", "三体"),))
TOOL = ToolSpec("search_books", "Find books.", {"type": "object", "properties": {"keyword": {"type": "string"}}})
ASK_WITH_TOOLS = ModelRequest((Message("user", "三体"),), tools=(TOOL,))
KEY = "sk-test-0123456789abcdef"


@asynccontextmanager
async def wire(
    base_url: str, *, key: str | None = None, model: str | None = "m", profile: Profile | None = None, **limits: Any
) -> AsyncIterator[WireModel]:
    """A wire model with a client of its own, closed at the end."""
    settings = Settings(**limits)
    async with make_client(settings) as client:
        secret = SecretStr(key) if key else None
        yield WireModel(base_url, secret, model, settings, profile, client=client)


async def parts_of(model: Model, request: ModelRequest = ASK) -> list[Part]:
    return [part async for part in model.stream(request)]


async def reply_of(model: Model, request: ModelRequest = ASK) -> Reply:
    last = (await parts_of(model, request))[-1]
    assert isinstance(last, Reply)
    return last


def text_in(parts: list[Part]) -> str:
    return "".join(part.text for part in parts if isinstance(part, TextPart))
