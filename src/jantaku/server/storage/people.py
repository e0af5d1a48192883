"""Accounts, guests and their names, friends, and the keys of the server."""

import hashlib
import hmac
import secrets
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, Literal, NamedTuple

from sqlalchemy import ForeignKey, String, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.server.errors import ServerError
from jantaku.server.names import numbered, skeleton
from jantaku.server.processes.links import Topic
from jantaku.server.storage.base import Id, Milliseconds, Name, StoredRow, Word
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


class PersonRow(StoredRow):
    """A person; ``account`` is the name without case and width, ``None`` for guests.

    ``reviews_shown``: others may read the reviews of their games, ``presence_shown``: friends see where they
    play, ``reminded``: they are notified before the daily table.
    """

    __tablename__ = "people"

    id: Mapped[Id] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(24))
    account: Mapped[Name | None] = mapped_column(unique=True)
    role: Mapped[Word]
    language: Mapped[str] = mapped_column(String(2))
    password: Mapped[str | None] = mapped_column(String(200), default=None, repr=False, compare=False)
    created: Mapped[Milliseconds] = mapped_column(default_factory=now_ms, compare=False)
    numbers_shown: Mapped[bool] = mapped_column(default=False, compare=False)
    reviews_shown: Mapped[bool] = mapped_column(default=True, compare=False)
    presence_shown: Mapped[bool] = mapped_column(default=True, compare=False)
    reminded: Mapped[bool] = mapped_column(default=False, compare=False)

    @property
    def guest(self) -> bool:
        """Whether the person has no account."""
        return self.account is None


ROLE_CHANGED = Topic[str, str]("role")  # the id of a person, and the new role


def new_id() -> str:
    """An unguessable id of sixteen letters and digits."""
    return secrets.token_hex(8)


def hashed(token: str) -> str:
    """The stored hash of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


@contextmanager
def unique_name() -> Iterator[None]:
    """Raise ``name_taken`` where the database has an account of that name."""
    try:
        yield
    except IntegrityError as error:
        raise ServerError("name_taken") from error


class Accounts(OverStore):
    """All stored data about people. ``skeletons`` are look-alike forms of their names and must be unique."""

    async def add(
        self,
        person: PersonRow,
        skeletons: Collection[str] = (),
        *,
        unlike: bool = False,
    ) -> PersonRow:
        """Store a new person; raises ``name_like`` if an account has one of the ``skeletons``.

        The name gets a number if it must be ``unlike`` those of all guests, and its look is reserved, too.
        """
        marks = await guest_marks(self._store) if unlike else None
        with unique_name():
            async with self._store.counting() as connection:
                person, skeletons = await free_names(connection, person, skeletons, marks)
                await connection.execute(insert(PersonRow).values(person.values()))
                await reserve_names(connection, person.id, skeletons)
        return person

    async def add_guest(self, person: PersonRow, *, unlike: bool) -> PersonRow:
        """Store a new guest, whose name gets a number if it must be ``unlike`` that of every other guest."""
        marks = await guest_marks(self._store)
        async with self._store.counting() as connection:
            if unlike:
                person = replace(person, name=await unused_name(connection, person.name, marks))
            await connection.execute(insert(PersonRow).values(person.values()))
        return person

    async def rename_guest(self, person: str, name: str, *, unlike: bool) -> str:
        """Give a guest another name, ``unlike`` all others as in ``add_guest``; return the name."""
        marks = await guest_marks(self._store)
        async with self._store.counting() as connection:
            name = await unused_name(connection, name, marks) if unlike else name
            await connection.execute(update(PersonRow).where(PersonRow.id == person).values(name=name))
        return name

    async def change(self, person: str, **values: object) -> None:
        """Change fields of a person."""
        with unique_name():
            await self._store.write(update(PersonRow).where(PersonRow.id == person).values(**values))

    async def reminded(self) -> list[str]:
        """Everybody who is notified before the daily table."""
        query = select(PersonRow.id).where(PersonRow.reminded)
        return await self._store.values(query)

    async def rename(
        self, person: PersonRow, skeletons: Collection[str], *, unlike: bool = False
    ) -> PersonRow:
        """Give an account the name in ``person``; ``skeletons`` are those of all its names from now on.

        The name gets a number if it must be ``unlike`` those of all guests.
        """
        marks = await guest_marks(self._store) if unlike else None
        with unique_name():
            async with self._store.counting() as connection:
                person, skeletons = await free_names(connection, person, skeletons, marks)
                renamed = update(PersonRow).where(PersonRow.id == person.id).values(name=person.name)
                await connection.execute(renamed)
                await connection.execute(delete(AccountName).where(AccountName.person == person.id))
                await reserve_names(connection, person.id, skeletons)
        return person

    async def check_names(self, person: str, skeletons: Collection[str]) -> None:
        """Raise ``name_like`` if another person's account has a name that looks alike."""
        async with self._store.reading() as connection:
            await _check_names(connection, person, skeletons)

    async def find(self, person: str) -> PersonRow | None:
        """The person with this id."""
        return await self._store.one(select(PersonRow).where(PersonRow.id == person))

    async def names(self, of: Collection[str]) -> dict[str, str]:
        """The names of people, by id."""
        query = select(PersonRow.id, PersonRow.name).where(PersonRow.id.in_(of))
        return {row.id: row.name for row in await self._store.rows(query)}

    async def password(self, person: str) -> str | None:
        """The hash of a person's password, if they have one."""
        query = select(PersonRow.password).where(PersonRow.id == person)
        password: str | None = await self._store.value(query)
        return password

    async def by_account(self, account: str) -> PersonRow | None:
        """The person with this account name."""
        return await self._store.one(select(PersonRow).where(PersonRow.account == account))

    async def all(self, most: int = 1000) -> list[PersonRow]:
        """Everyone with an account, by name."""
        query = select(PersonRow).where(PersonRow.account.is_not(None))
        return await self._store.all(query.order_by(PersonRow.account).limit(most))

    async def number_of_accounts(self) -> int:
        """The number of accounts."""
        query = select(func.count(PersonRow.account))
        return int(await self._store.value(query))


