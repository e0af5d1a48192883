"""The base of all stored rows: a mapped dataclass is a table and its rows at once.

Times are milliseconds since 1970 (UTC); secrets are stored as hashes only.
"""

import asyncio
import json
from typing import Annotated, Any, ClassVar, Final, TypeVar

from pydantic import TypeAdapter
from sqlalchemy import JSON, BigInteger, Dialect, MetaData, Select, SmallInteger, String, Table, Text
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import DeclarativeBase, InstrumentedAttribute, MappedAsDataclass, mapped_column
from sqlalchemy.orm.attributes import manager_of_class
from sqlalchemy.types import TypeDecorator

from jantaku.errors import JantakuError

MOST_ID: Final = 64  # letters of the id of an entry, a stage, a game or a hand
PART: Final = 500  # rows that are read or stored at once; tables and bots go on between two parts

Id = Annotated[str, mapped_column(String(16))]
LongId = Annotated[str, mapped_column(String(MOST_ID))]
Name = Annotated[str, mapped_column(String(64))]
Word = Annotated[str, mapped_column(String(12))]
"""A word of a short list, such as a status or a role."""
Milliseconds = Annotated[int, mapped_column(BigInteger)]
SmallNumber = Annotated[int, mapped_column(SmallInteger)]
Object = Annotated[dict[str, Any], mapped_column(JSON(none_as_null=True))]
Json = Annotated[Any, mapped_column(JSON(none_as_null=True), nullable=True)]
Array = Annotated[list[Any], mapped_column(JSON(none_as_null=True))]


class _Column:
    """A column of a class; objects of the class have a plain attribute instead."""

    def __init__(self, column: InstrumentedAttribute[Any]) -> None:
        self._column = column

    def __get__(self, row: object, _kind: type) -> InstrumentedAttribute[Any]:
        if row is not None:
            raise AttributeError(self._column.key)
        return self._column


class StoredRow(MappedAsDataclass, DeclarativeBase):
    """A row of the class's table. Fields stand in the order of the columns: ``Class(*row)`` reads a row.

    Rows never join an ORM session, so nothing tracks changes of their attributes. This makes thousands of
    them as quickly as plain dataclasses.
    """

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_name)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {str: Text()}  # noqa: RUF012  (read by SQLAlchemy)

    _names: ClassVar[tuple[str, ...]]
    _sa_disable_descriptor_defaults: ClassVar = True  # defaults are plain values, as in other dataclasses

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._names = tuple(cls.__table__.columns.keys())
        for name in cls._names:
            type.__setattr__(cls, name, _Column(getattr(cls, name)))
        type.__setattr__(cls, "__init__", manager_of_class(cls).original_init)

    def values(self) -> dict[str, Any]:
        """The columns with their values, to be inserted or to make a changed copy."""
        fields = self.__dict__
        return {name: fields[name] for name in self._names}


METADATA: Final = StoredRow.metadata


class WrittenJson(str):
    """JSON that is written already, as a value of a JSON column."""

    __slots__ = ()


class Unreadable:
    """Stands for a stored value that cannot be read: whatever uses it fails, but not the whole query."""

    def __init__(self, error: Exception) -> None:
        self.error = error


UNREADABLE: Final = (JantakuError, ValueError, TypeError, LookupError, AttributeError, RecursionError)


class StoredModel(TypeDecorator[Any]):
    """A column whose JSON is read into values of a ``kind``. Comparisons are those of the JSON as text."""

    impl = Text
    cache_ok = True

    def __init__(self, kind: Any) -> None:
        super().__init__()
        self.kind = kind
        self._adapter = TypeAdapter[Any](kind)

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:  # noqa: ARG002, D102
        return None if value is None else self._adapter.dump_json(value, by_alias=True).decode()

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:  # noqa: ARG002, D102
        try:
            return None if value is None else self._adapter.validate_json(value)
        except UNREADABLE as error:
            return Unreadable(error)

    def coerce_compared_value(self, op: object, value: object) -> Text:  # noqa: ARG002, D102
        return Text()


def written_json(value: object) -> str:
    """A value as it is stored."""
    if isinstance(value, WrittenJson):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_json(text: str) -> Any:
    """A stored value."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        return Unreadable(error)


Stored = TypeVar("Stored", bound=StoredRow)


Rows = type[StoredRow] | Table


def table_of(rows: Rows) -> Table:
    """The table of a class."""
    if isinstance(rows, Table):
        return rows
    table = rows.__table__
    assert isinstance(table, Table)
    return table


async def read_rows(connection: AsyncConnection, query: Select[Stored]) -> list[Stored]:
    """The rows that a ``select(Class)`` finds, as objects of the class.

    Reading thousands of them takes long, so other work goes on from time to time.
    """
    kind: Any = query.column_descriptions[0]["entity"]
    rows = list[Stored]()
    for part in (await connection.execute(query)).partitions(PART):
        rows += [kind(*row) for row in part]
        if len(part) == PART:
            await asyncio.sleep(0)
    return rows
