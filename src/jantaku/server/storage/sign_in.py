"""Sessions, and the ways into an account besides its password."""

import json
import secrets
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.errors import ServerError
from jantaku.server.processes.links import Topic
from jantaku.server.settings import LINKS_OF_ONE, PASSKEYS_OF_ONE, SESSIONS_OF_ONE
from jantaku.server.storage.people import (
    DAY_MS,
    ONE_TIMES,
    PERSON,
    WAYS,
    PersonRow,
    end_all,
    hashed,
    keyed,
    set_role,
)
from jantaku.server.storage.schema import (
    end_ways,
    identities,
    links,
    mail_addresses,
    one_times,
    passkeys,
    people,
    recovery_codes,
    sessions,
)
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


SIGNED_OUT = Topic[EndedSessions]("signed_out")


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


HOUR_MS: Final = 3_600_000
LINK_HOURS: Final = 24  # after which a link that was not used ends


class OneTimeLinks(OverStore):
    """All one-time links."""

    async def make(
        self, person: str, role: str | None, admin: str | None = None, hours: int = LINK_HOURS
    ) -> tuple[str, int]:
        """A token that signs in once, and when it expires.

        ``admin`` is who makes it for another person or a role; raises ``not_allowed`` unless they are one.
        """
        token, expires = secrets.token_urlsafe(24), now_ms() + hours * HOUR_MS
        row = {"token": hashed(token), "person": person, "role": role, "expires": expires}
        async with self._store.writing() as connection:
            if admin is not None:
                query = select(people.c.role).where(people.c.id == admin)
                if (await connection.execute(query)).scalar() != "admin":
                    raise ServerError("not_allowed")
            await connection.execute(delete(links).where(links.c.expires < now_ms()))
            await connection.execute(insert(links).values(row))
            await keep_newest(connection, links, links.c.person == person, LINKS_OF_ONE)
        return token, expires

    async def use(self, token: str) -> PersonRow:
        """Use up a one-time link and return its person; raises ``link_used`` if it does not exist."""
        async with self._store.writing() as connection:
            query = delete(links).where(links.c.token == hashed(token))
            row = (await connection.execute(query.returning(links))).first()
            if row is None or row.expires < now_ms():
                raise ServerError("link_used")
            if row.role is not None:
                await set_role(connection, row.person, row.role)
            result = await connection.execute(select(*PERSON).where(people.c.id == row.person))
            return PersonRow(*result.one())


class RecoveryStore(OverStore):
    """All recovery codes."""

    async def left(self, person: str) -> int:
        """How many unused codes a person has."""
        query = select(func.count()).select_from(recovery_codes).where(recovery_codes.c.person == person)
        return int(await self._store.value(query))

    async def replace(self, person: str, codes: Sequence[str]) -> None:
        """Give a person new codes; the ones before stop working."""
        rows = [{"code": await keyed(self._store, WAYS, code), "person": person} for code in codes]
        async with self._store.counting() as connection:
            await connection.execute(delete(recovery_codes).where(recovery_codes.c.person == person))
            await connection.execute(insert(recovery_codes), rows)

    async def use(self, person: str, code: str, password: str) -> bool:
        """Set a new password by a code and end all sessions and links; whether there was such a code."""
        mark = await keyed(self._store, WAYS, code)
        mine = (recovery_codes.c.code == mark) & (recovery_codes.c.person == person)
        async with self._store.writing() as connection:
            if not (await connection.execute(delete(recovery_codes).where(mine))).rowcount:
                return False
            await connection.execute(update(people).where(people.c.id == person).values(password=password))
            await end_ways(connection, person)
            await end_all(connection, person)
        return True


MOST_USES = 2**31 - 1  # that a column keeps; devices may count twice as far


class OneTime(NamedTuple):
    """What a one-time token stands for."""

    person: str | None
    data: dict[str, Any]


class PasskeyRow(NamedTuple):
    """A passkey; ``id`` is the hash of the browser's own id."""

    id: str
    person: str
    key: bytes
    uses: int
    name: str
    created: int


