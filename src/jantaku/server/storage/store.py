"""The database behind its engine: reading, writing in one transaction, and whether it is there."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from typing import Any

from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from jantaku.server.errors import ServerError
from jantaku.server.storage.migrations import migrate

BUSY_MS = 10_000


def now_ms() -> int:
    """The time as it is stored."""
    return time.time_ns() // 1_000_000


def _prepare_sqlite(engine: AsyncEngine) -> None:
    """Write-ahead log, synced at each commit, so that a commit outlives the machine losing power too."""

    @event.listens_for(engine.sync_engine, "connect")
    def on_connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions are begun below
        cursor = connection.cursor()
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            f"busy_timeout={BUSY_MS}",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def on_begin(connection: Any) -> None:
        writing = connection.get_execution_options().get("jantaku_writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _is_about_data(error: DBAPIError) -> bool:
    """Whether PostgreSQL refused a value it cannot hold, such as a text with a NUL: storage is not lost."""
    return str(getattr(error.orig, "sqlstate", "")).startswith("22")


class Store:
    """One database. Its failures are ``ServerError("storage_lost")``; ``broken``: the last writing failed."""

    def __init__(self, url: str) -> None:
        self.engine = create_async_engine(url, pool_pre_ping=not url.startswith("sqlite"))
        self.sqlite = self.engine.dialect.name == "sqlite"
        self.broken = asyncio.Event()
        self._one_writer = asyncio.Lock()
        self._one_counter = asyncio.Lock()
        if self.sqlite:
            _prepare_sqlite(self.engine)
        self._writer = self.engine.execution_options(jantaku_writes=True)

    async def open(self) -> None:
        """Bring the tables up to date."""
        async with self._guarded(), self._writer.begin() as connection:
            await connection.run_sync(migrate)

    async def close(self) -> None:
        """Let go of all connections."""
        await self.engine.dispose()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection to read with."""
        async with self._guarded(), self.engine.connect() as connection:
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction, committed at the end of the block; SQLite has room for one at a time."""
        async with self._one_writer if self.sqlite else nullcontext():
            try:
                async with self._guarded(), self._writer.begin() as connection:
                    yield connection
            except ServerError as error:
                if error.code == "storage_lost":
                    self.broken.set()
                raise
            self.broken.clear()

    @asynccontextmanager
    async def counting(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that counts rows before it adds one, alone, so that no two count the same rows."""
        async with self._one_counter, self.writing() as connection:
            yield connection

    @asynccontextmanager
    async def _guarded(self) -> AsyncIterator[None]:
        try:
            yield
        except IntegrityError:  # the caller's affair
            raise
        except (SQLAlchemyError, OSError) as error:
            if isinstance(error, DBAPIError) and _is_about_data(error):
                raise ServerError("bad_request", field="text", reason=str(error.orig)) from error
            raise ServerError("storage_lost") from error

    async def check(self) -> bool:
        """Whether something can be read."""
        try:
            async with self.reading() as connection:
                await connection.exec_driver_sql("SELECT 1")
        except ServerError:
            return False
        return True
