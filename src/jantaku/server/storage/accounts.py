"""People and their account names in the database."""

import hashlib
import secrets
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from sqlalchemy import delete, func, insert, select, true, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.errors import ServerError
from jantaku.server.names import skeleton
from jantaku.server.storage.guest_names import Marks, guest_marks, unlike_guests, unused_name
from jantaku.server.storage.schema import links, names, people, recovery_codes, sessions
from jantaku.server.storage.sign_in_schema import end_ways, one_times
from jantaku.server.storage.store import OverStore, now_ms

DAY_MS = 86_400_000


class PersonRow(NamedTuple):
    """A person; ``account`` is ``None`` for guests."""

    id: str
    name: str
    account: str | None
    role: str
    language: str

    @property
    def guest(self) -> bool:
        """Whether the person has no account."""
        return self.account is None


PERSON: Final = (people.c.id, people.c.name, people.c.account, people.c.role, people.c.language)


def new_id() -> str:
    """An unguessable id of sixteen letters and digits."""
    return secrets.token_hex(8)


def hashed(token: str) -> str:
    """The stored hash of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def _person(row: Any) -> PersonRow | None:
    return None if row is None else PersonRow(*row)


@contextmanager
def _unique() -> Iterator[None]:
    try:
        yield
    except IntegrityError as error:
        raise ServerError("name_taken") from error


class Accounts(OverStore):
    """All stored data about people. ``skeletons`` are look-alike forms of their names and must be unique."""

    async def add(
        self,
        person: PersonRow,
        password: str | None = None,
        skeletons: Collection[str] = (),
        *,
        unlike: bool = False,
    ) -> PersonRow:
        """Store a new person; raises ``name_like`` if an account has one of the ``skeletons``.

        The name gets a number if it must be ``unlike`` those of all guests, and its look is reserved, too.
        """
        marks = await guest_marks(self._store)
        with _unique():
            async with self._store.counting() as connection:
                await _check_names(connection, person.id, skeletons)
                person, skeletons = await _unlike(connection, person, skeletons, marks if unlike else None)
                values = person._asdict() | {"password": password, "created": now_ms()}
                await connection.execute(insert(people).values(values))
                await _reserve(connection, person.id, skeletons)
        return person

    async def add_guest(self, person: PersonRow, *, unlike: bool) -> PersonRow:
        """Store a new guest, whose name gets a number if it must be ``unlike`` that of every other guest."""
        marks = await guest_marks(self._store)
        async with self._store.counting() as connection:
            if unlike:
                person = person._replace(name=await unused_name(connection, person.name, marks))
            await connection.execute(insert(people).values(person._asdict() | {"created": now_ms()}))
        return person

    async def rename_guest(self, person: str, name: str, *, unlike: bool) -> str:
        """Give a guest another name, ``unlike`` all others as in ``add_guest``; return the name."""
        marks = await guest_marks(self._store)
        async with self._store.counting() as connection:
            name = await unused_name(connection, name, marks) if unlike else name
            await connection.execute(update(people).where(people.c.id == person).values(name=name))
        return name

    async def open(
        self, person: PersonRow, password: str | None, skeletons: Collection[str], *, unlike: bool = False
    ) -> PersonRow:
        """Make a guest the owner of an account and end all their sessions and links.

        A name that is not the guest's own gets a number if it must be ``unlike`` those of other guests.
        """
        guest = update(people).where(people.c.id == person.id, people.c.account.is_(None))
        marks = await guest_marks(self._store)
        with _unique():
            async with self._store.counting() as connection:
                await _check_names(connection, person.id, skeletons)
                person, skeletons = await _unlike(connection, person, skeletons, marks if unlike else None)
                values = {"name": person.name, "account": person.account, "language": person.language}
                if not (await connection.execute(guest.values(password=password, **values))).rowcount:
                    raise ServerError("has_account")
                await _reserve(connection, person.id, skeletons)
                await end_all(connection, person.id)
        return person

    async def change(self, person: str, **values: object) -> None:
        """Change fields of a person."""
        with _unique():
            await self._store.write(update(people).where(people.c.id == person).values(**values))

    async def give_role(self, person: str, role: str) -> None:
        """Change the role of a person; see ``set_role``."""
        async with self._store.writing() as connection:
            await set_role(connection, person, role)

    async def shows_numbers(self, person: str) -> bool:
        """Whether a person lets others see their numbers."""
        query = select(people.c.numbers_shown).where(people.c.id == person)
        return bool(await self._store.value(query))

    async def shows_reviews(self, person: str) -> bool:
        """Whether others may open the reviews of what a person played; so it is of whoever is gone."""
        query = select(people.c.reviews_shown).where(people.c.id == person)
        return bool(await self._store.value(query) != 0)

    async def shows_presence(self, person: str) -> bool:
        """Whether friends see where a person plays."""
        query = select(people.c.presence_shown).where(people.c.id == person)
        return bool(await self._store.value(query))

    async def is_reminded(self, person: str) -> bool:
        """Whether a person is notified before the daily table."""
        query = select(people.c.reminded).where(people.c.id == person)
        return bool(await self._store.value(query))

    async def reminded(self) -> list[str]:
        """Everybody who is notified before the daily table."""
        query = select(people.c.id).where(people.c.reminded == 1)
        return await self._store.values(query)

    async def rename(
        self, person: PersonRow, skeletons: Collection[str], *, unlike: bool = False
    ) -> PersonRow:
        """Give an account the name in ``person``; ``skeletons`` are those of all its names from now on.

        The name gets a number if it must be ``unlike`` those of all guests.
        """
        marks = await guest_marks(self._store)
        with _unique():
            async with self._store.counting() as connection:
                await _check_names(connection, person.id, skeletons)
                person, skeletons = await _unlike(connection, person, skeletons, marks if unlike else None)
                renamed = update(people).where(people.c.id == person.id).values(name=person.name)
                await connection.execute(renamed)
                await connection.execute(delete(names).where(names.c.person == person.id))
                await _reserve(connection, person.id, skeletons)
        return person

    async def change_password(self, person: str, before: str | None, password: str, session: str) -> bool:
        """Replace the password if the stored one is still ``before``; only the token ``session`` survives.

        Whoever knew the password could have made recovery codes and other ways in, so these end with it.
        """
        same = people.c.password.is_(None) if before is None else people.c.password == before
        async with self._store.writing() as connection:
            changed = update(people).where(people.c.id == person, same).values(password=password)
            if not (await connection.execute(changed)).rowcount:
                return False
            if before is not None:
                await connection.execute(delete(recovery_codes).where(recovery_codes.c.person == person))
                await end_ways(connection, person)
            await end_all(connection, person, but=session)
        return True

    async def check_names(self, person: str, skeletons: Collection[str]) -> None:
        """Raise ``name_like`` if another person's account has a name that looks alike."""
        async with self._store.reading() as connection:
            await _check_names(connection, person, skeletons)

    async def find(self, person: str) -> PersonRow | None:
        """The person with this id."""
        return _person(await self._store.first(select(*PERSON).where(people.c.id == person)))

    async def names(self, of: Collection[str]) -> dict[str, str]:
        """The names of people, by id."""
        query = select(people.c.id, people.c.name).where(people.c.id.in_(of))
        return {row.id: row.name for row in await self._store.rows(query)}

    async def password(self, person: str) -> str | None:
        """The hash of a person's password, if they have one."""
        password: str | None = await self._store.value(select(people.c.password).where(people.c.id == person))
        return password

    async def by_account(self, account: str) -> tuple[PersonRow, str | None] | None:
        """The person with this account name, and the hash of the password."""
        query = select(*PERSON, people.c.password).where(people.c.account == account)
        row = await self._store.first(query)
        return None if row is None else (PersonRow(*row[:5]), row[5])

    async def all(self, most: int = 1000) -> list[PersonRow]:
        """Everyone with an account, by name."""
        query = select(*PERSON).where(people.c.account.is_not(None)).order_by(people.c.account).limit(most)
        return [PersonRow(*row) for row in await self._store.rows(query)]

    async def number_of_accounts(self) -> int:
        """The number of accounts."""
        query = select(func.count()).select_from(people).where(people.c.account.is_not(None))
        return int(await self._store.value(query))


