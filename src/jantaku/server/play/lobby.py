"""All tables of this process: opening, adopting, listing, handing over and dropping them."""

import asyncio
import dataclasses
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar, get_args

from jantaku import terms
from jantaku.rules import Ruleset
from jantaku.server import tasks
from jantaku.server.edge.limits import NOTHING, Amounts, Principal, Quota, amounts_of
from jantaku.server.edge.protocol import ShortOrLong, TableOptions
from jantaku.server.errors import ServerError
from jantaku.server.names import shown_name
from jantaku.server.play import game_steps as play
from jantaku.server.play import table_seats
from jantaku.server.play.agreements import change_seats
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.play.table import RESTARTS, Table
from jantaku.server.processes.links import Links
from jantaku.server.rules.pages import rules_name
from jantaku.server.settings import Limits
from jantaku.server.storage.games import StoredGame
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.server.storage.tables import Sitter, TableRow
from jantaku.server.tasks import to_the_end

T = TypeVar("T")
TABLES: Final = {"one": "too_many_tables", "address": "too_many_tables_there", "all": "parlour_full"}
SEATS: Final = {"one": "too_many_seats", "address": "too_many_seats_there", "all": "parlour_full"}
MOVES: Final = {"one": "too_many_moves", "address": "too_many_moves_there", "all": "parlour_full"}


EMPTY_FACTOR: Final = 3  # limit on all tables, including empty waiting ones, as a multiple of ``tables``
# Measured with tracemalloc on games continued from a record, rounded up
BYTES_OF_TABLE: Final = 200_000
BYTES_OF_MOVE: Final = 700


def bytes_of(moves: int) -> int:
    """Return the memory of a table whose game has this many moves, in bytes.

    >>> bytes_of(1000)
    900000
    """
    return BYTES_OF_TABLE + BYTES_OF_MOVE * moves


@contextmanager
def _counted(held: list[T], item: T) -> Iterator[None]:
    """Count an item as held while it is being stored."""
    held.append(item)
    try:
        yield
    finally:
        held.remove(item)


def _sum(parts: Sequence[Sequence[float]]) -> Amounts:
    return Amounts(*(sum(part[kind] for part in parts) for kind in range(len(NOTHING))))


