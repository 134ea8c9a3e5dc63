"""What differs between providers, as data: one small frozen record for each kind of server."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Profile:
    """How a kind of server wants to be asked. Every field is read when a request is built.

    `empty_content` is the content of an assistant message that holds nothing but calls. `reasoning_back`: the server
    wants the reasoning of such a message back, "" included. `native_tools`: function calling works (None: not known;
    False: never sent). `bare_path` is added to a base address that has no path.
    """

    kind: str
    send_stream_options: bool = True
    send_temperature: bool = True
    empty_content: str | None = ""
    reasoning_back: bool = False
    native_tools: bool | None = None
    bare_path: str = ""


GENERIC = Profile("generic")
OPENAI = Profile("openai", empty_content=None, native_tools=True)
DASHSCOPE = Profile("dashscope", native_tools=True)
DEEPSEEK = Profile("deepseek", native_tools=True, reasoning_back=True)
OLLAMA = Profile("ollama", bare_path="/v1")
VLLM = Profile("vllm", bare_path="/v1")
LLAMACPP = Profile("llamacpp", bare_path="/v1")
LMSTUDIO = Profile("lmstudio", bare_path="/v1")  # answers 200 at every other path

_HOSTS = (
    (re.compile(r"(^|\.)openai\.com$"), OPENAI),
    (re.compile(r"(^|\.)dashscope[\w-]*\.aliyuncs\.com$"), DASHSCOPE),
    (re.compile(r"(^|\.)deepseek\.com$"), DEEPSEEK),
)
_PORTS = {11434: OLLAMA, 8000: VLLM, 8080: LLAMACPP, 1234: LMSTUDIO}

_NAMES_TOOLS = re.compile(r"\btools\b|\btool[ _-]?(choice|use|calling|call[ _-]parser)\b|\bfunctions?\b", re.I)
_ABOUT_MESSAGES = re.compile(r"tool_calls|tool_call_id|\brole\b|\bmessages\b", re.I)


def profile_for(base_url: str) -> Profile:
    """The profile of the server at this address, by its host, then by its usual port; `GENERIC` when neither is known."""
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname or "", parts.port or 0
    except ValueError:  # no address at all: `Endpoint` says so
        return GENERIC
    for pattern, profile in _HOSTS:
        if pattern.search(host):
            return profile
    return _PORTS.get(port, GENERIC)


def refuses_tools(complaint: str) -> bool:
    """True when an error message is about function calling itself, not about the order of the messages."""
    return bool(_NAMES_TOOLS.search(complaint)) and not _ABOUT_MESSAGES.search(complaint)


def mended(profile: Profile, before: Profile, complaint: str, body: dict[str, Any]) -> Profile | None:
    """The profile for another try after a request was refused, or None when the complaint names nothing to change.

    `before` is the profile as it was before the first try: a field is changed only once, so trying ends.
    """
    said = complaint.lower()
    calls = [message for message in body["messages"] if message.get("tool_calls")]
    changes: list[tuple[str, bool, Any]] = [
        ("send_stream_options", "stream_options" in body and bool(re.search("stream_options|include_usage", said)), False),
        ("send_temperature", "temperature" in body and "temperature" in said, False),
        ("reasoning_back", bool(calls) and "reasoning_content" in said, not before.reasoning_back),
        ("empty_content", any(not message["content"] for message in calls) and bool(re.search(r"\bcontent\b", said)),
         None if before.empty_content == "" else ""),
    ]  # fmt: skip
    for name, named, value in changes:
        if named and getattr(profile, name) == getattr(before, name):
            return replace(profile, **{name: value})
    return None
