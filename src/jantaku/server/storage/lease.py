"""The processes that serve a database: each renews one lease for all its tables together.

A process whose lease has run out may be replaced: whoever notices deletes its row and takes its tables, which
gives each a new number (``tables.fence``). Every commit for a table checks that number, so a process that was
paused or cut off stores nothing there, whether or not it has noticed.
"""

import asyncio
import json
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from sqlalchemy import String, delete, exists, insert, inspect, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku import __version__
from jantaku.errors import RequestError
from jantaku.server import tasks
from jantaku.server.errors import ServerError
from jantaku.server.processes.links import Links
from jantaku.server.storage.base import Id, Milliseconds, StoredRow, read_rows, table_of
from jantaku.server.storage.people import new_id
from jantaku.server.storage.rows import DatabaseMs
from jantaku.server.storage.store import JOINING, Store
from jantaku.server.tasks import Background

LOG = logging.getLogger("jantaku.server")
LASTS_S, RENEWS_S, APART_S = 3.0, 1.0, 0.2
FOR_EVER_S: Final = 10**9  # SQLite: the lock of its file says that nobody else is there
OWNERS: Final = ("all", "tables")  # the roles that have tables
LEAVING: Final = "leaving"  # the role of a process that gives its tables to others and ends


class Peer(StoredRow):
    """A living process of the site, and how many ``tables`` it had a moment ago.

    ``alone``: it shares them with no other. Others may take them after ``until``, by the database's clock.
    """

    __tablename__ = "processes"

    id: Mapped[Id] = mapped_column(primary_key=True)
    role: Mapped[str] = mapped_column(String(8), default="all")
    tables: Mapped[int] = mapped_column(default=0)
    alone: Mapped[bool] = mapped_column(default=False)
    version: Mapped[str] = mapped_column(String(32), default=__version__)
    until: Mapped[Milliseconds] = mapped_column(default=0)
    began: Mapped[Milliseconds] = mapped_column(default=0)


async def _no_wait(_: str) -> None:
    """Nobody has to learn the name of a process."""


