"""What reading rows of any table needs: pages, JSON, and rows that cannot be read."""

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
"""The text of a position; earlier versions gave the time alone."""


class PageEnd(NamedTuple):
    """Where a page ends; without an id it stands before all rows of that time."""

    at: int
    id: str = ""

    @classmethod
    def parse(cls, text: str | None) -> "PageEnd | None":
        """Read the text of a position, which fits ``POSITION``."""
        if text is None:
            return None
        at, _, id_ = text.partition(".")
        return cls(int(at), id_)

    def __str__(self) -> str:
        return f"{self.at}.{self.id}"


@dataclass(frozen=True, slots=True)
class ListPage(Generic[Row]):
    """The readable rows of a page, and the position at which the next one begins; ``None`` after the last."""

    rows: list[Row]
    next: PageEnd | None


def newest(
    query: Query,
    order: tuple[SQLColumnExpression[Any], SQLColumnExpression[str]],
    before: PageEnd | None,
    most: int,
) -> Query:
    """The rows before a position, the newest first; ``order`` are the columns of the time and the id."""
    at, id_ = order
    if before is not None:
        query = query.where(or_(at < before.at, and_(at == before.at, id_ < before.id)))
    return query.order_by(at.desc(), id_.desc()).limit(most)


def following(rows: Sequence[Any], at: str, most: int) -> PageEnd | None:
    """The position after the rows as found, readable or not; ``at`` names the column of the time."""
    return PageEnd(getattr(rows[-1], at), rows[-1].id) if len(rows) == most else None


def as_json(value: object) -> str | None:
    """A value as it is stored."""
    return None if value is None else json.dumps(value, ensure_ascii=False)


def from_json(text: str | None) -> Any:
    """A stored value."""
    return None if text is None else json.loads(text)


class DatabaseMs(FunctionElement[int]):
    """The time by the clock of the database, in ms since 1970: the clocks of its processes may differ."""

    type = BigInteger()
    inherit_cache = True


class TextsOf(FunctionElement[str]):
    """The texts of a JSON list, as rows: one parameter for many, so that the statement is compiled once."""

    type = Text()
    inherit_cache = True


class ByteLength(FunctionElement[int]):
    """How many bytes a text, a JSON value or data has."""

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


MOST_LOGGED: Final = 1_000  # rows that are known to have been logged
_LOGGED = LRUCache[tuple[str, str], None](MOST_LOGGED)
LOG = logging.getLogger("jantaku.server")
Read = TypeVar("Read")


def log_unreadable(kind: str, key: object) -> None:
    """Log an unreadable row for the operator, once; call it inside the ``except`` block."""
    if (kind, str(key)) in _LOGGED:
        return
    _LOGGED[kind, str(key)] = None
    LOG.exception("the stored %s %s cannot be read", kind, key)


def readable(rows: Iterable[Any], kind: str, read: Callable[[Any], Read]) -> list[Read]:
    """Read each row; log and skip those that cannot be read. Rows have an ``id``."""
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


ROW: Final = 100  # bytes of a row beside its texts, roughly


def bytes_in(*columns: SQLColumnExpression[Any]) -> ColumnElement[int]:
    """How many bytes rows have in their texts and data, and a little for the rows themselves."""
    size: ColumnElement[int] = func.count() * ROW
    for column in columns:
        size = size + func.coalesce(func.sum(ByteLength(column)), 0)
    return size
