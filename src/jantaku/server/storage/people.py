"""Accounts, guests and their names, friends, and the keys of the server."""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import ForeignKey, Row, String, delete, func, insert, or_, select, true, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.server.errors import ServerError
from jantaku.server.names import numbered, skeleton
from jantaku.server.processes.links import Topic
from jantaku.server.storage.base import Id, Name, StoredRow
from jantaku.server.storage.schema import (
    end_ways,
    links,
    one_times,
    people,
    recovery_codes,
    sessions,
    ties,
)
from jantaku.server.storage.store import OverStore, Store, now_ms

BYTES: Final = 32
SIGNING: Final = "signing"  # signs what processes of a site send each other
ONE_TIMES: Final = "one_times"  # for the hashes of what is sent by mail
WAYS: Final = "ways"  # for the hashes of mail addresses, recovery codes and people at an OpenID provider
GUESTS: Final = "guests"  # for the hashes of names that guests have had


class ServerKey(StoredRow):
    """A secret of the server."""

    __tablename__ = "server_keys"

    name: Mapped[Id] = mapped_column(primary_key=True)
    key: Mapped[Name] = mapped_column(repr=False)  # hexadecimal


async def server_key(store: Store, name: str) -> bytes:
    """The key of this name, made at its first use."""
    query = select(ServerKey.key).where(ServerKey.name == name)
    found = await store.value(query)
    if found is None:
        async with store.counting() as connection:
            found = (await connection.execute(query)).scalar()
            if found is None:
                found = secrets.token_hex(BYTES)
                await connection.execute(insert(ServerKey).values(name=name, key=found))
    return bytes.fromhex(found)


async def keyed(store: Store, name: str, text: str) -> str:
    """The stored hash of a text that could be guessed: without the key of this name no guess can be tried."""
    return hmac.digest(await server_key(store, name), text.encode(), "sha256").hex()


class AccountName(StoredRow):
    """A name of an account; no two may look alike."""

    __tablename__ = "names"

    skeleton: Mapped[str] = mapped_column(String(120), primary_key=True)  # see ``jantaku.server.names``
    person: Mapped[Id] = mapped_column(ForeignKey("people.id"), index=True)


class GuestName(StoredRow):
    """A name that a guest has had, also one who is gone."""

    __tablename__ = "guest_names"

    mark: Mapped[Name] = mapped_column(primary_key=True)  # keyed hash of the skeleton
    given: Mapped[int]  # the highest number that has been given with it


Marks = Callable[[str], str]


async def guest_marks(store: Store) -> Marks:
    """The stored mark of a name. Get it before a transaction that uses it: the key may have to be made."""
    key = await server_key(store, GUESTS)
    return lambda name: hmac.digest(key, skeleton(name).encode(), "sha256").hex()


async def unused_name(connection: AsyncConnection, name: str, marks: Marks) -> str:
    """The name itself the first time that a guest wants it, else with the next number; it is taken then."""
    number = await _given(connection, name, marks)
    free = numbered(name, number + 1)
    while number and await _is_known(connection, free, marks):
        number += 1
        free = numbered(name, number + 1)
    if number:
        taken = update(GuestName).where(GuestName.mark == marks(name))
        await connection.execute(taken.values(given=number + 1))
    await connection.execute(insert(GuestName).values(mark=marks(free), given=1))
    return free


async def unlike_guests(connection: AsyncConnection, name: str, marks: Marks) -> str:
    """The name for an account: with a number if a guest has had it or one that looks the same."""
    return await unused_name(connection, name, marks) if await _given(connection, name, marks) else name


async def _given(connection: AsyncConnection, name: str, marks: Marks) -> int:
    """The highest number that has been given with a name; 0 if nobody has had it."""
    query = select(GuestName.given).where(GuestName.mark == marks(name))
    return int((await connection.execute(query)).scalar() or 0)


async def _is_known(connection: AsyncConnection, name: str, marks: Marks) -> bool:
    """Whether a guest has had a name, or an account has it."""
    account = select(AccountName.person).where(AccountName.skeleton == skeleton(name))
    return (
        bool(await _given(connection, name, marks)) or (await connection.execute(account)).first() is not None
    )


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