async def with_account(connection: AsyncConnection, persons: Collection[str]) -> set[str]:
    """Those of these people who have an account: guests can be made at will."""
    mine = people.c.id.in_(persons) & people.c.account.is_not(None)
    return set((await connection.execute(select(people.c.id).where(mine))).scalars())


async def end_all(connection: AsyncConnection, person: str, but: str = "") -> None:
    """Delete all sessions and links of a person except the session with the token ``but``.

    What those sessions have begun ends, too: a mail or a passkey could be confirmed after them.
    """
    others = (sessions.c.person == person) & (sessions.c.token != hashed(but))
    await connection.execute(delete(sessions).where(others))
    for table in (links, one_times):
        await connection.execute(delete(table).where(table.c.person == person))


async def set_role(connection: AsyncConnection, person: str, role: str) -> None:
    """Change the role of a person; their one-time links end, as these may give another role.

    An admin may have made links for anybody, so when one loses the role all links end.
    """
    before = (await connection.execute(select(people.c.role).where(people.c.id == person))).scalar()
    await connection.execute(update(people).where(people.c.id == person).values(role=role))
    everybody = before == "admin" != role
    await connection.execute(delete(links).where(true() if everybody else links.c.person == person))


async def _unlike(
    connection: AsyncConnection, person: PersonRow, skeletons: Collection[str], marks: Marks | None
) -> tuple[PersonRow, Collection[str]]:
    """The person with a name that no guest has had, if wanted, and the skeletons of all their names."""
    if marks is None:
        return person, skeletons
    person = person._replace(name=await unlike_guests(connection, person.name, marks))
    return person, {*skeletons, skeleton(person.name)}


async def _check_names(connection: AsyncConnection, person: str, skeletons: Collection[str]) -> None:
    query = select(names.c.skeleton).where(names.c.skeleton.in_(skeletons), names.c.person != person)
    if skeletons and (await connection.execute(query)).first() is not None:
        raise ServerError("name_like", field="name")


async def _reserve(connection: AsyncConnection, person: str, skeletons: Collection[str]) -> None:
    rows = [{"skeleton": skeleton, "person": person} for skeleton in dict.fromkeys(skeletons)]
    if rows:
        await connection.execute(insert(names), rows)
