"""The tables, as SQLAlchemy Core. Statements on a turn's path are written against these; there is no ORM.

`conversations` and `messages` keep their names and their columns id, conversation_id, role, content, created_at, so
that plain SQL written against them works. Text is unbounded on every database; identifiers compare exactly.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
    func,
)
from sqlalchemy.dialects import mysql

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

LongText = Text().with_variant(mysql.MEDIUMTEXT(charset="utf8mb4"), "mysql", "mariadb")
BigId = BigInteger().with_variant(Integer, "sqlite")


def _name(length: int) -> Any:
    """A string that is compared letter for letter, upper and lower case apart."""
    exact = mysql.VARCHAR(length, charset="utf8mb4", collation="utf8mb4_bin")
    return String(length).with_variant(exact, "mysql", "mariadb")


def _created() -> Column[Any]:
    return Column("created_at", DateTime, nullable=False, server_default=func.current_timestamp())


_MYSQL: dict[str, Any] = {"mysql_engine": "InnoDB", "mysql_charset": "utf8mb4"}

books = Table(
    "books",
    metadata,
    Column("id", BigId, primary_key=True, autoincrement=True),
    Column("work_id", _name(200), nullable=False, index=True),
    Column("title", Text, nullable=False),
    Column("subtitle", Text),
    Column("original_title", Text),
    Column("authors", JSON(none_as_null=True), nullable=False),
    Column("translators", JSON(none_as_null=True), nullable=False),
    Column("publisher", Text),
    Column("year", SmallInteger),
    Column("first_year", SmallInteger),
    Column("pages", Integer),
    Column("language", String(16)),
    Column("isbn13", String(13), index=True),
    Column("series", Text),
    Column("series_index", Double),
    Column("category", Text),
    Column("tags", JSON(none_as_null=True), nullable=False),
    Column("rating", Double),
    Column("rating_count", BigInteger),
    Column("rating_source", String(40)),
    Column("popularity", Double),
    Column("intro", LongText),
    Column("cover_url", Text),
    Column("price", JSON(none_as_null=True)),
    Column("level", String(20)),
    Column("audience", String(40)),
    Column("source", _name(100), nullable=False),
    Column("source_id", _name(250), nullable=False),
    Column("digest", String(32), nullable=False),
    _created(),
    Column("updated_at", DateTime, nullable=False, server_default=func.current_timestamp()),
    UniqueConstraint("source", "source_id"),
    **_MYSQL,
)

installation = Table(
    "installation",
    metadata,
    Column("id", String(32), primary_key=True),
    **_MYSQL,
)
"""One row: what tells this database from every other, so that an index is never used with another one."""

index_changes = Table(
    "index_changes",
    metadata,
    Column("seq", BigId, primary_key=True, autoincrement=True),
    Column("book_id", BigInteger, nullable=False),
    sqlite_autoincrement=True,
    **_MYSQL,
)
"""Books that were written or removed, in order. Every index keeps how far it has read."""

conversations = Table(
    "conversations",
    metadata,
    Column("id", BigId, primary_key=True, autoincrement=True),
    Column("conversation_id", _name(191), nullable=False, unique=True),
    Column("owner", _name(64), nullable=False, server_default="local"),
    Column("title", Text),
    Column("active_run", String(32)),
    Column("next_seq", Integer, nullable=False, server_default="1"),
    _created(),
    Column("updated_at", DateTime, nullable=False, server_default=func.current_timestamp()),
    Index("ix_conversations_owner_updated_at", "owner", "updated_at"),
    **_MYSQL,
)

messages = Table(
    "messages",
    metadata,
    Column("id", BigId, primary_key=True, autoincrement=True),
    Column(
        "conversation_id",
        _name(191),
        ForeignKey("conversations.conversation_id", ondelete="CASCADE"),
        nullable=False,
    ),
    Column("role", String(16), nullable=False),
    Column("content", LongText, nullable=False),
    _created(),
    Column("run_id", String(32)),
    Index("ix_messages_conversation_id_id", "conversation_id", "id"),
    sqlite_autoincrement=True,
    **_MYSQL,
)

runs = Table(
    "runs",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("conversation_id", _name(191), ForeignKey("conversations.conversation_id", ondelete="CASCADE")),
    Column("seq", Integer),
    Column("owner", _name(64), nullable=False, server_default="local"),
    Column("idempotency_key", _name(191)),
    Column("body_digest", String(64), nullable=False),
    Column("state", String(16), nullable=False),
    Column("message", LongText, nullable=False),
    Column("act", String(32)),
    Column("language", String(2)),
    Column("script", String(4)),
    Column("understood", JSON(none_as_null=True)),
    Column("answer", LongText),
    Column("partial", LongText),
    Column("result", Text),
    Column("error_code", String(40)),
    Column("error", Text),
    Column("notices", JSON(none_as_null=True)),
    Column("held_back", JSON(none_as_null=True)),
    Column("model", Text),
    Column("prompt_tokens", Integer, nullable=False, server_default="0"),
    Column("completion_tokens", Integer, nullable=False, server_default="0"),
    Column("total", Integer),
    Column("total_is_floor", Boolean, nullable=False, server_default="0"),
    Column("worker", String(64)),
    Column("cancel_requested", Boolean, nullable=False, server_default="0"),
    Column("heartbeat_at", Double),
    _created(),
    Column("finished_at", DateTime),
    UniqueConstraint("conversation_id", "seq"),
    UniqueConstraint("owner", "idempotency_key"),
    Index("ix_runs_state_heartbeat_at", "state", "heartbeat_at"),
    **_MYSQL,
)

run_steps = Table(
    "run_steps",
    metadata,
    Column("run_id", String(32), ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("step", Integer, primary_key=True),
    Column("model", Text),
    Column("messages", JSON(none_as_null=True), nullable=False),
    Column("reply", LongText),
    Column("thought", LongText),
    Column("prompt_tokens", Integer, nullable=False, server_default="0"),
    Column("completion_tokens", Integer, nullable=False, server_default="0"),
    Column("milliseconds", Double),
    **_MYSQL,
)

tool_calls = Table(
    "tool_calls",
    metadata,
    Column("run_id", String(32), ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("step", Integer, nullable=False),
    Column("call_id", String(191), nullable=False),
    Column("tool", String(191), nullable=False),
    Column("arguments", LongText, nullable=False),
    Column("ok", Boolean, nullable=False),
    Column("result", LongText, nullable=False),
    Column("milliseconds", Double, nullable=False),
    **_MYSQL,
)

run_books = Table(
    "run_books",
    metadata,
    Column("run_id", String(32), ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("book_id", BigInteger, nullable=False),
    Column("work_id", _name(200), nullable=False),
    Column("near", Boolean, nullable=False, server_default="0"),
    Column("shown", JSON(none_as_null=True), nullable=False),
    **_MYSQL,
)
"""The books a run showed, in order, with what was shown of each: what "the second one" stands on."""
