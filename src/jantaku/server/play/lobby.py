"""All tables: opened, restored after a restart, listed, and put away when no longer needed."""

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
from jantaku.server.play import carry_out as play
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


# Measured with tracemalloc on games that went on from a record, rounded up
EMPTY_TIMES: Final = 3  # times the tables of the parlour, with those that wait and where nobody is
BYTES_OF_TABLE: Final = 200_000
BYTES_OF_MOVE: Final = 700


def bytes_of(moves: int) -> int:
    """How much memory a table takes whose game has so many moves.

    >>> bytes_of(1000)
    900000
    """
    return BYTES_OF_TABLE + BYTES_OF_MOVE * moves


@contextmanager
def _counted(held: list[T], item: T) -> Iterator[None]:
    """Count something as held while it is on its way."""
    held.append(item)
    try:
        yield
    finally:
        held.remove(item)


def _sum(parts: Sequence[Sequence[float]]) -> Amounts:
    return Amounts(*(sum(part[kind] for part in parts) for kind in range(len(NOTHING))))


class TableHoldings:
    """Counts at the tables themselves, so whoever gets a table or a seat from others holds it, too.

    A person and an address hold what they have in all processes; how much all together may is a limit of each
    process.
    """

    def __init__(
        self, limits: Limits, tables: Callable[[], Iterable[Table]], links: Links | None = None
    ) -> None:
        self._limits = limits
        self._links = links
        if links is not None:
            links.questions["held"] = self._here
        self._all = tables
        self._opening: list[tuple[Principal, int]] = []  # what is being stored, and its moves
        self._tables = Quota(limits.tables_of_one, limits.tables_of_address)
        self._seats = Quota(limits.seats_of_one, limits.seats_of_address)
        self._memory = Quota(
            limits.practice_bytes_of_one, limits.practice_bytes_of_address, limits.practice_bytes
        )

    def _going_on(self) -> Iterator[Table]:
        return (
            table for table in self._all() if table.beginning or table.row.status in ("waiting", "playing")
        )

    async def _here(self, said: Any) -> tuple[Amounts, Amounts, Amounts]:
        """What a person, an address and all hold in this process."""
        held = self._held_tables(), self._held_seats(), self._held_memory()
        tables, taken, memory = (amounts_of(Principal(*said), held) for held in held)
        return tables, taken, memory

    async def _elsewhere(self, holder: Principal) -> tuple[Amounts, Amounts, Amounts]:
        """The same in all other processes."""
        parts = [] if self._links is None else await self._links.ask_others("held", holder)
        tables, taken, memory = (_sum([part[kind] for part in parts]) for kind in range(3))
        return tables, taken, memory

    def check_hall(self) -> None:
        """Raise ``parlour_full`` unless there is room for one more table."""
        if self._full:
            raise ServerError("parlour_full")

    @property
    def _full(self) -> bool:
        """Whether there is no room for another table.

        A table that waits and where nobody is keeps strangers out only where memory ends.
        """
        going_on = [*self._going_on()]
        busy = sum(table.row.status != "waiting" or table.audience.anybody for table in going_on)
        opening, most = len(self._opening), self._limits.tables
        return busy + opening >= most or len(going_on) + opening >= EMPTY_TIMES * most

    def _held_tables(self) -> Iterator[tuple[Principal, float]]:
        yield from ((Principal(table.row.owner, table.opened_from), 1) for table in self._going_on())
        yield from ((holder, 1) for holder, _ in self._opening)

    def _held_seats(self) -> Iterator[tuple[Principal, float]]:
        for table in self._going_on():
            for seat in table_seats.persons(table.row) if table.row.round is None or table.playing else ():
                person = table.sitter(seat).person or ""
                yield Principal(person, table.taken_from.get(person, "")), 1
            yield from ((holder, 1) for holder in table.coming)

    def _held_memory(self) -> Iterator[tuple[Principal, float]]:
        for table in self._going_on():
            if table.practice:
                yield Principal(table.row.owner, table.opened_from), bytes_of(table.moves)
        yield from ((holder, bytes_of(moves)) for holder, moves in self._opening if moves)

    @asynccontextmanager
    async def opening(self, holder: Principal, moves: int = 0) -> AsyncIterator[None]:
        """Count a table that begins with so many moves while it is being stored.

        Raises ``too_many_tables`` or the like unless there is room for it.
        """
        tables, _, memory = await self._elsewhere(holder)
        passed = self._tables.passed(holder, self._held_tables(), elsewhere=tables._replace(everybody=0))
        if passed is not None:
            raise ServerError(TABLES[passed], most=self._limits.tables_of_one)
        self.check_hall()
        more, there = bytes_of(moves), memory._replace(everybody=0)
        passed = self._memory.passed(holder, self._held_memory(), more, there) if moves else None
        if passed is not None:
            raise ServerError(MOVES[passed])
        with _counted(self._opening, (holder, moves)):
            yield

    async def check_seat(self, holder: Principal) -> None:
        """Raise ``too_many_seats`` or the like unless there is room for a seat."""
        _, elsewhere, _ = await self._elsewhere(holder)
        passed = self._seats.passed(holder, self._held_seats(), elsewhere=elsewhere)
        if passed is not None:
            raise ServerError(SEATS[passed], most=self._limits.seats_of_one)

    @asynccontextmanager
    async def taking_seat(self, table: Table, holder: Principal) -> AsyncIterator[None]:
        """Count a seat while it is being taken; raises what ``check_seat`` raises."""
        seat = table_seats.seat_of(table.row, holder.person)
        if seat is not None and not table.sitter(seat).gone:
            yield
            return
        await self.check_seat(holder)
        with _counted(table.coming, holder):
            yield
            table.taken_from[holder.person] = holder.address

    @asynccontextmanager
    async def handing_on(self, table: Table) -> AsyncIterator[Callable[[str], bool]]:
        """Who at a table has room for it when its owner leaves; it counts for them while that is stored."""
        heirs = [Principal(holder.person) for holder in _sitting(table)]
        elsewhere = dict(zip(heirs, await self._all_elsewhere(heirs), strict=True))
        with ExitStack() as counted:

            def may_own(person: str) -> bool:
                heir = Principal(person)
                tables, _, _ = elsewhere.get(heir, (NOTHING,) * 3)
                if self._tables.passed(heir, self._held_tables(), elsewhere=tables) is not None:
                    return False
                counted.enter_context(_counted(self._opening, (heir, 0)))
                return True

            yield may_own

    async def may_go_on(self, table: Table) -> bool:
        """Whether all who sit at a table whose game is over have room for another one there."""
        owner, sitting = Principal(table.row.owner, table.opened_from), _sitting(table)
        (tables, _, _), *elsewhere = await self._all_elsewhere([owner, *sitting])
        if self._full or self._tables.passed(owner, self._held_tables(), elsewhere=tables) is not None:
            return False
        return all(
            self._seats.passed(holder, self._held_seats(), elsewhere=seats) is None
            for holder, (_, seats, _) in zip(sitting, elsewhere, strict=True)
        )

    async def _all_elsewhere(self, holders: Sequence[Principal]) -> list[tuple[Amounts, ...]]:
        """What each of these holds in other processes; all together is a limit of each process."""
        elsewhere = await asyncio.gather(*map(self._elsewhere, holders))
        return [tuple(part._replace(everybody=0) for part in parts) for parts in elsewhere]


