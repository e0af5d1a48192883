"""Links that sign a person in once, stored as hashes only."""

import secrets
from typing import Final

from sqlalchemy import delete, insert, select

from jantaku.server.errors import ServerError
from jantaku.server.limits import LINKS_OF_ONE
from jantaku.server.storage.accounts import PERSON, PersonRow, hashed, set_role
from jantaku.server.storage.schema import links, people
from jantaku.server.storage.sessions import keep_newest
from jantaku.server.storage.store import OverStore, now_ms

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
