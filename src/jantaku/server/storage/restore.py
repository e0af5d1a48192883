"""Reads a backup into a database, SQLite or PostgreSQL, whichever it came from.

One transaction does all of it. It first makes the tables as they were when the backup was made, or those of
the first release if it is older, then fills them, and then upgrades them as a server would. So a backup of
any age goes the way that its database would have gone, and whatever interrupts the restoring leaves the
database as it was before.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from alembic.util import CommandError
from sqlalchemy import Connection, MetaData, Table, func, insert, inspect, select
from sqlalchemy.exc import SQLAlchemyError

from jantaku.errors import RequestError
from jantaku.server.errors import ServerError
from jantaku.server.settings import Settings
from jantaku.server.storage.backup_format import BackupReader
from jantaku.server.storage.lease import check_unused
from jantaku.server.storage.migrations import FIRST, migrate
from jantaku.server.storage.older_databases import fill, is_older
from jantaku.server.storage.store import Store

AT_ONCE: Final = 200  # rows of one statement
CONTENT: Final = ("people", "tables", "events", "uploads", "rulesets")  # where a database in use has rows

Counts = dict[str, int]


def restore(settings: Settings, file: Path, *, replace: bool = False) -> Counts:
    """Read a backup into the database of the settings; returns the number of rows of each table.

    The server must not run. Raises ``RequestError`` for a file that is no backup, damaged, or newer than this
    version (``backup_unreadable``, ``backup_newer``), if a server runs (``already_running``), and if the
    database holds anything (``restore_not_empty``) unless it is to be replaced.
    """
    return asyncio.run(read_backup(settings, file, replace=replace))


async def read_backup(settings: Settings, file: Path, *, replace: bool = False) -> Counts:
    """``restore`` within an event loop."""
    reader = BackupReader(file)
    store = Store(settings)
    try:
        await store.claim()
        with _said(file):
            await check_unused(store)
            async with store.reshaping() as connection:
                return await connection.run_sync(_restore, reader, replace)
    finally:
        reader.close()
        await store.close()


@contextmanager
def _said(file: Path) -> Iterator[None]:
    try:
        yield
    except CommandError as error:  # a schema that this version does not know
        raise RequestError("backup_newer", field="FILE", path=str(file)) from error
    except (SQLAlchemyError, ServerError) as error:
        cause = error.__cause__ or error
        reason = str(getattr(cause, "orig", cause))
        raise RequestError("backup_unreadable", field="FILE", path=str(file), reason=reason) from error


def _restore(connection: Connection, reader: BackupReader, replace: bool) -> Counts:
    """Everything within the transaction."""
    _make_room(connection, replace)
    schema = reader.head.schema
    migrate(connection, FIRST if is_older(schema) else schema)
    tables = MetaData()
    tables.reflect(connection)
    counts = Counts()
    for part in reader.parts(AT_ONCE):
        table = tables.tables.get(part.table)
        if table is None or not set(part.columns) <= {column.name for column in table.columns}:
            reason = f"its schema {schema} has no table {part.table} of these columns"
            raise RequestError("backup_unreadable", field="FILE", path="", reason=reason)
        rows = [dict(zip(part.columns, row, strict=True)) for row in part.rows]
        connection.execute(insert(table), rows)
        counts[part.table] = counts.get(part.table, 0) + len(rows)
    if is_older(schema):
        fill(connection, schema)
    migrate(connection)
    return counts


def _make_room(connection: Connection, replace: bool) -> None:
    """Drop the tables that are there; raises ``restore_not_empty`` if they hold anything to keep."""
    there = MetaData()
    there.reflect(connection)
    if not replace:
        for name in CONTENT:
            table: Table | None = there.tables.get(name)
            if table is not None and _count(connection, table):
                raise RequestError("restore_not_empty", field="FILE", table=name)
    there.drop_all(connection)
    assert not inspect(connection).get_table_names()


def _count(connection: Connection, table: Any) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())
