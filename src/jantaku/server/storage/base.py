"""Base class of all database rows: each mapped dataclass declares a table and represents its rows.

Times are Unix timestamps in milliseconds (UTC). Secrets are stored only as hashes.
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

MAX_ID: Final = 64  # characters in the id of an entry, stage, recorded game or hand
BATCH_ROWS: Final = 500  # rows read or stored at a time; the event loop runs other tasks between batches

Id = Annotated[str, mapped_column(String(16))]
LongId = Annotated[str, mapped_column(String(MAX_ID))]
Name = Annotated[str, mapped_column(String(64))]
Word = Annotated[str, mapped_column(String(12))]
"""One of a few fixed words, such as a status or a role."""
Milliseconds = Annotated[int, mapped_column(BigInteger)]
SmallNumber = Annotated[int, mapped_column(SmallInteger)]
Object = Annotated[dict[str, Any], mapped_column(JSON(none_as_null=True))]
Json = Annotated[Any, mapped_column(JSON(none_as_null=True), nullable=True)]
Array = Annotated[list[Any], mapped_column(JSON(none_as_null=True))]


class _Column:
    """Descriptor that returns the column on the class; instances use a plain attribute."""

    def __init__(self, column: InstrumentedAttribute[Any]) -> None:
        self._column = column

    def __get__(self, row: object, _kind: type) -> InstrumentedAttribute[Any]:
        if row is not None:
            raise AttributeError(self._column.key)
        return self._column


class StoredRow(MappedAsDataclass, DeclarativeBase):
    """Base class of rows. Fields follow the column order, so ``Class(*row)`` builds one from a result.

    Rows never join an ORM session, so their attributes are not instrumented and creating them is as fast as
    creating plain dataclasses.
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
    _sa_disable_descriptor_defaults: ClassVar = True  # use plain default values, as dataclasses do

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._names = tuple(cls.__table__.columns.keys())
        for name in cls._names:
            type.__setattr__(cls, name, _Column(getattr(cls, name)))
        type.__setattr__(cls, "__init__", manager_of_class(cls).original_init)

    def values(self) -> dict[str, Any]:
        """Return a dictionary of column names and values, for an insert or a modified copy."""
        fields = self.__dict__
        return {name: fields[name] for name in self._names}


METADATA: Final = StoredRow.metadata


class EncodedJson(str):
    """Text that is already JSON; a JSON column stores it unchanged."""

    __slots__ = ()


class Unreadable:
    """Placeholder for a stored value that cannot be decoded, so that one bad row does not fail the query."""

    def __init__(self, error: Exception) -> None:
        self.error = error


UNREADABLE: Final = (JantakuError, ValueError, TypeError, LookupError, AttributeError, RecursionError)


class StoredModel(TypeDecorator[Any]):
    """Column type that stores values of the type ``kind`` as JSON. Comparisons use the JSON text."""

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


def encode_json(value: object) -> str:
    """Encode a value as compact JSON; ``EncodedJson`` is returned unchanged."""
    if isinstance(value, EncodedJson):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def decode_json(text: str) -> Any:
    """Decode stored JSON; returns ``Unreadable`` instead of raising."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        return Unreadable(error)


Stored = TypeVar("Stored", bound=StoredRow)


Rows = type[StoredRow] | Table


def table_of(rows: Rows) -> Table:
    """Return the table of a row class; a table is returned unchanged."""
    if isinstance(rows, Table):
        return rows
    table = rows.__table__
    assert isinstance(table, Table)
    return table


async def read_rows(connection: AsyncConnection, query: Select[Stored]) -> list[Stored]:
    """Execute ``select(Class)`` and return its rows as objects of the class.

    Yields to the event loop between batches, because building thousands of rows takes long.
    """
    kind: Any = query.column_descriptions[0]["entity"]
    rows = list[Stored]()
    for batch in (await connection.execute(query)).partitions(BATCH_ROWS):
        rows += [kind(*row) for row in batch]
        if len(batch) == BATCH_ROWS:
            await asyncio.sleep(0)
    return rows
