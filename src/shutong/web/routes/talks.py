"""The list of talks, and one talk as it can be shown again."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from sqlalchemy import RowMapping

from shutong.agent.events import Understood
from shutong.conversations.cards import card_jsons
from shutong.conversations.outcome import Outcome
from shutong.conversations.turns import OPEN
from shutong.llm.builtin.phrases import Voice
from shutong.service import Service
from shutong.web.deps import Open, Owner
from shutong.web.render import finder, render
from shutong.web.stream import understood_json, ways_json
from shutong.web.wording import near_text

DONE = ("completed", "step_limit")

router = APIRouter(prefix="/api/conversations", tags=["conversations"])


@router.get("")
async def conversations(
    service: Open,
    owner: Owner,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    offset: Annotated[int, Query(ge=0, le=100_000)] = 0,
) -> dict[str, Any]:
    """The talks, the last used first."""
    found = await service.store.list(owner, limit, offset)
    items = [
        {"conversation_id": t.conversation_id, "title": t.title, "updated_at": f"{t.updated_at.isoformat()}Z"}
        for t in found
    ]
    return {"items": items, "limit": limit, "offset": offset}


@router.get("/{conversation_id:path}")
async def conversation(conversation_id: str, service: Open, owner: Owner) -> dict[str, Any]:
    """A talk turn by turn, and the run that is still at work in it, if any."""
    turns = await service.records.talk(conversation_id, owner)
    running = next(
        (
            {"run_id": row["id"], "key": row["idempotency_key"], "message": row["message"]}
            for row, outcome in turns
            if outcome.state in OPEN
        ),
        None,
    )
    ended = [(row, outcome) for row, outcome in turns if outcome.state not in OPEN]
    shown = [_turn(service, row, outcome) for row, outcome in ended]
    if ended and ended[-1][1].state in DONE:
        shown[-1].update(await ways_json(service, ended[-1][1]))
    return {"conversation_id": conversation_id, "turns": shown, "running": running}


@router.delete("/{conversation_id:path}", status_code=204)
async def delete(conversation_id: str, service: Open, owner: Owner) -> None:
    """Remove a talk with everything that belongs to it."""
    await service.store.delete(conversation_id, owner)


def _turn(service: Service, row: RowMapping, outcome: Outcome) -> dict[str, Any]:
    voice = Voice(outcome.language, outcome.script)
    done = outcome.state in DONE
    found, near = card_jsons(outcome.books, voice) if outcome.books else ([], [])
    titles = {shown.hit.book.title: shown.hit.book.id for shown in outcome.hits}
    understood = Understood(outcome.act, outcome.understood)  # type: ignore[arg-type]  # stored acts are acts
    return {
        "run_id": outcome.run_id,
        "message": outcome.message,
        "state": outcome.state,
        "answer": outcome.answer if done else "",
        "html": render(outcome.answer, finder(service.engine, titles)),
        "partial": "" if done else outcome.answer,
        "books": found,
        "near_misses": near,
        "near_text": near_text(outcome.books, voice) if outcome.books else "",
        "chips": understood_json(understood, voice)["chips"],
        "notices": [{"code": n.code, "text": n.text} for n in outcome.notices],
        "error": {"code": outcome.error_code, "sentence": outcome.error} if outcome.error_code else None,
        "suggestions": [],
        "loosen": [],
        "created_at": f"{row['created_at'].isoformat()}Z",
    }
