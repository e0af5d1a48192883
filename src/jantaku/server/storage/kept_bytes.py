"""How many bytes a person keeps in the database: uploaded logs, and rules with their text."""

from typing import Any, Final

from sqlalchemy import ColumnElement, LargeBinary, Text, cast, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.errors import ServerError
from jantaku.server.storage.schema import rulesets, uploads

ROW: Final = 100  # bytes of a row beside its texts, roughly
MB: Final = 1 << 20
KEPT: Final = ((uploads, ("name", "text")), (rulesets, ("name", "tree", "toml")))


def bytes_in(*columns: ColumnElement[Any]) -> ColumnElement[int]:
    """How many bytes rows have in their texts and data, and a little for the rows themselves."""
    size: ColumnElement[int] = func.count() * ROW
    for column in columns:
        data = cast(column, LargeBinary) if isinstance(column.type, Text) else column
        size = size + func.coalesce(func.sum(func.length(data)), 0)
    return size


async def check_kept(connection: AsyncConnection, person: str, more: int, most: int) -> None:
    """Raise ``too_much_kept`` if a person who keeps ``more`` bytes would keep more than ``most``."""
    for table, names in KEPT:
        size = bytes_in(*(table.c[name] for name in names))
        more += (await connection.execute(select(size).where(table.c.person == person))).scalar_one()
    if more > most:
        raise ServerError("too_much_kept", most=max(1, most // MB))
