"""The store over the database: the tables `conversations` and `messages`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from shutong.conversations.store import LOCAL_OWNER, StoredMessage, checked_id, is_exact
from shutong.errors import NotFoundError
from shutong.storage.database import Database
from shutong.storage.tables import conversations, messages
from shutong.text import clean


@dataclass(frozen=True, slots=True)
class ConversationSummary:
    """A line of the list of talks."""

    conversation_id: str
    title: str | None
    updated_at: datetime


class SqlStore:
    """Implements `ConversationStore` on any of the databases."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def ensure_conversation(self, conversation_id: str, owner: str = LOCAL_OWNER) -> None:
        checked_id(conversation_id)
        await self._database.transaction(lambda connection: ensure(connection, conversation_id, owner))

    async def add_message(
        self, conversation_id: str, role: Literal["user", "assistant"], content: str, owner: str = LOCAL_OWNER
    ) -> None:
        async def work(connection: AsyncConnection) -> None:
            await require(connection, conversation_id, owner)
            await append(connection, conversation_id, [(role, content)])

        await self._database.transaction(work)

    async def get_messages(
        self, conversation_id: str, limit: int | None = None, owner: str = LOCAL_OWNER
    ) -> Sequence[StoredMessage]:
        async with self._database.read() as connection:
            await require(connection, conversation_id, owner)
            return await newest_messages(connection, conversation_id, limit)

    async def list(self, owner: str, limit: int, offset: int) -> list[ConversationSummary]:
        """A page of a person's talks, the last used first."""
        query = (
            select(conversations.c.conversation_id, conversations.c.title, conversations.c.updated_at)
            .where(conversations.c.owner == owner, conversations.c.title.is_not(None))
            .order_by(conversations.c.updated_at.desc(), conversations.c.id.desc())
            .limit(limit)
            .offset(offset)
        )
        async with self._database.read() as connection:
            return [ConversationSummary(*row) for row in await connection.execute(query)]

    async def delete(self, conversation_id: str, owner: str = LOCAL_OWNER) -> None:
        """Remove a talk with its messages, runs and traces."""

        async def work(connection: AsyncConnection) -> None:
            await require(connection, conversation_id, owner)
            await connection.execute(delete(conversations).where(conversations.c.conversation_id == conversation_id))

        await self._database.transaction(work)


async def ensure(connection: AsyncConnection, conversation_id: str, owner: str) -> None:
    """Within a transaction: the conversation is there afterwards and is this owner's."""
    found = await _owner(connection, conversation_id)
    if found is None:
        try:
            async with connection.begin_nested():
                await connection.execute(insert(conversations).values(conversation_id=conversation_id, owner=owner))
            return
        except IntegrityError:  # another process made it in between
            found = await _owner(connection, conversation_id)
    if found != owner:
        raise NotFoundError("There is no such conversation.")


async def require(connection: AsyncConnection, conversation_id: str, owner: str) -> None:
    """Within a transaction: raise `NotFoundError` unless the conversation is this owner's."""
    if not is_exact(conversation_id) or await _owner(connection, conversation_id) != owner:
        raise NotFoundError("There is no such conversation.")


async def append(
    connection: AsyncConnection, conversation_id: str, turns: Sequence[tuple[str, str]], run_id: str | None = None
) -> None:
    """Within a transaction: touch the conversation and add messages in order.

    Holding the conversation's row comes first: whoever appends to it at the same time waits here, so that within a
    conversation `messages.id` goes up in the order of the commits, on every database.
    """
    await connection.execute(
        update(conversations)
        .where(conversations.c.conversation_id == conversation_id)
        .values(updated_at=func.current_timestamp())
    )
    rows: list[dict[str, Any]] = [
        {"conversation_id": conversation_id, "role": role, "content": clean(content), "run_id": run_id}
        for role, content in turns
    ]
    for row in rows:  # one by one, so that their ids are in this order on every database
        await connection.execute(insert(messages), row)


async def newest_messages(
    connection: AsyncConnection, conversation_id: str, limit: int | None
) -> tuple[StoredMessage, ...]:
    """The newest messages, oldest of them first."""
    query = (
        select(messages.c.role, messages.c.content)
        .where(messages.c.conversation_id == conversation_id)
        .order_by(messages.c.id.desc())
        .limit(limit)
    )
    rows = (await connection.execute(query)).all()
    return tuple(StoredMessage(row.role, row.content) for row in reversed(rows))


async def _owner(connection: AsyncConnection, conversation_id: str) -> str | None:
    query = select(conversations.c.owner).where(conversations.c.conversation_id == conversation_id)
    owner: str | None = (await connection.execute(query)).scalar()
    return owner
