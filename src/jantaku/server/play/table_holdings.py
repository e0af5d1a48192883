"""What people and addresses hold at the tables: tables, seats, and the memory of games to play on from."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from jantaku.server.edge.limits import NOTHING, Amounts, Principal, Quota, amounts_of
from jantaku.server.errors import ServerError
from jantaku.server.play import table_seats
from jantaku.server.processes.links import Links
from jantaku.server.settings import Limits

if TYPE_CHECKING:
    from jantaku.server.play.table import Table

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
        self, limits: Limits, tables: "Callable[[], Iterable[Table]]", links: Links | None = None
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

    def _going_on(self) -> "Iterator[Table]":
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
    async def taking_seat(self, table: "Table", holder: Principal) -> AsyncIterator[None]:
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
    async def handing_on(self, table: "Table") -> AsyncIterator[Callable[[str], bool]]:
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

    async def may_go_on(self, table: "Table") -> bool:
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


def _sitting(table: "Table") -> list[Principal]:
    """The people at a table, and from where they took their seats."""
    people = [table.sitter(seat).person or "" for seat in table_seats.persons(table.row)]
    return [Principal(person, table.taken_from.get(person, "")) for person in people]
