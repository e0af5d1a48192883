"""Who is registered for an event: a row for each entry, which is kept when somebody withdraws."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.club.event import Entrant
from jantaku.club.namesakes import label
from jantaku.server.errors import ServerError
from jantaku.server.storage.event_schema import event_entries
from jantaku.server.storage.events import Change
from jantaku.server.storage.store import OverStore

PLAYS: Final = "playing"
TABLE: Final = event_entries


class EntryRow(NamedTuple):
    """Somebody registered; ``person`` is ``None`` for people without an account.

    ``status`` is ``asked`` (an organiser decides), ``waiting`` (for a free place), ``playing``, ``refused``,
    ``withdrawn`` or ``merged`` (into another entry of the same person). Entries with one ``player`` are one
    person in several events. ``namesake`` is their number among people of one name, or among deleted people.
    """

    event: str
    id: str
    number: int
    name: str
    team: str
    person: str | None
    status: str
    checked_in: int | None
    merged_into: str | None
    created: int
    real_name: str = ""
    erased: int | None = None
    card: str | None = None
    country: str = ""
    association: str = ""
    brought: int | None = None
    player: str = ""
    namesake: int = 1

    @property
    def label(self) -> str:
        """Its name with what tells it from namesakes; that of somebody erased has the number already."""
        return label(self.name, self.namesake) if self.erased is None else self.name

    @property
    def listed(self) -> bool:
        """Whether an organiser has written its name: whoever registers themself has no card."""
        return self.card is not None

    @property
    def identity(self) -> dict[str, str]:
        """Who the player is outside of the event, which only organisers and the player read."""
        return {name: getattr(self, name) for name in ("real_name", "country", "association")}

    @property
    def shown(self) -> dict[str, Any]:
        """What the log says of it."""
        names = ("name", "team", "status", "merged_into", "brought")
        checked_in = {"checked_in": True} if self.checked_in else {}
        number = {"namesake": self.namesake} if self.namesake > 1 and self.erased is None else {}
        return {name: getattr(self, name) for name in names if getattr(self, name)} | number | checked_in


def entrant_of(entry: EntryRow) -> Entrant:
    """The entry as standings and files have it."""
    namesake = entry.namesake if entry.erased is None else 1
    return Entrant(entry.id, entry.name, entry.team, entry.brought, entry.player, namesake)


class EntryStore(OverStore):
    """Reads the entries of events."""

    async def all(self, event: str) -> list[EntryRow]:
        """All entries of an event in the order of registration."""
        async with self._store.reading() as connection:
            return await entries_of(connection, event)

    async def of_person(self, event: str, person: str) -> EntryRow | None:
        """The entry of a person."""
        query = select(TABLE).where(TABLE.c.event == event, TABLE.c.person == person)
        row = await self._store.first(query)
        return None if row is None else EntryRow(*row)

    async def everywhere(self, person: str, most: int) -> list[EntryRow]:
        """The entries of a person in all events, the newest first."""
        query = select(TABLE).where(TABLE.c.person == person, TABLE.c.merged_into.is_(None))
        rows = await self._store.rows(query.order_by(TABLE.c.created.desc(), TABLE.c.event).limit(most))
        return [EntryRow(*row) for row in rows]

    async def alike(self, entry: EntryRow, events: Sequence[str]) -> list[EntryRow]:
        """The entries of one player in these events: those of the account, without one those of the label."""
        mine = TABLE.c.person == entry.person
        if entry.person is None:
            called = (TABLE.c.name == entry.name) & (TABLE.c.namesake == entry.namesake)
            mine = TABLE.c.person.is_(None) & called
        mine |= TABLE.c.player == entry.player
        there = TABLE.c.event.in_(events) & TABLE.c.erased.is_(None) & TABLE.c.merged_into.is_(None)
        rows = await self._store.rows(select(TABLE).where(mine, there).order_by(TABLE.c.event, TABLE.c.id))
        return [EntryRow(*row) for row in rows]

    async def named(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], EntryRow]:
        """These entries, each given and found by its event and its id."""
        query = select(TABLE).where(tuple_(TABLE.c.event, TABLE.c.id).in_(keys))
        rows = [EntryRow(*row) for row in await self._store.rows(query)]
        return {(row.event, row.id): row for row in rows}

    async def count(self, events: Sequence[str]) -> dict[str, int]:
        """How many play in each of these events."""
        query = select(TABLE.c.event, func.count()).where(TABLE.c.event.in_(events), TABLE.c.status == PLAYS)
        rows = await self._store.rows(query.group_by(TABLE.c.event))
        return {row[0]: int(row[1]) for row in rows}


async def entries_of(connection: AsyncConnection, event: str) -> list[EntryRow]:
    """All entries of an event in the order of registration."""
    query = select(TABLE).where(TABLE.c.event == event).order_by(TABLE.c.number)
    return [EntryRow(*row) for row in await connection.execute(query)]


async def entry_of(change: Change, entry: str) -> EntryRow:
    """One entry of the event; raises ``no_entry`` if there is none or it was merged into another."""
    rows = await change.rows(select(TABLE).where(change.of(TABLE), TABLE.c.id == entry))
    if not rows or rows[0].status == "merged":
        raise ServerError("no_entry")
    return EntryRow(*rows[0])


async def add_entries(change: Change, rows: Sequence[EntryRow]) -> None:
    """Store new entries and note them."""
    await change.add(TABLE, [row._asdict() for row in rows])
    change.results_change = True
    for row in rows:
        change.note("entry", entry=row.id, after=row.shown)


async def change_entry(change: Change, before: EntryRow, why: str = "", **values: Any) -> EntryRow:
    """Change an entry and note it; ``values`` are its new fields."""
    after = before._replace(**values)
    if after == before:
        return before
    change.results_change = True
    await change.set(TABLE, TABLE.c.id == before.id, **values)
    change.note("entry", entry=before.id, before=before.shown, after=after.shown, why=why)
    return after
