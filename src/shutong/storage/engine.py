"""Making the engine for a database's address: SQLite, MySQL or MariaDB, PostgreSQL.

All three are put into one state: UTC, strict values, no lock waited for longer than `LOCK_SECONDS`, and on the servers
READ COMMITTED, so that whoever has waited for a row sees what the one before wrote.
"""

from __future__ import annotations

import logging
from typing import Any

from sqlalchemy import URL, event, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from shutong.errors import SettingsError
from shutong.settings import Settings

LOCK_SECONDS = 10
POOL_SECONDS = 5
"""How long somebody waits for a connection of the pool."""

IDLE_TRANSACTION_SECONDS = 60
"""After so long the server ends the transaction of a machine that has vanished, and its locks with it."""

RECYCLE_SECONDS = 1_800
EXTRAS = {"asyncmy": "mysql", "asyncpg": "postgres"}

_MYSQL_SESSION = (
    "SET SESSION time_zone = '+00:00', sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION', "
    f"innodb_lock_wait_timeout = {LOCK_SECONDS}"
    f" /*M!100300 , idle_transaction_timeout = {IDLE_TRANSACTION_SECONDS} */"  # only MariaDB has it
)
_POSTGRES_SESSION = {
    "timezone": "UTC",
    "lock_timeout": f"{LOCK_SECONDS}s",
    "idle_in_transaction_session_timeout": f"{IDLE_TRANSACTION_SECONDS}s",
}


def make_engine(settings: Settings) -> AsyncEngine:
    """The engine, not yet connected. Raises `SettingsError`, whose sentence never holds the address."""
    variable = "DB_HOST" if settings.database_url is None else "DATABASE_URL"
    try:
        url = make_url(settings.url)
        return _sqlite(settings, url) if url.get_backend_name() == "sqlite" else _server(settings, url)
    except ImportError as error:
        raise SettingsError(_missing(variable, error.name or "")) from error
    except (SQLAlchemyError, ValueError):  # their words may hold the address, and with it a password
        raise SettingsError(f"{variable} is not the address of a database that Shutong can use.") from None


def _missing(variable: str, driver: str) -> str:
    extra = EXTRAS.get(driver)
    if extra is None:
        return f"{variable} needs a driver that is not installed: {driver}."
    return f"{variable} needs the driver {driver}, which is not installed. Run: pip install 'shutong[{extra}]'"


def _server(settings: Settings, url: URL) -> AsyncEngine:
    """MySQL, MariaDB and PostgreSQL are reached by our own drivers, whichever the address names."""
    options: dict[str, Any] = {}
    if url.get_backend_name() in ("mysql", "mariadb"):
        url = url.set(drivername="mysql+asyncmy").difference_update_query(["charset", "use_unicode"])
        options = {"charset": "utf8mb4", "init_command": _MYSQL_SESSION}
        logging.getLogger("asyncmy").setLevel(logging.ERROR)  # what is wrong with a value is an error, for it is strict
    elif url.get_backend_name() == "postgresql":
        url = _with_ssl(url.set(drivername="postgresql+asyncpg"))
        options = {"server_settings": _POSTGRES_SESSION}
    return create_async_engine(
        url,
        connect_args=options,
        isolation_level="READ COMMITTED",
        pool_size=settings.database_connections,
        max_overflow=0,
        pool_timeout=POOL_SECONDS,
        pool_pre_ping=True,
        pool_recycle=RECYCLE_SECONDS,
    )


def _with_ssl(url: URL) -> URL:
    """PostgreSQL's own tools write `sslmode`; the driver calls it `ssl`."""
    mode = url.query.get("sslmode")
    return url.difference_update_query(["sslmode"]).update_query_dict({"ssl": mode}) if mode else url


def _sqlite(settings: Settings, url: URL) -> AsyncEngine:
    if settings.embedded:
        settings.home.mkdir(parents=True, exist_ok=True)
    engine = create_async_engine(
        url,
        connect_args={"isolation_level": None},
        pool_size=settings.database_connections,
        max_overflow=0,
        pool_timeout=POOL_SECONDS,
    )
    synchronous = "FULL" if settings.sqlite_full_sync else "NORMAL"

    @event.listens_for(engine.sync_engine, "connect")
    def _prepare(connection: Any, _record: Any) -> None:
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {LOCK_SECONDS * 1000}")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute(f"PRAGMA synchronous = {synchronous}")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def _begin(connection: Any) -> None:
        writes = connection.get_execution_options().get("shutong_write")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
