"""A scripted server that speaks the chat completion wire, on loopback, for everything below the client.

    async with ModelServer([text("你好"), status(500)]) as server:
        ...  # a client at server.url

Each chat request plays the next scene. Scenes are made by the functions at the end of this file.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

PATIENCE_SECONDS = 5.0
"""How long a test waits for something to be seen on the server's side before it fails."""

Ending = Literal["end", "cut", "hang"]
EVENT_STREAM = (("content-type", "text/event-stream"),)
JSON = (("content-type", "application/json"),)


@dataclass(frozen=True)
class Scene:
    """One answer. `delay` is in seconds, before each piece. `head` False: not even the status line is sent.

    `ending`: end (a clean end of the body), cut (the connection is closed inside the body), hang (nothing more comes).
    """

    pieces: tuple[bytes, ...] = ()
    status: int = 200
    headers: tuple[tuple[str, str], ...] = EVENT_STREAM
    delay: float = 0.0
    ending: Ending = "end"
    head: bool = True


@dataclass(frozen=True)
class Recorded:
    """A request as it came. Header names are lower case; `body` is the decoded JSON, or None."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class ModelServer:
    """Use it as an async context manager. `url` ends in the prefix, `root` does not.

    `strict`: a list of messages that strict providers refuse (`complaint`) is answered 400 and uses up no scene.
    `check` does the same for the whole request body: it returns the complaint, or "". `models` is what GET /models
    lists. Any other path is a 404. A request beyond the script is answered 500 and kept in `unexpected`.
    """

    scenes: Sequence[Scene] = ()
    strict: bool = False
    models: tuple[str, ...] = ("scripted",)
    prefix: str = "/v1"
    check: Callable[[dict[str, Any]], str] = lambda body: ""
    requests: list[Recorded] = field(default_factory=list)
    unexpected: list[Recorded] = field(default_factory=list)
    accepted: int = 0
    """How many connections were made so far; `connected` are those that are open now."""
    aborted: int = 0
    """How many connections the client closed before the end of an answer."""

    async def __aenter__(self) -> Self:
        self._left = list(self.scenes)
        self._changed = asyncio.Event()
        self._connections: set[_Connection] = set()
        self._server = await asyncio.get_running_loop().create_server(lambda: _Connection(self), "127.0.0.1", 0)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for connection in list(self._connections):
            connection.end()

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return self.root + self.prefix

    @property
    def chats(self) -> list[dict[str, Any]]:
        """The bodies of the chat requests so far."""
        return [request.body for request in self.requests if request.method == "POST"]

    @property
    def left(self) -> int:
        """How many scenes were not played."""
        return len(self._left)

    @property
    def connected(self) -> int:
        return len(self._connections)

    async def until(self, seen: Callable[[ModelServer], bool]) -> None:
        """Wait until this is so; `TimeoutError` when it does not become so."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not seen(self):
                self._changed.clear()
                await self._changed.wait()

    def joined(self, connection: _Connection) -> None:
        self.accepted += 1
        self._connections.add(connection)
        self._changed.set()

    def parted(self, connection: _Connection, *, early: bool) -> None:
        self.aborted += early
        self._connections.discard(connection)
        self._changed.set()

    def asked(self, request: Recorded) -> Scene:
        """Record a request and choose what to answer."""
        self.requests.append(request)
        self._changed.set()
        path = request.path.partition("?")[0]
        if path == f"{self.prefix}/models":
            return json_body({"object": "list", "data": [{"id": name, "object": "model"} for name in self.models]})
        if path != f"{self.prefix}/chat/completions" or request.method != "POST":
            return status(404, "no such path")
        problem = (self.strict and complaint(request.body["messages"])) or self.check(request.body)
        if problem:
            return status(400, problem)
        if not self._left:
            self.unexpected.append(request)
            return status(500, "the script is at its end")
        return self._left.pop(0)


class _Connection(asyncio.Protocol):
    """One connection: requests one after the other, each answered by a scene."""

    def __init__(self, server: ModelServer) -> None:
        self._server = server
        self._received = bytearray()
        self._playing: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._server.joined(self)

    def connection_lost(self, error: Exception | None) -> None:
        early = self._playing is not None and not self._playing.done()
        if self._playing:
            self._playing.cancel()
        self._server.parted(self, early=early)

    def data_received(self, data: bytes) -> None:
        self._received += data
        request = _taken(self._received)
        if request is not None:
            self._playing = asyncio.ensure_future(self._play(self._server.asked(request)))

    def end(self) -> None:
        if self._playing:
            self._playing.cancel()
        self._transport.abort()

    async def _play(self, scene: Scene) -> None:
        if scene.head:
            self._transport.write(_head(scene))
        for piece in scene.pieces:
            await asyncio.sleep(scene.delay)
            self._transport.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        if scene.ending == "hang":
            await asyncio.Event().wait()
        if scene.ending == "cut":
            self._transport.close()
        else:
            self._transport.write(b"0\r\n\r\n")


