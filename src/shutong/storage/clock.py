"""The database's own clock, so that two machines with different clocks agree on what is too old."""

from __future__ import annotations

from typing import Any

from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import Double


class now_epoch(FunctionElement[float]):  # noqa: N801 (an SQL function)
    """Seconds since 1970 with fractions, as the database server sees it."""

    type = Double()
    inherit_cache = True


@compiles(now_epoch)
def _postgresql(element: Any, compiler: Any, **_: Any) -> str:
    return "EXTRACT(EPOCH FROM clock_timestamp())"


@compiles(now_epoch, "sqlite")
def _sqlite(element: Any, compiler: Any, **_: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(now_epoch, "mysql")
@compiles(now_epoch, "mariadb")
def _mysql(element: Any, compiler: Any, **_: Any) -> str:
    return "UNIX_TIMESTAMP(NOW(6))"
