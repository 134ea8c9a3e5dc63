"""The one HTTP client of the process, and what is known of the proxies that it goes through."""

from __future__ import annotations

import ipaddress
import logging
from contextlib import suppress
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from shutong.errors import ModelError
from shutong.llm.failures import Origin, broke_off, connect_timed_out, not_connected, proxy_failed, unreadable
from shutong.settings import Settings

MAX_KEPT_CONNECTIONS = 20
"""Idle connections kept for the next call. The pool looks at each of them on every request, so more cost time."""

KEPT_SECONDS = 30


def make_client(settings: Settings) -> httpx.AsyncClient:
    """A client for all model servers. The caller closes it (`aclose`).

    Certificates are always checked. Proxies come from the environment, but never for loopback. A proxy or certificate
    setting that cannot be used does not stop the start: loopback works, and any other address raises `ModelError`.
    """
    logging.getLogger("httpx").setLevel(logging.WARNING)  # its lines hold whole addresses, query strings included
    limits = httpx.Limits(
        max_connections=None, max_keepalive_connections=MAX_KEPT_CONNECTIONS, keepalive_expiry=KEPT_SECONDS
    )
    direct: dict[str, httpx.AsyncBaseTransport | None] = {f"all://{host}": None for host in _loopbacks(settings)}
    try:
        return httpx.AsyncClient(limits=limits, mounts=direct)
    except (ImportError, ValueError, OSError, httpx.InvalidURL) as error:
        refuse = _Unusable(error)
        local = {
            f"all://{host}": httpx.AsyncHTTPTransport(limits=limits, trust_env=False) for host in _loopbacks(settings)
        }
        return httpx.AsyncClient(trust_env=False, transport=refuse, mounts=local)


def is_loopback(host: str) -> bool:
    """True for an address or a name that never leaves this machine."""
    host = host.strip("[]").lower()
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def proxy_of(url: httpx.URL) -> str | None:
    """The proxy that a request to this address goes through, without user and password. None: it goes straight."""
    if is_loopback(url.host) or proxy_bypass(url.netloc.decode("ascii")):
        return None
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    if not proxy:
        return None
    parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    return parts.netloc.rpartition("@")[2] or "in the environment"


def failure_of(
    error: httpx.HTTPError, origin: Origin, *, proxy: str | None, began: bool, connect_seconds: float
) -> ModelError:
    """The one record for whatever went wrong below HTTP. `began`: a part of the answer had come already."""
    if isinstance(error, httpx.ProxyError):
        return proxy_failed(origin, proxy or "in the environment", str(error))
    if isinstance(error, httpx.ConnectTimeout):
        return connect_timed_out(origin, connect_seconds)
    if isinstance(error, httpx.ConnectError):
        return not_connected(error, origin, proxy)
    if isinstance(error, httpx.TransportError):
        return broke_off(origin, began=began)
    return unreadable(origin, "bytes that cannot be decoded")


def _loopbacks(settings: Settings) -> set[str]:
    """The hosts that are asked straight: the usual names of loopback, and the model's own if it is another one."""
    hosts = {"localhost", "127.0.0.1", "[::1]"}
    with suppress(httpx.InvalidURL):
        own = httpx.URL(settings.llm_base_url or "").host
        if is_loopback(own):
            hosts.add(f"[{own}]" if ":" in own else own)
    return hosts


class _Unusable(httpx.AsyncBaseTransport):
    """In place of a transport that could not be made, because of how the environment sets proxies or certificates."""

    def __init__(self, error: Exception) -> None:
        self._kind = "tls" if isinstance(error, OSError) else "proxy"

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        names = (
            "SSL_CERT_FILE and SSL_CERT_DIR"
            if self._kind == "tls"
            else "HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY"
        )
        sentence = f"The environment's {names} cannot be used, so {request.url.host} was not asked. Mend or unset them."
        raise ModelError(sentence, kind=self._kind)
