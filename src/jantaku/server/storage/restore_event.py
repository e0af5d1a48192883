"""Puts one event back as it was when a backup was made, and leaves everything else as it is.

The backup is first read into a database of its own, so one of any age is understood. What goes over from
there is what only the event has, and those of its tables, games and rules that are missing now. A game that
was going on then has long been left, and counts as aborted.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace as changed
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from sqlalchemy import Connection, Table, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.errors import RequestError
from jantaku.server.settings import Settings
from jantaku.server.storage import schema
from jantaku.server.storage.lease import check_unused
from jantaku.server.storage.older_databases import to_newest
from jantaku.server.storage.restore import Counts, read_backup
from jantaku.server.storage.store import Store

ELSEWHERE: Final = ("tables", "season_parts")  # have an event, and are not part of it
EVENTS: Final = tuple(
    table for table in schema.METADATA.sorted_tables if "event" in table.c and table.name not in ELSEWHERE
)
EVENT, STAGES = (schema.METADATA.tables[name] for name in ("events", "event_stages"))
OF_TABLES: Final = (schema.seats, schema.removed)
OF_GAMES: Final = (schema.actions, schema.packed_moves, schema.hands, schema.game_players)
ENDED: Final = {"waiting": "closed", "playing": "aborted"}
MOST_NAMED: Final = 500  # ids in one statement
Row = dict[str, Any]
Part = dict[Table, list[Row]]


def restore_event(settings: Settings, file: Path, event: str, *, replace: bool = False) -> Counts:
    """Read one event of a backup into the database of the settings; returns the number of rows of each table.

    The server must not run. Raises ``RequestError`` as ``restore`` does, if the backup has no such event
    (``backup_without_event``), and if the database has it (``restore_event_there``) unless it is to be
    replaced.
    """
    return asyncio.run(read_event(settings, file, event, replace=replace))


async def read_event(settings: Settings, file: Path, event: str, *, replace: bool = False) -> Counts:
    """``restore_event`` within an event loop."""
    with TemporaryDirectory() as folder:
        copy = changed(settings, data_dir=Path(folder), database_url="")
        await read_backup(copy, file)
        source = Store(copy)
        try:
            async with source.reading() as connection:
                part = await _part_of(connection, event)
        finally:
            await source.close()
    if not part[EVENT]:
        raise RequestError("backup_without_event", field="--event", event=event, path=str(file))
    store = Store(settings)
    try:
        await store.claim()
        with store.starting():
            await check_unused(store)
            async with store.reshaping() as connection:
                await connection.run_sync(to_newest)
                return await connection.run_sync(_put, part, event, replace)
    finally:
        await store.close()


async def _part_of(connection: AsyncConnection, event: str) -> Part:
    """Everything that belongs to an event."""

    async def rows(table: Table, column: str, among: Sequence[str]) -> list[Row]:
        found = list[Row]()
        for first in range(0, len(among), MOST_NAMED):
            query = select(table).where(table.c[column].in_(among[first : first + MOST_NAMED]))
            found += [dict(row._mapping) for row in await connection.execute(query)]
        return found

    part = {EVENT: await rows(EVENT, "id", [event])}
    part |= {table: await rows(table, "event", [event]) for table in EVENTS}
    part[schema.tables] = await rows(schema.tables, "event", [event])
    ids = [row["id"] for row in part[schema.tables]]
    part |= {table: await rows(table, "table_id", ids) for table in (*OF_TABLES, schema.games)}
    games = [row["id"] for row in part[schema.games]]
    part |= {table: await rows(table, "game", games) for table in OF_GAMES}
    named = repr([part[table] for table in (EVENT, schema.tables, schema.games, STAGES)])
    rulesets = await connection.execute(select(schema.rulesets))
    part[schema.rulesets] = [dict(row._mapping) for row in rulesets if row.fingerprint in named]
    return part


def _put(connection: Connection, part: Part, event: str, replace: bool) -> Counts:
    """Everything within the transaction."""
    own = EVENT.c.id == event
    there = connection.execute(select(EVENT).where(own)).first()
    if there is not None and not replace:
        raise RequestError("restore_event_there", field="--event", event=event)
    for table in reversed(EVENTS):
        connection.execute(delete(table).where(table.c.event == event))
    [row] = part[EVENT]
    if there is None:
        connection.execute(insert(EVENT), [row])
    else:  # whoever knows a later revision must notice
        row["revision"] = max(row["revision"], there.revision) + 1
        connection.execute(update(EVENT).where(own).values(row))
    counts = Counts({EVENT.name: 1})
    _add(connection, part, schema.rulesets, "fingerprint", counts)
    tables = _add(connection, part, schema.tables, "id", counts)
    games = _add(connection, part, schema.games, "id", counts)
    for some, column, new in ((OF_TABLES, "table_id", tables), (OF_GAMES, "game", games)):
        for table in some:
            _insert(connection, table, [row for row in part[table] if row[column] in new], counts)
    for table in EVENTS:
        _insert(connection, table, part[table], counts)
    return counts


def _add(connection: Connection, part: Part, table: Table, key: str, counts: Counts) -> set[str]:
    """Insert the rows that are missing; their keys."""
    there = set(connection.execute(select(table.c[key])).scalars())
    missing = [_ended(row) for row in part[table] if row[key] not in there]
    _insert(connection, table, missing, counts)
    return {row[key] for row in missing}


def _ended(row: Mapping[str, Any]) -> Row:
    """A row of a table or a game that does not go on, and that no process has."""
    none = {"process": None} if "process" in row else {}
    if "status" not in row:
        return dict(row)
    return {**row, **none, "status": ENDED.get(row["status"], row["status"])}


def _insert(connection: Connection, table: Table, rows: Sequence[Row], counts: Counts) -> None:
    if rows:
        connection.execute(insert(table), rows)
        counts[table.name] = len(rows)