class Lease:
    """What this process has among those of its database.

    ``alone``: it shares the tables with no other process, and does not begin beside one. ``standby``: it
    waits for the other one to end. ``held``: nobody has replaced it, as far as it knows; when somebody has,
    ``lost`` is called, and ``Store.regained`` when it has begun anew, ``reached`` before that. ``peers`` are
    the living processes, the oldest first, this one among them; ``changed`` is called when one has come or
    gone. ``tables`` says how many tables this process has. Only one that is ``reachable`` begins anew.
    """

    def __init__(self, store: Store, *, role: str = "all", alone: bool = True, standby: bool = False) -> None:
        self.process = new_id()
        self.held = False
        self.alone = alone
        self.role = role
        self._standby = standby
        self.peers: tuple[Peer, ...] = ()
        self.tables: Callable[[], int] = int
        self.reached: Callable[[str], Awaitable[None]] = _no_wait
        self.reachable: Callable[[], bool] = lambda: True
        self.changed: list[Callable[[], None]] = []
        self.lost: list[Callable[[], None]] = []
        self._placed = Counter[str]()  # tables since ``peers`` was read
        self._store = store
        self._renewed = 0.0
        self._steady_since = 0.0  # since when it could always be renewed in time
        self._one = asyncio.Lock()
        self._early = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def open_store(self) -> None:
        """Reserve the database and bring its tables to this version.

        Raises ``already_running`` if a server uses it, unless this one stands by. That server may be of
        another version, so the tables are changed after it has ended.
        """
        await self._in_turn(self._store.claim)
        if self.alone:
            await self._in_turn(lambda: check_unused(self._store))
        await self._in_turn(self._store.open)

    async def join(self) -> None:
        """Begin to serve; raises ``already_running`` if another process does and one of both is alone."""
        await self.reached(self.process)
        await self._in_turn(lambda: _patiently(self._store, self._begin))
        self._store.allowed = self._allowed if self.alone else None
        self._task = asyncio.create_task(self._renew(), name="lease")

    async def _in_turn(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do what another server may keep this one from; one that stands by tries until it can.

        It also waits for a database that goes away meanwhile.
        """
        passing = {"already_running"}
        while True:
            try:
                return await work()
            except RequestError as error:
                if error.code not in passing or not self._standby:
                    raise
            passing.add("database_unreachable")
            await asyncio.sleep(APART_S)

    async def leave(self) -> None:
        """Give the lease back, so that others need not wait for its end."""
        if self._task is not None:
            await tasks.end(self._task)
            self._task = None
            self.held, self._store.allowed = False, None
            with tasks.reported("the lease of this process cannot be given back; it runs out"):
                await self._store.write(delete(Peer).where(Peer.id == self.process))

    async def _begin(self) -> bool:
        """Store a row for this process, unless another one must be alone."""
        began = time.monotonic()
        async with self._store.writing_anyway() as connection:
            await self._store.alone_at(connection, JOINING)
            await self.remove_lapsed(connection, everyone=self._store.sqlite)
            others = list((await connection.execute(select(Peer.alone))).scalars())
            if others and (self.alone or any(others)):
                return False
            row = Peer(self.process, self.role, alone=self.alone)
            now = {"until": self._end, "began": DatabaseMs()}
            await connection.execute(insert(Peer).values(row.values() | now))
            living = await self._living(connection)
        self.held, self._renewed, self._steady_since = True, began, began
        self._meet(living)
        return True

    async def _living(self, connection: AsyncConnection) -> tuple[Peer, ...]:
        return tuple(await read_rows(connection, select(Peer).order_by(Peer.began, Peer.id)))

    def _meet(self, living: tuple[Peer, ...]) -> None:
        """These are the living processes now."""
        before, self.peers = self.peers, living
        self._placed.clear()
        if [(peer.id, peer.role) for peer in before] != [(peer.id, peer.role) for peer in living]:
            for call in self.changed:
                call()

    def others(self) -> list[str]:
        """The other processes that live."""
        return [peer.id for peer in self.peers if peer.id != self.process]

    @property
    def owns(self) -> bool:
        """Whether this process has tables."""
        return self.role in OWNERS

    @property
    def owners(self) -> list[Peer]:
        """The processes that have tables."""
        return [peer for peer in self.peers if peer.role in OWNERS]

    @property
    def steward(self) -> str:
        """The process that does what only one may do: the oldest of those that have tables."""
        if self.alone:
            return self.process
        return self.owners[0].id if self.owners else ""

    @property
    def serves_all(self) -> bool:
        """Whether that is this process."""
        return self.steward == self.process

    def fewest(self) -> str:
        """Where a table is to be opened; raises ``table_moved`` if nobody has tables."""
        if self.alone:
            return self.process
        if not self.owners:
            raise ServerError("table_moved")
        process = min(self.owners, key=lambda peer: peer.tables + self._placed[peer.id]).id
        self._placed[process] += 1
        return process

    async def depart(self) -> None:
        """Say that this process is about to end: it gets no more tables."""
        self.role = LEAVING
        await self.renew()

    async def _allowed(self) -> bool:
        """Whether this process may store anything, if it is the only one that may.

        A lease that may have run out is renewed first: the process was stopped, or the database was gone.
        """
        async with self._one:  # a renewal by one of many that wait is enough
            if self.held and self._over:
                await self.renew()
            return self.held

    @property
    def _over(self) -> bool:
        """Whether the lease may have run out, by a clock that goes on while a process is stopped."""
        return not self._store.sqlite and time.monotonic() - self._renewed > LASTS_S

    @property
    def _steady(self) -> bool:
        """Whether the others could renew their leases, too, if they live: the database was not gone."""
        return time.monotonic() - self._steady_since > LASTS_S

    async def remove_lapsed(self, connection: AsyncConnection, *, everyone: bool = False) -> None:
        """Remove the other processes whose leases have run out, or all."""
        gone = delete(Peer).where(Peer.id != self.process)
        lapsed = Peer.until < DatabaseMs()
        await connection.execute(gone if everyone else gone.where(lapsed))

    @property
    def _end(self) -> Any:
        return DatabaseMs() + round(1000 * (FOR_EVER_S if self._store.sqlite else LASTS_S))

    async def evict(self, process: str) -> None:
        """Remove a process that has ended before its lease runs out. If it lives, it stores nothing more."""
        async with self._store.writing_anyway() as connection:
            await connection.execute(delete(Peer).where(Peer.id == process))
        self.look()

    def look(self) -> None:
        """Renew the lease now: another process has seen that one has come or gone."""
        self._early.set()

    async def _renew(self) -> None:
        self._store.hurry()
        while not self._store.sqlite:
            with suppress(TimeoutError):  # ``wait_for`` of Python 3.11 may swallow the end of this task
                async with asyncio.timeout(RENEWS_S):
                    await self._early.wait()
            self._early.clear()
            try:
                if self.held:
                    await self.renew()
                elif self.reachable():
                    await self._begin_anew()
            except ServerError:
                continue  # the database has reported it; nobody is replaced while it is gone

    async def renew(self) -> None:
        """Prolong the lease; notice that another process has taken the tables."""
        own, began = update(Peer).where(Peer.id == self.process), time.monotonic()
        values = {"until": self._end, "tables": self.tables(), "role": self.role}
        living = self.peers
        if began - self._renewed > LASTS_S:
            self._steady_since = began
        async with self._store.writing_anyway() as connection:
            renewed = (await connection.execute(own.values(values))).rowcount
            if renewed and not self.alone:
                if self._steady:
                    await self.remove_lapsed(connection)
                living = await self._living(connection)
        if renewed:
            self._renewed = began
            self._meet(living)
        elif self.held:
            LOG.error("The lease of this process has run out, and another one has taken its tables.")
            self.held = False
            for call in self.lost:
                call()

    async def _begin_anew(self) -> None:
        """Begin again as another process, since all tables were taken from the one before."""
        self.process = new_id()
        await self.reached(self.process)
        if await self._begin():
            LOG.warning("This process has a lease again.")
            self._store.regain()


async def check_unused(store: Store) -> None:
    """Raise ``already_running`` if a process serves this database."""

    async def unused() -> bool:
        lives = select(exists().where(Peer.until > DatabaseMs()))
        async with store.engine.connect() as connection:
            known = await connection.run_sync(lambda plain: inspect(plain).has_table(table_of(Peer).name))
            return not (known and (await connection.execute(lives)).scalar())

    if not store.sqlite:  # its file is locked
        with store.starting():
            await _patiently(store, unused)


async def _patiently(store: Store, attempt: Callable[[], Any]) -> None:
    """Try for as long as a process that was killed may still have a lease."""
    ends = time.monotonic() + LASTS_S + APART_S
    while not await attempt():
        if time.monotonic() > ends:
            raise RequestError("already_running", field=store.field, where=store.where)
        await asyncio.sleep(APART_S)


LOOKS_S: Final = 1.0
ANSWER_S: Final = 0.5
FRESH_S: Final = 20.0  # what was known longer ago is not so any more
MOST_BYTES: Final = 256 * 1024  # of an answer; the rest comes with the next one
Values = dict[str, Any]


class LeaderState:
    """Values by key, under a ``name``; a value with another mark is another value."""

    def __init__(
        self,
        lease: Lease,
        links: Links,
        name: str,
        marks: Callable[[], Mapping[str, str]],
        value: Callable[[str], Any],
    ) -> None:
        self._lease, self._links, self._name = lease, links, name
        self._marks, self._value = marks, value
        self._known: dict[str, tuple[str, Any]] = {}
        self._of, self._at = "", 0.0  # which steward said that, and when
        links.questions[name] = self._tell

    async def _tell(self, known: Mapping[str, str]) -> tuple[list[str], dict[str, tuple[str, Any]]]:
        """Which keys there are, and those values that whoever asks does not know."""
        if not self._lease.serves_all:
            raise ServerError("table_moved")
        marks, new, size = self._marks(), dict[str, tuple[str, Any]](), 0
        for key, mark in marks.items():
            if known.get(key) != mark and size < MOST_BYTES:
                value = self._value(key)
                length = len(json.dumps(value))
                if length < MOST_BYTES:
                    new[key], size = (mark, value), size + length
        return list(marks), new

    async def look(self) -> None:
        """Ask the steward, unless this process is the steward."""
        steward = self._lease.steward
        if steward in ("", self._lease.process):
            return
        known = self._known if steward == self._of else {}
        marks = {key: mark for key, (mark, _) in known.items()}
        try:
            keys, new = await self._links.ask(steward, self._name, marks, ANSWER_S)
        except ServerError:
            return  # it is gone, or about to go
        self._known = {key: known[key] for key in keys if key in known} | new
        self._of, self._at = steward, time.monotonic()

    def take(self) -> Values:
        """What is known, once, when this process has become the steward."""
        known, self._known = self._known, {}
        fresh = time.monotonic() - self._at < FRESH_S
        return {key: value for key, (_, value) in known.items()} if fresh else {}


PROCESS_LOOKS_S: Final = 0.3
TIMES: Final = 2  # looks in a row that do not find it
WATCHED: Final = 2  # processes that each watches, so that two watch each


class Watch(Background):
    """Watches the processes that began after this one, as in a ring.

    Whoever is not connected to NATS has ended, or cannot be reached by those who play at its tables. Its row
    is removed then, so that others take these. A process that hangs, or whose machine is gone, stays
    connected for a while: its lease runs out first.
    """

    def __init__(self, links: Links, lease: Lease) -> None:
        self._links, self._lease = links, lease
        self._missed = Counter[str]()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(PROCESS_LOOKS_S)
            with suppress(ServerError):  # the database is gone, and nobody is replaced
                await self.look()

    async def look(self) -> None:
        """Look once."""
        for process in self._next():
            if await self._links.messages.reaches(process):
                del self._missed[process]
                continue
            self._missed[process] += 1
            if self._missed[process] >= TIMES:
                await self._lease.evict(process)

    def _next(self) -> list[str]:
        ring = [peer.id for peer in self._lease.peers]
        if self._lease.process not in ring:
            return []
        index = ring.index(self._lease.process)
        return [*ring[index + 1 :], *ring[:index]][:WATCHED]
