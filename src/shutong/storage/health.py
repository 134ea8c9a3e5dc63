"""Whether a database server keeps what it is given: transactions on every table, and every character of every text."""

from __future__ import annotations

from sqlalchemy import Connection, text

from shutong.errors import StorageError
from shutong.storage.tables import metadata

_MYSQL_TABLES = text("SELECT table_name, engine FROM information_schema.tables WHERE table_schema = DATABASE()")
_MYSQL_COLUMNS = text(
    "SELECT table_name, column_name, character_set_name FROM information_schema.columns "
    "WHERE table_schema = DATABASE() AND character_set_name IS NOT NULL ORDER BY table_name, column_name"
)


def check(connection: Connection) -> None:
    """Raises `StorageError` that names what an operator has to change."""
    if connection.dialect.name in ("mysql", "mariadb"):
        _check_mysql(connection)
    elif connection.dialect.name == "postgresql":
        _check_postgresql(connection)


def _check_mysql(connection: Connection) -> None:
    ours = set(metadata.tables)
    for table, engine in connection.execute(_MYSQL_TABLES):
        if table in ours and engine not in (None, "InnoDB"):
            raise StorageError(
                f"The table {table} has the engine {engine}, which may store half a turn. "
                f"Run: ALTER TABLE {table} ENGINE=InnoDB"
            )
    for table, column, characters in connection.execute(_MYSQL_COLUMNS):
        if table in ours and characters != "utf8mb4":
            raise StorageError(
                f"The column {table}.{column} has the character set {characters}, which cannot hold every text. "
                "It has to be utf8mb4."
            )


def _check_postgresql(connection: Connection) -> None:
    encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
    if encoding != "UTF8":
        raise StorageError(
            f"The database has the character set {encoding}, which cannot hold every text. "
            "Make one with: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0"
        )
