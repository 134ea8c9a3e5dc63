"""How the installation is: alive, ready, what it holds."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from shutong import __version__
from shutong.web.deps import Open

router = APIRouter(tags=["state"])

EXAMPLES = {
    "zh": [
        "2019 年之后出版的 Python 入门书，评分 8 分以上，最好讲爬虫的",
        "有没有适合做睡前读物的短篇科幻",
        "推荐三本日本推理小说，不要东野圭吾",
        "我想找一本讲机器学习的书，但是我是零基础",
    ],
    "en": [
        "Python for beginners, 2019 or later, rated 8 or higher",
        "Science fiction short stories for bedtime",
        "A picture book to read aloud",
        "Machine learning for someone who has never programmed",
    ],
}
"""Sentences that give something with the sample. For another catalogue they are left out when they do not."""


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """The process is alive."""
    return {"status": "alive"}


@router.get(
    "/readyz", response_model=None, responses={503: {"description": "Not ready.", "content": {"application/json": {}}}}
)
async def readyz(service: Open) -> JSONResponse:
    """Able to answer; otherwise 503, naming what is not ready."""
    problems = await service.not_ready()
    status = "ready" if not problems else "not ready"
    return JSONResponse({"status": status, "problems": problems}, status_code=503 if problems else 200)


@router.get("/api/stats")
async def stats(service: Open) -> dict[str, Any]:
    """What the page says about the catalogue."""
    return {
        "books": service.engine.size,
        "sample": await service.has_sample(),
        "updated_at": service.index.updated_at,
        "model": service.model.name,
        "version": __version__,
        "examples": {language: service.useful(texts) for language, texts in EXAMPLES.items()},
    }
