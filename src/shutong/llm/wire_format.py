"""Our messages and tools as the JSON of a chat completion request. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from shutong.llm.messages import Message, ModelRequest, ToolCall, ToolSpec
from shutong.llm.profiles import Profile

MAX_NAME = 64
"""The longest name of a function that providers accept."""

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")


def request_body(model: str, request: ModelRequest, profile: Profile, temperature: float) -> dict[str, Any]:
    """The body of a streamed request. `temperature` counts when the request names none."""
    body: dict[str, Any] = {"model": model, "messages": to_wire(request.messages, profile), "stream": True}
    if profile.send_stream_options:
        body["stream_options"] = {"include_usage": True}
    if profile.send_temperature:
        body["temperature"] = temperature if request.temperature is None else request.temperature
    if request.tools and profile.native_tools is not False:
        body["tools"] = [_tool(spec) for spec in request.tools]
    if request.stop:
        body["stop"] = list(request.stop)
    return body


def encode(body: dict[str, Any]) -> bytes:
    """The body as bytes. A lone surrogate, which no server can read, becomes a question mark."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def to_wire(messages: Iterable[Message], profile: Profile) -> list[dict[str, Any]]:
    """The messages in order. An assistant message with neither content nor calls is left out: no server takes it."""
    return [_message(message, profile) for message in messages if not _is_hollow(message)]


def canonical_arguments(text: str) -> str:
    """A call's arguments as the JSON object that strict servers want back, whatever the model wrote.

    Nothing is `{}`; an object encoded twice is unwrapped; what is no object is kept for the model to see, inside one.
    """
    if not text.strip():
        return "{}"
    value = _parsed(text)
    if isinstance(value, str):
        value = _parsed(value)
    if value is None and text.strip() == "null":
        return "{}"
    if not isinstance(value, dict):
        value = {"invalid_arguments": text}
    return json.dumps(value, ensure_ascii=False)


def _is_hollow(message: Message) -> bool:
    return message.role == "assistant" and not message.content.strip() and not message.calls


def _message(message: Message, profile: Profile) -> dict[str, Any]:
    wire: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.calls:
        wire["content"] = message.content or profile.empty_content
        wire["tool_calls"] = [_call(call) for call in message.calls]
        if profile.reasoning_back:
            wire["reasoning_content"] = message.reasoning or ""
    if message.role == "tool":
        wire["tool_call_id"] = message.call_id
    return wire


def _call(call: ToolCall) -> dict[str, Any]:
    function = {"name": _name(call.name), "arguments": canonical_arguments(call.arguments)}
    return {"id": call.id, "type": "function", "function": function}


def _name(name: str) -> str:
    """A name as providers accept it. A model may have written any nonsense, and that must not spoil the next call."""
    return _NOT_IN_NAMES.sub("_", name)[:MAX_NAME] or "unnamed"


def _tool(spec: ToolSpec) -> dict[str, Any]:
    function = {"name": spec.name, "description": spec.description, "parameters": spec.parameters}
    return {"type": "function", "function": function}


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=str)  # NaN is no JSON on the way back
    except (ValueError, RecursionError):
        return None
