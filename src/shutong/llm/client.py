"""The model wire: one chat completion over HTTP, streamed, from our request to our parts."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

import httpx
from pydantic import SecretStr

from shutong.errors import ModelError
from shutong.llm.assembler import Assembler
from shutong.llm.body import BodyReader
from shutong.llm.endpoint import Endpoint
from shutong.llm.failures import ToolsRefusedError, complaint_in, http_failed
from shutong.llm.http_client import failure_of, proxy_of
from shutong.llm.limits import CallLimits
from shutong.llm.messages import ModelRequest, Part
from shutong.llm.profiles import Profile, mended, profile_for, refuses_tools
from shutong.llm.wire_format import encode, request_body
from shutong.settings import Settings

MAX_ERROR_BYTES = 64_000
"""How much of an error's body is read."""

DRAIN_SECONDS = 0.1
"""How long the clean end of a stream is waited for after its last event, so that the connection can be used again."""

_NO_SUCH_PATH = (404, 405)
_GONE = (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError)
_MENDABLE = (400, 422)
_TOOLS_REFUSED = (400, 404, 422, 500, 501)


class WireModel:
    """A model behind an OpenAI-compatible address. Implements `Model`.

    `base_url` may end in a slash, in /v1 or in neither. With `model` None the first model that the server lists is
    used, asked for at the first call. At most `llm_concurrency` calls run at a time; others wait. Closing the
    iterator of `stream`, or cancelling the task that waits for it, closes the connection at once.

    What a server refuses (`stream_options`, `temperature`…) is left out from then on: `profile` is replaced. Raises
    `SettingsError` when the address or the key cannot be used at all. The client belongs to the caller.
    """

    def __init__(
        self,
        base_url: str,
        api_key: SecretStr | None,
        model: str | None,
        settings: Settings,
        profile: Profile | None = None,
        *,
        client: httpx.AsyncClient,
    ) -> None:
        self.profile = profile or profile_for(base_url)
        self._endpoint = Endpoint(base_url, api_key, self.profile.bare_path)
        self._origin = self._endpoint.origin
        self._model = model
        self._settings = settings
        self._client = client
        self._slots = asyncio.Semaphore(settings.llm_concurrency)

    @property
    def name(self) -> str:
        """The model's name at its provider; the address while it is not known.

        Some servers call a model by the path of its file, whose folders are nobody's business.
        """
        name = self._model or self._origin.address
        return re.split(r"[/\\]", name)[-1] if name.startswith("/") or "\\" in name else name

    @property
    def native_tools(self) -> bool | None:
        """Whether calls can be asked for as function calls (None: not known yet). While False, no tools are sent."""
        return self.profile.native_tools

    @native_tools.setter
    def native_tools(self, works: bool | None) -> None:
        self.profile = replace(self.profile, native_tools=works)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Part, None]:
        """One call. Raises `ModelError`; of it `ToolsRefusedError`, once, when the server knows no function calling."""
        limits = CallLimits(self._settings, self._origin)
        reader, assembler = BodyReader(self._origin), Assembler(self._origin, _ids(request))
        async with self._answer(request, limits) as answer:
            async with aclosing(self._chunks(answer, reader, assembler, limits)) as chunks:
                async for chunk in chunks:
                    for part in assembler.feed(chunk):
                        yield part
            yield assembler.reply(self.name, marked=reader.done)

    @asynccontextmanager
    async def _answer(self, request: ModelRequest, limits: CallLimits) -> AsyncIterator[httpx.Response]:
        """The answer, its body unread, as soon as there is a place for the call. Closed at the end, whatever happens."""
        await limits.wait(self._slots.acquire(), "turn")
        try:
            async with aclosing(await self._open(request, limits)) as response:
                yield response
        finally:
            self._slots.release()

    async def _chunks(
        self, response: httpx.Response, reader: BodyReader, assembler: Assembler, limits: CallLimits
    ) -> AsyncGenerator[dict[str, Any], None]:
        """The chunks of the answer as they come, until its end is marked or there is nothing more."""
        source = response.aiter_bytes()
        while not reader.done and (data := await self._read(source, limits, reader, assembler)):
            for chunk in reader.feed(data):
                yield chunk
        for chunk in reader.close():
            yield chunk
        await _drain(source)

    async def _open(self, request: ModelRequest, limits: CallLimits) -> httpx.Response:
        """The answer with status 200, its body unread; after leaving out, one after the other, what was refused."""
        if self._model is None:
            self._model = await self._first_listed(limits)
        profile = self.profile
        while True:
            body = request_body(self._model, request, profile, self._settings.llm_temperature)
            try:
                response = await self._ask("POST", "chat/completions", limits, encode(body))
            except _RefusedError as refused:
                profile = self._learnt(profile, refused, body)
            else:
                self.profile = profile
                return response

    def _learnt(self, profile: Profile, refused: _RefusedError, body: dict[str, Any]) -> Profile:
        """The profile to try next; raises what the refusal means when there is none."""
        failure, complaint = refused.failure, refused.complaint
        if "tools" in body and failure.http_status in _TOOLS_REFUSED and refuses_tools(complaint):
            self.native_tools = False
            raise ToolsRefusedError(failure.sentence, kind="http", http_status=failure.http_status) from None
        better = mended(profile, self.profile, complaint, body) if failure.http_status in _MENDABLE else None
        if better is None:
            raise failure from None
        return better

    async def _first_listed(self, limits: CallLimits) -> str:
        """The first model that the server lists."""
        sentence = f"LLM_MODEL is not set, and {self._origin.address} lists no model. Set LLM_MODEL."
        try:
            response = await self._ask("GET", "models", limits)
        except _RefusedError as refused:
            if refused.failure.http_status in _NO_SUCH_PATH:
                raise ModelError(sentence, kind="http", http_status=refused.failure.http_status) from None
            raise refused.failure from None
        name = _first_name(await self._whole(response, limits))
        if not name:
            raise ModelError(sentence, kind="http", http_status=200)
        return name

    async def _ask(self, method: str, path: str, limits: CallLimits, content: bytes | None = None) -> httpx.Response:
        """The answer with status 200, from the first base address that has this path. Raises `_RefusedError`."""
        refusals: list[_RefusedError] = []
        for base in self._endpoint.bases:
            response = await self._send(method, self._endpoint.url(base, path), limits, content)
            if response.status_code == 200:
                self._endpoint.settle(base)
                return response
            complaint = complaint_in(await self._whole(response, limits, MAX_ERROR_BYTES))
            failure = http_failed(self._origin, response.status_code, response.headers, complaint)
            refusals.append(_RefusedError(failure, complaint))
            if response.status_code not in _NO_SUCH_PATH:
                raise refusals[-1]
        raise next((refusal for refusal in reversed(refusals) if refusal.complaint), refusals[0])

    async def _send(self, method: str, url: httpx.URL, limits: CallLimits, content: bytes | None) -> httpx.Response:
        """The head of the answer. A kept connection that the server has closed meanwhile is made anew, once.

        Some servers close after each answer without saying so (llama.cpp), and the next call comes before it is seen.
        """
        limits.attempt()
        again = False
        while True:
            fresh = _Fresh()
            request = self._request(method, url, content, fresh)
            try:
                return await limits.wait(self._client.send(request, stream=True, follow_redirects=False), "first")
            except httpx.HTTPError as error:
                if again or fresh.made or not isinstance(error, _GONE):
                    raise self._failure(error, began=False) from None
                again = True

    def _request(self, method: str, url: httpx.URL, content: bytes | None, fresh: _Fresh) -> httpx.Request:
        timeout = httpx.Timeout(None, connect=self._settings.llm_connect_seconds)  # the others are `CallLimits`
        extensions = {"trace": fresh.see, "timeout": timeout.as_dict()}
        return self._client.build_request(
            method, url, content=content, headers=self._endpoint.headers, extensions=extensions
        )

    async def _read(
        self, source: AsyncIterator[bytes], limits: CallLimits, reader: BodyReader, assembler: Assembler
    ) -> bytes:
        """The next bytes; b"" at the end. What goes wrong after the reply is over is an end too."""
        try:
            if not assembler.ended:
                return await limits.wait(anext(source, b""), "next" if reader.begun else "first")
            with suppress(httpx.HTTPError, ModelError):
                return await limits.wait(anext(source, b""), "rest")
            return b""
        except httpx.HTTPError as error:
            raise self._failure(error, began=reader.begun) from None

    async def _whole(self, response: httpx.Response, limits: CallLimits, most: int = 1_000_000) -> bytes:
        """A short body, up to `most` bytes; what was read of it when it breaks off. Closes the response."""
        body = b""
        source = response.aiter_bytes()
        try:
            with suppress(httpx.HTTPError, ModelError):
                while len(body) < most and (data := await limits.wait(anext(source, b""), "next")):
                    body += data
        finally:
            await response.aclose()
        return body[:most]

    def _failure(self, error: httpx.HTTPError, *, began: bool) -> ModelError:
        proxy = proxy_of(self._endpoint.bases[0]) if self._client.trust_env else None
        seconds = self._settings.llm_connect_seconds
        return failure_of(error, self._origin, proxy=proxy, began=began, connect_seconds=seconds)


class _Fresh:
    """Whether a connection was made for a request, or an idle one taken. `see` is the HTTP library's trace hook."""

    made = False

    async def see(self, event: str, info: dict[str, Any]) -> None:
        self.made = self.made or event.startswith("connection.connect")


@dataclass(eq=False)
class _RefusedError(Exception):
    """An answer with another status than 200: what it means, and the server's own words."""

    failure: ModelError
    complaint: str


async def _drain(source: AsyncIterator[bytes]) -> None:
    """Read on to the end of a stream whose last event has come."""
    with suppress(TimeoutError, httpx.HTTPError):
        async with asyncio.timeout(DRAIN_SECONDS):
            async for _ in source:
                pass


def _ids(request: ModelRequest) -> set[str]:
    """The call ids that the talk has used already."""
    return {call.id for message in request.messages for call in message.calls}


def _first_name(body: bytes) -> str:
    """The first model in the answer to GET /models; "" when there is none."""
    with suppress(ValueError, RecursionError, LookupError, TypeError, AttributeError):
        payload = json.loads(body)
        first = (payload.get("data") or payload.get("models"))[0]
        return str(first.get("id") or first.get("name") or "")
    return ""