def _taken(received: bytearray) -> Recorded | None:
    """The request at the front of what was received, taken from it; None while it is not whole."""
    head, end, _ = bytes(received).partition(b"\r\n\r\n")
    if not end:
        return None
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    start = len(head) + len(end)
    stop = start + int(headers.get("content-length", 0))
    if len(received) < stop:
        return None
    content = bytes(received[start:stop])
    del received[:stop]
    method, path, _ = first.split(" ", 2)
    return Recorded(method, path, headers, json.loads(content) if content else None)


def _head(scene: Scene) -> bytes:
    lines = [f"HTTP/1.1 {scene.status} Scripted", "transfer-encoding: chunked"]
    lines += [f"{name}: {value}" for name, value in scene.headers]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def complaint(messages: list[dict[str, Any]]) -> str:
    """What a strict provider says against a list of messages; "" when there is nothing."""
    waiting: set[str] = set()
    for place, message in enumerate(messages):
        role = message["role"]
        if role == "tool" and message.get("tool_call_id") not in waiting:
            return f"messages[{place}]: a tool result without its call"
        if role != "tool" and waiting:
            return f"messages[{place}]: {len(waiting)} call(s) before it have no result"
        if role == "system" and place:
            return f"messages[{place}]: the system message must be the first"
        if role == "user" and place and messages[place - 1]["role"] == "user":
            return f"messages[{place}]: roles must alternate"
        if role == "assistant" and not message.get("content") and not message.get("tool_calls"):
            return f"messages[{place}]: an assistant message needs content or calls"
        waiting.discard(message.get("tool_call_id", ""))
        ids = [call["id"] for call in message.get("tool_calls") or ()]
        if len(set(ids)) < len(ids):
            return f"messages[{place}]: two calls with one id"
        waiting.update(ids)
    return f"{len(waiting)} call(s) have no result at the end" if waiting else ""


# ---- chunks, as the dicts that a provider sends


def chunk(delta: dict[str, Any] | None = None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    """A chunk with one choice."""
    choice = {"index": 0, "delta": delta if delta is not None else {}, "finish_reason": finish}
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [choice], **more}


def call_delta(
    arguments: Any, *, index: int | None = 0, id: str | None = "call_1", name: str | None = "search_books"
) -> dict[str, Any]:
    """A delta with one fragment of a call; None leaves a key out."""
    function = {"arguments": arguments} if name is None else {"name": name, "arguments": arguments}
    fragment: dict[str, Any] = {"function": function}
    if index is not None:
        fragment["index"] = index
    if id is not None:
        fragment["id"] = id
    return {"tool_calls": [fragment]}


def usage_chunk(prompt: int = 10, completion: int = 20) -> dict[str, Any]:
    return {"choices": [], "usage": {"prompt_tokens": prompt, "completion_tokens": completion}}


def event(data: dict[str, Any] | str) -> bytes:
    """An event of a stream."""
    return b"data: %s\n\n" % (data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)).encode()


# ---- scenes


def raw(*pieces: bytes, delay: float = 0.0, ending: Ending = "end", head: bool = True) -> Scene:
    """A stream of exactly these bytes, each piece a network chunk of its own."""
    return Scene(pieces, delay=delay, ending=ending, head=head)


def chunks(*deltas: dict[str, Any], finish: str | None = "stop", delay: float = 0.0, ending: Ending = "end") -> Scene:
    """A well-formed stream of these deltas; one that does not `end` has no finish either."""
    tail: list[dict[str, Any] | str] = [chunk({}, finish), usage_chunk(), "[DONE]"] if ending == "end" else []
    pieces = [*(event(chunk(delta)) for delta in deltas), *(event(data) for data in tail)]
    return raw(*pieces, delay=delay, ending=ending)


def text(*pieces: str, delay: float = 0.0, ending: Ending = "end") -> Scene:
    """An answer in words, in these pieces."""
    return chunks(*({"content": piece} for piece in pieces), delay=delay, ending=ending)


def calls(*named: tuple[str, dict[str, Any]], first: int = 1) -> Scene:
    """Calls of these tools with these arguments, ids counting from `first`, their arguments cut in half."""
    deltas: list[dict[str, Any]] = []
    for index, (name, arguments) in enumerate(named):
        whole = json.dumps(arguments, ensure_ascii=False)
        half = len(whole) // 2
        deltas.append(call_delta(whole[:half], index=index, id=f"call_{first + index}", name=name))
        deltas.append(call_delta(whole[half:], index=index, id=None, name=None))
    return chunks(*deltas, finish="tool_calls")


def status(code: int, message: str = "no", headers: Iterable[tuple[str, str]] = ()) -> Scene:
    """An HTTP error in the usual shape."""
    return Scene((json.dumps({"error": {"message": message}}).encode(),), code, (*JSON, *headers))


def json_body(payload: Any, code: int = 200) -> Scene:
    """A whole JSON body: an answer that is not streamed, or anything else."""
    return Scene((json.dumps(payload, ensure_ascii=False).encode(),), code, JSON)


def page(code: int = 200) -> Scene:
    """A web page, where an answer should be."""
    return Scene((b"<!doctype html><title>Welcome</title>",), code, (("content-type", "text/html"),))


def hang() -> Scene:
    """No answer, not even a status line."""
    return Scene(ending="hang", head=False)


def closed() -> Scene:
    """The connection is closed in place of an answer."""
    return Scene(ending="cut", head=False)
