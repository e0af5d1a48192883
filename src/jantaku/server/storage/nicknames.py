"""The names of people elsewhere: a nickname per site, and a real name that only organisers read."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import delete, insert, select, update

from jantaku.server.edge.setting_version import demand_seen, version_of
from jantaku.server.errors import ServerError
from jantaku.server.storage.entries import EntryRow
from jantaku.server.storage.event_schema import event_entries, event_nicknames
from jantaku.server.storage.events import Change
from jantaku.server.storage.store import Store

TABLE = event_nicknames


class NicknameRow(NamedTuple):
    """What an entry is called on a site."""

    site: str
    name: str
    entry: str


class Nicknames:
    """Reads nicknames."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def all(self, event: str) -> list[NicknameRow]:
        """All nicknames of an event, by site and name."""
        query = select(TABLE.c.site, TABLE.c.name, TABLE.c.entry).where(TABLE.c.event == event)
        rows = await self._store.rows(query.order_by(TABLE.c.site, TABLE.c.name))
        return [NicknameRow(*row) for row in rows]


async def remember(change: Change, rows: Iterable[NicknameRow]) -> None:
    """Add nicknames that are new; raises ``nickname_taken`` if one belongs to another entry."""
    query = select(TABLE.c.site, TABLE.c.name, TABLE.c.entry).where(TABLE.c.event == change.event.id)
    known = {(row.site, row.name): row.entry for row in await change.connection.execute(query)}
    new = []
    for row in dict.fromkeys(rows):
        if known.setdefault((row.site, row.name), row.entry) != row.entry:
            raise ServerError("nickname_taken", field="nicknames", name=row.name)
        new.append({"event": change.event.id, **row._asdict()})
    stored = {(row.site, row.name) for row in await change.connection.execute(query)}
    new = [row for row in new if (row["site"], row["name"]) not in stored]
    if new:
        await change.connection.execute(insert(TABLE), new)


def version_of_names(entry: EntryRow, nicknames: Iterable[tuple[str, str]]) -> str:
    """The version of the other names of an entry: who it is, and pairs of a site and a name."""
    return version_of(entry.identity, sorted(nicknames))


async def demand_seen_names(change: Change, entry: EntryRow, seen: str | None) -> None:
    """Raise ``names_moved_on`` if the names of an entry are not those of the version that was ``seen``."""
    query = select(TABLE.c.site, TABLE.c.name).where(
        TABLE.c.event == change.event.id, TABLE.c.entry == entry.id
    )
    stored = [(row.site, row.name) for row in await change.connection.execute(query)]
    demand_seen(seen, version_of_names(entry, stored), "names_moved_on")


async def set_names(
    change: Change,
    entry: EntryRow,
    identity: Mapping[str, str],
    nicknames: Sequence[tuple[str, str]] | None,
) -> None:
    """Replace parts of the identity of an entry, and its nicknames unless ``None``; the log has none."""
    if identity:
        mine = (event_entries.c.event == entry.event) & (event_entries.c.id == entry.id)
        await change.connection.execute(update(event_entries).where(mine).values(**identity))
    if nicknames is not None:
        mine = (TABLE.c.event == entry.event) & (TABLE.c.entry == entry.id)
        await change.connection.execute(delete(TABLE).where(mine))
        await remember(change, [NicknameRow(site, name, entry.id) for site, name in nicknames])
    sites = sorted({site for site, _ in nicknames or ()})
    change.note("names", entry=entry.id, after={"real_name": "real_name" in identity, "sites": sites})


async def move_nicknames(change: Change, entry: str, into: str) -> None:
    """Give the nicknames of an entry to another."""
    mine = (TABLE.c.event == change.event.id) & (TABLE.c.entry == entry)
    await change.connection.execute(update(TABLE).where(mine).values(entry=into))