class SignInStore(OverStore):
    """All ways into accounts besides passwords."""

    async def put(self, kind: str, person: str | None, data: dict[str, Any], lasts_s: int) -> str:
        """A new token that ``take`` gives back once."""
        token, now = secrets.token_urlsafe(32), now_ms()
        row = {
            "token": await keyed(self._store, ONE_TIMES, token),
            "kind": kind,
            "person": person,
            "data": json.dumps(data),
        }
        async with self._store.writing() as connection:
            await connection.execute(delete(one_times).where(one_times.c.expires < now))
            await connection.execute(insert(one_times).values(row | {"expires": now + lasts_s * 1000}))
        return token

    async def take(self, kind: str, token: str) -> OneTime | None:
        """What a token stands for, which is used up by that; ``None`` if it is unknown or has expired."""
        mine = (one_times.c.token == await keyed(self._store, ONE_TIMES, token)) & (one_times.c.kind == kind)
        async with self._store.writing() as connection:
            row = (await connection.execute(delete(one_times).where(mine).returning(one_times))).first()
        if row is None or row.expires < now_ms():
            return None
        return OneTime(row.person, json.loads(row.data))

    async def mark(self, text: str) -> str:
        """The stored hash of a mail address, or of a person at an OpenID provider."""
        return await keyed(self._store, WAYS, text)

    async def has_address(self, person: str) -> bool:
        """Whether a person has a mail address."""
        query = select(mail_addresses.c.person).where(mail_addresses.c.person == person)
        return await self._store.first(query) is not None

    async def set_address(self, person: str, address: str | None) -> None:
        """Give a person a mail address by its mark, instead of any before; ``None``: none.

        Links that were sent to others end.
        """
        async with self._store.writing() as connection:
            for table in (mail_addresses, one_times):
                await connection.execute(delete(table).where(table.c.person == person))
            if address is not None:
                await connection.execute(insert(mail_addresses).values(person=person, address=address))

    async def of_address(self, address: str, most: int) -> list[PersonRow]:
        """The people who have a mail address, by its mark."""
        query = select(*PERSON).join(mail_addresses, mail_addresses.c.person == people.c.id)
        query = query.where(mail_addresses.c.address == address).order_by(people.c.account).limit(most)
        return [PersonRow(*row) for row in await self._store.rows(query)]

    async def reset(self, person: str, password: str) -> None:
        """Set a new password for whoever has read the mail: all sessions end, and the other ways in."""
        async with self._store.writing() as connection:
            await connection.execute(update(people).where(people.c.id == person).values(password=password))
            await connection.execute(delete(recovery_codes).where(recovery_codes.c.person == person))
            await end_ways(connection, person, but=mail_addresses)
            await end_all(connection, person)

    async def add_passkey(self, row: PasskeyRow) -> None:
        """Store a passkey; raises ``passkey_refused`` if it is known or the person has too many."""
        mine = select(passkeys.c.id).where(passkeys.c.person == row.person)
        try:
            async with self._store.counting() as connection:
                if len((await connection.execute(mine)).all()) >= PASSKEYS_OF_ONE:
                    raise ServerError("passkey_refused")
                uses = min(row.uses, MOST_USES)
                await connection.execute(insert(passkeys).values(row._asdict() | {"uses": uses}))
        except IntegrityError as error:
            raise ServerError("passkey_refused") from error

    async def passkeys_of(self, person: str) -> list[PasskeyRow]:
        """The passkeys of a person, oldest first."""
        query = select(passkeys).where(passkeys.c.person == person).order_by(passkeys.c.created)
        return [PasskeyRow(**row._mapping) for row in await self._store.rows(query)]

    async def passkey(self, key_id: str) -> tuple[PasskeyRow, PersonRow] | None:
        """A passkey by its id, and whose it is."""
        query = select(passkeys).where(passkeys.c.id == key_id)
        async with self._store.reading() as connection:
            row = (await connection.execute(query)).first()
            if row is None:
                return None
            owner = (await connection.execute(select(*PERSON).where(people.c.id == row.person))).one()
        return PasskeyRow(**row._mapping), PersonRow(*owner)

    async def used_passkey(self, key_id: str, before: int, uses: int) -> bool:
        """Note how often a passkey was used by its own count; whether no other use came before."""
        mine = (passkeys.c.id == key_id) & (passkeys.c.uses == before)
        used = update(passkeys).where(mine).values(uses=min(uses, MOST_USES))
        return bool(await self._store.write(used))

    async def remove_passkey(self, person: str, key_id: str) -> None:
        """Delete a passkey of a person; raises ``no_passkey`` if there is none, or ``last_way``."""
        mine = (passkeys.c.id == key_id) & (passkeys.c.person == person)
        async with self._store.counting() as connection:
            if not (await connection.execute(delete(passkeys).where(mine))).rowcount:
                raise ServerError("no_passkey")
            await _check_ways(connection, person)

    async def identity(self, mark: str) -> PersonRow | None:
        """The person with an identity."""
        query = select(*PERSON).join(identities, identities.c.person == people.c.id)
        row = await self._store.first(query.where(identities.c.mark == mark))
        return None if row is None else PersonRow(*row)

    async def has_identity(self, person: str) -> bool:
        """Whether a person can sign in at the provider."""
        query = select(identities.c.mark).where(identities.c.person == person)
        return await self._store.first(query) is not None

    async def add_identity(self, person: str, mark: str) -> None:
        """Let an identity sign in as a person; raises ``identity_taken`` if it is another one's."""
        row = {"mark": mark, "person": person, "created": now_ms()}
        try:
            await self._store.write(insert(identities).values(row))
        except IntegrityError as error:
            raise ServerError("identity_taken") from error

    async def remove_identities(self, person: str) -> None:
        """Let no identity sign in as a person any more; raises ``last_way`` if nothing else does."""
        async with self._store.counting() as connection:
            await connection.execute(delete(identities).where(identities.c.person == person))
            await _check_ways(connection, person)


async def _check_ways(connection: AsyncConnection, person: str) -> None:
    """Raise ``last_way`` if nothing opens an account any more."""
    query = select(people.c.id).where(people.c.id == person)
    others = (select(table.c.person).where(table.c.person == person) for table in (passkeys, identities))
    query = query.where(or_(people.c.password.is_not(None), *(other.exists() for other in others)))
    if (await connection.execute(query)).first() is None:
        raise ServerError("last_way")
