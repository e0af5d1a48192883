"""People, their sessions and one-time links in the database."""

import hashlib
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from jantaku.server.errors import ServerError
from jantaku.server.storage.schema import links, people, sessions
from jantaku.server.storage.store import Store, now_ms

DAY_MS = 86_400_000
HOUR_MS = 3_600_000


class PersonRow(NamedTuple):
    """One person; ``account`` is ``None`` for guests."""

    id: str
    name: str
    account: str | None
    role: str
    language: str

    @property
    def guest(self) -> bool:
        """Whether they came in by name alone."""
        return self.account is None


_PERSON = (people.c.id, people.c.name, people.c.account, people.c.role, people.c.language)


def new_id() -> str:
    """An id that nobody guesses: sixteen letters and digits."""
    return secrets.token_hex(8)


def hashed(token: str) -> str:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def _person(row: Any) -> PersonRow | None:
    return None if row is None else PersonRow(*row)


@contextmanager
def _unique() -> Iterator[None]:
    try:
        yield
    except IntegrityError as error:
        raise ServerError("name_taken") from error


class Accounts:
    """Everything about people that is stored."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def add(self, person: PersonRow, password: str | None = None) -> None:
        """Store a new person."""
        values = person._asdict() | {"password": password, "created": now_ms()}
        with _unique():
            async with self._store.writing() as connection:
                await connection.execute(insert(people).values(values))

    async def change(self, person: str, **values: object) -> None:
        """Change fields of a person."""
        with _unique():
            async with self._store.writing() as connection:
                await connection.execute(update(people).where(people.c.id == person).values(**values))

    async def find(self, person: str) -> PersonRow | None:
        """The person of that id."""
        async with self._store.reading() as connection:
            found = await connection.execute(select(*_PERSON).where(people.c.id == person))
            return _person(found.first())

    async def by_account(self, account: str) -> tuple[PersonRow, str | None] | None:
        """The person of that account name and the hash of the password."""
        async with self._store.reading() as connection:
            query = select(*_PERSON, people.c.password).where(people.c.account == account)
            row = (await connection.execute(query)).first()
        return None if row is None else (PersonRow(*row[:5]), row[5])

    async def all(self, most: int = 1000) -> list[PersonRow]:
        """Everybody with an account, by name."""
        query = select(*_PERSON).where(people.c.account.is_not(None)).order_by(people.c.account).limit(most)
        async with self._store.reading() as connection:
            return [PersonRow(*row) for row in await connection.execute(query)]

    async def number_of_accounts(self) -> int:
        """How many accounts there are."""
        query = select(func.count()).select_from(people).where(people.c.account.is_not(None))
        async with self._store.reading() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def new_session(self, person: str, days: int) -> str:
        """A new token that signs ``person`` in."""
        token, now = secrets.token_urlsafe(32), now_ms()
        async with self._store.writing() as connection:
            await connection.execute(delete(sessions).where(sessions.c.expires < now))
            row = {"token": hashed(token), "person": person, "expires": now + days * DAY_MS}
            await connection.execute(insert(sessions).values(row))
        return token

    async def of_session(self, token: str) -> PersonRow | None:
        """Who is signed in by a token."""
        query = (
            select(*_PERSON)
            .join(sessions, sessions.c.person == people.c.id)
            .where(sessions.c.token == hashed(token), sessions.c.expires >= now_ms())
        )
        async with self._store.reading() as connection:
            return _person((await connection.execute(query)).first())

    async def renew(self, token: str, days: int) -> bool:
        """Let a session of ``days`` that is past its half last as long again; whether it was."""
        query, now = select(sessions.c.expires).where(sessions.c.token == hashed(token)), now_ms()
        async with self._store.reading() as connection:
            expires = (await connection.execute(query)).scalar()
        if expires is None or not now <= expires < now + days * DAY_MS // 2:
            return False
        renewed = update(sessions).where(sessions.c.token == hashed(token))
        async with self._store.writing() as connection:
            await connection.execute(renewed.values(expires=now + days * DAY_MS))
        return True

    async def end_session(self, token: str) -> None:
        """Forget a token."""
        async with self._store.writing() as connection:
            await connection.execute(delete(sessions).where(sessions.c.token == hashed(token)))

    async def new_link(self, person: str, role: str | None, hours: int) -> tuple[str, int]:
        """A token that signs in once, and when it ends."""
        token, expires = secrets.token_urlsafe(24), now_ms() + hours * HOUR_MS
        row = {"token": hashed(token), "person": person, "role": role, "expires": expires}
        async with self._store.writing() as connection:
            await connection.execute(delete(links).where(links.c.expires < now_ms()))
            await connection.execute(insert(links).values(row))
        return token, expires

    async def use_link(self, token: str) -> PersonRow:
        """Whom a one-time link signs in; it works no more. ``link_used`` where there is none."""
        async with self._store.writing() as connection:
            query = delete(links).where(links.c.token == hashed(token))
            row = (await connection.execute(query.returning(links))).first()
            if row is None or row.expires < now_ms():
                raise ServerError("link_used")
            if row.role is not None:
                await connection.execute(
                    update(people).where(people.c.id == row.person).values(role=row.role)
                )
            found = await connection.execute(select(*_PERSON).where(people.c.id == row.person))
            return PersonRow(*found.one())
