"""Where a model's server is: its addresses, the headers that open them, and how it may be named."""

from __future__ import annotations

import base64
import re

import httpx
from pydantic import SecretStr

from shutong import __version__
from shutong.errors import SettingsError
from shutong.llm.failures import Origin

_VERSION = re.compile(r"/v\d+\w*(/|$)")


class Endpoint:
    """A base address, taken apart. `bases` are the addresses to try in order, until `settle` names the right one.

    An address without a version in its path may have it left out, so the same with /v1 is tried after it. User and
    password in the address become a header (a key goes before them), so that they stand in no log.
    """

    def __init__(self, base_url: str, api_key: SecretStr | None, bare_path: str = "") -> None:
        url = _parsed(base_url)
        key = api_key.get_secret_value().strip() if api_key else ""
        path = url.path.rstrip("/").removesuffix("/chat/completions").rstrip("/") or bare_path
        base = url.copy_with(userinfo=b"", fragment=None, path=path or "/")
        self.bases: tuple[httpx.URL, ...] = (base,)
        if not _VERSION.search(path):
            self.bases += (base.copy_with(path=f"{path}/v1"),)
        self.headers = {
            "Accept": "text/event-stream, application/json",
            "Accept-Encoding": "identity",  # compression holds a stream back
            "Content-Type": "application/json",
            "User-Agent": f"shutong/{__version__}",
            **_authorization(key, url),
        }
        secrets = filter(None, (key, url.password, *url.params.values()))
        self.origin = Origin(f"{url.scheme}://{url.netloc.decode('ascii')}{path}", tuple(secrets))

    def url(self, base: httpx.URL, path: str) -> httpx.URL:
        """The address of `path` under a base, its query kept."""
        return base.copy_with(path=f"{base.path.rstrip('/')}/{path}")

    def settle(self, base: httpx.URL) -> None:
        """This base has answered: no other is tried from now on."""
        self.bases = (base,)


def _parsed(base_url: str) -> httpx.URL:
    try:
        url = httpx.URL(base_url.strip())
        url.host.encode("idna")  # what the look-up of the name will do
    except (httpx.InvalidURL, UnicodeError):
        url = httpx.URL("")
    if url.scheme not in ("http", "https") or not url.host:
        raise SettingsError("LLM_BASE_URL has a wrong value: it is no address such as http://127.0.0.1:11434/v1.")
    return url


def _authorization(key: str, url: httpx.URL) -> dict[str, str]:
    if key:
        if not (key.isascii() and key.isprintable()):
            raise SettingsError("LLM_API_KEY has a wrong value: it holds characters that no key has.")
        return {"Authorization": f"Bearer {key}"}
    if url.username or url.password:
        pair = f"{url.username}:{url.password}".encode()
        return {"Authorization": f"Basic {base64.b64encode(pair).decode('ascii')}"}
    return {}
