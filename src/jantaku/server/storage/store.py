"""The database engine: reading, writing in transactions, and checking that the database works."""

import asyncio
import logging
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from alembic.util import CommandError
from sqlalchemy import URL, Executable, Row, Select, UpdateBase, exists, make_url, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from jantaku.errors import RequestError
from jantaku.server.errors import ServerError
from jantaku.server.processes.links import Links, Topic
from jantaku.server.settings import Settings
from jantaku.server.storage import drivers
from jantaku.server.storage.base import Rows, Stored, decode_json, encode_json, read_rows, table_of
from jantaku.server.storage.files import FileLock, private_database, private_folder
from jantaku.server.storage.migrations import migrate

DRIVERS: Final = ("sqlite+aiosqlite", "postgresql+asyncpg")
HIDDEN: Final = "***"
SECRETS: Final = ("password", "passfile", "sslpassword")  # query parameters of a database URL
MIN_SECRET: Final = 3  # characters; hiding shorter passwords would garble unrelated text


def address_of(settings: Settings) -> URL:
    """Return the database URL; raises ``RequestError`` if it is invalid. No error quotes any part of it."""
    try:
        url = make_url(settings.url)
    except (SQLAlchemyError, ValueError):
        raise RequestError("bad_database_url", field="--database") from None
    file = url.database if url.drivername == DRIVERS[0] else "none"
    if url.drivername not in DRIVERS or file in (None, "", ":memory:"):
        raise RequestError("bad_database_url", field="--database")
    return url


def describe(address: URL) -> str:
    """Return a database's location for messages: the file, or host and database name."""
    if address.drivername == DRIVERS[0]:
        return address.database or ":memory:"
    host = address.host or address.query.get("host") or "localhost"
    return f"{host if isinstance(host, str) else host[0]}/{address.database or ''}"


class Redactor:
    """Hides the passwords of a database URL in texts."""

    def __init__(self, address: URL) -> None:
        secrets = {str(address.password or "")}
        for name in SECRETS:
            value = address.query.get(name, "")
            secrets |= {value} if isinstance(value, str) else set(value)
        words = {form for word in secrets for form in (word, quote(word, safe=""), repr(word)[1:-1])}
        self._words = sorted((word for word in words if len(word) >= MIN_SECRET), key=len, reverse=True)

    def __call__(self, text: str) -> str:
        """Return the text with every password hidden."""
        for word in self._words:
            text = text.replace(word, HIDDEN)
        return text


FULL: Final = re.compile("is full|no space left", re.IGNORECASE)
OUTLOOK: Final = "No action is confirmed until it works again; the tables then resume by themselves."
LOG = logging.getLogger("jantaku.server")


class Faults:
    """Log each failure of the database once, and its recovery. ``hide`` removes passwords from a text."""

    def __init__(self, where: str, hide: Callable[[str], str]) -> None:
        self._where = where
        self._hide = hide
        self._since: float | None = None

    def report(self, error: BaseException) -> None:
        """Log a failure, unless an earlier one has not been resolved yet."""
        if self._since is None:
            self._since = time.monotonic()
            cause = self.cause(error)
            advice = "Free space on its disk. " if FULL.search(cause) else ""
            LOG.error("The database %s fails: %s. %s%s", self._where, cause, advice, OUTLOOK)

    @property
    def failing(self) -> bool:
        """Whether a reported failure has not been resolved."""
        return self._since is not None

    def resolve(self) -> None:
        """Log the recovery if there was a failure."""
        if self._since is not None:
            LOG.warning("The database works again after %.0f s.", time.monotonic() - self._since)
            self._since = None

    def cause(self, error: BaseException) -> str:
        """Return the cause in one line, without passwords."""
        original = getattr(error, "orig", None) or error
        message = " ".join(str(original).split()) or "no answer in time"
        kind = type(original).__name__
        return self._hide(f"{kind}: {message}")


