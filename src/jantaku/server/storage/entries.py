"""Who is registered for an event: a row for each entry, which is kept when somebody withdraws."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import ForeignKey, ForeignKeyConstraint, Index, String, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.club.namesakes import label
from jantaku.server.edge.bodies import demand_seen, version_of
from jantaku.server.errors import ServerError
from jantaku.server.storage.base import Id, LongId, Milliseconds, Name, StoredRow, Word, read_rows
from jantaku.server.storage.events import Change
from jantaku.server.storage.store import OverStore

PLAYS: Final = "playing"


class EntryRow(StoredRow):
    """Somebody registered; ``person`` is ``None`` for people without an account.

    ``status`` is ``asked`` (an organiser decides), ``waiting`` (for a free place), ``playing``, ``refused``,
    ``withdrawn`` or ``merged`` (into another entry of the same person). Entries with one ``player`` are one
    person in several events. ``namesake`` is their number among people of one name, or among deleted people.
    """

    __tablename__ = "event_entries"
    __table_args__ = (Index("ix_event_entries_event_person", "event", "person", unique=True),)

    event: Mapped[Id] = mapped_column(ForeignKey("events.id"), primary_key=True)
    id: Mapped[LongId] = mapped_column(primary_key=True)
    number: Mapped[int]  # the order of registration
    name: Mapped[Name]
    team: Mapped[Name]
    person: Mapped[Id | None] = mapped_column(index=True)
    status: Mapped[Word]
    checked_in: Mapped[Milliseconds | None]
    merged_into: Mapped[LongId | None]
    created: Mapped[Milliseconds]
    real_name: Mapped[Name] = mapped_column(default="")  # for organisers, like country and association
    erased: Mapped[Milliseconds | None] = mapped_column(default=None)  # when the names were deleted
    card: Mapped[Id | None] = mapped_column(default=None)  # a secret with which its owner claims it
    country: Mapped[str] = mapped_column(String(2), default="")  # ISO 3166
    association: Mapped[Id] = mapped_column(default="")  # the number in an association
    brought: Mapped[int | None] = mapped_column(default=None)  # points for the first stage; 0 ranks
    player: Mapped[LongId] = mapped_column(default="", index=True)
    namesake: Mapped[int] = mapped_column(default=1)

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
        """What the log says of it: no name."""
        names = ("status", "merged_into", "brought")
        checked_in = {"checked_in": True} if self.checked_in else {}
        number = {"namesake": self.namesake} if self.namesake > 1 and self.erased is None else {}
        return {name: getattr(self, name) for name in names if getattr(self, name)} | number | checked_in


class EntryStore(OverStore):
    """Reads the entries of events."""

    async def all(self, event: str) -> list[EntryRow]:
        """All entries of an event in the order of registration."""
        async with self._store.reading() as connection:
            return await entries_of(connection, event)

    async def of_person(self, event: str, person: str) -> EntryRow | None:
        """The entry of a person."""
        return await self._store.one(
            select(EntryRow).where(EntryRow.event == event, EntryRow.person == person)
        )

    async def everywhere(self, person: str, most: int) -> list[EntryRow]:
        """The entries of a person in all events, the newest first."""
        query = select(EntryRow).where(EntryRow.person == person, EntryRow.merged_into.is_(None))
        query = query.order_by(EntryRow.created.desc(), EntryRow.event)
        return await self._store.all(query.limit(most))

    async def alike(self, entry: EntryRow, events: Sequence[str]) -> list[EntryRow]:
        """The entries of one player in these events: those of the account, without one those of the label."""
        mine = EntryRow.person == entry.person
        if entry.person is None:
            called = (EntryRow.name == entry.name) & (EntryRow.namesake == entry.namesake)
            mine = EntryRow.person.is_(None) & called
        mine |= EntryRow.player == entry.player
        there = EntryRow.event.in_(events) & EntryRow.erased.is_(None) & EntryRow.merged_into.is_(None)
        query = select(EntryRow).where(mine, there)
        return await self._store.all(query.order_by(EntryRow.event, EntryRow.id))

    async def named(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], EntryRow]:
        """These entries, each given and found by its event and its id."""
        query = select(EntryRow).where(tuple_(EntryRow.event, EntryRow.id).in_(keys))
        return {(row.event, row.id): row for row in await self._store.all(query)}

    async def count(self, events: Sequence[str]) -> dict[str, int]:
        """How many play in each of these events."""
        query = select(EntryRow.event, func.count()).where(
            EntryRow.event.in_(events), EntryRow.status == PLAYS
        )
        rows = await self._store.rows(query.group_by(EntryRow.event))
        return {row[0]: int(row[1]) for row in rows}


async def entries_of(connection: AsyncConnection, event: str) -> list[EntryRow]:
    """All entries of an event in the order of registration."""
    query = select(EntryRow).where(EntryRow.event == event)
    return await read_rows(connection, query.order_by(EntryRow.number))


async def entry_of(change: Change, entry: str) -> EntryRow:
    """One entry of the event; raises ``no_entry`` if there is none or it was merged into another."""
    rows = await change.all(EntryRow, EntryRow.id == entry)
    if not rows or rows[0].status == "merged":
        raise ServerError("no_entry")
    return rows[0]


async def add_entries(change: Change, rows: Sequence[EntryRow]) -> None:
    """Store new entries and note them."""
    await change.insert(rows)
    change.results_change = True
    for row in rows:
        change.note("entry", entry=row.id, after=row.shown)


async def change_entry(change: Change, before: EntryRow, why: str = "", **values: Any) -> EntryRow:
    """Change an entry and note it; ``values`` are its new fields."""
    after = replace(before, **values)
    if after == before:
        return before
    change.results_change = True
    await change.set(EntryRow, EntryRow.id == before.id, **values)
    renamed = [name for name in ("name", "team") if getattr(before, name) != getattr(after, name)]
    said = after.shown | ({"changed": renamed} if renamed else {})
    change.note("entry", entry=before.id, before=before.shown, after=said, why=why)
    return after


class NicknameRow(StoredRow):
    """What an entry is called on a site, so that logs find it."""

    __tablename__ = "event_nicknames"
    __table_args__ = (
        ForeignKeyConstraint(["event", "entry"], ["event_entries.event", "event_entries.id"]),
        Index("ix_event_nicknames_event_entry", "event", "entry"),
    )

    event: Mapped[Id] = mapped_column(primary_key=True)
    site: Mapped[Id] = mapped_column(primary_key=True)
    name: Mapped[Name] = mapped_column(primary_key=True)
    entry: Mapped[LongId]


class Nicknames(OverStore):
    """Reads nicknames."""

    async def all(self, event: str) -> list[NicknameRow]:
        """All nicknames of an event, by site and name."""
        query = select(NicknameRow).where(NicknameRow.event == event)
        return await self._store.all(query.order_by(NicknameRow.site, NicknameRow.name))


async def remember(change: Change, nicknames: Iterable[tuple[str, str, str]]) -> None:
    """Add nicknames that are new, each the site, the name and the entry.

    Raises ``nickname_taken`` if one belongs to another entry.
    """
    known = {(row.site, row.name): row for row in await change.all(NicknameRow)}
    new = dict[tuple[str, str], NicknameRow]()
    for site, name, entry in nicknames:
        row = NicknameRow(change.event.id, site, name, entry)
        if known.get((site, name), row) != row or new.setdefault((site, name), row) != row:
            raise ServerError("nickname_taken", field="nicknames", name=name)
    await change.insert(row for key, row in new.items() if key not in known)


def version_of_names(entry: EntryRow, nicknames: Iterable[tuple[str, str]]) -> str:
    """The version of the other names of an entry: who it is, and pairs of a site and a name."""
    return version_of(entry.identity, sorted(nicknames))


async def demand_seen_names(change: Change, entry: EntryRow, seen: str | None) -> None:
    """Raise ``names_moved_on`` if the names of an entry are not those of the version that was ``seen``."""
    nicknames = await change.all(NicknameRow, NicknameRow.entry == entry.id)
    stored = [(row.site, row.name) for row in nicknames]
    demand_seen(seen, version_of_names(entry, stored), "names_moved_on")


async def set_names(
    change: Change,
    entry: EntryRow,
    identity: Mapping[str, str],
    nicknames: Sequence[tuple[str, str]] | None,
) -> None:
    """Replace parts of the identity of an entry, and its nicknames unless ``None``; the log has none."""
    if identity:
        await change.set(EntryRow, EntryRow.id == entry.id, **identity)
    if nicknames is not None:
        await change.remove(NicknameRow, NicknameRow.entry == entry.id)
        await remember(change, [(site, name, entry.id) for site, name in nicknames])
    sites = sorted({site for site, _ in nicknames or ()})
    change.note("names", entry=entry.id, after={"real_name": "real_name" in identity, "sites": sites})


ASKED, TAKEN, UNDONE = "asked", "taken", "undone"


class ClaimRow(StoredRow):
    """A claim: ``how`` is ``card``, ``code`` or ``asked``, ``state`` ``asked``, ``taken`` or ``undone``."""

    __tablename__ = "event_claims"

    event: Mapped[Id] = mapped_column(ForeignKey("events.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    entry: Mapped[LongId]
    person: Mapped[Id | None] = mapped_column(index=True)
    name: Mapped[Name]  # of the person, at that time
    how: Mapped[Word]
    state: Mapped[Word]
    at: Mapped[Milliseconds]


class ClaimStore(OverStore):
    """Reads claims."""

    async def all(self, event: str, *where: Any, most: int) -> list[ClaimRow]:
        """The claims of an event for which all of ``where`` is true, the newest first."""
        query = select(ClaimRow).where(ClaimRow.event == event, *where)
        return await self._store.all(query.order_by(ClaimRow.number.desc()).limit(most))
