"""The names of people elsewhere: a nickname per site, and a real name that only organisers read."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import select

from jantaku.server.edge.setting_version import demand_seen, version_of
from jantaku.server.errors import ServerError
from jantaku.server.storage.entries import EntryRow
from jantaku.server.storage.event_schema import event_entries, event_nicknames
from jantaku.server.storage.events import Change
from jantaku.server.storage.store import OverStore

TABLE = event_nicknames


class NicknameRow(NamedTuple):
    """What an entry is called on a site."""

    site: str
    name: str
    entry: str


class Nicknames(OverStore):
    """Reads nicknames."""

    async def all(self, event: str) -> list[NicknameRow]:
        """All nicknames of an event, by site and name."""
        query = select(TABLE.c.site, TABLE.c.name, TABLE.c.entry).where(TABLE.c.event == event)
        rows = await self._store.rows(query.order_by(TABLE.c.site, TABLE.c.name))
        return [NicknameRow(*row) for row in rows]


async def remember(change: Change, rows: Iterable[NicknameRow]) -> None:
    """Add nicknames that are new; raises ``nickname_taken`` if one belongs to another entry."""
    query = select(TABLE.c.site, TABLE.c.name, TABLE.c.entry).where(change.of(TABLE))
    stored = {(row.site, row.name): row.entry for row in await change.rows(query)}
    known, new = dict(stored), []
    for row in dict.fromkeys(rows):
        if known.setdefault((row.site, row.name), row.entry) != row.entry:
            raise ServerError("nickname_taken", field="nicknames", name=row.name)
        if (row.site, row.name) not in stored:
            new.append(row._asdict())
    await change.add(TABLE, new)


def version_of_names(entry: EntryRow, nicknames: Iterable[tuple[str, str]]) -> str:
    """The version of the other names of an entry: who it is, and pairs of a site and a name."""
    return version_of(entry.identity, sorted(nicknames))


async def demand_seen_names(change: Change, entry: EntryRow, seen: str | None) -> None:
    """Raise ``names_moved_on`` if the names of an entry are not those of the version that was ``seen``."""
    query = select(TABLE.c.site, TABLE.c.name).where(change.of(TABLE), TABLE.c.entry == entry.id)
    stored = [(row.site, row.name) for row in await change.rows(query)]
    demand_seen(seen, version_of_names(entry, stored), "names_moved_on")


async def set_names(
    change: Change,
    entry: EntryRow,
    identity: Mapping[str, str],
    nicknames: Sequence[tuple[str, str]] | None,
) -> None:
    """Replace parts of the identity of an entry, and its nicknames unless ``None``; the log has none."""
    if identity:
        await change.set(event_entries, event_entries.c.id == entry.id, **identity)
    if nicknames is not None:
        await change.remove(TABLE, TABLE.c.entry == entry.id)
        await remember(change, [NicknameRow(site, name, entry.id) for site, name in nicknames])
    sites = sorted({site for site, _ in nicknames or ()})
    change.note("names", entry=entry.id, after={"real_name": "real_name" in identity, "sites": sites})