ANSWER_S: Final = 5.0  # timeout for getting a connection, and for each response from PostgreSQL
CONNECTIONS: Final = 14  # used by requests and tables at the same time; further ones queue
SPARE_CONNECTIONS: Final = 16  # for tasks that need a second connection, and for health checks
IDLE_TRANSACTION_S: Final = 3.0  # PostgreSQL ends the open transaction of a stopped process after this time
# PostgreSQL advisory lock keys of transactions that run one at a time
MIGRATION_LOCK, EXCLUSIVE_LOCK, JOIN_LOCK = range(0x6A616E74616B75, 0x6A616E74616B78)
LOCK_TRIES, LOCK_RETRY_S = 6, 0.5  # for the migration lock, while another process migrates
EMPTY_TTL_S: Final = 5.0  # how long an empty table is assumed to stay empty
CHECK_S: Final = 1.0  # timeout of a health check
DatabaseRow = Row[*tuple[Any, ...]]
_connected: ContextVar[bool] = ContextVar("connected", default=False)  # whether this task has a connection
logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)  # ``Faults`` reports failures, once


def now_ms() -> int:
    """Return the current time in ms since 1970."""
    return time.time_ns() // 1_000_000


def _is_about_data(error: DBAPIError) -> bool:
    """Whether PostgreSQL rejected an invalid value, such as a text with a NUL, and works otherwise."""
    return str(getattr(error.orig, "sqlstate", "")).startswith("22")


