"""Leases of the processes that serve a database: each process renews one lease for all its tables.

When a lease has expired, any other process may delete its row and adopt its tables, which increases each
table's fence (``tables.fence``). Every commit for a table checks the fence, so a process that was paused or
cut off cannot write there, whether or not it has noticed.
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
from jantaku.server.storage.store import JOIN_LOCK, Store
from jantaku.server.tasks import Background

LOG = logging.getLogger("jantaku.server")
LEASE_S, RENEWAL_S, RETRY_S = 3.0, 1.0, 0.2
FOR_EVER_S: Final = 10**9  # for SQLite, whose file lock already excludes other processes
OWNERS: Final = ("all", "tables")  # roles that own tables
LEAVING: Final = "leaving"  # role of a process that hands over its tables and exits


class Peer(StoredRow):
    """A live process of the site; ``tables`` is the number of tables at its last renewal.

    With ``alone`` it tolerates no other process. Its lease expires at ``until``, by the database's clock.
    """

    __tablename__ = "processes"

    id: Mapped[Id] = mapped_column(primary_key=True)
    role: Mapped[str] = mapped_column(String(8), default="all")
    tables: Mapped[int] = mapped_column(default=0)
    alone: Mapped[bool] = mapped_column(default=False)
    version: Mapped[str] = mapped_column(String(32), default=__version__)
    until: Mapped[Milliseconds] = mapped_column(default=0)
    began: Mapped[Milliseconds] = mapped_column(default=0)


async def _no_connection(_: str) -> None:
    """Default of ``Lease.connect`` for a process without links."""


class Lease:
    """The lease of this process, and the other live processes of its database.

    With ``alone`` the process does not start alongside another one; with ``standby`` it waits until that one
    has exited. ``held`` is true until this process learns that it has been replaced. Then the ``lost``
    callbacks run, and it joins again under a new id once it is ``reachable``: ``connect`` registers the id
    with the links, and ``Store.regained`` runs afterwards.

    ``peers`` are the live processes including this one, oldest first; the ``changed`` callbacks run when
    one joins or leaves. ``tables`` returns the number of tables of this process.
    """

    def __init__(self, store: Store, *, role: str = "all", alone: bool = True, standby: bool = False) -> None:
        self.process = new_id()
        self.held = False
        self.alone = alone
        self.role = role
        self._standby = standby
        self.peers: tuple[Peer, ...] = ()
        self.tables: Callable[[], int] = int
        self.connect: Callable[[str], Awaitable[None]] = _no_connection
        self.reachable: Callable[[], bool] = lambda: True
        self.changed: list[Callable[[], None]] = []
        self.lost: list[Callable[[], None]] = []
        self._placed = Counter[str]()  # tables assigned to each process since ``peers`` was read
        self._store = store
        self._renewed = 0.0
        self._steady_since = 0.0  # start of the period in which every renewal was in time
        self._one = asyncio.Lock()
        self._early = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def open_store(self) -> None:
        """Claim the database and migrate it.

        Raises ``RequestError("already_running")`` if another server uses it, unless this one is a standby.
        That server may have another version, so the migration waits until it has exited.
        """
        await self._retry_on_standby(self._store.claim)
        if self.alone:
            await self._retry_on_standby(lambda: check_unused(self._store))
        await self._retry_on_standby(self._store.open)

    async def join(self) -> None:
        """Start serving; raises ``already_running`` if there is another process and either is ``alone``."""
        await self.connect(self.process)
        await self._retry_on_standby(lambda: _retry_until_expiry(self._store, self._begin))
        self._store.may_write = self._may_write if self.alone else None
        self._task = asyncio.create_task(self._renew(), name="lease")

    async def _retry_on_standby(self, work: Callable[[], Awaitable[None]]) -> None:
        """Run ``work``; a standby repeats it while another server prevents it.

        After the first attempt it also waits for a database that has become unreachable.
        """
        transient = {"already_running"}
        while True:
            try:
                return await work()
            except RequestError as error:
                if error.code not in transient or not self._standby:
                    raise
            transient.add("database_unreachable")
            await asyncio.sleep(RETRY_S)

    async def leave(self) -> None:
        """Release the lease, so that other processes need not wait until it expires."""
        if self._task is not None:
            await tasks.end(self._task)
            self._task = None
            self.held, self._store.may_write = False, None
            with tasks.reported("the lease of this process cannot be released; it will expire"):
                await self._store.write(delete(Peer).where(Peer.id == self.process))

    async def _begin(self) -> bool:
        """Insert the row of this process; return ``False`` if another process excludes it."""
        began = time.monotonic()
        async with self._store.writing_unchecked() as connection:
            await self._store.lock_transaction(connection, JOIN_LOCK)
            await self.remove_expired(connection, all_others=self._store.sqlite)
            others = list((await connection.execute(select(Peer.alone))).scalars())
            if others and (self.alone or any(others)):
                return False
            row = Peer(self.process, self.role, alone=self.alone)
            now = {"until": self._end, "began": DatabaseMs()}
            await connection.execute(insert(Peer).values(row.values() | now))
            living = await self._living(connection)
        self.held, self._renewed, self._steady_since = True, began, began
        self._update_peers(living)
        return True

    async def _living(self, connection: AsyncConnection) -> tuple[Peer, ...]:
        return tuple(await read_rows(connection, select(Peer).order_by(Peer.began, Peer.id)))

    def _update_peers(self, living: tuple[Peer, ...]) -> None:
        before, self.peers = self.peers, living
        self._placed.clear()
        if [(peer.id, peer.role) for peer in before] != [(peer.id, peer.role) for peer in living]:
            for call in self.changed:
                call()

    def others(self) -> list[str]:
        """Return the ids of the other live processes."""
        return [peer.id for peer in self.peers if peer.id != self.process]

    @property
    def owns(self) -> bool:
        """Whether this process may own tables."""
        return self.role in OWNERS

    @property
    def owners(self) -> list[Peer]:
        """The live processes that may own tables."""
        return [peer for peer in self.peers if peer.role in OWNERS]

    @property
    def leader(self) -> str:
        """The process that does the work only one may do: the oldest table owner; empty without owners."""
        if self.alone:
            return self.process
        return self.owners[0].id if self.owners else ""

    @property
    def is_leader(self) -> bool:
        """Whether this process is the leader."""
        return self.leader == self.process

    def least_loaded(self) -> str:
        """Return the process for a new table; raises ``ServerError("table_moved")`` without table owners."""
        if self.alone:
            return self.process
        if not self.owners:
            raise ServerError("table_moved")
        process = min(self.owners, key=lambda peer: peer.tables + self._placed[peer.id]).id
        self._placed[process] += 1
        return process

    async def depart(self) -> None:
        """Announce that this process is about to exit, so that it is assigned no more tables."""
        self.role = LEAVING
        await self.renew()

    async def _may_write(self) -> bool:
        """Whether this process may write. Only used with ``alone``.

        A lease that may have expired while the process was suspended or the database was down is renewed
        first.
        """
        async with self._one:  # one renewal serves all concurrent callers
            if self.held and self._may_have_expired:
                await self.renew()
            return self.held

    @property
    def _may_have_expired(self) -> bool:
        """Whether the lease may have expired, by a clock that runs even while the process is suspended."""
        return not self._store.sqlite and time.monotonic() - self._renewed > LEASE_S

    @property
    def _steady(self) -> bool:
        """Whether the database was up long enough for all live processes to renew their leases."""
        return time.monotonic() - self._steady_since > LEASE_S

    async def remove_expired(self, connection: AsyncConnection, *, all_others: bool = False) -> None:
        """Delete the rows of other processes whose leases have expired, or of all others."""
        others = delete(Peer).where(Peer.id != self.process)
        expired = Peer.until < DatabaseMs()
        await connection.execute(others if all_others else others.where(expired))

    @property
    def _end(self) -> Any:
        return DatabaseMs() + round(1000 * (FOR_EVER_S if self._store.sqlite else LEASE_S))

    async def evict(self, process: str) -> None:
        """Delete a dead process's row before its lease expires. If still alive, it can no longer write."""
        async with self._store.writing_unchecked() as connection:
            await connection.execute(delete(Peer).where(Peer.id == process))
        self.renew_soon()

    def renew_soon(self) -> None:
        """Renew the lease immediately, to reload the list of processes."""
        self._early.set()

    async def _renew(self) -> None:
        self._store.skip_queue()
        while not self._store.sqlite:
            with suppress(TimeoutError):  # ``wait_for`` of Python 3.11 may swallow a cancellation
                async with asyncio.timeout(RENEWAL_S):
                    await self._early.wait()
            self._early.clear()
            try:
                if self.held:
                    await self.renew()
                elif self.reachable():
                    await self._rejoin()
            except ServerError:
                continue  # logged by the store; no process is replaced while the database is down

    async def renew(self) -> None:
        """Extend the lease and read the live processes; detect that this process has been replaced."""
        own, began = update(Peer).where(Peer.id == self.process), time.monotonic()
        values = {"until": self._end, "tables": self.tables(), "role": self.role}
        living = self.peers
        if began - self._renewed > LEASE_S:
            self._steady_since = began
        async with self._store.writing_unchecked() as connection:
            renewed = (await connection.execute(own.values(values))).rowcount
            if renewed and not self.alone:
                if self._steady:
                    await self.remove_expired(connection)
                living = await self._living(connection)
        if renewed:
            self._renewed = began
            self._update_peers(living)
        elif self.held:
            LOG.error("The lease of this process has expired and another process has replaced it.")
            self.held = False
            for call in self.lost:
                call()

    async def _rejoin(self) -> None:
        """Join again under a new id, without any tables."""
        self.process = new_id()
        await self.connect(self.process)
        if await self._begin():
            LOG.warning("This process has a lease again.")
            self._store.regain()


