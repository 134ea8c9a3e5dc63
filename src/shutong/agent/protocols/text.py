"""Tools for models that know no function calling: they stand in the prompt, and the model writes an ACTION line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from shutong.agent.protocols.content import ContentFilter
from shutong.llm.messages import Message, Reply, ToolCall, ToolSpec

OBSERVATION = "OBSERVATION"
STOP = (f"\n{OBSERVATION}",)
"""Where the model must stop writing: what follows would be a result of its own invention."""


def read(reply: Reply, content: ContentFilter) -> list[ToolCall]:
    """The first action of the content; function calls that a server made of it are understood too."""
    return list(content.actions or reply.calls)


def write(reply: Reply, calls: Sequence[ToolCall], results: Sequence[tuple[ToolCall, str]]) -> list[Message]:
    """The model's action as it should have been written, and one user message with all observations, numbered from 1."""
    actions = "\n".join(_action(call) for call in calls)
    observed = {call.id: text for call, text in results}
    answered = [(call, observed[call.id]) for call in calls if call.id in observed]
    observations = "\n\n".join(f"{OBSERVATION} {n} ({call.name}): {text}" for n, (call, text) in enumerate(answered, 1))
    return [Message("assistant", actions, reasoning=reply.reasoning), Message("user", observations)]


def is_observation(message: Message) -> bool:
    """Whether a user message is the result of an action and not a reader's."""
    return message.role == "user" and message.content.startswith(f"{OBSERVATION} 1 (")


def instructions(tools: Sequence[ToolSpec]) -> str:
    """The part of the system prompt that names the tools and the form of an action. Empty without tools."""
    if not tools:
        return ""
    lines = "\n".join(
        f"- {tool.name}({_arguments(tool.parameters)}): {_first_line(tool.description)}" for tool in tools
    )
    return (
        f"You can use these tools (? marks an argument that may be left out):\n{lines}\n\n"
        "To use one, write nothing but a line of this form, and stop:\n"
        'ACTION: {"tool": "NAME", "params": {"ARGUMENT": VALUE}}\n'
        f"One action a reply. Its result comes back as {OBSERVATION}; never write an {OBSERVATION} yourself. "
        "When you need no tool, answer the reader."
    )


def _action(call: ToolCall) -> str:
    try:
        params = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        params = call.arguments
    return "ACTION: " + json.dumps({"tool": call.name, "params": params}, ensure_ascii=False)


def _arguments(schema: dict[str, Any]) -> str:
    required = schema.get("required", ())
    return ", ".join(name if name in required else f"{name}?" for name in schema.get("properties", {}))


def _first_line(description: str) -> str:
    return description.strip().partition("\n")[0]
