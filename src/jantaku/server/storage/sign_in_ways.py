"""The ways into an account besides its password: mail addresses, passkeys, identities, one-time tokens."""

import json
import secrets
from typing import Any, NamedTuple

from sqlalchemy import delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.errors import ServerError
from jantaku.server.limits import PASSKEYS_OF_ONE
from jantaku.server.storage.accounts import PERSON, PersonRow, end_all
from jantaku.server.storage.schema import people, recovery_codes
from jantaku.server.storage.server_keys import ONE_TIMES, WAYS, keyed
from jantaku.server.storage.sign_in_schema import end_ways, identities, mail_addresses, one_times, passkeys
from jantaku.server.storage.store import OverStore, now_ms

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
