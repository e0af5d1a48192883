"""Stored event entries, nicknames and claims. The entry of a player who withdraws remains stored."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import ForeignKey, ForeignKeyConstraint, Index, String, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.club.namesakes import label
from jantaku.server.edge.bodies import check_version, version_of
from jantaku.server.errors import ServerError
from jantaku.server.storage.base import Id, LongId, Milliseconds, Name, StoredRow, Word, read_rows
from jantaku.server.storage.events import Change
from jantaku.server.storage.store import Repository

PLAYING: Final = "playing"


class EntryRow(StoredRow):
    """A registered player; ``person`` is ``None`` for players without an account.

    ``status`` is ``asked`` (awaiting an organiser's decision), ``waiting`` (on the waiting list),
    ``playing``, ``refused``, ``withdrawn`` or ``merged`` (into another entry of the same player). Entries
    with the same ``player`` belong to one player across events. ``namesake`` numbers the players with the
    same name, and the erased players.
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
    real_name: Mapped[Name] = mapped_column(default="")  # visible to organisers only, like the next fields
    erased: Mapped[Milliseconds | None] = mapped_column(default=None)  # when the names were deleted
    card: Mapped[Id | None] = mapped_column(default=None)  # secret on the claim card
    country: Mapped[str] = mapped_column(String(2), default="")  # ISO 3166-1 alpha-2
    association: Mapped[Id] = mapped_column(default="")  # membership number in an association
    brought: Mapped[int | None] = mapped_column(default=None)  # starting points; 0 also enters the standings
    player: Mapped[LongId] = mapped_column(default="", index=True)
    namesake: Mapped[int] = mapped_column(default=1)

    @property
    def label(self) -> str:
        """The name with a number that distinguishes namesakes; names of erased players contain the number."""
        return label(self.name, self.namesake) if self.erased is None else self.name

    @property
    def listed(self) -> bool:
        """Whether an organiser added the entry; only such entries have a claim card."""
        return self.card is not None

    @property
    def identity(self) -> dict[str, str]:
        """The player's real name, country and association number; only organisers and the player see them."""
        return {name: getattr(self, name) for name in ("real_name", "country", "association")}

    @property
    def shown(self) -> dict[str, Any]:
        """The entry as it appears in the change log, without names."""
        names = ("status", "merged_into", "brought")
        checked_in = {"checked_in": True} if self.checked_in else {}
        number = {"namesake": self.namesake} if self.namesake > 1 and self.erased is None else {}
        return {name: getattr(self, name) for name in names if getattr(self, name)} | number | checked_in


class EntryStore(Repository):
    """Reads the entries of events."""

    async def all(self, event: str) -> list[EntryRow]:
        """Return the entries of an event in order of registration."""
        async with self._store.reading() as connection:
            return await entries_of(connection, event)

    async def of_person(self, event: str, person: str) -> EntryRow | None:
        """Return the entry of a person, if any."""
        return await self._store.one(
            select(EntryRow).where(EntryRow.event == event, EntryRow.person == person)
        )

    async def everywhere(self, person: str, limit: int) -> list[EntryRow]:
        """Return the entries of a person in all events, newest first."""
        query = select(EntryRow).where(EntryRow.person == person, EntryRow.merged_into.is_(None))
        query = query.order_by(EntryRow.created.desc(), EntryRow.event)
        return await self._store.all(query.limit(limit))

    async def of_same_player(self, entry: EntryRow, events: Sequence[str]) -> list[EntryRow]:
        """Return the player's entries in these events, matched by account or, without one, by label."""
        mine = EntryRow.person == entry.person
        if entry.person is None:
            same_label = (EntryRow.name == entry.name) & (EntryRow.namesake == entry.namesake)
            mine = EntryRow.person.is_(None) & same_label
        mine |= EntryRow.player == entry.player
        current = EntryRow.event.in_(events) & EntryRow.erased.is_(None) & EntryRow.merged_into.is_(None)
        query = select(EntryRow).where(mine, current)
        return await self._store.all(query.order_by(EntryRow.event, EntryRow.id))

    async def named(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], EntryRow]:
        """Return entries by pairs of event and entry id."""
        query = select(EntryRow).where(tuple_(EntryRow.event, EntryRow.id).in_(keys))
        return {(row.event, row.id): row for row in await self._store.all(query)}

    async def count(self, events: Sequence[str]) -> dict[str, int]:
        """Return the number of playing entries of each event; events without any are left out."""
        query = select(EntryRow.event, func.count()).where(
            EntryRow.event.in_(events), EntryRow.status == PLAYING
        )
        rows = await self._store.rows(query.group_by(EntryRow.event))
        return {row[0]: int(row[1]) for row in rows}


