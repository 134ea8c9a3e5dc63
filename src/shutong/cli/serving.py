"""`shutong serve`: the web server on this machine."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import ipaddress
import socket
import sys

import uvicorn

from shutong.errors import SettingsError
from shutong.settings import Settings, load_settings
from shutong.storage import migrate
from shutong.storage.database import Database

GRACE_SECONDS = 5


async def serve(host: str | None, port: int | None) -> bool:
    """Serve until stopped.

    Raises `SettingsError` when the address may not or cannot be listened on, `StorageError` when the database cannot be used.
    """
    from shutong.web.app import create_app

    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    settings = load_settings(**given)
    _check(settings)
    await _check_database(settings)
    listener = _listen(settings)
    config = uvicorn.Config(
        create_app(settings),
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    server = uvicorn.Server(config)
    telling = asyncio.create_task(_tell(server, settings.host, listener.getsockname()[1]))
    try:
        await server.serve(sockets=[listener])
    finally:
        telling.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await telling
    return server.started


def _check(settings: Settings) -> None:
    """Beyond loopback only when told so: without accounts, whoever reaches the port reads everything."""
    if settings.allow_beyond_loopback or _is_loopback(settings.host):
        return
    raise SettingsError(
        f"Listening on {settings.host} would let other machines read every conversation, because there are no "
        "accounts. Keep 127.0.0.1, or set SHUTONG_ALLOW_BEYOND_LOOPBACK=1 if a firewall guards the port."
    )


async def _check_database(settings: Settings) -> None:
    """Before anything is said or listened on; an error inside the server's start would leave as a traceback."""
    database = Database(settings)
    try:
        await migrate.prepare(settings, database)
    finally:
        await database.close()


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _listen(settings: Settings) -> socket.socket:
    host = settings.host.strip("[]")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, settings.port))
    except OSError as error:
        listener.close()
        raise SettingsError(
            f"Port {settings.port} on {settings.host} cannot be used: {error.strerror}. Choose another with --port."
        ) from None
    return listener


async def _tell(server: uvicorn.Server, host: str, port: int) -> None:
    """Print the address once it answers."""
    while not server.started:  # noqa: ASYNC110 (uvicorn has no event for it)
        await asyncio.sleep(0.02)
    gc.freeze()
    gc.enable()
    shown = f"[{host.strip('[]')}]" if ":" in host else host
    sys.stdout.write(f"Shutong is ready: http://{shown}:{port}  (Ctrl+C stops it)\n")
    sys.stdout.flush()
