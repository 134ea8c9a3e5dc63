"""A store that forgets everything with the process: for tests, and for learning what a store has to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from shutong.conversations.store import LOCAL_OWNER, StoredMessage, checked_id
from shutong.errors import NotFoundError
from shutong.text import clean


class MemoryStore:
    """Implements `ConversationStore` in a dictionary."""

    def __init__(self) -> None:
        self._owners: dict[str, str] = {}
        self._messages: dict[str, list[StoredMessage]] = {}

    async def ensure_conversation(self, conversation_id: str, owner: str = LOCAL_OWNER) -> None:
        if self._owners.setdefault(checked_id(conversation_id), owner) != owner:
            raise NotFoundError("There is no such conversation.")
        self._messages.setdefault(conversation_id, [])

    async def add_message(
        self, conversation_id: str, role: Literal["user", "assistant"], content: str, owner: str = LOCAL_OWNER
    ) -> None:
        self._require(conversation_id, owner).append(StoredMessage(role, clean(content)))

    async def get_messages(
        self, conversation_id: str, limit: int | None = None, owner: str = LOCAL_OWNER
    ) -> Sequence[StoredMessage]:
        messages = self._require(conversation_id, owner)
        return tuple(messages if limit is None else messages[max(0, len(messages) - limit) :])

    def _require(self, conversation_id: str, owner: str) -> list[StoredMessage]:
        if self._owners.get(conversation_id) != owner:
            raise NotFoundError("There is no such conversation.")
        return self._messages[conversation_id]