ROLE_CHANGED = Topic[PersonRow]("role")


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
                await connection.execute(delete(AccountName).where(AccountName.person == person.id))
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
    query = select(AccountName).where(AccountName.skeleton.in_(skeletons), AccountName.person != person)
    if skeletons and (await connection.execute(query)).first() is not None:
        raise ServerError("name_like", field="name")


async def _reserve(connection: AsyncConnection, person: str, skeletons: Collection[str]) -> None:
    rows = [{"skeleton": skeleton, "person": person} for skeleton in dict.fromkeys(skeletons)]
    if rows:
        await connection.execute(insert(AccountName), rows)


TieKind = Literal["friend", "blocked"]


class TiedPerson(NamedTuple):
    """Somebody whom a tie concerns. ``shown``: friends may see where they play."""

    id: str
    name: str
    shown: bool


class PersonTies(NamedTuple):
    """The ties of a person: mutual ones, those of others, own ones, and whom they have blocked."""

    friends: list[TiedPerson]
    asked: list[TiedPerson]
    wanted: list[TiedPerson]
    blocked: list[TiedPerson]


class TieStore(OverStore):
    """All ties."""

    def __init__(self, store: Store, most: int) -> None:
        super().__init__(store)
        self._most = most  # of one person

    async def of(self, person: str) -> PersonTies:
        """The ties of a person; who has blocked them is not among them."""
        query = select(ties, people.c.id, people.c.name, people.c.presence_shown)
        mine = query.join(people, people.c.id == ties.c.other).where(ties.c.person == person)
        theirs = query.join(people, people.c.id == ties.c.person)
        theirs = theirs.where(ties.c.other == person, ties.c.kind == "friend")
        async with self._store.reading() as connection:
            own = list(await connection.execute(mine.order_by(ties.c.since)))
            of_others = list(await connection.execute(theirs.order_by(ties.c.since)))
        asking = {row.id for row in of_others}
        kinds = {row.id: row.kind for row in own}

        def those(rows: list[Row[Any]], wanted: Callable[[Row[Any]], bool]) -> list[TiedPerson]:
            return [TiedPerson(row.id, row.name, bool(row.presence_shown)) for row in rows if wanted(row)]

        return PersonTies(
            friends=those(own, lambda row: row.kind == "friend" and row.id in asking),
            asked=those(of_others, lambda row: row.id not in kinds),
            wanted=those(own, lambda row: row.kind == "friend" and row.id not in asking),
            blocked=those(own, lambda row: row.kind == "blocked"),
        )

    async def blocked(self, person: str) -> frozenset[str]:
        """Whom a person has blocked."""
        query = select(ties.c.other).where(ties.c.person == person, ties.c.kind == "blocked")
        return frozenset(await self._store.values(query))

    async def are_friends(self, one: str, other: str) -> bool:
        """Whether both want to be friends."""
        pair = or_(
            (ties.c.person == one) & (ties.c.other == other), (ties.c.person == other) & (ties.c.other == one)
        )
        query = select(func.count()).select_from(ties).where(pair, ties.c.kind == "friend")
        return int(await self._store.value(query)) == 2

    async def set(self, person: str, other: str, kind: TieKind | None) -> None:
        """Want to be friends, block, or neither; raises ``too_many_ties`` and ``no_person``."""
        async with self._store.counting() as connection:
            if (await connection.execute(select(people.c.id).where(people.c.id == other))).first() is None:
                raise ServerError("no_person")
            await connection.execute(delete(ties).where(ties.c.person == person, ties.c.other == other))
            if kind is None:
                return
            held = select(func.count()).select_from(ties).where(ties.c.person == person)
            if int((await connection.execute(held)).scalar_one()) >= self._most:
                raise ServerError("too_many_ties", most=self._most)
            row = {"person": person, "other": other, "kind": kind, "since": now_ms()}
            await connection.execute(insert(ties).values(row))

    async def decline(self, person: str, other: str) -> None:
        """End the request of another to be friends with a person."""
        asked = (ties.c.person == other) & (ties.c.other == person) & (ties.c.kind == "friend")
        async with self._store.writing() as connection:
            await connection.execute(delete(ties).where(asked))


async def untie(connection: AsyncConnection, gone: Collection[str]) -> None:
    """Delete all ties from and to people who are deleted."""
    await connection.execute(delete(ties).where(or_(ties.c.person.in_(gone), ties.c.other.in_(gone))))
