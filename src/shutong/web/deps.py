"""What routes get handed: the open service, and whose request it is."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends, Request

from shutong.conversations.store import LOCAL_OWNER
from shutong.service import Service


def _service(request: Request) -> Service:
    return cast(Service, request.app.state.service)


def _owner(request: Request) -> str:
    """Who is asking. Without accounts everybody on this machine is one person."""
    return LOCAL_OWNER


Open = Annotated[Service, Depends(_service)]
Owner = Annotated[str, Depends(_owner)]
