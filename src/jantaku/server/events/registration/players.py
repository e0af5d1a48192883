"""Who is who: the entries of one person in the events of a season, and numbers among namesakes.

Entries with the same ``player`` are one person. A season has one list of people, so what an organiser or a
claim says of an entry (name, number, account) holds in all events that share a season with its event.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.club.namesakes import free_number, same_name
from jantaku.server.storage.entries import EntryRow, entries_of
from jantaku.server.storage.events import Change
from jantaku.server.storage.people import new_id
from jantaku.server.storage.schema import season_parts, seasons


def living(entries: Iterable[EntryRow]) -> list[EntryRow]:
    """The entries that were not merged into others."""
    return [entry for entry in entries if entry.status != "merged"]


def recognised(
    rows: Sequence[EntryRow], others: Iterable[EntryRow], own: Iterable[EntryRow] = ()
) -> list[EntryRow]:
    """New rows of an event as the people who they are, with their numbers.

    ``others`` are entries of the other events of its seasons, ``own`` those of the event. A row is who it
    says (``player``), else whose account it has, else, if an organiser has written it, the only person of
    that name whom one has written; several of one name are new people until an organiser merges them.
    """
    own = living(own)
    known = _Known([*living(others), *own], [*own, *rows])
    present, accounts = {entry.player for entry in own}, {entry.person for entry in (*own, *rows)}
    found = list[EntryRow]()
    for row in rows:
        someone = known.person_of(row)
        if someone is not None and someone.player not in present and not _apart(row, someone):
            free = row.person is None and someone.person not in accounts
            same = {name: getattr(someone, name) for name in ("player", "name", "namesake")}
            found.append(row._replace(**same, person=someone.person if free else row.person))
        else:
            mine = row.player if row.player and row.player not in known.people else new_id()
            found.append(known.numbered(row._replace(player=new_id() if mine in present else mine)))
        present.add(found[-1].player)
        accounts.add(found[-1].person)
    return found


class _Known:
    """The people of a season, by what tells who somebody is."""

    def __init__(self, everybody: Sequence[EntryRow], here: Iterable[EntryRow]) -> None:
        self.people: dict[str, EntryRow] = {}
        for entry in everybody:
            one = self.people.setdefault(entry.player, entry)
            if one.person is None:
                self.people[entry.player] = one._replace(person=entry.person)
        self._accounts = {one.person: one for one in self.people.values() if one.person is not None}
        named = [one for one in self.people.values() if one.erased is None]
        written = {entry.player for entry in everybody if entry.listed}
        self._labels = {same_name(one.label): one for one in named}
        self._taken = set(self._labels)
        self._names: dict[str, list[EntryRow]] = {}
        for one in named:
            if one.player in written:
                self._names.setdefault(same_name(one.name), []).append(one)
        self._erased = {one.namesake for one in self.people.values() if one.erased is not None}
        self._here = Counter(same_name(entry.name) for entry in here if entry.listed)

    def person_of(self, row: EntryRow) -> EntryRow | None:
        """An entry of the person who a row is."""
        if row.player in self.people:
            return self.people[row.player]
        if row.person in self._accounts:
            return self._accounts[row.person]
        if not row.listed or row.erased is not None:
            return None
        name, called = same_name(row.name), self._labels.get(same_name(row.label))
        if called is not None and called.namesake > 1:  # such as "Mina (2)"
            return called
        alike = self._names.get(name, ())
        return alike[0] if len(alike) == 1 and self._here[name] == 1 else None

    def numbered(self, row: EntryRow) -> EntryRow:
        """A row of a new person, with the first number of the name that is free."""
        if row.erased is not None:
            number = row.namesake if row.namesake not in self._erased else max(self._erased) + 1
            self._erased.add(number)
            return row._replace(namesake=number)
        if same_name(row.label) in self._taken:
            row = row._replace(namesake=free_number(row.name, self._taken))
        self._taken.add(same_name(row.label))
        return row


def _apart(row: EntryRow, someone: EntryRow) -> bool:
    """Whether a row cannot be somebody: accounts differ, or the names of one were deleted."""
    both = row.person is not None and someone.person is not None
    return (both and row.person != someone.person) or (row.erased is None) != (someone.erased is None)


async def peers_of(connection: AsyncConnection, event: str) -> list[str]:
    """The other events of the seasons that an event is part of."""
    mine = select(season_parts.c.season).where(season_parts.c.event == event)
    query = select(season_parts.c.event).where(
        season_parts.c.season.in_(mine), season_parts.c.event.is_not(None), season_parts.c.event != event
    )
    rows = await connection.execute(query.order_by(season_parts.c.season, season_parts.c.number))
    return list(dict.fromkeys(rows.scalars()))


async def others_of(connection: AsyncConnection, event: str) -> list[EntryRow]:
    """The entries of the other events of its seasons."""
    rows = list[EntryRow]()
    for peer in await peers_of(connection, event):
        rows += await entries_of(connection, peer)
    return rows


async def enrolled(change: Change, rows: Sequence[EntryRow]) -> list[EntryRow]:
    """New rows of the event that is being changed, as the people who they are.

    Whoever enters another event of its seasons at the same moment waits, so that nobody becomes two people.
    """
    connection, event = change.connection, change.event.id
    mine = select(season_parts.c.season).where(season_parts.c.event == event)
    await change.rows(
        select(seasons.c.id).where(seasons.c.id.in_(mine)).order_by(seasons.c.id).with_for_update()
    )
    return recognised(rows, await others_of(connection, event), await entries_of(connection, event))


async def renamed(change: Change, entry: EntryRow, name: str) -> dict[str, object]:
    """The fields of an entry with another name: its number stays unless the name is somebody else's."""
    if same_name(name) == same_name(entry.name):
        return {"name": name}
    everybody = [
        *await others_of(change.connection, change.event.id),
        *await entries_of(change.connection, change.event.id),
    ]
    taken = {same_name(one.label) for one in living(everybody) if one.player != entry.player}
    return {"name": name, "namesake": free_number(name, taken)}