class TableHoldings:
    """Limits on tables, seats and memory, per person, per address and in total.

    The counts come from the tables themselves, so a table or seat received from someone else counts too.
    Persons and addresses are counted across all processes; the total limit applies per process.
    """

    def __init__(
        self, limits: Limits, tables: Callable[[], Iterable[Table]], links: Links | None = None
    ) -> None:
        self._limits = limits
        self._links = links
        if links is not None:
            links.handlers["held"] = self._here
        self._all = tables
        self._opening: list[tuple[Principal, int]] = []  # owners of tables being stored, and their moves
        self._tables = Quota(limits.tables_of_one, limits.tables_of_address)
        self._seats = Quota(limits.seats_of_one, limits.seats_of_address)
        self._memory = Quota(
            limits.practice_bytes_of_one, limits.practice_bytes_of_address, limits.practice_bytes
        )

    def _active(self) -> Iterator[Table]:
        return (
            table
            for table in self._all()
            if table.starting_rematch or table.row.status in ("waiting", "playing")
        )

    async def _here(self, payload: Any) -> tuple[Amounts, Amounts, Amounts]:
        """Return the tables, seats and memory held in this process."""
        held = self._held_tables(), self._held_seats(), self._held_memory()
        tables, taken, memory = (amounts_of(Principal(*payload), held) for held in held)
        return tables, taken, memory

    async def _elsewhere(self, holder: Principal) -> tuple[Amounts, Amounts, Amounts]:
        """Return the tables, seats and memory held in all other processes."""
        parts = [] if self._links is None else await self._links.request_others("held", holder)
        tables, taken, memory = (_sum([part[kind] for part in parts]) for kind in range(3))
        return tables, taken, memory

    def check_capacity(self) -> None:
        """Raise ``parlour_full`` if there is no room for another table."""
        if self._full:
            raise ServerError("parlour_full")

    @property
    def _full(self) -> bool:
        """Whether there is no room for another table.

        Empty waiting tables count only towards the larger limit, which protects memory.
        """
        active = [*self._active()]
        busy = sum(table.row.status != "waiting" or table.audience.anybody for table in active)
        opening, most = len(self._opening), self._limits.tables
        return busy + opening >= most or len(active) + opening >= EMPTY_FACTOR * most

    def _held_tables(self) -> Iterator[tuple[Principal, float]]:
        yield from ((Principal(table.row.owner, table.opened_from), 1) for table in self._active())
        yield from ((holder, 1) for holder, _ in self._opening)

    def _held_seats(self) -> Iterator[tuple[Principal, float]]:
        for table in self._active():
            for seat in table_seats.persons(table.row) if table.row.round is None or table.playing else ():
                person = table.sitter(seat).person or ""
                yield Principal(person, table.joined_from.get(person, "")), 1
            yield from ((holder, 1) for holder in table.joining)

    def _held_memory(self) -> Iterator[tuple[Principal, float]]:
        for table in self._active():
            if table.practice:
                yield Principal(table.row.owner, table.opened_from), bytes_of(table.moves)
        yield from ((holder, bytes_of(moves)) for holder, moves in self._opening if moves)

    @asynccontextmanager
    async def opening(self, holder: Principal, moves: int = 0) -> AsyncIterator[None]:
        """Count a table that begins with ``moves`` while it is being stored.

        Raises a code of ``TABLES`` or ``MOVES`` if there is no room for it.
        """
        tables, _, memory = await self._elsewhere(holder)
        passed = self._tables.exceeded(holder, self._held_tables(), elsewhere=tables._replace(everybody=0))
        if passed is not None:
            raise ServerError(TABLES[passed], most=self._limits.tables_of_one)
        self.check_capacity()
        more, there = bytes_of(moves), memory._replace(everybody=0)
        passed = self._memory.exceeded(holder, self._held_memory(), more, there) if moves else None
        if passed is not None:
            raise ServerError(MOVES[passed])
        with _counted(self._opening, (holder, moves)):
            yield

    async def check_seat(self, holder: Principal) -> None:
        """Raise a code of ``SEATS`` if there is no room for another seat."""
        _, elsewhere, _ = await self._elsewhere(holder)
        passed = self._seats.exceeded(holder, self._held_seats(), elsewhere=elsewhere)
        if passed is not None:
            raise ServerError(SEATS[passed], most=self._limits.seats_of_one)

    @asynccontextmanager
    async def taking_seat(self, table: Table, holder: Principal) -> AsyncIterator[None]:
        """Count a seat while it is being taken. Raises like ``check_seat``."""
        seat = table_seats.seat_of(table.row, holder.person)
        if seat is not None and not table.sitter(seat).gone:
            yield
            return
        await self.check_seat(holder)
        with _counted(table.joining, holder):
            yield
            table.joined_from[holder.person] = holder.address

    @asynccontextmanager
    async def transferring(self, table: Table) -> AsyncIterator[Callable[[str], bool]]:
        """Yield a function that tests whether a person at the table may become its owner.

        The table counts as theirs while the change is stored.
        """
        heirs = [Principal(holder.person) for holder in _sitting(table)]
        elsewhere = dict(zip(heirs, await self._all_elsewhere(heirs), strict=True))
        with ExitStack() as counted:

            def may_own(person: str) -> bool:
                heir = Principal(person)
                tables, _, _ = elsewhere.get(heir, (NOTHING,) * 3)
                if self._tables.exceeded(heir, self._held_tables(), elsewhere=tables) is not None:
                    return False
                counted.enter_context(_counted(self._opening, (heir, 0)))
                return True

            yield may_own

    async def may_rematch(self, table: Table) -> bool:
        """Whether the limits of the owner and of all seated people allow a rematch at the table."""
        owner, sitting = Principal(table.row.owner, table.opened_from), _sitting(table)
        (tables, _, _), *elsewhere = await self._all_elsewhere([owner, *sitting])
        if self._full or self._tables.exceeded(owner, self._held_tables(), elsewhere=tables) is not None:
            return False
        return all(
            self._seats.exceeded(holder, self._held_seats(), elsewhere=seats) is None
            for holder, (_, seats, _) in zip(sitting, elsewhere, strict=True)
        )

    async def _all_elsewhere(self, holders: Sequence[Principal]) -> list[tuple[Amounts, ...]]:
        """Return what each holder has in other processes, without the totals, whose limit is per process."""
        elsewhere = await asyncio.gather(*map(self._elsewhere, holders))
        return [tuple(part._replace(everybody=0) for part in parts) for parts in elsewhere]


