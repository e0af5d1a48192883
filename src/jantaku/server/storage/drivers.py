"""Driver settings: durable SQLite with one thread hop per statement, and checked PostgreSQL connections.

aiosqlite hands the cursor, the statement, the rows and the close to its thread one by one; each hop costs
more than most statements do.
"""

import sqlite3
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

import aiosqlite
from sqlalchemy import event
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncEngine

BUSY_MS: Final = 5_000  # how long SQLite waits for a lock of another process
PRAGMAS: Final = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "secure_delete=ON",  # overwrite deleted personal data in the file
)
PREFETCH_ROWS: Final = 500  # rows fetched together with the statement
Rows = list[Any]


class _Cursor:
    """Cursor that runs a statement and fetches the first rows in one hop to the connection's thread."""

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
        """Execute a statement and fetch its first rows."""
        await self._begin(self._connection._conn.execute, statement, values)

    async def executemany(self, statement: str, values: Any) -> None:
        """Execute a statement once for each set of values."""
        await self._begin(self._connection._conn.executemany, statement, values)

    async def _begin(self, run: Callable[[str, Any], sqlite3.Cursor], statement: str, values: Any) -> None:
        def start() -> tuple[sqlite3.Cursor, Rows]:
            cursor = run(statement, values)
            return cursor, cursor.fetchmany(PREFETCH_ROWS)

        self._cursor, self._rows = await self._in_thread(start)
        self._has_more = len(self._rows) == PREFETCH_ROWS

    async def fetchmany(self, size: int) -> Rows:
        """Return the next rows, at most ``size``."""
        if self._has_more and not self._rows:
            return list(await self._in_thread(self._cursor.fetchmany, size))
        rows, self._rows = self._rows[:size], self._rows[size:]
        return rows

    async def fetchall(self) -> Rows:
        """Return all remaining rows."""
        rest = await self._in_thread(self._cursor.fetchall) if self._has_more else []
        return [*self._rows, *rest]

    async def close(self) -> None:
        """Close the cursor, whether or not all rows were read."""
        if self._has_more:
            await self._in_thread(self._cursor.close)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)  # ``description``, ``rowcount`` and ``lastrowid``


class _Connection(aiosqlite.Connection):
    """Connection to a database file; it runs in its own daemon thread."""

    def __init__(self, *where: Any, **options: Any) -> None:
        super().__init__(lambda: sqlite3.connect(*where, **options), PREFETCH_ROWS)
        self._thread.daemon = True  # never keep a failed process alive

    def cursor(self) -> Any:
        """Return a new cursor."""
        return _Cursor(self)


SQLITE_ARGS: Final = {"async_creator_fn": _Connection}


def prepare_sqlite(engine: AsyncEngine) -> None:
    """Configure new connections: a write-ahead log synced at each commit, so commits survive a power loss."""

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


MAX_IDLE_S: Final = 1.0  # a connection that was idle for longer is pinged before it is used
READ_OPTIONS: Final = {"isolation_level": "AUTOCOMMIT"}  # each statement sees the latest commits anyway


def prepare_postgres(engine: AsyncEngine) -> None:
    """Discard closed connections, and ping only those that were idle: a ping takes three messages."""

    @event.listens_for(engine.sync_engine, "checkin")
    def on_checkin(_connection: Any, record: Any) -> None:
        record.info["back"] = time.monotonic()

    @event.listens_for(engine.sync_engine, "checkout")
    def on_checkout(connection: Any, record: Any, _proxy: Any) -> None:
        now = time.monotonic()
        try:
            if connection.driver_connection.is_closed():
                raise ConnectionError("the connection is closed")
            if now - record.info.get("back", now) > MAX_IDLE_S:
                connection.ping()
        except Exception as error:
            raise InvalidatePoolError from error
