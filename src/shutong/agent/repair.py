"""Making a list of messages one that every provider takes, and one that fits.

Providers refuse a tool result without its call, a call without its result, two system messages, two neighbours of one role, an
empty assistant message. Each pass below mends one of these. All passes are pure, and running them again changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from shutong.agent.protocols.text import is_observation
from shutong.llm.messages import Message, ToolCall

INTERRUPTED = "(interrupted: this call has no result)"
_MESSAGE_OVERHEAD = 4
"""Tokens that a message costs beyond its text, in the common chat templates."""
_LATIN_PER_TOKEN = 4

Messages = tuple[Message, ...]


def repair(messages: Sequence[Message]) -> Messages:
    """The same talk as a list that strict providers take. What had to be put in is marked `synthetic`."""
    system, talk = _one_system(messages)
    talk = [message for message in talk if message.content.strip() or message.calls or message.role != "assistant"]
    return (*system, *_merged(_from_first_user(_paired(talk))))


def estimate_tokens(text: str) -> int:
    """About how many tokens a text is: one for a character beyond Latin, one for four others. 0 only for an empty text."""
    wide = sum(char > "\u02ff" for char in text) if not text.isascii() else 0
    return wide + -(-(len(text) - wide) // _LATIN_PER_TOKEN)


def message_tokens(messages: Iterable[Message]) -> int:
    """About how many tokens the messages are together, their calls and reasoning included."""
    return sum(_tokens(message) for message in messages)


def fit(messages: Sequence[Message], budget_tokens: int) -> Messages:
    """A repaired list of at most `budget_tokens`, if the system message and the reader's last message leave room.

    A reader's message is a user message that is neither an observation nor synthetic. The two named above always stay. The oldest whole rounds go first (a round begins with a reader's message), then, in the last round,
    the oldest calls together with their results. The list is valid for every budget.
    """
    whole = repair(messages)
    head, talk = (whole[:1], whole[1:]) if whole and whole[0].role == "system" else ((), whole)
    earlier, asked, later = _parts(talk)
    room = budget_tokens - message_tokens((*head, *asked))
    exchanges = _newest(later, room)
    # A round is only worth keeping while everything after it is there.
    rounds = _newest(earlier, room - message_tokens(exchanges)) if len(exchanges) == sum(map(len, later)) else []
    return repair((*head, *rounds, *asked, *exchanges))


def _parts(talk: Messages) -> tuple[list[Messages], Messages, list[Messages]]:
    """The earlier rounds, the reader's last message, and what the model did since, each call with its results."""
    rounds: list[Messages] = []
    for message in talk:
        if message.role == "user" and not message.synthetic and not is_observation(message):
            rounds.append((message,))
        elif rounds:
            rounds[-1] += (message,)
    if not rounds:
        return [], talk, []
    later: list[Messages] = []
    for message in rounds[-1][1:]:
        if message.role == "assistant" or not later:
            later.append((message,))
        else:
            later[-1] += (message,)
    return rounds[:-1], rounds[-1][:1], later


def _newest(groups: Sequence[Messages], room: int) -> list[Message]:
    """The newest groups that fit, without a gap between them."""
    kept: list[Message] = []
    for group in reversed(groups):
        room -= message_tokens(group)
        if room < 0:
            break
        kept = [*group, *kept]
    return kept


def _tokens(message: Message) -> int:
    called = sum(estimate_tokens(call.name) + estimate_tokens(call.arguments) for call in message.calls)
    return estimate_tokens(message.content) + estimate_tokens(message.reasoning or "") + called + _MESSAGE_OVERHEAD


def _one_system(messages: Sequence[Message]) -> tuple[list[Message], list[Message]]:
    system = [message for message in messages if message.role == "system" and message.content.strip()]
    talk = [message for message in messages if message.role != "system"]
    return ([_joined(system)] if system else []), talk


def _paired(messages: Sequence[Message]) -> list[Message]:
    """Each call followed by exactly one result, in the order of the calls; results without a call are dropped."""
    paired: list[Message] = []
    at = 0
    while at < len(messages):
        message = messages[at]
        at += 1
        if message.role == "tool":
            continue
        if not message.calls:
            paired.append(message)
            continue
        results: dict[str | None, Message] = {}
        while at < len(messages) and messages[at].role == "tool":
            results.setdefault(messages[at].call_id, messages[at])
            at += 1
        calls = tuple({call.id: call for call in reversed(message.calls)}.values())[::-1]
        paired.append(replace(message, calls=calls))
        paired += [results.get(call.id) or _interrupted(call) for call in calls]
    return paired


def _interrupted(call: ToolCall) -> Message:
    return Message("tool", INTERRUPTED, call_id=call.id, name=call.name, synthetic=True)


def _from_first_user(messages: list[Message]) -> list[Message]:
    """Some chat templates demand that a reader speaks first. A list without a reader is left as it is."""
    first = next((at for at, message in enumerate(messages) if message.role == "user"), 0)
    return messages[first:]


def _merged(messages: Iterable[Message]) -> list[Message]:
    """Neighbours of one role as one message. An assistant's text before its calls becomes the text of those calls."""
    merged: list[Message] = []
    for message in messages:
        if merged and message.role != "tool" and merged[-1].role == message.role:
            merged[-1] = _joined([merged[-1], message])
        else:
            merged.append(message)
    return merged


def _joined(messages: Sequence[Message]) -> Message:
    if len(messages) == 1:
        return messages[0]
    content = "\n\n".join(message.content for message in messages if message.content.strip())
    reasoning = "\n\n".join(message.reasoning for message in messages if message.reasoning)
    kept = next((message.reasoning for message in messages if message.reasoning is not None), None)
    synthetic = all(message.synthetic for message in messages)
    return replace(messages[-1], content=content, reasoning=reasoning or kept, synthetic=synthetic)
