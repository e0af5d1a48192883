"""SQLite below the engine: durable commits, and statements that go to the thread of their connection once.

The driver goes there for a cursor, for the statement, for its rows and for its end. Each way costs more than
most statements do.
"""

import sqlite3
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

import aiosqlite
from sqlalchemy import event
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncEngine

BUSY_MS: Final = 5_000  # wait for another process that writes
PRAGMAS: Final = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "secure_delete=ON",  # deleted names are overwritten in the file, too
)
AT_ONCE: Final = 500  # rows that come back with the statement
Rows = list[Any]


class _Cursor:
    """A statement that brings its first rows along; it runs in the thread of its connection."""

    arraysize = 1
    _cursor: sqlite3.Cursor
    _rows: Rows
    _has_more = False

    def __init__(self, connection: "_Connection") -> None:
        self._connection = connection
        self._in_thread: Callable[..., Awaitable[Any]] = connection._execute

    async def __aenter__(self) -> "_Cursor":
        return self

    async def execute(self, statement: str, values: Any = ()) -> None:
        """Run a statement."""
        await self._begin(self._connection._conn.execute, statement, values)

    async def executemany(self, statement: str, values: Any) -> None:
        """Run a statement with each of several values."""
        await self._begin(self._connection._conn.executemany, statement, values)

    async def _begin(self, run: Callable[[str, Any], sqlite3.Cursor], statement: str, values: Any) -> None:
        def begun() -> tuple[sqlite3.Cursor, Rows]:
            cursor = run(statement, values)
            return cursor, cursor.fetchmany(AT_ONCE)

        self._cursor, self._rows = await self._in_thread(begun)
        self._has_more = len(self._rows) == AT_ONCE

    async def fetchmany(self, size: int) -> Rows:
        """The next rows."""
        if self._has_more and not self._rows:
            return list(await self._in_thread(self._cursor.fetchmany, size))
        rows, self._rows = self._rows[:size], self._rows[size:]
        return rows

    async def fetchall(self) -> Rows:
        """All rows that are left."""
        rest = await self._in_thread(self._cursor.fetchall) if self._has_more else []
        return [*self._rows, *rest]

    async def close(self) -> None:
        """End a statement, whether or not all of its rows were read."""
        if self._has_more:
            await self._in_thread(self._cursor.close)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)  # ``description``, ``rowcount`` and ``lastrowid``


class _Connection(aiosqlite.Connection):
    """A connection to a file, with a thread of its own."""

    def __init__(self, *where: Any, **options: Any) -> None:
        super().__init__(lambda: sqlite3.connect(*where, **options), AT_ONCE)
        self._thread.daemon = True  # a process that fails ends all the same

    def cursor(self) -> Any:
        """A statement to be run."""
        return _Cursor(self)


CONNECTS: Final = {"async_creator_fn": _Connection}


def prepare_sqlite(engine: AsyncEngine) -> None:
    """Use a write-ahead log, synced at each commit, so that a commit survives a power loss."""

    @event.listens_for(engine.sync_engine, "connect")
    def on_connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin explicitly below
        cursor = connection.cursor()
        for pragma in (f"busy_timeout={BUSY_MS}", *PRAGMAS):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def on_begin(connection: Any) -> None:
        writing = connection.get_execution_options().get("jantaku_writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


TRUSTED_S: Final = 1.0  # a connection that was idle for longer is tried before it is used
READS: Final = {"isolation_level": "AUTOCOMMIT"}  # each statement sees what is committed, as in a transaction


def prepare_postgres(engine: AsyncEngine) -> None:
    """Try a connection only after a while, since that takes three messages; a closed one is never used."""

    @event.listens_for(engine.sync_engine, "checkin")
    def on_checkin(_connection: Any, record: Any) -> None:
        record.info["back"] = time.monotonic()

    @event.listens_for(engine.sync_engine, "checkout")
    def on_checkout(connection: Any, record: Any, _proxy: Any) -> None:
        now = time.monotonic()
        try:
            if connection.driver_connection.is_closed():
                raise ConnectionError("the connection is closed")
            if now - record.info.get("back", now) > TRUSTED_S:
                connection.ping()
        except Exception as error:
            raise InvalidatePoolError from error
