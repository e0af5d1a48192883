"""The database and its engine: reading, writing in one transaction, and checking that it works."""

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
from jantaku.server.storage.base import Rows, Stored, read_json, read_rows, table_of, written_json
from jantaku.server.storage.files import FileLock, private_database, private_folder
from jantaku.server.storage.migrations import migrate

DRIVERS: Final = ("sqlite+aiosqlite", "postgresql+asyncpg")
HIDDEN: Final = "***"
SECRETS: Final = ("password", "passfile", "sslpassword")  # query parameters of an address
LEAST: Final = 3  # the shortest password that can be found again in a text


def address_of(settings: Settings) -> URL:
    """The address of the database; raises ``RequestError`` if invalid. No error repeats any part of it."""
    try:
        url = make_url(settings.url)
    except (SQLAlchemyError, ValueError):
        raise RequestError("bad_database_url", field="--database") from None
    file = url.database if url.drivername == DRIVERS[0] else "none"
    if url.drivername not in DRIVERS or file in (None, "", ":memory:"):
        raise RequestError("bad_database_url", field="--database")
    return url


def shown(address: URL) -> str:
    """Where the data are, for people: a file, or the host and name of a database."""
    if address.drivername == DRIVERS[0]:
        return address.database or ":memory:"
    host = address.host or address.query.get("host") or "localhost"
    return f"{host if isinstance(host, str) else host[0]}/{address.database or ''}"


class Redacted:
    """Removes the passwords of an address from texts."""

    def __init__(self, address: URL) -> None:
        secrets = {str(address.password or "")}
        for name in SECRETS:
            value = address.query.get(name, "")
            secrets |= {value} if isinstance(value, str) else set(value)
        words = {form for word in secrets for form in (word, quote(word, safe=""), repr(word)[1:-1])}
        self._words = sorted((word for word in words if len(word) >= LEAST), key=len, reverse=True)

    def __call__(self, text: str) -> str:
        """The text with every password hidden."""
        for word in self._words:
            text = text.replace(word, HIDDEN)
        return text


FULL: Final = re.compile("is full|no space left", re.IGNORECASE)
THEN: Final = "Nothing is confirmed until it works again; the tables then go on by themselves."
LOG = logging.getLogger("jantaku.server")


class Faults:
    """What has been reported. ``hide`` removes passwords from a text."""

    def __init__(self, where: str, hide: Callable[[str], str]) -> None:
        self._where = where
        self._hide = hide
        self._since: float | None = None

    def note(self, error: BaseException) -> None:
        """Report the first failure; later ones are the same."""
        if self._since is None:
            self._since = time.monotonic()
            cause = self.cause(error)
            advice = "Free space on its disk. " if FULL.search(cause) else ""
            LOG.error("The database %s fails: %s. %s%s", self._where, cause, advice, THEN)

    @property
    def failing(self) -> bool:
        """Whether a failure has been reported that is not over."""
        return self._since is not None

    def over(self) -> None:
        """Report the recovery, if there was a failure."""
        if self._since is not None:
            LOG.warning("The database works again after %.0f s.", time.monotonic() - self._since)
            self._since = None

    def cause(self, error: BaseException) -> str:
        """The cause in one line, without passwords."""
        original = getattr(error, "orig", None) or error
        said = " ".join(str(original).split()) or "no answer in time"
        kind = type(original).__name__
        return self._hide(f"{kind}: {said}")


ANSWER_S: Final = 5.0  # PostgreSQL: wait for a connection, and for each answer
CONNECTIONS: Final = 14  # for requests and tables at a time; others wait for one of them
SPARE: Final = 16  # for work that needs a second one, and to check whether the database works
SILENT_S: Final = 3.0  # PostgreSQL: ends a transaction of a process that was stopped in the middle of it
# PostgreSQL: locks of these transactions
RESHAPING, COUNTING, JOINING = range(0x6A616E74616B75, 0x6A616E74616B78)
TRIES, APART_S = 6, 0.5  # to change the tables, which another process may be doing
NONE_S: Final = 5.0  # so long a table counts as empty
CHECK_S: Final = 1.0  # the longest a health check waits for the database
DatabaseRow = Row[*tuple[Any, ...]]
_connected: ContextVar[bool] = ContextVar("connected", default=False)  # whether this work has a connection
logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)  # ``Faults`` reports failures, once


def now_ms() -> int:
    """The current time as it is stored."""
    return time.time_ns() // 1_000_000


def _is_about_data(error: DBAPIError) -> bool:
    """Whether PostgreSQL refused an invalid value, such as a text with a NUL; storage itself works."""
    return str(getattr(error.orig, "sqlstate", "")).startswith("22")


