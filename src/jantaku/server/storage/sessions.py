"""Sessions, stored as hashes only."""

import secrets
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.errors import ServerError
from jantaku.server.limits import SESSIONS_OF_ONE
from jantaku.server.storage.accounts import DAY_MS, PERSON, PersonRow, end_all, hashed
from jantaku.server.storage.schema import people, sessions
from jantaku.server.storage.store import OverStore, now_ms

SESSION_DAYS: Final = 90  # after its last use, give or take a half
SEEN_MS: Final = 300_000  # interval at which a session's last use is stored
ID_LENGTH: Final = 16


class SessionRow(NamedTuple):
    """A session as its owner sees it; times in milliseconds, ``None`` if not recorded."""

    id: str
    device: str
    since: int | None
    seen: int | None


def session_id(token: str) -> str:
    """The id of a session in its owner's list: not secret, and useless for signing in."""
    return hashed(token)[:ID_LENGTH]


class EndedSessions(NamedTuple):
    """Sessions that have ended: of a ``person``, one ``session``, all ``but`` one; by their ids."""

    person: str = ""
    session: str = ""
    but: str = ""

    def has(self, person: str, session: str) -> bool:
        """Whether a session is among them.

        >>> [EndedSessions("mina", but="b").has(*one) for one in (("mina", "a"), ("mina", "b"), ("jun", "a"))]
        [True, False, False]
        """
        mine = self.person in ("", person) and self.session in ("", session)
        return mine and self.but != session


class Sessions(OverStore):
    """All sessions."""

    async def begin(self, person: str, days: int, device: str = "") -> str:
        """A new token that signs ``person`` in."""
        token, now = secrets.token_urlsafe(32), now_ms()
        values = {"token": hashed(token), "person": person, "expires": now + days * DAY_MS}
        async with self._store.writing() as connection:
            await connection.execute(delete(sessions).where(sessions.c.expires < now))
            await connection.execute(insert(sessions).values(since=now, seen=now, device=device, **values))
            await keep_newest(connection, sessions, sessions.c.person == person, SESSIONS_OF_ONE)
        return token

    async def person(self, session: str) -> PersonRow | None:
        """The person of a session; ``session`` is the hash of its token."""
        query = (
            select(*PERSON)
            .join(sessions, sessions.c.person == people.c.id)
            .where(sessions.c.token == session, sessions.c.expires >= now_ms())
        )
        row = await self._store.first(query)
        return None if row is None else PersonRow(*row)

    async def began(self, person: str, session: str) -> int:
        """When somebody signed in to a session of theirs; 0 if it is not."""
        mine = (sessions.c.token == session) & (sessions.c.person == person)
        return await self._store.value(select(sessions.c.since).where(mine)) or 0

    async def renew(self, token: str, days: int) -> bool:
        """Record that a session is in use; past half of its ``days``, extend it and return True."""
        query, now = select(sessions.c.expires, sessions.c.seen).where(_has_token(token)), now_ms()
        row = await self._store.first(query)
        if row is None or now > row.expires:
            return False
        longer = bool(row.expires < now + days * DAY_MS // 2)
        if longer or now - (row.seen or 0) >= SEEN_MS:
            values = {"seen": now} | ({"expires": now + days * DAY_MS} if longer else {})
            await self._store.write(update(sessions).where(_has_token(token)).values(values))
        return longer

    async def of(self, person: str) -> list[SessionRow]:
        """The sessions of a person, most recently used first."""
        query = select(sessions).where(sessions.c.person == person, sessions.c.expires >= now_ms())
        rows = await self._store.rows(query)
        listed = [SessionRow(row.token[:ID_LENGTH], row.device or "", row.since, row.seen) for row in rows]
        return sorted(listed, key=lambda session: session.seen or 0, reverse=True)

    async def end(self, token: str) -> None:
        """Delete a token."""
        await self._store.write(delete(sessions).where(_has_token(token)))

    async def end_one(self, person: str, session: str) -> None:
        """End a person's session by its id; raises ``no_session`` if there is none."""
        mine = (sessions.c.person == person) & sessions.c.token.startswith(session, autoescape=True)
        if not await self._store.write(delete(sessions).where(mine)):
            raise ServerError("no_session")

    async def end_others(self, person: str, token: str) -> None:
        """End every session and link of a person except the session with ``token``."""
        async with self._store.writing() as connection:
            await end_all(connection, person, but=token)


def _has_token(token: str) -> ColumnElement[bool]:
    return sessions.c.token == hashed(token)


async def keep_newest(connection: AsyncConnection, table: Any, where: ColumnElement[bool], most: int) -> None:
    """Delete all rows but the ``most`` that expire last."""
    newest = select(table.c.token).where(where).order_by(table.c.expires.desc(), table.c.token).offset(most)
    gone = list((await connection.execute(newest)).scalars())
    if gone:
        await connection.execute(delete(table).where(table.c.token.in_(gone)))