async def entries_of(connection: AsyncConnection, event: str) -> list[EntryRow]:
    """Return the entries of an event in order of registration."""
    query = select(EntryRow).where(EntryRow.event == event)
    return await read_rows(connection, query.order_by(EntryRow.number))


async def entry_of(change: Change, entry: str) -> EntryRow:
    """Return an entry of the event; raises ``ServerError("no_entry")`` if it is missing or merged."""
    rows = await change.all(EntryRow, EntryRow.id == entry)
    if not rows or rows[0].status == "merged":
        raise ServerError("no_entry")
    return rows[0]


async def add_entries(change: Change, rows: Sequence[EntryRow]) -> None:
    """Store new entries and log them."""
    await change.insert(rows)
    change.results_change = True
    for row in rows:
        change.note("entry", entry=row.id, after=row.shown)


async def change_entry(change: Change, before: EntryRow, why: str = "", **values: Any) -> EntryRow:
    """Update fields of an entry and log the change; return the new entry."""
    after = replace(before, **values)
    if after == before:
        return before
    change.results_change = True
    await change.set(EntryRow, EntryRow.id == before.id, **values)
    renamed = [name for name in ("name", "team") if getattr(before, name) != getattr(after, name)]
    logged = after.shown | ({"changed": renamed} if renamed else {})
    change.note("entry", entry=before.id, before=before.shown, after=logged, why=why)
    return after


class NicknameRow(StoredRow):
    """The nickname of a player on another site, used to match uploaded logs."""

    __tablename__ = "event_nicknames"
    __table_args__ = (
        ForeignKeyConstraint(["event", "entry"], ["event_entries.event", "event_entries.id"]),
        Index("ix_event_nicknames_event_entry", "event", "entry"),
    )

    event: Mapped[Id] = mapped_column(primary_key=True)
    site: Mapped[Id] = mapped_column(primary_key=True)
    name: Mapped[Name] = mapped_column(primary_key=True)
    entry: Mapped[LongId]


class Nicknames(Repository):
    """Reads nicknames."""

    async def all(self, event: str) -> list[NicknameRow]:
        """Return the nicknames of an event, sorted by site and name."""
        query = select(NicknameRow).where(NicknameRow.event == event)
        return await self._store.all(query.order_by(NicknameRow.site, NicknameRow.name))


async def add_nicknames(change: Change, nicknames: Iterable[tuple[str, str, str]]) -> None:
    """Store new nicknames, given as site, name and entry; known ones are skipped.

    Raises ``ServerError("nickname_taken")`` if one belongs to another entry.
    """
    known = {(row.site, row.name): row for row in await change.all(NicknameRow)}
    new = dict[tuple[str, str], NicknameRow]()
    for site, name, entry in nicknames:
        row = NicknameRow(change.event.id, site, name, entry)
        if known.get((site, name), row) != row or new.setdefault((site, name), row) != row:
            raise ServerError("nickname_taken", field="nicknames", name=name)
    await change.insert(row for key, row in new.items() if key not in known)


def version_of_names(entry: EntryRow, nicknames: Iterable[tuple[str, str]]) -> str:
    """Return the version of an entry's identity and its nicknames, which are pairs of site and name."""
    return version_of(entry.identity, sorted(nicknames))


async def demand_seen_names(change: Change, entry: EntryRow, seen: str | None) -> None:
    """Raise ``ServerError("names_moved_on")`` if an entry's names have changed since version ``seen``."""
    nicknames = await change.all(NicknameRow, NicknameRow.entry == entry.id)
    stored = [(row.site, row.name) for row in nicknames]
    check_version(seen, version_of_names(entry, stored), "names_moved_on")


async def set_names(
    change: Change,
    entry: EntryRow,
    identity: Mapping[str, str],
    nicknames: Sequence[tuple[str, str]] | None,
) -> None:
    """Replace parts of an entry's identity, and its nicknames unless ``None``; the change log omits them."""
    if identity:
        await change.set(EntryRow, EntryRow.id == entry.id, **identity)
    if nicknames is not None:
        await change.remove(NicknameRow, NicknameRow.entry == entry.id)
        await add_nicknames(change, [(site, name, entry.id) for site, name in nicknames])
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


class ClaimStore(Repository):
    """Reads claims."""

    async def all(self, event: str, *where: Any, limit: int) -> list[ClaimRow]:
        """Return the claims of an event that match all conditions, newest first."""
        query = select(ClaimRow).where(ClaimRow.event == event, *where)
        return await self._store.all(query.order_by(ClaimRow.number.desc()).limit(limit))