def _sitting(table: Table) -> list[Principal]:
    """The people at a table, and from where they took their seats."""
    people = [table.sitter(seat).person or "" for seat in table_seats.persons(table.row)]
    return [Principal(person, table.taken_from.get(person, "")) for person in people]


def of_length(rules: Ruleset, length: str | None) -> Ruleset:
    """The same rules with games of another length; they are stored under their fingerprint."""
    if length in (None, rules.match.length):
        return rules
    changed = rules.with_changes({"match.length": length})
    return dataclasses.replace(changed, id=changed.fingerprint, name=_names(rules, str(length)))


def _names(rules: Ruleset, length: str) -> dict[str, str]:
    """The name of the rules with the length of the game, in each language."""
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
    """A name without the length that it ends with."""
    return next(
        (name.removesuffix(f" · {length}") for length in lengths if name.endswith(f" · {length}")), name
    )


LOOKS_S: Final = 5.0  # how often a process looks whether it has too many tables
AT_ONCE: Final = 10  # tables that it gives away then
UNEVEN, FEW = 1.2, 2  # it has too many with so many times the average, and so many more


class TableGiving:
    """Gives tables of this process to others; ``loops`` are those that it has."""

    def __init__(self, services: Services, loops: Callable[[], list[GameLoop]]) -> None:
        self._lease, self._seating, self._links = services.lease, services.seating, services.links
        self._loops = loops

    async def hand_over(self) -> None:
        """Give all tables to other processes, one after another; what fails is left for them to take."""
        if self._lease.alone or not self._lease.owns:
            return
        with tasks.reported("tables cannot be given to other processes; they take them in a moment"):
            await self._lease.depart()
            for loop in self._loops() if self._lease.owners else ():
                await self._give(loop, self._lease.fewest())

    async def keep_even(self) -> None:
        """Give tables to processes that have come since, some at a time."""
        while True:
            await asyncio.sleep(LOOKS_S)
            with tasks.reported("tables cannot be given to a process that has fewer"):
                await self.spread()

    async def spread(self) -> None:
        """Give some tables away if this process has many more than the others on average."""
        loops, lease = self._loops(), self._lease
        elsewhere = [peer.tables for peer in lease.owners if peer.id != lease.process]
        fair = (len(loops) + sum(elsewhere)) / (1 + len(elsewhere))
        if lease.alone or not lease.held or len(loops) <= UNEVEN * fair + FEW:
            return
        going = [loop for loop in loops if loop.table.needed]
        for loop in going[: min(AT_ONCE, int(len(loops) - fair))]:
            process = lease.fewest()
            if process == lease.process:
                return
            await self._give(loop, process)

    async def _give(self, loop: GameLoop, process: str) -> None:
        """Give a table to another process between two changes, and send everyone there."""
        async with loop.changing() as table:
            if loop.stopped:
                return
            if table.needed:
                await self._seating.give(table.row, process)
                with suppress(ServerError):  # then it is read when somebody comes
                    await self._links.ask(process, "load", table.row.id)
            loop.give_up(said=False)