class Store:
    """A database. Failures raise ``ServerError("storage_lost")``; ``broken``: the last write failed.

    ``field`` is the option that names it. The ``regained`` callbacks run when another server may have changed
    the database.
    """

    def __init__(self, settings: Settings) -> None:
        address = address_of(settings)
        self.sqlite = address.drivername.startswith("sqlite")
        self._folder = None if settings.database_url else settings.data_dir
        self._file = Path(address.database) if self.sqlite and address.database else None
        self.where = shown(address)
        self.field = "--data" if self.sqlite else "--database"
        self._hide = Redacted(address)
        self.faults = Faults(self.where, self._hide)
        self.regained: list[Callable[[], None]] = []
        self._lock = FileLock(self._file, self.regain) if self._file is not None else None
        ends = {"idle_in_transaction_session_timeout": str(round(1000 * SILENT_S))}
        waits = {"timeout": ANSWER_S, "command_timeout": ANSWER_S, "server_settings": ends}
        pool: dict[str, Any] = {
            "pool_size": CONNECTIONS,
            "max_overflow": SPARE,
            "pool_timeout": ANSWER_S,
            "connect_args": drivers.CONNECTS if self.sqlite else waits,
            "json_serializer": written_json,
            "json_deserializer": read_json,
        }
        try:
            self.engine = create_async_engine(address, **pool)
        except ImportError as error:
            reason = error.name or "asyncpg"
            raise RequestError("server_missing", field="--database", reason=reason) from error
        self.broken = asyncio.Event()
        self.allowed: Callable[[], Awaitable[bool]] | None = None  # whether this process may write now
        self._room = asyncio.Semaphore(CONNECTIONS)
        self._one_writer = asyncio.Lock()
        self._one_counter = asyncio.Lock()
        self._checking: asyncio.Task[bool] | None = None
        (drivers.prepare_sqlite if self.sqlite else drivers.prepare_postgres)(self.engine)
        self._reader = self.engine.execution_options(**{} if self.sqlite else drivers.READS)
        self._writer = self.engine.execution_options(jantaku_writes=True)

    async def claim(self) -> None:
        """Close an SQLite database to other users and to other servers.

        Raises ``RequestError`` if another server has it (``already_running``), or if it cannot be used.
        Several processes may serve a PostgreSQL database (``Lease``).
        """
        with self.starting():
            if self._folder is not None:
                private_folder(self._folder)
            if self._file is not None:
                private_database(self._file)
            if self._lock is not None:
                await self._lock.take()

    async def open(self) -> None:
        """Migrate the tables, one process at a time; raises ``RequestError`` if that fails."""
        with self.starting():
            async with self._writer.begin() as connection:
                if not self.sqlite:
                    await connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
                    await self._wait_for_turn(connection)
                await connection.run_sync(migrate)

    async def _wait_for_turn(self, connection: AsyncConnection) -> None:
        turn = text("SELECT pg_try_advisory_xact_lock(:key)").bindparams(key=RESHAPING)
        for _ in range(TRIES):
            if (await connection.execute(turn)).scalar():
                return
            await asyncio.sleep(APART_S)
        raise RequestError("already_running", field=self.field, where=self.where)

    def starting(self) -> "_Starting":
        """Report a database that cannot be used in one line."""
        return _Starting(self.where, self.field, self.faults.cause)

    async def close(self) -> None:
        """Close all connections and release the database."""
        if self._checking is not None and not self._checking.done():
            self._checking.cancel()
            await asyncio.wait({self._checking}, timeout=CHECK_S)
        await self.engine.dispose()
        if self._lock is not None:
            await self._lock.release()

    def regain(self) -> None:
        """Another server may have changed the database meanwhile."""
        for call in self.regained:
            call()

    @asynccontextmanager
    async def reading(self, *, parts: bool = False) -> AsyncIterator[AsyncConnection]:
        """A connection for reading; ``parts``: rows that are read in parts need a transaction."""
        engine = self.engine if parts else self._reader
        async with self._connecting(), self._guarded(), engine.connect() as connection:
            yield connection
        if not self.broken.is_set():
            self.faults.over()

    async def rows(self, query: Executable) -> list[DatabaseRow]:
        """The rows that one query finds."""
        async with self.reading() as connection:
            return list(await connection.execute(query))

    async def all(self, query: Select[Stored]) -> list[Stored]:
        """The rows that a ``select(Class)`` finds, as objects of the class."""
        async with self.reading() as connection:
            return await read_rows(connection, query)

    async def one(self, query: Select[Stored]) -> Stored | None:
        """The first of them, if any."""
        return next(iter(await self.all(query)), None)

    async def first(self, query: Executable) -> DatabaseRow | None:
        """Its first row, if any."""
        async with self.reading() as connection:
            return (await connection.execute(query)).first()

    async def values(self, query: Executable) -> list[Any]:
        """The first column of all its rows."""
        async with self.reading() as connection:
            return list((await connection.execute(query)).scalars())

    async def value(self, query: Executable) -> Any:
        """The first column of its first row; ``None`` without any."""
        async with self.reading() as connection:
            return (await connection.execute(query)).scalar()

    async def write(self, statement: UpdateBase) -> int:
        """Carry out one statement in a transaction of its own; how many rows it changed."""
        async with self.writing() as connection:
            return (await connection.execute(statement)).rowcount

    @asynccontextmanager
    async def _connecting(self) -> AsyncIterator[None]:
        """Wait until a connection is free, however many wait for one.

        The pool of the engine would call it a failure of the database if people come faster than it answers.
        Work that has a connection already takes another one at once: waiting for it, all could wait for ever.
        """
        if _connected.get():
            yield
            return
        await self._take_turn()
        token = _connected.set(True)
        try:
            yield
        finally:
            _connected.reset(token)
            self._room.release()

    @staticmethod
    def hurry() -> None:
        """Let this task wait for no connection: a lease is lost if its renewal waits behind everyone."""
        _connected.set(True)

    async def _take_turn(self) -> None:
        """Wait in line; raises ``storage_lost`` if the database fails meanwhile."""
        turn = asyncio.ensure_future(self._room.acquire())
        try:
            while not turn.done():
                await asyncio.wait({turn}, timeout=ANSWER_S)
                if self.faults.failing and not turn.done():
                    raise ServerError("storage_lost")
        except BaseException:
            if turn.done() and not turn.cancelled():
                self._room.release()
            turn.cancel()
            raise

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction, committed at the end of the block; raises ``storage_lost`` if it may not be."""
        if self.allowed is not None and not await self.allowed():
            self.broken.set()
            raise ServerError("storage_lost")
        async with self.writing_anyway() as connection:
            yield connection

    @asynccontextmanager
    async def writing_anyway(self) -> AsyncIterator[AsyncConnection]:
        """The same of a process that may have been replaced; SQLite allows one at a time."""
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
            self.faults.over()

    @asynccontextmanager
    async def counting(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that counts or replaces rows before it adds some.

        Only one runs at a time, among all processes.
        """
        async with self._one_counter, self.writing() as connection:
            await self.alone_at(connection, COUNTING)
            yield connection

    async def alone_at(self, connection: AsyncConnection, what: int) -> None:
        """Wait until no other process does this in a transaction; with SQLite all writing is by turns."""
        if not self.sqlite:
            await connection.execute(text("SELECT pg_advisory_xact_lock(:key)").bindparams(key=what))

    @asynccontextmanager
    async def _guarded(self) -> AsyncIterator[None]:
        try:
            yield
        except IntegrityError:  # for the caller to handle
            raise
        except (SQLAlchemyError, OSError) as error:
            if isinstance(error, DBAPIError) and _is_about_data(error):
                raise ServerError("unstorable_text") from error
            self.faults.note(error)
            raise ServerError("storage_lost") from error

    async def check(self) -> bool:
        """Whether reading and storing work, determined within a second.

        Concurrent callers share one answer.
        """
        if self._checking is None or self._checking.done():
            self._checking = asyncio.create_task(self._can_read())
        checking = self._checking  # another request may begin the next one meanwhile
        done, _ = await asyncio.wait({checking}, timeout=CHECK_S)
        return bool(done) and not checking.cancelled() and checking.result()

    async def _can_read(self) -> bool:
        if self._lock is not None and not await self._lock.still_held():
            return False
        try:
            async with self._guarded(), self.engine.connect() as connection:  # one of the spare connections
                await connection.exec_driver_sql("SELECT 1")
        except ServerError:
            return False
        if not self.broken.is_set():
            self.faults.over()
        return True