class Store:
    """A database. Failures raise ``ServerError("storage_lost")``; ``broken`` is set if the last write failed.

    ``field`` is the command-line option that selects the database. The ``regained`` callbacks run when
    another server may have changed its data.
    """

    def __init__(self, settings: Settings) -> None:
        address = address_of(settings)
        self.sqlite = address.drivername.startswith("sqlite")
        self._folder = None if settings.database_url else settings.data_dir
        self._file = Path(address.database) if self.sqlite and address.database else None
        self.where = describe(address)
        self.field = "--data" if self.sqlite else "--database"
        self._hide = Redactor(address)
        self.faults = Faults(self.where, self._hide)
        self.regained: list[Callable[[], None]] = []
        self._lock = FileLock(self._file, self.regain) if self._file is not None else None
        session = {"idle_in_transaction_session_timeout": str(round(1000 * IDLE_TRANSACTION_S))}
        postgres = {"timeout": ANSWER_S, "command_timeout": ANSWER_S, "server_settings": session}
        options: dict[str, Any] = {
            "pool_size": CONNECTIONS,
            "max_overflow": SPARE_CONNECTIONS,
            "pool_timeout": ANSWER_S,
            "connect_args": drivers.SQLITE_ARGS if self.sqlite else postgres,
            "json_serializer": encode_json,
            "json_deserializer": decode_json,
        }
        try:
            self.engine = create_async_engine(address, **options)
        except ImportError as error:
            reason = error.name or "asyncpg"
            raise RequestError("server_missing", field="--database", reason=reason) from error
        self.broken = asyncio.Event()
        self.may_write: Callable[[], Awaitable[bool]] | None = None  # set by the lease; None: always
        self._connection_slots = asyncio.Semaphore(CONNECTIONS)
        self._one_writer = asyncio.Lock()
        self._one_exclusive = asyncio.Lock()
        self._checking: asyncio.Task[bool] | None = None
        (drivers.prepare_sqlite if self.sqlite else drivers.prepare_postgres)(self.engine)
        self._reader = self.engine.execution_options(**{} if self.sqlite else drivers.READ_OPTIONS)
        self._writer = self.engine.execution_options(jantaku_writes=True)

    async def claim(self) -> None:
        """Lock an SQLite database against other servers and restrict its files to their owner.

        Raises ``RequestError`` if another server holds the lock (``already_running``) or the database is
        unusable. A PostgreSQL database may have several server processes (see ``Lease``).
        """
        with self.startup_errors():
            if self._folder is not None:
                private_folder(self._folder)
            if self._file is not None:
                private_database(self._file)
            if self._lock is not None:
                await self._lock.acquire()

    async def open(self) -> None:
        """Migrate the database, one process at a time; raises ``RequestError`` if that fails."""
        with self.startup_errors():
            async with self._writer.begin() as connection:
                if not self.sqlite:
                    await connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
                    await self._lock_migration(connection)
                await connection.run_sync(migrate)

    async def _lock_migration(self, connection: AsyncConnection) -> None:
        lock = text("SELECT pg_try_advisory_xact_lock(:key)").bindparams(key=MIGRATION_LOCK)
        for _ in range(LOCK_TRIES):
            if (await connection.execute(lock)).scalar():
                return
            await asyncio.sleep(LOCK_RETRY_S)
        raise RequestError("already_running", field=self.field, where=self.where)

    def startup_errors(self) -> "_StartupErrors":
        """Return a context manager that raises database errors as a one-line ``RequestError``."""
        return _StartupErrors(self.where, self.field, self.faults.cause)

    async def close(self) -> None:
        """Close all connections and release the lock."""
        if self._checking is not None and not self._checking.done():
            self._checking.cancel()
            await asyncio.wait({self._checking}, timeout=CHECK_S)
        await self.engine.dispose()
        if self._lock is not None:
            await self._lock.release()

    def regain(self) -> None:
        """Run the ``regained`` callbacks: another server may have changed the data."""
        for call in self.regained:
            call()

    @asynccontextmanager
    async def reading(self, *, in_transaction: bool = False) -> AsyncIterator[AsyncConnection]:
        """Open a connection for reading; streaming a result requires ``in_transaction``."""
        engine = self.engine if in_transaction else self._reader
        async with self._connecting(), self._guarded(), engine.connect() as connection:
            yield connection
        if not self.broken.is_set():
            self.faults.resolve()

    async def rows(self, query: Executable) -> list[DatabaseRow]:
        """Return all rows of a query."""
        async with self.reading() as connection:
            return list(await connection.execute(query))

    async def all(self, query: Select[Stored]) -> list[Stored]:
        """Return the rows of a ``select(Class)`` as objects of the class."""
        async with self.reading() as connection:
            return await read_rows(connection, query)

    async def one(self, query: Select[Stored]) -> Stored | None:
        """Return the first row of a ``select(Class)`` as an object, if any."""
        return next(iter(await self.all(query)), None)

    async def first(self, query: Executable) -> DatabaseRow | None:
        """Return the first row of a query, if any."""
        async with self.reading() as connection:
            return (await connection.execute(query)).first()

    async def values(self, query: Executable) -> list[Any]:
        """Return the first column of all rows."""
        async with self.reading() as connection:
            return list((await connection.execute(query)).scalars())

    async def value(self, query: Executable) -> Any:
        """Return the first column of the first row; ``None`` without a row."""
        async with self.reading() as connection:
            return (await connection.execute(query)).scalar()

    async def write(self, statement: UpdateBase) -> int:
        """Execute one statement in its own transaction; return the number of rows changed."""
        async with self.writing() as connection:
            return (await connection.execute(statement)).rowcount

    @asynccontextmanager
    async def _connecting(self) -> AsyncIterator[None]:
        """Queue until a connection is free, for as long as it takes.

        The engine's pool would time out under load, as if the database had failed. A task that already has
        a connection gets its second one immediately; otherwise all tasks could deadlock.
        """
        if _connected.get():
            yield
            return
        await self._acquire_slot()
        token = _connected.set(True)
        try:
            yield
        finally:
            _connected.reset(token)
            self._connection_slots.release()

    @staticmethod
    def skip_queue() -> None:
        """Let the current task use spare connections: a lease expires if its renewal has to queue."""
        _connected.set(True)

    async def _acquire_slot(self) -> None:
        """Wait for a connection slot; raises ``storage_lost`` if the database fails in the meantime."""
        slot = asyncio.ensure_future(self._connection_slots.acquire())
        try:
            while not slot.done():
                await asyncio.wait({slot}, timeout=ANSWER_S)
                if self.faults.failing and not slot.done():
                    raise ServerError("storage_lost")
        except BaseException:
            if slot.done() and not slot.cancelled():
                self._connection_slots.release()
            slot.cancel()
            raise

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """Open a transaction that commits at the end of the block.

        Raises ``ServerError("storage_lost")`` if this process may not write or the commit fails.
        """
        if self.may_write is not None and not await self.may_write():
            self.broken.set()
            raise ServerError("storage_lost")
        async with self.writing_unchecked() as connection:
            yield connection

    @asynccontextmanager
    async def writing_unchecked(self) -> AsyncIterator[AsyncConnection]:
        """Open a transaction without checking the lease. SQLite allows one transaction at a time."""
        async with self._one_writer if self.sqlite else nullcontext():
            if self._lock is not None and not self._lock.held:
                self.broken.set()
                raise ServerError("storage_lost")
            try:
                async with self._connecting(), self._guarded(), self._writer.begin() as connection:
                    if self._lock is not None and not await self._lock.still_held(writing=True):
                        raise ServerError("storage_lost")
                    yield connection
            except ServerError as error:
                if error.code == "storage_lost":
                    self.broken.set()
                raise
            self.broken.clear()
            self.faults.resolve()

    @asynccontextmanager
    async def exclusive(self) -> AsyncIterator[AsyncConnection]:
        """Open a transaction that counts or replaces rows before it adds some.

        Only one such transaction runs at a time, across all processes.
        """
        async with self._one_exclusive, self.writing() as connection:
            await self.lock_transaction(connection, EXCLUSIVE_LOCK)
            yield connection

    async def lock_transaction(self, connection: AsyncConnection, key: int) -> None:
        """Hold the advisory lock ``key`` until the transaction ends; SQLite serialises all writes anyway."""
        if not self.sqlite:
            await connection.execute(text("SELECT pg_advisory_xact_lock(:key)").bindparams(key=key))

    @asynccontextmanager
    async def _guarded(self) -> AsyncIterator[None]:
        try:
            yield
        except IntegrityError:  # callers handle it
            raise
        except (SQLAlchemyError, OSError) as error:
            if isinstance(error, DBAPIError) and _is_about_data(error):
                raise ServerError("unstorable_text") from error
            self.faults.report(error)
            raise ServerError("storage_lost") from error

    async def check(self) -> bool:
        """Return within a second whether the database can be read; concurrent callers share one check."""
        if self._checking is None or self._checking.done():
            self._checking = asyncio.create_task(self._can_read())
        checking = self._checking  # another caller may replace it in the meantime
        done, _ = await asyncio.wait({checking}, timeout=CHECK_S)
        return bool(done) and not checking.cancelled() and checking.result()

    async def _can_read(self) -> bool:
        if self._lock is not None and not await self._lock.still_held():
            return False
        try:
            async with self._guarded(), self.engine.connect() as connection:  # a spare connection
                await connection.exec_driver_sql("SELECT 1")
        except ServerError:
            return False
        if not self.broken.is_set():
            self.faults.resolve()
        return True


