"""Removes what nobody needs any more, so that years of guests do not fill the database."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import ColumnElement, delete, exists, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.storage.accounts import DAY_MS
from jantaku.server.storage.event_schema import (
    event_audit,
    event_calls,
    event_claims,
    event_entries,
    event_penalties,
    event_staff,
    hand_marks,
    hand_versions,
    recorded_games,
)
from jantaku.server.storage.rulesets import in_use
from jantaku.server.storage.schema import (
    games,
    links,
    people,
    processes,
    removed,
    rulesets,
    seats,
    sessions,
    tables,
    uploads,
)
from jantaku.server.storage.store import Store, now_ms
from jantaku.server.storage.tables import PRACTICE
from jantaku.server.storage.ties import untie

OF_PEOPLE: Final = (
    *(event_audit, event_calls, event_claims, event_entries, event_penalties),
    *(hand_marks, hand_versions, recorded_games),
)
PRACTICE_MS: Final = 2 * DAY_MS
AT_ONCE: Final = 500  # guests in one transaction, because tables wait to write meanwhile


class Cleanup:
    """Cleans up the database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def tidy(self, now: int | None = None, keep: Sequence[str] = (), process: str = "") -> None:
        """Delete what has expired by ``now``: sessions, links, guests who cannot return, closed tables.

        Games that somebody played on from another game and left for days are ended, but not at tables to
        ``keep``, nor at those of other processes than ``process``.

        A guest without a session can never sign in again. Their uploads and any saved rules that no game used
        are deleted with them; their games stay, and their entries in events without an account. Games and
        accounts are never deleted.
        """
        now = now_ms() if now is None else now
        async with self._store.writing() as connection:
            await connection.execute(delete(sessions).where(sessions.c.expires < now))
            await connection.execute(delete(links).where(links.c.expires < now))
            never_played = select(tables.c.id).where(
                tables.c.status == "closed", tables.c.game == 0, tables.c.created < now - DAY_MS
            )
            for part in (seats, removed):
                await connection.execute(delete(part).where(part.c.table_id.in_(never_played)))
            await connection.execute(delete(tables).where(tables.c.id.in_(never_played)))
            left = select(tables.c.id).where(
                tables.c.stage == PRACTICE,
                tables.c.status == "playing",
                tables.c.created < now - PRACTICE_MS,
                tables.c.id.not_in(keep),
                ~exists().where(processes.c.id == tables.c.process, processes.c.id != process),
            )
            ended = {"status": "aborted"}
            running = (games.c.status == "playing") & games.c.table_id.in_(left)
            await connection.execute(update(games).where(running).values(ended=now, **ended))
            await connection.execute(update(tables).where(tables.c.id.in_(left)).values(ended))
        while await self._some_guests(now):
            pass

    async def _some_guests(self, now: int) -> bool:
        """Delete some guests; return whether there may be more."""
        query = select(people.c.id).where(_lost_for_ever(now)).limit(AT_ONCE)
        async with self._store.writing() as connection:
            gone = list((await connection.execute(query)).scalars())
            unused = rulesets.c.person.in_(gone) & ~in_use()
            await connection.execute(delete(uploads).where(uploads.c.person.in_(gone)))
            await connection.execute(delete(rulesets).where(unused))
            await forget_in_events(connection, gone)
            await untie(connection, gone)
            await connection.execute(delete(people).where(people.c.id.in_(gone)))
        return len(gone) == AT_ONCE


async def forget_in_events(connection: AsyncConnection, gone: Sequence[str]) -> None:
    """Let the entries of people stand without an account; names and results stay."""
    await connection.execute(delete(event_staff).where(event_staff.c.person.in_(gone)))
    for table in OF_PEOPLE:
        mine = update(table).where(table.c.person.in_(gone))
        await connection.execute(mine.values(person=None))


def _lost_for_ever(now: int) -> ColumnElement[bool]:
    """Guests who cannot sign in any more and have no seat."""
    going_on = tables.c.status.in_(("waiting", "playing"))
    sits = exists().where(seats.c.person == people.c.id, seats.c.table_id == tables.c.id, going_on)
    owns = exists().where(tables.c.owner == people.c.id, going_on)
    comes_in = exists().where(sessions.c.person == people.c.id) | exists().where(
        links.c.person == people.c.id
    )
    old = people.c.created < now - DAY_MS
    return people.c.account.is_(None) & old & ~sits & ~owns & ~comes_in
