"""A reader's browser, as far as time goes: asks over HTTP and notes when each server-sent event has come."""

from __future__ import annotations

import http.client
import json
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

CARD, SENTENCE, LAST = "books", "content", ("done", "error")


@dataclass(slots=True)
class Heard:
    """One turn as its reader saw it, in seconds of the machine's clock. `came`: event id → when it had come."""

    asked: float
    first: float = 0.0
    card: float | None = None
    sentence: float | None = None
    done: float = 0.0
    came: dict[str, float] = field(default_factory=dict)


def talk(address: str, messages: Sequence[str], conversation: str | None = None) -> Iterator[Heard]:
    """Each message of a talk when the one before has its answer. Raises `RuntimeError` when a run fails."""
    conversation = conversation or uuid.uuid4().hex
    for message in messages:
        yield _ask(address, message, conversation)


def _ask(address: str, message: str, conversation: str) -> Heard:
    heard = Heard(time.perf_counter())
    connection = http.client.HTTPConnection(urlsplit(address).netloc)
    connection.request("GET", "/api/chat/stream?" + urlencode({"message": message, "conversation_id": conversation}))
    for name, data, place in _events(connection.getresponse()):
        now = time.perf_counter()
        heard.first = heard.first or now
        heard.came[place] = now
        if name == CARD:
            heard.card = heard.card or now
        if name == SENTENCE:
            heard.sentence = heard.sentence or now
        if name == "error":
            raise RuntimeError(f"{message!r} failed: {json.loads(data)}")
        if name in LAST:
            heard.done = now
    connection.close()
    return heard


def _events(answer: http.client.HTTPResponse) -> Iterator[tuple[str, str, str]]:
    """Name, data and id of each event, as soon as it is whole."""
    fields: dict[str, str] = {}
    for raw in iter(answer.readline, b""):
        line = raw.decode().rstrip("\r\n")
        name, _, value = line.partition(": ")
        if line:
            fields[name] = value
        elif fields:
            yield fields.get("event", ""), fields.get("data", ""), fields.get("id", "")
            fields = {}
