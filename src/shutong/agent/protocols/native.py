"""Function calling: the model asks in `tool_calls`, results go back as one tool message each."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace

from shutong.agent.protocols.content import ContentFilter
from shutong.llm.messages import Message, Reply, ToolCall

_BAD_IN_NAME = re.compile(r"[^A-Za-z0-9_-]+")


def read(reply: Reply, content: ContentFilter) -> list[ToolCall]:
    """The calls of a reply, with ids that are not empty and not repeated; those found in its content only if there are no others.

    `content` must have been fed the whole of the reply's content and ended.
    """
    return _distinct(reply.calls or content.actions)


def write(reply: Reply, calls: Sequence[ToolCall], results: Sequence[tuple[ToolCall, str]]) -> list[Message]:
    """The messages that tell the model what its calls came to: its own message, then the results in the order of the calls.

    Servers read the arguments of earlier calls again and fail on what is not a JSON object, so such arguments go back as {};
    the observation is the place to say what was wrong with them.
    """
    observed = {call.id: text for call, text in results}
    content = "" if any(call.id.startswith("content-") for call in calls) else reply.content
    said = Message("assistant", content, calls=tuple(_sendable(call) for call in calls), reasoning=reply.reasoning)
    answers = [
        Message("tool", observed[call.id], call_id=call.id, name=_name(call)) for call in calls if call.id in observed
    ]
    return [said, *answers]


def _distinct(calls: Sequence[ToolCall]) -> list[ToolCall]:
    distinct: list[ToolCall] = []
    for number, call in enumerate(calls, 1):
        if not call.id or any(call.id == other.id for other in distinct):
            call = replace(call, id=f"{call.id or 'call'}-{number}")
        distinct.append(call)
    return distinct


def _sendable(call: ToolCall) -> ToolCall:
    try:
        value = json.loads(call.arguments)
    except (ValueError, RecursionError):
        value = None
    return replace(call, name=_name(call), arguments=call.arguments if isinstance(value, dict) else "{}")


def _name(call: ToolCall) -> str:
    return _BAD_IN_NAME.sub("", call.name) or "unknown"