class Repository:
    """Base of the classes that read and write one kind of row."""

    def __init__(self, store: Store) -> None:
        self._store = store


class RowPresence:
    """Caches whether a table has rows, so that callers skip queries of unused features.

    A positive answer is cached for ever. A negative one expires after ``EMPTY_TTL_S``, because the
    announcement of another process may be lost.
    """

    def __init__(self, store: Store, links: Links, rows: Rows) -> None:
        table = table_of(rows)
        self._store, self._query = store, select(exists(select(table)))
        self._empty_until = 0.0
        self._seen = False
        self._links, self.topic = links, Topic[()](str(table.name))
        links.subscribe(self.topic, self._on_added)

    def announce_added(self) -> None:
        """Tell all processes that a row has been added."""
        self._links.announce(self.topic)

    def _on_added(self) -> None:
        self._seen = True

    async def exists(self) -> bool:
        """Whether the table has a row, or has had one since this process started."""
        if not self._seen and time.monotonic() >= self._empty_until:
            self._seen |= bool(await self._store.value(self._query))
            self._empty_until = time.monotonic() + EMPTY_TTL_S
        return self._seen


class _StartupErrors:
    """Raises database errors during startup as a one-line ``RequestError``."""

    def __init__(self, where: str, field: str, cause: Callable[[BaseException], str]) -> None:
        self._where, self._field, self._cause = where, field, cause

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, CommandError):  # the database has a migration unknown to this version
            raise RequestError("database_newer", field=self._field, where=self._where) from error
        # a TypeError means an option unknown to the driver
        if isinstance(error, SQLAlchemyError | OSError | TypeError):
            code = "data_unusable" if self._field == "--data" else "database_unreachable"
            reason = self._cause(error)
            raise RequestError(code, field=self._field, where=self._where, reason=reason) from None
