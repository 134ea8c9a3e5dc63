"""What can go wrong between us and a model's server, as `ModelError`s whose sentence a person can act on.

Pure: nothing here speaks HTTP. `Origin` sees to it that no sentence holds a key, a password or a query string.
"""

from __future__ import annotations

import json
import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from shutong.errors import ModelError
from shutong.text import clean

QUOTE_CHARACTERS = 300
"""How much of a provider's own words is shown."""

MASK = "***"
_SHORTEST_SECRET = 4  # shorter ones are words such as "no"
_PREFIX = 12  # a key that is echoed in part is known by so many of its first characters
_DEEPEST = 8  # levels of an error body that are looked into

_ADVICE = {
    400: "The request was not understood; another model or LLM_PROTOCOL=text may help.",
    401: "Check LLM_API_KEY.",
    402: "The account has no credit left.",
    403: "Check LLM_API_KEY and what it is allowed to do.",
    404: "Check LLM_BASE_URL and LLM_MODEL.",
    405: "Check LLM_BASE_URL; it usually ends in /v1.",
    413: "The request is too long for this server.",
    429: "Too many requests, or the quota is used up.",
}


class NotConnectedError(ModelError):
    """No connection came about, so the server never saw the request."""


class ToolsRefusedError(ModelError):
    """The server refuses function calling for this model: ask again with the tools written into the text.

    Its kind is http. The model that raised it says `native_tools` False from then on.
    """


@dataclass(frozen=True, slots=True)
class Origin:
    """Who failed, as it may be named: an address without user, password and query; and what must never be shown."""

    address: str
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def quote(self, text: str) -> str:
        """A provider's words made fit to show: cleaned, secrets masked, then shortened."""
        text = " ".join(clean(text).split())
        for secret in sorted(self.secrets, key=len, reverse=True):
            if len(secret) >= _SHORTEST_SECRET:
                text = text.replace(secret, MASK)
            if len(secret) >= _PREFIX:
                text = re.sub(re.escape(secret[:_PREFIX]) + r"\S*", MASK, text)
        text = text.rstrip(". ")
        return text if len(text) <= QUOTE_CHARACTERS else text[:QUOTE_CHARACTERS] + "…"


def not_connected(error: BaseException, origin: Origin, proxy: str | None) -> ModelError:
    """A connection that failed, told by what lies beneath: TLS, the proxy, the name, or nobody listening."""
    causes = list(_causes(error))
    for cause in causes:
        if isinstance(cause, ssl.SSLError):
            return NotConnectedError(_tls_sentence(cause, origin), kind="tls")
    if proxy:
        return proxy_failed(origin, proxy, "it cannot be reached")
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        sentence = f"The name in {origin.address} cannot be found. Check LLM_BASE_URL and the network."
        return NotConnectedError(sentence, kind="dns")
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        sentence = f"Nobody listens at {origin.address}. Is the model's server running?"
        return NotConnectedError(sentence, kind="refused")
    return NotConnectedError(f"{origin.address} cannot be reached. Check LLM_BASE_URL and the network.", kind="refused")


def proxy_failed(origin: Origin, proxy: str, why: str) -> ModelError:
    """The proxy between us and the server failed. `proxy` is its address, or how it is configured."""
    sentence = (
        f"The proxy {proxy} did not lead to {origin.address}: {origin.quote(why)}. Check HTTPS_PROXY and NO_PROXY."
    )
    return NotConnectedError(sentence, kind="proxy")


def connect_timed_out(origin: Origin, seconds: float) -> ModelError:
    sentence = f"{origin.address} accepted no connection within {seconds:g} s (SHUTONG_LLM_CONNECT_SECONDS)."
    return NotConnectedError(sentence, kind="timeout")


def timed_out(origin: Origin, waited_for: str, setting: str, seconds: float) -> ModelError:
    """A limit of the call was reached. `setting` is the field in `Settings` that holds the limit."""
    sentence = f"The model at {origin.address} gave no {waited_for} within {seconds:g} s (SHUTONG_{setting.upper()})."
    return ModelError(sentence, kind="timeout")


def broke_off(origin: Origin, *, began: bool) -> ModelError:
    """The connection ended too early: before the first byte of the answer (closed) or after it (incomplete)."""
    if began:
        return ModelError(f"The answer of the model at {origin.address} broke off.", kind="incomplete")
    return ModelError(f"{origin.address} closed the connection without an answer.", kind="closed")