async def with_account(connection: AsyncConnection, persons: Collection[str]) -> set[str]:
    """Those of these people who have an account: guests can be made at will."""
    mine = PersonRow.id.in_(persons) & PersonRow.account.is_not(None)
    return set((await connection.execute(select(PersonRow.id).where(mine))).scalars())


async def free_names(
    connection: AsyncConnection, person: PersonRow, skeletons: Collection[str], marks: Marks | None
) -> tuple[PersonRow, Collection[str]]:
    """The person, and the skeletons of all their names; raises ``name_like`` if an account has one of them.

    With ``marks`` the name gets a number if a guest has had it or one that looks the same.
    """
    await _check_names(connection, person.id, skeletons)
    if marks is None:
        return person, skeletons
    if await _given(connection, person.name, marks):
        person = replace(person, name=await unused_name(connection, person.name, marks))
    return person, {*skeletons, skeleton(person.name)}


async def _check_names(connection: AsyncConnection, person: str, skeletons: Collection[str]) -> None:
    query = select(AccountName).where(AccountName.skeleton.in_(skeletons), AccountName.person != person)
    if skeletons and (await connection.execute(query)).first() is not None:
        raise ServerError("name_like", field="name")


async def reserve_names(connection: AsyncConnection, person: str, skeletons: Collection[str]) -> None:
    """Let no other account have a name with one of these skeletons."""
    rows = [{"skeleton": skeleton, "person": person} for skeleton in dict.fromkeys(skeletons)]
    if rows:
        await connection.execute(insert(AccountName), rows)


TieKind = Literal["friend", "blocked"]


class TieRow(StoredRow):
    """What somebody wants of somebody else: two who want to be friends are."""

    __tablename__ = "ties"

    person: Mapped[Id] = mapped_column(ForeignKey("people.id", ondelete="CASCADE"), primary_key=True)
    other: Mapped[Id] = mapped_column(
        ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    kind: Mapped[TieKind] = mapped_column(String(8))
    since: Mapped[Milliseconds] = mapped_column(default_factory=now_ms)


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
        query = select(TieRow.kind, PersonRow.id, PersonRow.name, PersonRow.presence_shown)
        query = query.order_by(TieRow.since)
        mine = query.join(PersonRow, PersonRow.id == TieRow.other).where(TieRow.person == person)
        theirs = query.join(PersonRow, PersonRow.id == TieRow.person)
        theirs = theirs.where(TieRow.other == person, TieRow.kind == "friend")
        async with self._store.reading() as connection:
            own = list(await connection.execute(mine))
            of_others = list(await connection.execute(theirs))
        kinds = {row.id: row.kind for row in own}
        asking = {row.id: TiedPerson(row.id, row.name, row.presence_shown) for row in of_others}
        tied = [(row.kind, TiedPerson(row.id, row.name, row.presence_shown)) for row in own]
        return PersonTies(
            friends=[other for kind, other in tied if kind == "friend" and other.id in asking],
            asked=[other for other in asking.values() if other.id not in kinds],
            wanted=[other for kind, other in tied if kind == "friend" and other.id not in asking],
            blocked=[other for kind, other in tied if kind == "blocked"],
        )

    async def blocked(self, person: str) -> frozenset[str]:
        """Whom a person has blocked."""
        query = select(TieRow.other).where(TieRow.person == person, TieRow.kind == "blocked")
        return frozenset(await self._store.values(query))

    async def are_friends(self, one: str, other: str) -> bool:
        """Whether both want to be friends."""
        pair = or_(
            (TieRow.person == one) & (TieRow.other == other), (TieRow.person == other) & (TieRow.other == one)
        )
        query = select(func.count(TieRow.person)).where(pair, TieRow.kind == "friend")
        return int(await self._store.value(query)) == 2

    async def set(self, person: str, other: str, kind: TieKind | None) -> None:
        """Want to be friends, block, or neither; raises ``too_many_ties`` and ``no_person``."""
        async with self._store.counting() as connection:
            if (await connection.execute(select(PersonRow.id).where(PersonRow.id == other))).first() is None:
                raise ServerError("no_person")
            await connection.execute(delete(TieRow).where(TieRow.person == person, TieRow.other == other))
            if kind is None:
                return
            held = select(func.count(TieRow.other)).where(TieRow.person == person)
            if int((await connection.execute(held)).scalar_one()) >= self._most:
                raise ServerError("too_many_ties", most=self._most)
            await connection.execute(insert(TieRow).values(TieRow(person, other, kind).values()))

    async def decline(self, person: str, other: str) -> None:
        """End the request of another to be friends with a person."""
        asked = (TieRow.person == other) & (TieRow.other == person) & (TieRow.kind == "friend")
        async with self._store.writing() as connection:
            await connection.execute(delete(TieRow).where(asked))


async def untie(connection: AsyncConnection, gone: Collection[str]) -> None:
    """Delete all ties from and to people who are deleted."""
    await connection.execute(delete(TieRow).where(or_(TieRow.person.in_(gone), TieRow.other.in_(gone))))
