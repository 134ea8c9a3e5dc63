"""What is wrong with the database, in one sentence for the person who can mend it. No password is ever in it."""

from __future__ import annotations

import socket

from sqlalchemy import URL
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, NotSupportedError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

MOST_CHARACTERS = 200

# What the servers say: MySQL's error numbers, and the codes of the SQL standard that PostgreSQL gives.
_REFUSES_PERSON = {"1045", "1698", "28000", "28P01"}
_NO_DATABASE = {"1049", "3D000"}
_NOT_ALLOWED = {"1044", "42501"}
_FULL_OF_CLIENTS = {"1040", "53300"}
_TRY_AGAIN = {"1213", "40001", "40P01"}


def connecting(error: Exception, url: URL) -> str:
    """Why no connection could be made."""
    if url.get_backend_name() == "sqlite":
        return f"The database file {url.database} does not answer: {_words(error, url)}."
    where = f"{url.host or 'localhost'}:{url.port or _usual_port(url)}"
    code = _code(error)
    if code in _REFUSES_PERSON:
        return f"The database server at {where} refuses the user {url.username!r} or the password."
    if code in _NO_DATABASE:
        return f"The database server at {where} has no database {url.database!r}. Create it first."
    if code in _NOT_ALLOWED:
        return f"The database server at {where} does not let {url.username!r} use the database {url.database!r}."
    if code in _FULL_OF_CLIENTS:
        return f"The database server at {where} has too many connections already."
    return _unreached(error, url, where)


def working(error: DBAPIError, url: URL) -> str | None:
    """Why a transaction failed, when the database is to blame; None when it is the statement or its values."""
    if isinstance(error, DataError | IntegrityError | NotSupportedError | ProgrammingError):
        return None
    if error.connection_invalidated:
        return "The connection to the database broke off. Try again."
    return f"The database failed: {_words(error, url)}."


def may_try_again(error: BaseException | None) -> bool:
    """True when the database undid a transaction only because of another one: done again, it may work."""
    return error is not None and _code(error) in _TRY_AGAIN


def _unreached(error: Exception, url: URL, where: str) -> str:
    cause = _network_cause(error)
    if isinstance(cause, socket.gaierror):
        return f"The name of the database server, {url.host!r}, is not known."
    if isinstance(cause, ConnectionRefusedError):
        return f"Nobody listens at {where}. Is the database server running?"
    if isinstance(cause, PoolTimeoutError):
        return "All connections to the database are in use. Try again."
    if isinstance(cause, TimeoutError):
        return f"No {url.get_backend_name()} server answers at {where}."
    return f"The database server at {where} does not answer: {_words(error, url)}."


def _network_cause(error: Exception) -> BaseException:
    """The operating system's error, which one of the drivers wraps."""
    cause: BaseException | None = getattr(error, "orig", None) or error
    while cause is not None:
        if isinstance(cause, OSError | PoolTimeoutError):
            return cause
        cause = cause.__cause__
    return error


def _code(error: BaseException) -> str:
    """The number or code that the server gave; "" when the error is not from a server."""
    reported = getattr(error, "orig", None)
    if reported is None:
        return ""
    number = reported.args[0] if reported.args else None
    return str(number) if isinstance(number, int) else str(getattr(reported, "sqlstate", None) or "")


def _words(error: Exception, url: URL) -> str:
    """The driver's own words, without the statement, and without the password should they hold it."""
    reported = getattr(error, "orig", None) or error
    args = [str(part) for part in getattr(reported, "args", ()) if not isinstance(part, int)]
    words = " ".join((args[-1] if args else type(reported).__name__).split())
    if url.password:
        words = words.replace(str(url.password), "***")
    return words[:MOST_CHARACTERS].rstrip(".")


def _usual_port(url: URL) -> int:
    return 5432 if url.get_backend_name() == "postgresql" else 3306