def reported(origin: Origin, payload: Any) -> ModelError:
    """The server reported an error inside its answer. A code that is an HTTP status is kept as `http_status`."""
    said = origin.quote(message_of(payload)) or "no reason given"
    return ModelError(
        f"The model at {origin.address} reported an error: {said}.", kind="stream", http_status=_status_in(payload)
    )


def unreadable(origin: Origin, what: str) -> ModelError:
    """The answer is not what a chat server sends."""
    return ModelError(f"The model at {origin.address} sent {what}. Check LLM_BASE_URL.", kind="stream")


def web_page(origin: Origin) -> ModelError:
    """The address leads to a site for people, not to a model."""
    sentence = f"{origin.address} answered with a web page. Check LLM_BASE_URL; it usually ends in /v1."
    return ModelError(sentence, kind="http", http_status=200)


def http_failed(origin: Origin, status: int, headers: Mapping[str, str], complaint: str) -> ModelError:
    """An answer with another status than 200. `complaint` is the server's own message (`complaint_in`)."""
    said = origin.quote(complaint)
    if 300 <= status < 400:
        said, advice = "it redirects", "Set LLM_BASE_URL to the address it leads to."
    else:
        advice = _ADVICE.get(status, "")
    sentence = f"The model at {origin.address} answered {status}{': ' if said else ''}{said}. {advice}".rstrip()
    return ModelError(sentence, kind="http", http_status=status, retry_after=retry_after_seconds(headers))


def complaint_in(body: bytes) -> str:
    """What an error body says: its message and the parameter it names, or its text. "" for a web page."""
    text = body.decode("utf-8", "replace").strip()
    try:
        return message_of(json.loads(text))
    except (ValueError, RecursionError):
        return "" if text.startswith("<") else text


def message_of(payload: Any, depth: int = 0) -> str:
    """The message somewhere in an error object, in any of the shapes that servers use."""
    if isinstance(payload, str):
        return payload
    if depth > _DEEPEST:
        return ""
    if isinstance(payload, list):
        return "; ".join(filter(None, (message_of(item, depth + 1) for item in payload[:3])))
    if not isinstance(payload, dict):
        return ""
    for name in ("error", "message", "msg", "detail", "errors", "error_msg"):
        if said := message_of(payload.get(name), depth + 1):
            return said + _parameter(payload, said)
    return ""


def retry_after_seconds(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """How long the server asks to wait: `Retry-After` as seconds or as a date, or `retry-after-ms`. None: it does not say."""
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        value = headers.get("retry-after", "").strip()
        if re.fullmatch(r"\d+(\.\d+)?", value):
            return float(value)
        when = parsedate_to_datetime(value)
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return max(0.0, (when - (now or datetime.now(UTC))).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


def _parameter(payload: dict[str, Any], said: str) -> str:
    """The parameter that an error object names beside its message, in brackets."""
    named = payload.get("param") or payload.get("loc")
    if isinstance(named, list):
        named = ".".join(map(str, named))
    return f" ({named})" if isinstance(named, str) and named not in said else ""


def _status_in(payload: Any) -> int | None:
    error = payload.get("error", payload) if isinstance(payload, dict) else None
    for name in ("code", "status", "status_code"):
        code = error.get(name) if isinstance(error, dict) else None
        if isinstance(code, str) and code.isdecimal():
            code = int(code[:4])
        if isinstance(code, int) and 400 <= code < 600:
            return code
    return None


def _tls_sentence(error: ssl.SSLError, origin: Origin) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        why = str(getattr(error, "verify_message", "") or "it cannot be verified").rstrip(".")
        return f"The certificate of {origin.address} is not trusted: {why}. Name its authority with SSL_CERT_FILE."
    return f"{origin.address} does not speak TLS as expected. Should LLM_BASE_URL start with http://?"


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and all that led to it, groups included."""
    waiting, seen = [error], set[int]()
    while waiting:
        cause = waiting.pop(0)
        if id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        waiting += filter(None, (cause.__cause__, cause.__context__))
        waiting += cause.exceptions if isinstance(cause, BaseExceptionGroup) else ()
