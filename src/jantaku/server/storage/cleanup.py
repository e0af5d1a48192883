"""Removes what nobody needs any more, so that years of guests do not fill the database."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import ColumnElement, delete, exists, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.storage import event_schema, schema
from jantaku.server.storage.accounts import DAY_MS
from jantaku.server.storage.friendships import untie
from jantaku.server.storage.rulesets import in_use
from jantaku.server.storage.store import OverStore, now_ms
from jantaku.server.storage.tables import PRACTICE

OF_PEOPLE: Final = (
    *(
        event_schema.event_audit,
        event_schema.event_calls,
        event_schema.event_claims,
        event_schema.event_entries,
        event_schema.event_penalties,
    ),
    *(event_schema.hand_marks, event_schema.hand_versions, event_schema.recorded_games),
)
PRACTICE_MS: Final = 2 * DAY_MS
AT_ONCE: Final = 500  # guests in one transaction, because tables wait to write meanwhile


class Cleanup(OverStore):
    """Cleans up the database."""

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
            await connection.execute(delete(schema.sessions).where(schema.sessions.c.expires < now))
            await connection.execute(delete(schema.links).where(schema.links.c.expires < now))
            never_played = select(schema.tables.c.id).where(
                schema.tables.c.status == "closed",
                schema.tables.c.game == 0,
                schema.tables.c.created < now - DAY_MS,
            )
            for part in (schema.seats, schema.removed):
                await connection.execute(delete(part).where(part.c.table_id.in_(never_played)))
            await connection.execute(delete(schema.tables).where(schema.tables.c.id.in_(never_played)))
            left = select(schema.tables.c.id).where(
                schema.tables.c.stage == PRACTICE,
                schema.tables.c.status == "playing",
                schema.tables.c.created < now - PRACTICE_MS,
                schema.tables.c.id.not_in(keep),
                ~exists().where(
                    schema.processes.c.id == schema.tables.c.process, schema.processes.c.id != process
                ),
            )
            ended = {"status": "aborted"}
            running = (schema.games.c.status == "playing") & schema.games.c.table_id.in_(left)
            await connection.execute(update(schema.games).where(running).values(ended=now, **ended))
            await connection.execute(update(schema.tables).where(schema.tables.c.id.in_(left)).values(ended))
        while await self._some_guests(now):
            pass

    async def _some_guests(self, now: int) -> bool:
        """Delete some guests; return whether there may be more."""
        query = select(schema.people.c.id).where(_lost_for_ever(now)).limit(AT_ONCE)
        async with self._store.writing() as connection:
            gone = list((await connection.execute(query)).scalars())
            unused = schema.rulesets.c.person.in_(gone) & ~in_use()
            await connection.execute(delete(schema.uploads).where(schema.uploads.c.person.in_(gone)))
            await connection.execute(delete(schema.rulesets).where(unused))
            await forget_in_events(connection, gone)
            await untie(connection, gone)
            await connection.execute(delete(schema.people).where(schema.people.c.id.in_(gone)))
        return len(gone) == AT_ONCE


async def forget_in_events(connection: AsyncConnection, gone: Sequence[str]) -> None:
    """Let the entries of people stand without an account; names and results stay."""
    await connection.execute(
        delete(event_schema.event_staff).where(event_schema.event_staff.c.person.in_(gone))
    )
    for table in OF_PEOPLE:
        mine = update(table).where(table.c.person.in_(gone))
        await connection.execute(mine.values(person=None))


def _lost_for_ever(now: int) -> ColumnElement[bool]:
    """Guests who cannot sign in any more and have no seat."""
    going_on = schema.tables.c.status.in_(("waiting", "playing"))
    sits = exists().where(
        schema.seats.c.person == schema.people.c.id, schema.seats.c.table_id == schema.tables.c.id, going_on
    )
    owns = exists().where(schema.tables.c.owner == schema.people.c.id, going_on)
    comes_in = exists().where(schema.sessions.c.person == schema.people.c.id) | exists().where(
        schema.links.c.person == schema.people.c.id
    )
    old = schema.people.c.created < now - DAY_MS
    return schema.people.c.account.is_(None) & old & ~sits & ~owns & ~comes_in