def _sitting(table: Table) -> list[Principal]:
    """Return the people at a table with the addresses from which they took their seats."""
    people = [table.sitter(seat).person or "" for seat in table_seats.persons(table.row)]
    return [Principal(person, table.joined_from.get(person, "")) for person in people]


def with_length(rules: Ruleset, length: str | None) -> Ruleset:
    """Return the rules with another length of the game; the fingerprint becomes their id."""
    if length in (None, rules.match.length):
        return rules
    changed = rules.with_changes({"match.length": length})
    return dataclasses.replace(changed, id=changed.fingerprint, name=_names(rules, str(length)))


def _names(rules: Ruleset, length: str) -> dict[str, str]:
    """Return the rules' name with the length of the game, by language."""
    lengths = {
        language: {
            length: terms.text(f"server.rules.length.{length}", language) for length in get_args(ShortOrLong)
        }
        for language in terms.LANGUAGES
    }
    return {
        language: " · ".join([_without(rules_name(rules, language), words.values()), words[length]])
        for language, words in lengths.items()
    }


def _without(name: str, lengths: Iterable[str]) -> str:
    """Strip a trailing length from a name."""
    return next(
        (name.removesuffix(f" · {length}") for length in lengths if name.endswith(f" · {length}")), name
    )


BALANCE_INTERVAL_S: Final = 5.0  # between two checks for too many tables
MAX_HANDOVERS: Final = 10  # tables handed over per check
IMBALANCE, SLACK = 1.2, 2  # too many: more than IMBALANCE times the average plus SLACK


class TableHandover:
    """Hands tables of this process over to others; ``loops`` returns its tables."""

    def __init__(self, services: Services, loops: Callable[[], list[GameLoop]]) -> None:
        self._lease, self._seating, self._links = services.lease, services.seating, services.links
        self._loops = loops

    async def hand_over_all(self) -> None:
        """Hand all tables over, one after another, before a shutdown; others adopt those that fail."""
        if self._lease.alone or not self._lease.owns:
            return
        with tasks.reported("tables cannot be handed over; other processes adopt them in a moment"):
            await self._lease.depart()
            for loop in self._loops() if self._lease.owners else ():
                await self._give(loop, self._lease.least_loaded())

    async def keep_balanced(self) -> None:
        """Hand tables over to new processes, a few at a time, for as long as the server runs."""
        while True:
            await asyncio.sleep(BALANCE_INTERVAL_S)
            with tasks.reported("tables cannot be handed over to a process with fewer tables"):
                await self.balance()

    async def balance(self) -> None:
        """Hand some tables over if this process has many more than the average."""
        loops, lease = self._loops(), self._lease
        elsewhere = [peer.tables for peer in lease.owners if peer.id != lease.process]
        fair = (len(loops) + sum(elsewhere)) / (1 + len(elsewhere))
        if lease.alone or not lease.held or len(loops) <= IMBALANCE * fair + SLACK:
            return
        candidates = [loop for loop in loops if loop.table.needed]
        for loop in candidates[: min(MAX_HANDOVERS, int(len(loops) - fair))]:
            process = lease.least_loaded()
            if process == lease.process:
                return
            await self._give(loop, process)

    async def _give(self, loop: GameLoop, process: str) -> None:
        """Hand a table over between two changes, and make its sockets reconnect."""
        async with loop.changing() as table:
            if loop.stopped:
                return
            if table.needed:
                await self._seating.hand_over(table.row, process)
                with suppress(ServerError):  # otherwise it is loaded when requested
                    await self._links.request(process, "load", table.row.id)
            loop.release(announce=False)


LOG = logging.getLogger("jantaku.server")
MAX_NAME: Final = 40  # characters of a table's name
LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
ID_LENGTH: Final = 8
SWEEP_S, DAY_S = 30.0, 86_400.0
KEEP_S: Final = 600.0  # how long an idle table stays in memory
EMPTY_S: Final = 120.0  # how long an empty table stays open before its game
EVENT_S: Final = DAY_S  # replaces ``EMPTY_S`` and ``AWAY_S`` at event tables, which are opened early
CLEANUP: Final = "of unneeded rows"
RETRY_S: Final = 2.0
PARLOUR: Final = PersonRow("", "", None, "", "")  # owns the tables of rounds