LOG = logging.getLogger("jantaku.server")
MOST_NAME: Final = 40  # letters of a table's name
LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
ID_LENGTH: Final = 8
SWEEP_S, DAY_S = 30.0, 86_400.0
KEEP_S: Final = 600.0  # how long an idle table stays in memory
EMPTY_S: Final = 120.0  # how long a table without people stays open before the game
EVENT_S: Final = DAY_S  # this and ``AWAY_S``, at tables of events, which are opened beforehand
OLD: Final = "of rows that nobody needs"
RETRY_S: Final = 2.0
PARLOUR: Final = PersonRow("", "", None, "", "")  # owns the tables of rounds


class NewTable(NamedTuple):
    """A table to open: for a stage of an event by its rules, with another length, or with so many moves."""

    name: str
    rules: str
    options: TableOptions
    event: str | None = None
    stage: str | None = None
    fingerprint: str = ""
    length: str | None = None
    moves: int = 0
    round: tuple[int, int] | None = None  # of the stage, and the table there
    sitters: tuple[Sitter | None, ...] = ()  # who has a seat from the beginning


class Lobby:
    """Every table in memory, by id. Other tables are read when requested."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self._loops: dict[str, GameLoop] = {}
        limits, links = services.settings.limits, services.links
        self.holdings = TableHoldings(limits, lambda: (loop.table for loop in self), links)
        self.giving = TableGiving(services, lambda: list(self))
        self._finding: dict[str, asyncio.Lock] = {}
        self._left = asyncio.Event()  # tables may have been left by a process
        self.ready = False  # whether the tables that were left at the start have been taken and read
        self._work: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Take the tables that no process has, resume their games, and start looking after them.

        Where one person plays on from another game, nothing happens until that person comes back.
        """
        self.services.store.regained.append(self._mistrust)
        self.services.lease.lost.append(self._give_up)
        self.services.lease.changed.append(self._left.set)
        self.services.lease.tables = self.__len__
        self.services.links.questions["load"] = self._load
        self._work = [asyncio.create_task(self._sweep(), name="lobby-sweep")]
        if self.services.lease.owns:
            self._work.append(asyncio.create_task(self._adopt(), name="lobby-adopt"))
            self._work.append(asyncio.create_task(self.giving.keep_even(), name="lobby-spread"))
        else:
            self.ready = True

    async def close(self) -> None:
        """Stop every table and tell the sockets to reconnect."""
        await tasks.end(*self._work)
        for loop in self._loops.values():
            await loop.stop()
            for connection in loop.table.audience:
                connection.close(RESTARTS)

    def _mistrust(self) -> None:
        """Reload every game, and take what is left: another server may have stored something."""
        self._left.set()
        for loop in self:
            loop.mistrust()

    def _give_up(self) -> None:
        """Other processes have taken all tables."""
        for loop in self:
            loop.give_up()

    async def _adopt(self) -> None:
        """Take and read the tables that no process has, now and whenever there may be some."""
        seating, again = self.services.seating, False
        while True:
            rows = list[TableRow]()
            try:
                rows = await seating.take_left()
                again = not await self._read_mine(await seating.taken() if again else rows)
            except ServerError as error:
                again = error.code == "storage_lost"  # some may have been taken all the same
            if again:
                await asyncio.sleep(RETRY_S)
            elif not rows:
                self.ready = True
                await self._left.wait()
                self._left.clear()

    async def _read_mine(self, rows: Sequence[TableRow]) -> bool:
        """Read tables that this process has taken; False if another attempt is worthwhile."""
        async with AsyncExitStack() as entered:
            for row in rows:
                await entered.enter_async_context(self._finding_alone(row.id))
            failed = await self._read([row for row in rows if row.id not in self._loops])
        for row, error in failed:
            if not isinstance(error, ServerError):
                LOG.error("table %s cannot be read", row.id, exc_info=error)
        return all(getattr(error, "code", "") != "storage_lost" for _, error in failed)

    @asynccontextmanager
    async def _finding_alone(self, table_id: str) -> AsyncIterator[None]:
        async with self._finding.setdefault(table_id, asyncio.Lock()):
            try:
                yield
            finally:
                self._finding.pop(table_id, None)

    async def find(self, table_id: str) -> GameLoop:
        """The table with this id; raises ``no_table`` if there is none."""
        if table_id in self._loops:
            return self._loops[table_id]
        async with self._finding_alone(table_id):
            if table_id not in self._loops:
                row = await self.services.seating.find(table_id) if len(table_id) == ID_LENGTH else None
                if row is None or row.status == "closed":
                    raise ServerError("no_table")
                for _, error in await self._read([await self.services.seating.take(row)]):
                    raise error
        return self._loops[table_id]

    async def _read(self, rows: Sequence[TableRow]) -> list[tuple[TableRow, BaseException]]:
        """Read tables of this process together; those that cannot be read, and why."""
        try:
            stored = await self.services.games.going_on(rows)
        except ServerError:
            raise
        except Exception:
            LOG.exception("a game cannot be read; each is read by itself")
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
            LOG.exception("table %s cannot go on", row.id)
            loop.table.stopped = True
        self._keep(loop)
        await self._make_room()
        loop.wake()

    def _keep(self, loop: GameLoop) -> None:
        table = loop.table
        self._loops[table.row.id] = loop
        loop.gone = lambda: self._forget(loop)
        table.may_go_on = lambda: self.holdings.may_go_on(table)

    async def _make_room(self) -> None:
        """If there are too many tables, forget those that have been over for longest."""
        over = [loop for loop in self if not loop.table.needed]
        spare = len(over) - self.services.settings.limits.idle_tables
        for loop in sorted(over, key=lambda loop: loop.table.touched)[: max(0, spare)]:
            await self._drop(loop)

    async def add(self, who: PersonRow, address: str, wanted: NewTable) -> GameLoop:
        """Open a table."""
        async with self.holdings.opening(Principal(who.id, address), wanted.moves):
            return await self._add(who, address, wanted)

    def waiting_for(self, person: str, wanted: Callable[[Table], bool]) -> list[GameLoop]:
        """Public tables with a free seat that no event has opened, those with most people first."""
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
        """Open a table of a round, which belongs to nobody, at the process with the fewest."""
        self.holdings.check_hall()
        process = self.services.lease.fewest()
        row, rules = await self._stored(PARLOUR, wanted, process)
        if process == self.services.lease.process:
            self._keep(GameLoop(Table(row, rules, self.services)))
        else:
            await self.services.links.ask(process, "load", row.id)

    async def _load(self, said: Any) -> bool:
        """Read a table that another process has opened for this one, or given to it."""
        await self.find(said)
        return True

    async def _add(self, who: PersonRow, address: str, wanted: NewTable) -> GameLoop:
        row, rules = await self._stored(who, wanted, self.services.lease.process)
        loop = GameLoop(Table(row, rules, self.services, host=who.name))
        loop.table.opened_from, loop.table.brought = address, wanted.moves
        self._keep(loop)
        return loop

    async def _stored(self, who: PersonRow, wanted: NewTable, process: str) -> tuple[TableRow, Ruleset]:
        """Store a new table of a process."""
        named = (wanted.rules, wanted.fingerprint) if wanted.fingerprint else (wanted.rules,)
        rules = of_length(await self.services.rulesets.find(*named), wanted.length)
        row = TableRow(
            "".join(secrets.choice(LETTERS) for _ in range(ID_LENGTH)),
            shown_name(wanted.name, MOST_NAME) if wanted.name.strip() else "",
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
        # stored after the table, so that deleting the rules now leaves them to it
        await self.services.rulesets.save(rules)
        return row, rules

    def __iter__(self) -> Iterator[GameLoop]:
        return iter(list(self._loops.values()))

    def __len__(self) -> int:
        return len(self._loops)

    def public(self) -> list[Table]:
        """The public tables, newest first."""
        return self._going_on(lambda row: not row.options.private)

    def of_person(self, person: str) -> list[Table]:
        """The tables where a person sits, newest first."""
        tables = [d.table for d in self if table_seats.seat_of(d.table.row, person) is not None]
        shown = [t for t in tables if t.row.status != "closed" and person not in t.row.removed]
        return sorted(shown, key=lambda table: -table.row.created)

    def of_event(self, event: str) -> list[Table]:
        """The tables that wait or play for an event, newest first."""
        return self._going_on(lambda row: row.event == event)

    def _going_on(self, wanted: Callable[[TableRow], bool]) -> list[Table]:
        """Tables that wait or play, or still play for those who watch, newest first."""
        tables = [loop.table for loop in self if wanted(loop.table.row)]
        shown = [t for t in tables if t.playing or t.row.status == "waiting" or t.showing.trail.behind]
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
            due = now - tidied >= DAY_S and self.services.lease.serves_all
            if due and await self._swept(backoffs, OLD, self._tidy):
                tidied = now
            for loop in self:
                await self._swept(backoffs, loop.table.row.id, partial(self.put_away, loop, now))
            backoffs.keep([OLD, *self._loops])

    async def _tidy(self) -> None:
        await self.services.cleanup.tidy(keep=list(self._loops), process=self.services.lease.process)
        await self.services.keeping.clean(now_ms())

    async def _swept(
        self, backoffs: tasks.Backoffs, key: str, work: Callable[[], Coroutine[Any, Any, None]]
    ) -> bool:
        """Do one piece of work; whether it went well. One that fails rests and stops no other."""
        if backoffs.rests(key):
            return False
        try:
            await to_the_end(work())
        except ServerError:
            return False  # storage is lost, and the tables say so
        except Exception as error:
            backoffs.failed(key, "putting away table", error)
            return False
        backoffs.worked(key)
        return True

    async def put_away(self, loop: GameLoop, now: float) -> None:
        """Free seats of people who are gone, close an empty table, forget an idle one that can be read."""
        table = loop.table
        if table.row.status == "waiting":
            await self._clear(loop, now)
        if not table.needed and now - table.touched > KEEP_S:
            await self._drop(loop)

    async def _clear(self, loop: GameLoop, now: float) -> None:
        """Before the game: free the seats of people who are gone, and close the table if nobody is left."""
        table = loop.table
        away_s, empty_s = (table_seats.AWAY_S, EMPTY_S) if table.row.event is None else (EVENT_S, EVENT_S)

        def emptied(may_own: Callable[[str], bool]) -> TableRow:
            row = table.row
            for seat in table_seats.persons(row):
                if table_seats.unseen_s(table, seat, now) > away_s:
                    row = table_seats.left(row, table.sitter(seat).person or "", may_own)
            empty = not table_seats.persons(row) and not table.coming and not table.audience.anybody
            if empty and (row is not table.row or now - table.touched > empty_s):
                return replace(row, status="closed")
            return row

        if emptied(lambda _: True) is table.row:
            return
        async with loop.changing(), self.holdings.handing_on(table) as may_own:
            if table.row.status == "waiting":
                await change_seats(table, emptied(may_own))


async def close_table(loop: GameLoop) -> None:
    """Close a table that has not begun."""
    async with loop.changing() as table:
        row = replace(table.row, status="closed")
        await table.services.seating.change(row)
        table.row = row
