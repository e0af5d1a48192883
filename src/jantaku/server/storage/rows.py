"""Helpers for reading rows of any table: pagination, JSON, SQL functions and unreadable rows."""

import json
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, TypeVar

from cachetools import LRUCache
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    LargeBinary,
    Select,
    SQLColumnExpression,
    Text,
    and_,
    func,
    or_,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from jantaku.server.storage.base import UNREADABLE, Unreadable

Row = TypeVar("Row")
Query = TypeVar("Query", bound=Select[*tuple[Any, ...]])
POSITION: Final = r"^\d{1,15}(\.[0-9a-zA-Z_-]{1,24})?$"
"""Pattern of a page position: a time, optionally with an id."""


class PageEnd(NamedTuple):
    """Position between two rows: a time in ms and an id. Without an id it precedes all rows of that time."""

    at: int
    id: str = ""

    @classmethod
    def parse(cls, text: str | None) -> "PageEnd | None":
        """Parse a position that matches ``POSITION``; ``None`` stays ``None``."""
        if text is None:
            return None
        at, _, id_ = text.partition(".")
        return cls(int(at), id_)

    def __str__(self) -> str:
        return f"{self.at}.{self.id}"


@dataclass(frozen=True, slots=True)
class ListPage(Generic[Row]):
    """The readable rows of a page and the position of the next page, ``None`` on the last page."""

    rows: list[Row]
    next: PageEnd | None


def newest(
    query: Query,
    order: tuple[SQLColumnExpression[Any], SQLColumnExpression[str]],
    before: PageEnd | None,
    limit: int,
) -> Query:
    """Limit a query to rows before a position, newest first; ``order`` holds the time and id columns."""
    at, id_ = order
    if before is not None:
        query = query.where(or_(at < before.at, and_(at == before.at, id_ < before.id)))
    return query.order_by(at.desc(), id_.desc()).limit(limit)


def next_page(rows: Sequence[Any], at: str, limit: int) -> PageEnd | None:
    """Return the position after a full page, ``None`` after a shorter one.

    ``rows`` are all rows of the query, readable or not; ``at`` names the time column.
    """
    return PageEnd(getattr(rows[-1], at), rows[-1].id) if len(rows) == limit else None


def as_json(value: object) -> str | None:
    """Encode a value as JSON text; ``None`` stays ``None``."""
    return None if value is None else json.dumps(value, ensure_ascii=False)


def from_json(text: str | None) -> Any:
    """Decode JSON text; ``None`` stays ``None``."""
    return None if text is None else json.loads(text)


class DatabaseMs(FunctionElement[int]):
    """SQL function: the database's clock in ms since 1970. The clocks of the server processes may differ."""

    type = BigInteger()
    inherit_cache = True


class TextsOf(FunctionElement[str]):
    """SQL function: the strings of a JSON array as rows.

    A list of any length is then one parameter, so the statement is compiled only once.
    """

    type = Text()
    inherit_cache = True


class ByteLength(FunctionElement[int]):
    """SQL function: size of a text, JSON or binary value in bytes."""

    type = BigInteger()
    inherit_cache = True


@compiles(DatabaseMs, "postgresql")
def _postgresql_ms(*_: Any, **__: Any) -> str:
    return "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"


@compiles(DatabaseMs, "sqlite")
def _sqlite_ms(*_: Any, **__: Any) -> str:
    return "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"


@compiles(TextsOf, "postgresql")
def _postgresql_texts(element: TextsOf, compiler: Any, **more: Any) -> str:
    return f"(SELECT json_array_elements_text(CAST({compiler.process(element.clauses, **more)} AS json)))"


@compiles(TextsOf, "sqlite")
def _sqlite_texts(element: TextsOf, compiler: Any, **more: Any) -> str:
    listed = compiler.process(element.clauses, **more)
    return f"(SELECT value FROM json_each({listed}))"  # noqa: S608  (a parameter of the statement)


MAX_LOGGED: Final = 1_000  # unreadable rows remembered, so that each is logged only once
_LOGGED = LRUCache[tuple[str, str], None](MAX_LOGGED)
LOG = logging.getLogger("jantaku.server")
Read = TypeVar("Read")


def log_unreadable(kind: str, key: object) -> None:
    """Log an unreadable row once, with the current exception; call this inside the ``except`` block."""
    if (kind, str(key)) in _LOGGED:
        return
    _LOGGED[kind, str(key)] = None
    LOG.exception("the stored %s %s cannot be read", kind, key)


def readable(rows: Iterable[Any], kind: str, read: Callable[[Any], Read]) -> list[Read]:
    """Apply ``read`` to each row; log and skip rows that cannot be read. Rows must have an ``id`` column."""
    readable_rows = []
    for row in rows:
        try:
            for value in row:
                if isinstance(value, Unreadable):
                    raise value.error
            readable_rows.append(read(row))
        except UNREADABLE:
            log_unreadable(kind, row.id)
    return readable_rows


@compiles(ByteLength, "postgresql")
def _postgresql_bytes(element: ByteLength, compiler: Any, **more: Any) -> str:
    (column,) = element.clauses
    value = compiler.process(column, **more)
    return f"octet_length({value if isinstance(column.type, LargeBinary) else f'CAST({value} AS text)'})"


@compiles(ByteLength, "sqlite")
def _sqlite_bytes(element: ByteLength, compiler: Any, **more: Any) -> str:
    return f"length(CAST({compiler.process(element.clauses, **more)} AS BLOB))"


ROW_BYTES: Final = 100  # approximate size of a row without its texts


def bytes_in(*columns: SQLColumnExpression[Any]) -> ColumnElement[int]:
    """SQL expression for the approximate size in bytes of all rows, with the content of ``columns``."""
    size: ColumnElement[int] = func.count() * ROW_BYTES
    for column in columns:
        size = size + func.coalesce(func.sum(ByteLength(column)), 0)
    return size
