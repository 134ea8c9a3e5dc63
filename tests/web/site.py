"""The web app as a test sees it: called in the process, or served on a real socket."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI

from shutong.service import Service
from shutong.web.app import create_app
from tests.doubles.model_server import ModelServer, Scene
from tests.support import PATIENCE_SECONDS, settings_for

LOCAL = "http://127.0.0.1"


@dataclass
class Site:
    app: FastAPI
    client: httpx.AsyncClient

    @property
    def service(self) -> Service:
        return self.app.state.service


@dataclass(frozen=True)
class Frame:
    """One server-sent event."""

    name: str
    id: str
    data: Any


@asynccontextmanager
async def site_at(home: Path, **settings: Any) -> AsyncIterator[Site]:
    """The app called in the process; an answer is whole when it comes."""
    app = create_app(settings_for(home, **settings))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with app.router.lifespan_context(app), httpx.AsyncClient(transport=transport, base_url=LOCAL) as client:
        yield Site(app, client)


@asynccontextmanager
async def served(home: Path, **settings: Any) -> AsyncIterator[Site]:
    """The app on a socket: where streaming and leaving matter."""
    app = create_app(settings_for(home, **settings))
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        async with httpx.AsyncClient(base_url=f"{LOCAL}:{port}", timeout=PATIENCE_SECONDS) as client:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not server.started:  # noqa: ASYNC110 (uvicorn has no event for it)
                    await asyncio.sleep(0.01)
            yield Site(app, client)
    finally:
        server.should_exit = True
        await serving


@asynccontextmanager
async def served_model(home: Path, *scenes: Scene, **settings: Any) -> AsyncIterator[tuple[Site, ModelServer]]:
    """The app on a socket with a model that plays these scenes."""
    async with ModelServer(scenes) as model:
        limits = {"llm_base_url": model.url, "llm_model": "m", "llm_retries": 0, **settings}
        async with served(home, **limits) as site:
            yield site, model


def frames_in(text: str) -> list[Frame]:
    """The events of a stream's text; comments are left out."""
    frames: list[Frame] = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":") and line)
        if fields:
            frames.append(Frame(fields["event"], fields["id"], json.loads(fields["data"])))
    return frames


def names(frames: list[Frame]) -> list[str]:
    """The names of the events, each once in a row."""
    return [frame.name for i, frame in enumerate(frames) if i == 0 or frames[i - 1].name != frame.name]


def answer_of(frames: list[Frame]) -> str:
    return "".join(frame.data["delta"] for frame in frames if frame.name == "content")


async def stream(client: httpx.AsyncClient, message: str, *, last: str | None = None, **query: Any) -> list[Frame]:
    """A whole stream."""
    headers = {"last-event-id": last} if last else {}
    response = await client.get("/api/chat/stream", params={"message": message, **query}, headers=headers)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"].startswith("text/event-stream")
    return frames_in(response.text)


async def until_content(client: httpx.AsyncClient, message: str, **query: Any) -> list[Frame]:
    """Read a stream up to its first piece of the answer, then leave."""
    seen = ""
    async with client.stream("GET", "/api/chat/stream", params={"message": message, **query}) as response:
        async for piece in response.aiter_text():
            seen += piece
            if "event: content" in seen and seen.endswith("\n\n"):
                break
    return frames_in(seen)
