"""The history of talks behind one interface, with an in-memory and an SQL implementation.

Messages are only `user` and `assistant`, in the order they were added. All stores keep the same contract tests.

Text goes through `text.clean` as it comes in, on every store alike, because PostgreSQL takes no NUL and no database
takes half a surrogate pair: NUL and other control characters fall away, a lone surrogate becomes U+FFFD, letters and
their accents are composed (NFC). What then comes back is what was stored, character for character. Ids are not changed;
they are compared exactly, and one that some database could not hold or tell apart is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from shutong.errors import InvalidRequestError

MOST_ID_CHARACTERS = 191
RUN_ID_CHARACTERS = 32
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
    if not 0 < len(conversation_id) <= MOST_ID_CHARACTERS:
        raise InvalidRequestError(f"conversation_id must have 1 to {MOST_ID_CHARACTERS} characters.")
    if not is_exact(conversation_id):
        raise InvalidRequestError("conversation_id must be printable text with no space at its beginning or end.")
    return conversation_id


def is_exact(identifier: str) -> bool:
    """Whether every database keeps this text apart from every other: to MySQL, "a" and "a " are the same."""
    return identifier.isprintable() and identifier == identifier.strip()


def is_run_id(text: str) -> bool:
    """Whether a run may have this id. Asking a database for anything else is an error on some of them."""
    return len(text) == RUN_ID_CHARACTERS and text.isascii() and text.isalnum() and text == text.lower()