class OverStore:
    """What reads and writes rows of one kind in a database."""

    def __init__(self, store: Store) -> None:
        self._store = store


class AnyRow:
    """Whether a table has rows, remembered: for good if it has, else until any process has ``added`` one.

    That may be missed, so no rows are believed for a while only. ``name``: of the news.
    """

    def __init__(self, store: Store, links: Links, rows: Rows) -> None:
        table = table_of(rows)
        self._store, self._query = store, select(exists(select(table)))
        self._none_until = 0.0
        self._seen = False
        self._links, self.topic = links, Topic[()](str(table.name))
        links.subscribe(self.topic, self._see)

    def added(self) -> None:
        """The table has a row."""
        self._links.announce(self.topic)

    def _see(self) -> None:
        self._seen = True

    async def there(self) -> bool:
        """Whether there is one, or was one since the server began."""
        if not self._seen and time.monotonic() >= self._none_until:
            self._seen |= bool(await self._store.value(self._query))
            self._none_until = time.monotonic() + NONE_S
        return self._seen


class _Starting:
    """Turns startup errors of the database into a one-line ``RequestError``."""

    def __init__(self, where: str, field: str, cause: Callable[[BaseException], str]) -> None:
        self._where, self._field, self._cause = where, field, cause

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Raise a database error as ``RequestError``."""
        if isinstance(error, CommandError):  # a migration that this version does not know
            raise RequestError("database_newer", field=self._field, where=self._where) from error
        # TypeError: an unknown option of the driver
        if isinstance(error, SQLAlchemyError | OSError | TypeError):
            code = "data_unusable" if self._field == "--data" else "database_unreachable"
            reason = self._cause(error)
            raise RequestError(code, field=self._field, where=self._where, reason=reason) from None
