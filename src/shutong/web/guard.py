"""Who may speak to the server: checks on every request before any route sees it, and headers on every answer.

Loopback is not trusted blindly: any page in the reader's browser can send requests there. So the Host must be one of ours
(against DNS rebinding), requests that run or change something must come from our own page or from no page at all,
and, without accounts, requests that came through a proxy are refused, because behind a proxy everybody looks local.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shutong.settings import Settings
from shutong.web.problems import problem

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
RUNNING_PATHS = frozenset({"/api/chat/stream"})
"""Paths that run something although they are read by GET."""

FORWARDING = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via", "cf-connecting-ip")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; base-uri 'none'; manifest-src 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Guard:
    """ASGI middleware around the whole app."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._hosts = {host.lower() for host in (*settings.allowed_hosts, settings.host)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope, Headers(scope=scope))
        if refusal is not None:
            status, code, sentence = refusal
            await problem(status, code, sentence)(scope, receive, _with_headers(send))
            return
        exchange = _Exchange(receive, _with_headers(send), self._settings.body_bytes)
        try:
            await self._app(scope, exchange.receive, exchange.send)
        except Exception:
            if exchange.too_large:
                await self._refuse_body(scope, receive, send)
                return
            if not exchange.answered:
                sentence = "Something went wrong inside. It was logged; try again."
                await problem(500, "internal", sentence)(scope, receive, exchange.send)
            raise
        if exchange.too_large:
            await self._refuse_body(scope, receive, send)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str, str] | None:
        """Status, code and sentence when the request is refused."""
        if _hostname(headers.get("host", "")) not in self._hosts:
            return 421, "unknown_host", "This server does not answer to that host name. See SHUTONG_ALLOWED_HOSTS."
        if any(name in headers for name in FORWARDING):
            return 403, "forwarded", "Requests through a proxy are refused while there are no accounts."
        if not self._from_our_page(scope, headers):
            return 403, "forbidden", "This request comes from another site."
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdecimal()):
            return 400, "invalid_request", "The content-length is no number."
        if int(length[-20:]) > self._settings.body_bytes:
            return self._too_large()
        return None

    def _too_large(self) -> tuple[int, str, str]:
        return 413, "too_large", f"The body is larger than {self._settings.body_bytes} bytes."

    async def _refuse_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        await problem(*self._too_large())(scope, receive, _with_headers(send))

    def _from_our_page(self, scope: Scope, headers: Headers) -> bool:
        """True for our own page and for clients that are no browsers; they send neither header."""
        if scope["method"] in SAFE_METHODS and scope["path"] not in RUNNING_PATHS:
            return True
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return False
        origin = headers.get("origin")
        return origin is None or urlsplit(origin).netloc.lower() == headers.get("host", "").lower()


class _Exchange:
    """One request and its answer: the body is cut off where it grows over `room` bytes although no length was announced.

    Nothing that the app answers to such a body is sent; `too_large` tells that a refusal is due.
    """

    def __init__(self, receive: Receive, send: Send, room: int) -> None:
        self._receive = receive
        self._send = send
        self._room = room
        self.answered = False
        self.too_large = False

    async def receive(self) -> Message:
        message = await self._receive()
        self._room -= len(message.get("body", b""))
        if self._room >= 0:
            return message
        self.too_large = not self.answered
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        if self.too_large:
            return
        self.answered = True
        await self._send(message)


def _hostname(host: str) -> str:
    """The name of a Host header, without its port; an IPv6 address keeps its brackets."""
    if host.startswith("["):
        return host.partition("]")[0].lower() + "]"
    return host.partition(":")[0].lower()


def _with_headers(send: Send) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return wrapped
