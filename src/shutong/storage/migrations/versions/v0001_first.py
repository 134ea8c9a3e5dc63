"""The first tables: books, index changes, conversations, runs and their trace."""

from __future__ import annotations

import uuid
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import mysql

revision = "0001"
down_revision = None

MYSQL: Any = {"mysql_engine": "InnoDB", "mysql_charset": "utf8mb4"}
BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
LONG_TEXT = sa.Text().with_variant(mysql.MEDIUMTEXT(charset="utf8mb4"), "mysql", "mariadb")


def _name(length: int) -> Any:
    exact = mysql.VARCHAR(length, charset="utf8mb4", collation="utf8mb4_bin")
    return sa.String(length).with_variant(exact, "mysql", "mariadb")


def upgrade() -> None:
    _catalogue()
    _conversations()
    _runs()
    _traces()


def _catalogue() -> None:
    op.create_table(
        "books",
        sa.Column("id", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("work_id", _name(200), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("subtitle", sa.Text(), nullable=True),
        sa.Column("original_title", sa.Text(), nullable=True),
        sa.Column("authors", sa.JSON(), nullable=False),
        sa.Column("translators", sa.JSON(), nullable=False),
        sa.Column("publisher", sa.Text(), nullable=True),
        sa.Column("year", sa.SmallInteger(), nullable=True),
        sa.Column("first_year", sa.SmallInteger(), nullable=True),
        sa.Column("pages", sa.Integer(), nullable=True),
        sa.Column("language", sa.String(length=16), nullable=True),
        sa.Column("isbn13", sa.String(length=13), nullable=True),
        sa.Column("series", sa.Text(), nullable=True),
        sa.Column("series_index", sa.Double(), nullable=True),
        sa.Column("category", sa.Text(), nullable=True),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("rating", sa.Double(), nullable=True),
        sa.Column("rating_count", sa.BigInteger(), nullable=True),
        sa.Column("rating_source", sa.String(length=40), nullable=True),
        sa.Column("popularity", sa.Double(), nullable=True),
        sa.Column("intro", LONG_TEXT, nullable=True),
        sa.Column("cover_url", sa.Text(), nullable=True),
        sa.Column("price", sa.JSON(), nullable=True),
        sa.Column("level", sa.String(length=20), nullable=True),
        sa.Column("audience", sa.String(length=40), nullable=True),
        sa.Column("source", _name(100), nullable=False),
        sa.Column("source_id", _name(250), nullable=False),
        sa.Column("digest", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.DateTime(), server_default=sa.text("CURRENT_TIMESTAMP"), nullable=False),
        sa.Column("updated_at", sa.DateTime(), server_default=sa.text("CURRENT_TIMESTAMP"), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_books"),
        sa.UniqueConstraint("source", "source_id", name="uq_books_source_source_id"),
        **MYSQL,
    )
    op.create_index("ix_books_isbn13", "books", ["isbn13"], unique=False)
    op.create_index("ix_books_work_id", "books", ["work_id"], unique=False)
    op.create_table(
        "installation",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_installation"),
        **MYSQL,
    )
    op.execute(sa.text("INSERT INTO installation (id) VALUES (:id)").bindparams(id=uuid.uuid4().hex))
    op.create_table(
        "index_changes",
        sa.Column("seq", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("book_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_index_changes"),
        sqlite_autoincrement=True,
        **MYSQL,
    )


def _conversations() -> None:
    op.create_table(
        "conversations",
        sa.Column("id", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("conversation_id", _name(191), nullable=False),
        sa.Column("owner", _name(64), server_default="local", nullable=False),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("active_run", sa.String(length=32), nullable=True),
        sa.Column("next_seq", sa.Integer(), server_default="1", nullable=False),
        sa.Column("created_at", sa.DateTime(), server_default=sa.text("CURRENT_TIMESTAMP"), nullable=False),
        sa.Column("updated_at", sa.DateTime(), server_default=sa.text("CURRENT_TIMESTAMP"), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_conversations"),
        sa.UniqueConstraint("conversation_id", name="uq_conversations_conversation_id"),
        **MYSQL,
    )
    op.create_index("ix_conversations_owner_updated_at", "conversations", ["owner", "updated_at"], unique=False)
    op.create_table(
        "messages",
        sa.Column("id", BIG_ID, autoincrement=True, nullable=False),
        sa.Column("conversation_id", _name(191), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("content", LONG_TEXT, nullable=False),
        sa.Column("created_at", sa.DateTime(), server_default=sa.text("CURRENT_TIMESTAMP"), nullable=False),
        sa.Column("run_id", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(
            ["conversation_id"],
            ["conversations.conversation_id"],
            name="fk_messages_conversation_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_messages"),
        sqlite_autoincrement=True,
        **MYSQL,
    )
    op.create_index("ix_messages_conversation_id_id", "messages", ["conversation_id", "id"], unique=False)


def _runs() -> None:
    op.create_table(
        "runs",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("conversation_id", _name(191), nullable=True),
        sa.Column("seq", sa.Integer(), nullable=True),
        sa.Column("owner", _name(64), server_default="local", nullable=False),
        sa.Column("idempotency_key", _name(191), nullable=True),
        sa.Column("body_digest", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("message", LONG_TEXT, nullable=False),
        sa.Column("act", sa.String(length=32), nullable=True),
        sa.Column("language", sa.String(length=2), nullable=True),
        sa.Column("script", sa.String(length=4), nullable=True),
        sa.Column("understood", sa.JSON(), nullable=True),
        sa.Column("answer", LONG_TEXT, nullable=True),
        sa.Column("partial", LONG_TEXT, nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("error_code", sa.String(length=40), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("notices", sa.JSON(), nullable=True),
        sa.Column("held_back", sa.JSON(), nullable=True),
        sa.Column("model", sa.Text(), nullable=True),
        sa.Column("prompt_tokens", sa.Integer(), server_default="0", nullable=False),
        sa.Column("completion_tokens", sa.Integer(), server_default="0", nullable=False),
        sa.Column("total", sa.Integer(), nullable=True),
        sa.Column("total_is_floor", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("worker", sa.String(length=64), nullable=True),
        sa.Column("cancel_requested", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("heartbeat_at", sa.Double(), nullable=True),
        sa.Column("created_at", sa.DateTime(), server_default=sa.text("CURRENT_TIMESTAMP"), nullable=False),
        sa.Column("finished_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["conversation_id"], ["conversations.conversation_id"], name="fk_runs_conversation_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
        sa.UniqueConstraint("conversation_id", "seq", name="uq_runs_conversation_id_seq"),
        sa.UniqueConstraint("owner", "idempotency_key", name="uq_runs_owner_idempotency_key"),
        **MYSQL,
    )
    op.create_index("ix_runs_state_heartbeat_at", "runs", ["state", "heartbeat_at"], unique=False)


def _traces() -> None:
    op.create_table(
        "run_books",
        sa.Column("run_id", sa.String(length=32), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("book_id", sa.BigInteger(), nullable=False),
        sa.Column("work_id", _name(200), nullable=False),
        sa.Column("near", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("shown", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_run_books_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "position", name="pk_run_books"),
        **MYSQL,
    )
    op.create_table(
        "run_steps",
        sa.Column("run_id", sa.String(length=32), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("model", sa.Text(), nullable=True),
        sa.Column("messages", sa.JSON(), nullable=False),
        sa.Column("reply", LONG_TEXT, nullable=True),
        sa.Column("thought", LONG_TEXT, nullable=True),
        sa.Column("prompt_tokens", sa.Integer(), server_default="0", nullable=False),
        sa.Column("completion_tokens", sa.Integer(), server_default="0", nullable=False),
        sa.Column("milliseconds", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_run_steps_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "step", name="pk_run_steps"),
        **MYSQL,
    )
    op.create_table(
        "tool_calls",
        sa.Column("run_id", sa.String(length=32), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("call_id", sa.String(length=191), nullable=False),
        sa.Column("tool", sa.String(length=191), nullable=False),
        sa.Column("arguments", LONG_TEXT, nullable=False),
        sa.Column("ok", sa.Boolean(), nullable=False),
        sa.Column("result", LONG_TEXT, nullable=False),
        sa.Column("milliseconds", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_tool_calls_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "position", name="pk_tool_calls"),
        **MYSQL,
    )
