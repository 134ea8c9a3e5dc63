"""What an operator does: look at the installation, load or remove the sample, upgrade, rebuild."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any
from urllib.parse import urlsplit

from rich.console import Console

from shutong import __version__
from shutong.cli.running import harmless, print_json
from shutong.errors import ModelError, ShutongError
from shutong.service import open_service
from shutong.settings import Settings, load_settings
from shutong.storage import migrate
from shutong.storage.database import Database


async def sample_load(*, json: bool) -> bool:
    async with open_service(load_settings()) as service:
        count = await service.load_sample()
    return _done(json, {"sample": count}, f"The sample is loaded: {count} books. Its ratings are demo figures.")


async def sample_remove(*, json: bool) -> bool:
    async with open_service(load_settings()) as service:
        count = await service.remove_sample()
    return _done(json, {"removed": count}, f"The sample is removed: {count} books.")


async def upgrade(*, json: bool) -> bool:
    """Works on any database, also one that this version cannot open yet."""
    database = Database(load_settings())
    try:
        before = await migrate.version(database)
        if before != migrate.HEAD:
            await migrate.upgrade(database)
    finally:
        await database.close()
    told = "is up to date" if before == migrate.HEAD else f"was upgraded from {before or 'nothing'} to {migrate.HEAD}"
    return _done(json, {"before": before, "now": migrate.HEAD}, f"The database {told}.")


async def rebuild(*, json: bool) -> bool:
    async with open_service(load_settings()) as service:
        done = await service.rebuild_index()
    if done.rebuilt is None:
        return _done(json, {"busy": True}, "Another process is writing the index. Try again in a moment.", ok=False)
    return _done(json, {"books": done.books}, f"The index was made anew: {done.books} books.")


async def doctor(*, json: bool) -> bool:
    """Check one thing after the other. True when all is well."""
    settings = load_settings()
    found: list[dict[str, Any]] = []

    async def check(name: str, look: Callable[[], Awaitable[str]]) -> None:
        try:
            found.append({"check": name, "ok": True, "detail": await look()})
        except (ShutongError, OSError) as error:
            found.append({"check": name, "ok": False, "detail": str(error)})

    await check("program", _program)
    await check("home", lambda: _home(settings))
    await check("database", lambda: _database(settings))
    if all(result["ok"] for result in found):
        await check("catalogue", lambda: _catalogue(settings))
    await check("model", lambda: _model(settings))
    ok = all(result["ok"] for result in found)
    if json:
        print_json({"ok": ok, "checks": found})
        return ok
    console = Console(highlight=False, markup=False)
    for result in found:
        mark, style = ("✓", "green") if result["ok"] else ("✗", "red")
        console.print(f"{mark} {result['check']}: {harmless(result['detail'])}", style=style, soft_wrap=True)
    return ok


def _done(json: bool, value: dict[str, Any], sentence: str, *, ok: bool = True) -> bool:
    if json:
        print_json(value if ok else value | {"error": {"code": "busy", "message": sentence}})
    else:
        (sys.stdout if ok else sys.stderr).write(f"{sentence}\n")
    return ok


async def _program() -> str:
    return f"Shutong {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"


async def _home(settings: Settings) -> str:
    settings.home.mkdir(parents=True, exist_ok=True)
    if not os.access(settings.home, os.W_OK):
        raise PermissionError(f"{settings.home} cannot be written. Choose another folder with SHUTONG_HOME.")
    return str(settings.home)


async def _database(settings: Settings) -> str:
    database = Database(settings)
    try:
        await migrate.prepare(settings, database)
        where = settings.sqlite_path if settings.embedded else urlsplit(settings.url).hostname or "a file"
        return f"{database.engine.dialect.name} at {where}, version {migrate.HEAD}"
    finally:
        await database.close()


async def _catalogue(settings: Settings) -> str:
    async with open_service(settings) as service:
        sources = await service.catalogue.sources()
        listed = ", ".join(f"{name} {count}" for name, count in sources.items()) or "empty"
        return f"{service.engine.size} books in the index ({listed})"


async def _model(settings: Settings) -> str:
    if settings.llm_base_url is None:
        return "the built-in one (LLM_BASE_URL is not set)"
    from shutong.llm.builtin import BuiltinModel
    from shutong.llm.http_client import make_client
    from shutong.llm.make import make_model
    from shutong.llm.messages import FellBack, Message, ModelRequest

    async with make_client(settings) as client:
        model = make_model(settings, client, BuiltinModel())
        asked = model.stream(ModelRequest((Message("user", "hello"),)))
        async with aclosing(asked) as parts:
            async for part in parts:
                if isinstance(part, FellBack):
                    raise ModelError(part.reason, kind="refused")
                break
    return f"{model.name} answers at {settings.llm_base_url}"