async def check_unused(store: Store) -> None:
    """Raise ``RequestError("already_running")`` if a process serves this database."""

    async def unused() -> bool:
        lives = select(exists().where(Peer.until > DatabaseMs()))
        async with store.engine.connect() as connection:
            known = await connection.run_sync(lambda plain: inspect(plain).has_table(table_of(Peer).name))
            return not (known and (await connection.execute(lives)).scalar())

    if not store.sqlite:  # an SQLite file is locked instead
        with store.startup_errors():
            await _retry_until_expiry(store, unused)


async def _retry_until_expiry(store: Store, attempt: Callable[[], Any]) -> None:
    """Repeat ``attempt`` for as long as a killed process may still hold a lease."""
    deadline = time.monotonic() + LEASE_S + RETRY_S
    while not await attempt():
        if time.monotonic() > deadline:
            raise RequestError("already_running", field=store.field, where=store.where)
        await asyncio.sleep(RETRY_S)


POLL_S: Final = 1.0  # how often other processes copy the leader's state
ANSWER_S: Final = 0.5
MAX_AGE_S: Final = 20.0  # a new leader discards older copies
MAX_BYTES: Final = 256 * 1024  # per answer; further values follow in the next one
Values = dict[str, Any]


class LeaderState:
    """In-memory state of the leader, copied by the other processes in case one has to take over.

    The state is a set of values by key. ``marks`` returns a mark for each key; a value is copied again when
    its mark changes. ``value`` returns the value of a key. ``name`` identifies the state among the links.
    """

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
        self._of, self._at = "", 0.0  # leader that was copied, and when
        links.handlers[name] = self._answer

    async def _answer(self, known: Mapping[str, str]) -> tuple[list[str], dict[str, tuple[str, Any]]]:
        """Return all keys, and the values whose marks differ from the ``known`` ones."""
        if not self._lease.is_leader:
            raise ServerError("table_moved")
        marks, new, size = self._marks(), dict[str, tuple[str, Any]](), 0
        for key, mark in marks.items():
            if known.get(key) != mark and size < MAX_BYTES:
                value = self._value(key)
                length = len(json.dumps(value))
                if length < MAX_BYTES:
                    new[key], size = (mark, value), size + length
        return list(marks), new

    async def poll(self) -> None:
        """Update the copy from the leader, unless this process is the leader."""
        leader = self._lease.leader
        if leader in ("", self._lease.process):
            return
        known = self._known if leader == self._of else {}
        marks = {key: mark for key, (mark, _) in known.items()}
        try:
            keys, new = await self._links.request(leader, self._name, marks, ANSWER_S)
        except ServerError:
            return  # the leader has exited or is about to
        self._known = {key: known[key] for key in keys if key in known} | new
        self._of, self._at = leader, time.monotonic()

    def inherit(self) -> Values:
        """Return the copied values and forget them; call this when this process has become the leader."""
        known, self._known = self._known, {}
        fresh = time.monotonic() - self._at < MAX_AGE_S
        return {key: value for key, (_, value) in known.items()} if fresh else {}


CHECK_INTERVAL_S: Final = 0.3
MISSES: Final = 2  # failed checks in a row before a process is evicted
WATCHED: Final = 2  # processes that each one watches, so that each has two watchers


class Watch(Background):
    """Watches the next processes in a ring ordered by their start.

    A process without a connection to NATS is dead, or unreachable for the players at its tables. It is
    evicted, so that others adopt the tables. A process that hangs, or whose machine has failed, stays
    connected for a while; its lease expires first.
    """

    def __init__(self, links: Links, lease: Lease) -> None:
        self._links, self._lease = links, lease
        self._missed = Counter[str]()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(CHECK_INTERVAL_S)
            with suppress(ServerError):  # no process is replaced while the database is down
                await self.check()

    async def check(self) -> None:
        """Check each watched process once."""
        for process in self._next():
            if await self._links.messages.reaches(process):
                del self._missed[process]
                continue
            self._missed[process] += 1
            if self._missed[process] >= MISSES:
                await self._lease.evict(process)

    def _next(self) -> list[str]:
        ring = [peer.id for peer in self._lease.peers]
        if self._lease.process not in ring:
            return []
        index = ring.index(self._lease.process)
        return [*ring[index + 1 :], *ring[:index]][:WATCHED]
