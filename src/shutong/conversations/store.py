"""The history of talks behind one interface, with an in-memory and an SQL implementation.

Messages are only `user` and `assistant`, in the order they were added. Both stores keep the same contract tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from shutong.errors import InvalidRequestError

MOST_ID_CHARACTERS = 191
LOCAL_OWNER = "local"
"""The owner of everything while there are no accounts."""


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """One message of a talk."""

    role: Literal["user", "assistant"]
    content: str


class ConversationStore(Protocol):
    """What every store offers. Another owner's conversation raises `NotFoundError`, as does one that is not there."""

    async def ensure_conversation(self, conversation_id: str, owner: str = LOCAL_OWNER) -> None:
        """Make the conversation if it is not there yet. Idempotent, also when two do it at once."""
        ...

    async def add_message(
        self, conversation_id: str, role: Literal["user", "assistant"], content: str, owner: str = LOCAL_OWNER
    ) -> None:
        """Append one message; it is durable when this returns."""
        ...

    async def get_messages(
        self, conversation_id: str, limit: int | None = None, owner: str = LOCAL_OWNER
    ) -> Sequence[StoredMessage]:
        """The messages in order; with `limit` the newest ones. The time taken depends on the limit alone."""
        ...


def checked_id(conversation_id: str) -> str:
    """A conversation's id as it may be stored. Raises `InvalidRequestError`."""
    if not conversation_id.strip() or len(conversation_id) > MOST_ID_CHARACTERS:
        raise InvalidRequestError(f"conversation_id must have 1 to {MOST_ID_CHARACTERS} characters.")
    if not conversation_id.isprintable():
        raise InvalidRequestError("conversation_id must be printable text.")
    return conversation_id
