"""Errors as RFC 9457 problem documents: a stable code, a status, and a sentence that a person can act on."""

from __future__ import annotations

import difflib
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from shutong.errors import ShutongError

PROBLEM = "application/problem+json"

_DOCUMENT = {
    "description": "A problem document: a stable code and a sentence that says what is wrong.",
    "content": {
        PROBLEM: {
            "schema": {
                "type": "object",
                "required": ["type", "title", "status", "code", "detail"],
                "properties": {
                    "type": {"type": "string"},
                    "title": {"type": "string"},
                    "status": {"type": "integer"},
                    "code": {"type": "string"},
                    "detail": {"type": "string"},
                },
            }
        }
    },
}
RESPONSES: dict[int | str, dict[str, Any]] = {"4XX": _DOCUMENT, "5XX": _DOCUMENT}
"""How every operation may fail, for the OpenAPI description."""


def problem(status: int, code: str, detail: str, **more: Any) -> JSONResponse:
    """One problem document."""
    body = {"type": "about:blank", "title": code.replace("_", " "), "status": status, "code": code, "detail": detail}
    return JSONResponse(body | more, status_code=status, media_type=PROBLEM)


def install(app: FastAPI) -> None:
    """Every error of the app leaves as a problem document; for what nobody expected, the guard sends one."""

    @app.exception_handler(ShutongError)
    async def _known(_: Request, error: ShutongError) -> JSONResponse:
        return problem(error.status, error.code, error.sentence)

    @app.exception_handler(RequestValidationError)
    async def _invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        return problem(422, "invalid_request", _sentence(error))

    @app.exception_handler(HTTPException)
    async def _http(_: Request, error: HTTPException) -> JSONResponse:
        code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "invalid_request")
        refusal = problem(error.status_code, code, f"{error.detail.rstrip('.')}.")
        refusal.headers.update(error.headers or {})
        return refusal


def _sentence(error: RequestValidationError) -> str:
    """All problems of a body in one line; an unknown field is set beside the missing one that it may stand for."""
    missing = [_place(e) for e in error.errors() if e["type"] == "missing"]
    said: list[str] = []
    for e in error.errors()[:5]:
        place = _place(e)
        if e["type"] == "extra_forbidden":
            meant = difflib.get_close_matches(place, missing, 1, 0.0)
            said.append(f"there is no field {place}" + (f" (did you mean {meant[0]}?)" if meant else ""))
        elif e["type"] == "missing":
            said.append(f"{place} is missing")
        elif e["type"] == "json_invalid":
            said.append("the body is not valid JSON")
        else:
            said.append(f"{place}: {e['msg'][:1].lower()}{e['msg'][1:]}")
    sentence = "; ".join(said)
    return f"{sentence[:1].upper()}{sentence[1:]}."


def _place(error: Any) -> str:
    parts = [str(part) for part in error["loc"] if part not in ("body", "query", "path", "header")]
    return ".".join(parts) or "the body"
