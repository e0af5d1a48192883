"""One server per database: the lock that a running server holds, and what happens if it is lost.

Tables live in the memory of one server. Two servers on one database would each store actions that the other
does not know.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import NullPool

from jantaku.errors import RequestError
from jantaku.server import tasks
from jantaku.server.storage.address import shown
from jantaku.server.storage.file_lock import FileLock

LOG = logging.getLogger("jantaku.server")
KEY: Final = 0x6A616E74616B75  # "jantaku": the advisory lock in PostgreSQL
TRIES, APART_S = 6, 0.5  # a killed server may hold its connection for a moment
LOOKS_S: Final = 2.0  # how often the connection of the lock is checked
TIMEOUT_S: Final = 3.0


class AdvisoryLock:
    """Holds a PostgreSQL advisory lock on its own connection and watches that connection.

    If the connection is lost, PostgreSQL gives the lock to the next that asks. ``held`` is False, and nothing
    may be stored, until the lock is taken again. Then ``regained`` is called, because another server may have
    stored something meanwhile.
    """

    def __init__(self, address: URL, regained: Callable[[], None]) -> None:
        arguments = {"timeout": TIMEOUT_S, "command_timeout": TIMEOUT_S}
        self._engine = create_async_engine(
            address, poolclass=NullPool, isolation_level="AUTOCOMMIT", connect_args=arguments
        )
        self._where, self._regained = shown(address), regained
        self._connection: AsyncConnection | None = None
        self._dead: list[AsyncConnection] = []  # to be closed
        self._task: asyncio.Task[None] | None = None

    @property
    def held(self) -> bool:
        """Whether this server may store. A process that never took the lock is not a server and may."""
        return self._connection is not None or self._task is None

    async def still_held(self, *, writing: bool = False) -> bool:
        """Whether this server may store; a task checks the connection continuously."""
        del writing
        return self.held

    async def take(self) -> None:
        """Take the lock; raises ``already_running`` if another server keeps it."""
        if self._connection is not None:
            return
        for _ in range(TRIES):
            self._connection = await self._try()
            if self._connection is not None:
                self._task = asyncio.create_task(self._watch(), name="storage-lock")
                return
            await asyncio.sleep(APART_S)
        raise RequestError("already_running", field="--database", where=self._where)

    async def release(self) -> None:
        """Release the lock."""
        if self._task is not None:
            await tasks.end(self._task)
            self._task = None
        await self._drop()
        await self._engine.dispose()

    async def _try(self) -> AsyncConnection | None:
        """Ask for the lock on a new connection; return that connection if it was granted."""
        connection = await self._engine.connect()
        try:
            found = await connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": KEY})
            if bool(found.scalar()):
                raw = await connection.get_raw_connection()
                loop: Any = raw.driver_connection
                loop.add_termination_listener(lambda _: self._ended(connection))
                return connection
        except BaseException:
            await _abandon(connection)
            raise
        await connection.close()
        return None

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(LOOKS_S if self.held else min(APART_S, LOOKS_S))
            if self._connection is not None:
                await self._look(self._connection)
            else:
                await self._take_again()

    async def _look(self, connection: AsyncConnection) -> None:
        try:
            await asyncio.wait_for(connection.execute(text("SELECT 1")), 2 * TIMEOUT_S)
        except (SQLAlchemyError, OSError) as error:
            self._ended(connection, type(error).__name__)

    def _ended(self, connection: AsyncConnection, reason: str = "its connection was closed") -> None:
        """The connection of the lock is gone; PostgreSQL may give the lock to another server."""
        if connection is self._connection:
            self._connection = None
            self._dead.append(connection)
            LOG.error("The lock of the database %s is lost, so nothing is stored: %s", self._where, reason)

    async def _take_again(self) -> None:
        while self._dead:
            await _abandon(self._dead.pop())
        with suppress(SQLAlchemyError, OSError):
            found = await asyncio.wait_for(self._try(), 4 * TIMEOUT_S)
            if found is not None:
                LOG.warning("The lock of the database is held again.")
                self._regained()  # before anything is stored, so that no table acts on stale memory
                self._connection = found

    async def _drop(self) -> None:
        connection, self._connection = self._connection, None
        for one in [*self._dead, *([connection] if connection is not None else [])]:
            await _abandon(one)
        self._dead.clear()


async def _abandon(connection: AsyncConnection) -> None:
    """Close a connection that may be dead already."""
    with suppress(SQLAlchemyError, OSError):
        await connection.invalidate()
    with suppress(SQLAlchemyError, OSError):
        await connection.close()


def lock_of(address: URL, regained: Callable[[], None]) -> FileLock | AdvisoryLock | None:
    """The lock of a database; ``None`` for one in memory, which nothing else can use."""
    if address.drivername.startswith("postgresql"):
        return AdvisoryLock(address, regained)
    file = address.database
    return FileLock(Path(file), regained) if file and file != ":memory:" else None
