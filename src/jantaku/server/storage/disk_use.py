"""What fills the database: how many bytes of each kind, and of whom."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, FromClause, func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.storage.event_schema import event_audit, hand_versions, recorded_games
from jantaku.server.storage.kept_bytes import bytes_in
from jantaku.server.storage.schema import (
    actions,
    games,
    hands,
    packed_moves,
    people,
    rulesets,
    tables,
    uploads,
)
from jantaku.server.storage.store import Store

MOST_LISTED: Final = 50  # people, those with the most first


class Part(NamedTuple):
    """Rows of one kind: where they are, which columns are large, and whose they are."""

    kind: str
    rows: FromClause
    columns: tuple[ColumnElement[Any], ...]
    owner: ColumnElement[Any]


_AT_TABLES: Final = games.join(tables, tables.c.id == games.c.table_id)
PARTS: Final = (
    Part("uploads", uploads, (uploads.c.text,), uploads.c.person),
    Part("rulesets", rulesets, (rulesets.c.tree, rulesets.c.toml), rulesets.c.person),
    Part("games", _AT_TABLES, (games.c.players, games.c.opening), tables.c.owner),
    Part("games", actions.join(_AT_TABLES), (actions.c.action,), tables.c.owner),
    Part("games", packed_moves.join(_AT_TABLES), (packed_moves.c.moves,), tables.c.owner),
    Part("games", hands.join(_AT_TABLES), (hands.c.log,), tables.c.owner),
    Part("events", recorded_games, (recorded_games.c.result,), recorded_games.c.person),
    Part("events", hand_versions, (hand_versions.c.hand, hand_versions.c.why), hand_versions.c.person),
    Part("events", event_audit, (event_audit.c.before, event_audit.c.after), event_audit.c.person),
)
OTHER: Final = "other"  # all else in the files: other tables, indexes, free pages


class PersonUse(NamedTuple):
    """How many bytes of each kind are somebody's; nobody has an empty id."""

    person: str
    name: str
    kinds: dict[str, int]

    @property
    def total(self) -> int:
        """All kinds together."""
        return sum(self.kinds.values())


class DiskUse(NamedTuple):
    """The size of the database, and what it is made of: by kind, and by person, the largest first."""

    total: int
    kinds: dict[str, int]
    people: Sequence[PersonUse]


async def disk_use(store: Store) -> DiskUse:
    """Count everything; this reads the whole database once."""
    by_owner: dict[str, dict[str, int]] = {}
    async with store.reading() as connection:
        for part in PARTS:
            query = select(part.owner, bytes_in(*part.columns)).select_from(part.rows).group_by(part.owner)
            for owner, size in await connection.execute(query):
                kinds = by_owner.setdefault(owner or "", {})
                kinds[part.kind] = kinds.get(part.kind, 0) + int(size)
        total = await _total(connection, store.sqlite)
        largest = sorted(by_owner, key=lambda person: sum(by_owner[person].values()), reverse=True)[
            :MOST_LISTED
        ]
        named = select(people.c.id, people.c.name).where(people.c.id.in_(largest))
        names = {row.id: row.name for row in await connection.execute(named)}
    sums = {
        kind: sum(kinds.get(kind, 0) for kinds in by_owner.values())
        for kind in dict.fromkeys(p.kind for p in PARTS)
    }
    sums[OTHER] = max(0, total - sum(sums.values()))
    return DiskUse(
        total, sums, [PersonUse(person, names.get(person, ""), by_owner[person]) for person in largest]
    )


async def _total(connection: AsyncConnection, sqlite: bool) -> int:
    if not sqlite:
        query = select(func.pg_database_size(func.current_database()))
        return int((await connection.execute(query)).scalar_one())
    sizes = [
        (await connection.execute(text(f"PRAGMA {name}"))).scalar_one()
        for name in ("page_count", "page_size")
    ]
    return int(sizes[0]) * int(sizes[1])