class NewTable(NamedTuple):
    """A table to open. ``fingerprint`` selects stored rules; a continued game begins with ``moves`` moves."""

    name: str
    rules: str
    options: TableOptions
    event: str | None = None
    stage: str | None = None
    fingerprint: str = ""
    length: str | None = None
    moves: int = 0
    round: tuple[int, int] | None = None  # round of the stage, and table in that round
    sitters: tuple[Sitter | None, ...] = ()  # initial seating


class Lobby:
    """The tables in memory, by id. Other tables are loaded on request."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self._loops: dict[str, GameLoop] = {}
        limits, links = services.settings.limits, services.links
        self.holdings = TableHoldings(limits, lambda: (loop.table for loop in self), links)
        self.handover = TableHandover(services, lambda: list(self))
        self._loading: dict[str, asyncio.Lock] = {}
        self._orphans = asyncio.Event()  # a process may have left tables without an owner
        self.ready = False  # whether all tables without an owner at the start have been adopted
        self._work: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Start the background work: adopt tables without an owner, drop idle ones, balance processes.

        A practice table stays paused until its player returns.
        """
        self.services.store.regained.append(self._reload_all)
        self.services.lease.lost.append(self._release_all)
        self.services.lease.changed.append(self._orphans.set)
        self.services.lease.tables = self.__len__
        self.services.links.handlers["load"] = self._load
        self._work = [asyncio.create_task(self._sweep(), name="lobby-sweep")]
        if self.services.lease.owns:
            self._work.append(asyncio.create_task(self._adopt(), name="lobby-adopt"))
            self._work.append(asyncio.create_task(self.handover.keep_balanced(), name="lobby-balance"))
        else:
            self.ready = True

    async def close(self) -> None:
        """Stop every table and tell the sockets to reconnect."""
        await tasks.end(*self._work)
        for loop in self._loops.values():
            await loop.stop()
            for connection in loop.table.audience:
                connection.close(RESTARTS)

    def _reload_all(self) -> None:
        """Reload every game and adopt tables: another process may have written while storage was lost."""
        self._orphans.set()
        for loop in self:
            loop.request_reload()

    def _release_all(self) -> None:
        """Release all tables: this process has lost its lease, so others own them."""
        for loop in self:
            loop.release()

    async def _adopt(self) -> None:
        """Adopt tables without an owner, now and whenever a process may have died."""
        seating, again = self.services.seating, False
        while True:
            rows = list[TableRow]()
            try:
                rows = await seating.adopt_orphans()
                again = not await self._load_adopted(await seating.adopted() if again else rows)
            except ServerError as error:
                again = error.code == "storage_lost"  # some may have been adopted anyway
            if again:
                await asyncio.sleep(RETRY_S)
            elif not rows:
                self.ready = True
                await self._orphans.wait()
                self._orphans.clear()

    async def _load_adopted(self, rows: Sequence[TableRow]) -> bool:
        """Load tables that this process has adopted; return False if lost storage calls for a retry."""
        async with AsyncExitStack() as entered:
            for row in rows:
                await entered.enter_async_context(self._loading_alone(row.id))
            failed = await self._load_rows([row for row in rows if row.id not in self._loops])
        for row, error in failed:
            if not isinstance(error, ServerError):
                LOG.error("table %s cannot be read", row.id, exc_info=error)
        return all(getattr(error, "code", "") != "storage_lost" for _, error in failed)

    @asynccontextmanager
    async def _loading_alone(self, table_id: str) -> AsyncIterator[None]:
        async with self._loading.setdefault(table_id, asyncio.Lock()):
            try:
                yield
            finally:
                self._loading.pop(table_id, None)

    async def find(self, table_id: str) -> GameLoop:
        """Return a table, loading it if necessary; raises ``no_table``."""
        if table_id in self._loops:
            return self._loops[table_id]
        async with self._loading_alone(table_id):
            if table_id not in self._loops:
                row = await self.services.seating.find(table_id) if len(table_id) == ID_LENGTH else None
                if row is None or row.status == "closed":
                    raise ServerError("no_table")
                for _, error in await self._load_rows([await self.services.seating.adopt(row)]):
                    raise error
        return self._loops[table_id]

    async def _load_rows(self, rows: Sequence[TableRow]) -> list[tuple[TableRow, BaseException]]:
        """Load tables of this process together; return those that failed with their errors."""
        try:
            stored = await self.services.games.latest(rows)
        except ServerError:
            raise
        except Exception:
            LOG.exception("games cannot be read together; reading them one by one")
            stored = {}
        hosts = await self.services.accounts.names({row.owner for row in rows})
        reading = (self._resume(row, stored.get(row.id), hosts.get(row.owner, "")) for row in rows)
        outcomes = await asyncio.gather(*reading, return_exceptions=True)
        return [(row, error) for row, error in zip(rows, outcomes, strict=True) if error is not None]

    async def _resume(self, row: TableRow, stored: StoredGame | None, host: str) -> None:
        rules = await self.services.rulesets.find(row.rules, row.fingerprint)
        loop = GameLoop(Table(row, rules, self.services, host=host))
        try:
            await play.resume(loop.table, stored)
        except ServerError:
            raise
        except Exception:
            LOG.exception("table %s cannot be resumed", row.id)
            loop.table.stopped = True
        self._register(loop)
        await self._drop_idle()
        loop.wake()

    def _register(self, loop: GameLoop) -> None:
        table = loop.table
        self._loops[table.row.id] = loop
        loop.on_release = lambda: self._forget(loop)
        table.may_rematch = lambda: self.holdings.may_rematch(table)

    async def _drop_idle(self) -> None:
        """Drop the tables that have been idle the longest if there are more than ``idle_tables``."""
        over = [loop for loop in self if not loop.table.needed]
        spare = len(over) - self.services.settings.limits.idle_tables
        for loop in sorted(over, key=lambda loop: loop.table.touched)[: max(0, spare)]:
            await self._drop(loop)

    async def add(self, who: PersonRow, address: str, wanted: NewTable) -> GameLoop:
        """Open a table for a person. Raises the codes of ``TABLES`` and ``MOVES``."""
        async with self.holdings.opening(Principal(who.id, address), wanted.moves):
            return await self._add(who, address, wanted)

    def open_tables(self, person: str, wanted: Callable[[Table], bool]) -> list[GameLoop]:
        """Return waiting public tables outside events that have a free seat, the fullest first."""
        loops = [
            loop
            for loop in self
            if loop.table.row.status == "waiting"
            and not loop.table.row.options.private
            and loop.table.row.event is None
            and None in loop.table.row.sitters
            and table_seats.seat_of(loop.table.row, person) is None
            and wanted(loop.table)
        ]
        return sorted(loops, key=lambda loop: -len(table_seats.persons(loop.table.row)))

    async def add_for_round(self, wanted: NewTable) -> None:
        """Open a table of a round, without an owner, in the process with the fewest tables."""
        self.holdings.check_capacity()
        process = self.services.lease.least_loaded()
        row, rules = await self._stored(PARLOUR, wanted, process)
        if process == self.services.lease.process:
            self._register(GameLoop(Table(row, rules, self.services)))
        else:
            await self.services.links.request(process, "load", row.id)

    async def _load(self, payload: Any) -> bool:
        """Load a table that another process has opened for this one or handed over."""
        await self.find(payload)
        return True

    async def _add(self, who: PersonRow, address: str, wanted: NewTable) -> GameLoop:
        row, rules = await self._stored(who, wanted, self.services.lease.process)
        loop = GameLoop(Table(row, rules, self.services, host=who.name))
        loop.table.opened_from, loop.table.initial_moves = address, wanted.moves
        self._register(loop)
        return loop

    async def _stored(self, who: PersonRow, wanted: NewTable, process: str) -> tuple[TableRow, Ruleset]:
        """Store a new table owned by ``process``."""
        named = (wanted.rules, wanted.fingerprint) if wanted.fingerprint else (wanted.rules,)
        rules = with_length(await self.services.rulesets.find(*named), wanted.length)
        self.services.programs.check_bot(wanted.options.bot, rules)
        row = TableRow(
            "".join(secrets.choice(LETTERS) for _ in range(ID_LENGTH)),
            shown_name(wanted.name, MAX_NAME) if wanted.name.strip() else "",
            who.id,
            rules.id,
            rules.fingerprint,
            wanted.options,
            sitters=wanted.sitters or (None,) * len(rules.seats),
            event=wanted.event,
            stage=wanted.stage,
            process=process,
            fence=1,
            round=wanted.round and wanted.round[0],
            round_table=wanted.round and wanted.round[1],
        )
        await self.services.seating.add(row)
        # saved last: rules deleted in the meantime are stored again for this table
        await self.services.rulesets.save(rules)
        return row, rules

    def __iter__(self) -> Iterator[GameLoop]:
        return iter(list(self._loops.values()))

    def __len__(self) -> int:
        return len(self._loops)

    def public(self) -> list[Table]:
        """Return the public tables, newest first."""
        return self._active(lambda row: not row.options.private)

    def of_person(self, person: str) -> list[Table]:
        """Return the tables where a person has a seat, newest first."""
        tables = [d.table for d in self if table_seats.seat_of(d.table.row, person) is not None]
        shown = [t for t in tables if t.row.status != "closed" and person not in t.row.removed]
        return sorted(shown, key=lambda table: -table.row.created)

    def of_event(self, event: str) -> list[Table]:
        """Return the waiting and playing tables of an event, newest first."""
        return self._active(lambda row: row.event == event)

    def _active(self, wanted: Callable[[TableRow], bool]) -> list[Table]:
        """Return tables that are waiting, playing, or still playing for delayed spectators, newest first."""
        tables = [loop.table for loop in self if wanted(loop.table.row)]
        shown = [t for t in tables if t.playing or t.row.status == "waiting" or t.feed.delay.behind]
        return sorted(shown, key=lambda table: -table.row.created)

    async def _drop(self, loop: GameLoop) -> None:
        await loop.stop()
        self._forget(loop)

    def _forget(self, loop: GameLoop) -> None:
        if self._loops.get(loop.table.row.id) is loop:
            del self._loops[loop.table.row.id]

    async def _sweep(self) -> None:
        backoffs, tidied = tasks.Backoffs(SWEEP_S), -DAY_S
        while True:
            await asyncio.sleep(SWEEP_S)
            now = time.monotonic()
            due = now - tidied >= DAY_S and self.services.lease.is_leader
            if due and await self._attempt(backoffs, CLEANUP, self._tidy):
                tidied = now
            for loop in self:
                await self._attempt(backoffs, loop.table.row.id, partial(self.sweep_table, loop, now))
            backoffs.keep([CLEANUP, *self._loops])

    async def _tidy(self) -> None:
        await self.services.cleanup.tidy(keep=list(self._loops), process=self.services.lease.process)
        await self.services.retention.clean(now_ms())

    async def _attempt(
        self, backoffs: tasks.Backoffs, key: str, work: Callable[[], Coroutine[Any, Any, None]]
    ) -> bool:
        """Run one piece of work and return whether it succeeded; failing work backs off."""
        if backoffs.rests(key):
            return False
        try:
            await to_the_end(work())
        except ServerError:
            return False  # storage is lost, which the tables report
        except Exception as error:
            backoffs.failed(key, "sweeping table", error)
            return False
        backoffs.worked(key)
        return True

    async def sweep_table(self, loop: GameLoop, now: float) -> None:
        """Free the seats of absent people, close an empty table, drop an idle one from memory."""
        table = loop.table
        if table.row.status == "waiting":
            await self._clear(loop, now)
        if not table.needed and now - table.touched > KEEP_S:
            await self._drop(loop)

    async def _clear(self, loop: GameLoop, now: float) -> None:
        """Before the game, free the seats of absent people and close the table if none remain."""
        table = loop.table
        away_s, empty_s = (table_seats.AWAY_S, EMPTY_S) if table.row.event is None else (EVENT_S, EVENT_S)

        def emptied(may_own: Callable[[str], bool]) -> TableRow:
            row = table.row
            for seat in table_seats.persons(row):
                if table_seats.offline_s(table, seat, now) > away_s:
                    row = table_seats.left(row, table.sitter(seat).person or "", may_own)
            empty = not table_seats.persons(row) and not table.joining and not table.audience.anybody
            if empty and (row is not table.row or now - table.touched > empty_s):
                return replace(row, status="closed")
            return row

        if emptied(lambda _: True) is table.row:
            return
        async with loop.changing(), self.holdings.transferring(table) as may_own:
            if table.row.status == "waiting":
                await change_seats(table, emptied(may_own))


async def close_table(loop: GameLoop) -> None:
    """Close a table before its game begins."""
    async with loop.changing() as table:
        row = replace(table.row, status="closed")
        await table.services.seating.change(row)
        table.row = row
