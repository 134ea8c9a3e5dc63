"""The web app: routes, guard, static files, and the page."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles

from shutong import __version__
from shutong.service import open_service
from shutong.settings import Settings
from shutong.web import problems
from shutong.web.guard import Guard
from shutong.web.routes import books, chat, meta, talks

STATIC = Path(__file__).parent / "static"


def create_app(settings: Settings) -> FastAPI:
    """The app of one installation; its service is opened and closed with it."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_service(settings) as service:
            app.state.service = service
            keeping = asyncio.create_task(service.keep_fresh())
            try:
                yield
            finally:
                keeping.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await keeping

    app = FastAPI(
        title="Shutong 书童",
        version=__version__,
        summary="Say what you want to read, get real books out of this catalogue.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        responses=problems.RESPONSES,
    )
    problems.install(app)
    app.add_middleware(Guard, settings=settings)
    for routes in (chat, talks, books, meta):
        app.include_router(routes.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")

    @app.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})

    @app.get("/docs", include_in_schema=False)
    async def docs() -> FileResponse:
        return FileResponse(STATIC / "docs.html", headers={"cache-control": "no-cache"})

    return app
