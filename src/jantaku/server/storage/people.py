"""Accounts, guests, names, friendships, and the secret keys of the server."""

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
from jantaku.server.storage.store import Repository, Store, now_ms

BYTES: Final = 32
# names of the secret keys
SIGNING: Final = "signing"  # signs messages between the processes of a site
ONE_TIME_KEY: Final = "one_times"  # hashes one-time tokens
SIGN_IN_KEY: Final = "ways"  # hashes mail addresses, recovery codes and OpenID identities
GUEST_NAME_KEY: Final = "guests"  # hashes the names of guests


class ServerKey(StoredRow):
    """A secret key of the server."""

    __tablename__ = "server_keys"

    name: Mapped[Id] = mapped_column(primary_key=True)
    key: Mapped[Name] = mapped_column(repr=False)  # hexadecimal


async def server_key(store: Store, name: str) -> bytes:
    """Return the secret key of this name; it is created on first use."""
    query = select(ServerKey.key).where(ServerKey.name == name)
    key = await store.value(query)
    if key is None:
        async with store.exclusive() as connection:
            key = (await connection.execute(query)).scalar()
            if key is None:
                key = secrets.token_hex(BYTES)
                await connection.execute(insert(ServerKey).values(name=name, key=key))
    return bytes.fromhex(key)


async def keyed_hash(store: Store, name: str, text: str) -> str:
    """Hash a guessable text with the secret key ``name``, so that the hash does not allow testing guesses."""
    return hmac.digest(await server_key(store, name), text.encode(), "sha256").hex()


class AccountName(StoredRow):
    """A name reserved by an account; two names with the same skeleton look alike and exclude each other."""

    __tablename__ = "names"

    skeleton: Mapped[str] = mapped_column(String(120), primary_key=True)  # see ``jantaku.server.names``
    person: Mapped[Id] = mapped_column(ForeignKey("people.id"), index=True)


class GuestName(StoredRow):
    """A name that a guest has or had. Rows remain when the guest is deleted."""

    __tablename__ = "guest_names"

    mark: Mapped[Name] = mapped_column(primary_key=True)  # keyed hash of the skeleton
    given: Mapped[int]  # highest number appended to the name so far


Marks = Callable[[str], str]


async def guest_marks(store: Store) -> Marks:
    """Return the function from a name to its stored mark.

    Call this before opening a transaction, because the key may have to be created.
    """
    key = await server_key(store, GUEST_NAME_KEY)
    return lambda name: hmac.digest(key, skeleton(name).encode(), "sha256").hex()


async def unused_name(connection: AsyncConnection, name: str, marks: Marks) -> str:
    """Reserve and return a guest name: the name itself at its first use, later the name with a number."""
    number = await _given(connection, name, marks)
    free = numbered(name, number + 1)
    while number and await _is_known(connection, free, marks):
        number += 1
        free = numbered(name, number + 1)
    if number:
        used = update(GuestName).where(GuestName.mark == marks(name))
        await connection.execute(used.values(given=number + 1))
    await connection.execute(insert(GuestName).values(mark=marks(free), given=1))
    return free


async def _given(connection: AsyncConnection, name: str, marks: Marks) -> int:
    """Return the highest number appended to a guest name so far; 0 if the name is unused."""
    query = select(GuestName.given).where(GuestName.mark == marks(name))
    return int((await connection.execute(query)).scalar() or 0)


async def _is_known(connection: AsyncConnection, name: str, marks: Marks) -> bool:
    """Whether a guest has ever used a name, or an account has reserved it."""
    account = select(AccountName.person).where(AccountName.skeleton == skeleton(name))
    return (
        bool(await _given(connection, name, marks)) or (await connection.execute(account)).first() is not None
    )


DAY_MS = 86_400_000


class PersonRow(StoredRow):
    """A person. ``account`` is the name folded for case and width; ``None`` for guests.

    ``profile_shown`` and ``reviews_shown`` make their statistics and game reviews visible to others,
    ``presence_shown`` shows friends where they play, and ``reminded`` notifies them before the daily table.
    """

    __tablename__ = "people"

    id: Mapped[Id] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(24))
    account: Mapped[Name | None] = mapped_column(unique=True)
    role: Mapped[Word]
    language: Mapped[str] = mapped_column(String(2))
    password: Mapped[str | None] = mapped_column(String(200), default=None, repr=False, compare=False)
    created: Mapped[Milliseconds] = mapped_column(default_factory=now_ms, compare=False)
    profile_shown: Mapped[bool] = mapped_column(default=False, compare=False)
    reviews_shown: Mapped[bool] = mapped_column(default=True, compare=False)
    presence_shown: Mapped[bool] = mapped_column(default=True, compare=False)
    reminded: Mapped[bool] = mapped_column(default=False, compare=False)

    @property
    def guest(self) -> bool:
        """Whether the person has no account."""
        return self.account is None


ROLE_CHANGED = Topic[str, str]("role")  # a person's id and new role


def new_id() -> str:
    """Return a random id of 16 hexadecimal digits."""
    return secrets.token_hex(8)


def hashed(token: str) -> str:
    """Return the hash under which a token is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


@contextmanager
def unique_name() -> Iterator[None]:
    """Turn an ``IntegrityError`` into ``ServerError("name_taken")``."""
    try:
        yield
    except IntegrityError as error:
        raise ServerError("name_taken") from error


class Accounts(Repository):
    """Reads and writes people. ``skeletons`` are the look-alike forms of account names and must be unique."""

    async def add(
        self,
        person: PersonRow,
        skeletons: Collection[str] = (),
        *,
        unique: bool = False,
    ) -> PersonRow:
        """Store a new person; raises ``ServerError("name_like")`` if an account has one of the ``skeletons``.

        With ``unique``, a name that a guest has used gets a number, and its skeleton is reserved as well.
        """
        marks = await guest_marks(self._store) if unique else None
        with unique_name():
            async with self._store.exclusive() as connection:
                person, skeletons = await free_names(connection, person, skeletons, marks)
                await connection.execute(insert(PersonRow).values(person.values()))
                await reserve_names(connection, person.id, skeletons)
        return person

    async def add_guest(self, person: PersonRow, *, unique: bool) -> PersonRow:
        """Store a new guest; with ``unique``, a name that another guest has used gets a number."""
        marks = await guest_marks(self._store)
        async with self._store.exclusive() as connection:
            if unique:
                person = replace(person, name=await unused_name(connection, person.name, marks))
            await connection.execute(insert(PersonRow).values(person.values()))
        return person

    async def rename_guest(self, person: str, name: str, *, unique: bool) -> str:
        """Rename a guest, with ``unique`` as in ``add_guest``; return the name with its number if any."""
        marks = await guest_marks(self._store)
        async with self._store.exclusive() as connection:
            name = await unused_name(connection, name, marks) if unique else name
            await connection.execute(update(PersonRow).where(PersonRow.id == person).values(name=name))
        return name

    async def change(self, person: str, **values: object) -> None:
        """Update fields of a person."""
        with unique_name():
            await self._store.write(update(PersonRow).where(PersonRow.id == person).values(**values))

    async def reminded(self) -> list[str]:
        """Return the ids of all people who are notified before the daily table."""
        query = select(PersonRow.id).where(PersonRow.reminded)
        return await self._store.values(query)

    async def rename(
        self, person: PersonRow, skeletons: Collection[str], *, unique: bool = False
    ) -> PersonRow:
        """Give an account the name in ``person``; ``skeletons`` replace the reserved ones.

        With ``unique``, a name that a guest has used gets a number.
        """
        marks = await guest_marks(self._store) if unique else None
        with unique_name():
            async with self._store.exclusive() as connection:
                person, skeletons = await free_names(connection, person, skeletons, marks)
                renamed = update(PersonRow).where(PersonRow.id == person.id).values(name=person.name)
                await connection.execute(renamed)
                await connection.execute(delete(AccountName).where(AccountName.person == person.id))
                await reserve_names(connection, person.id, skeletons)
        return person

    async def check_names(self, person: str, skeletons: Collection[str]) -> None:
        """Raise ``ServerError("name_like")`` if another account has one of the skeletons."""
        async with self._store.reading() as connection:
            await _check_names(connection, person, skeletons)

    async def find(self, person: str) -> PersonRow | None:
        """Return the person with this id."""
        return await self._store.one(select(PersonRow).where(PersonRow.id == person))

    async def names(self, people: Collection[str]) -> dict[str, str]:
        """Return the names of people by id."""
        query = select(PersonRow.id, PersonRow.name).where(PersonRow.id.in_(people))
        return {row.id: row.name for row in await self._store.rows(query)}

    async def password(self, person: str) -> str | None:
        """Return the hash of a person's password, if they have one."""
        query = select(PersonRow.password).where(PersonRow.id == person)
        password: str | None = await self._store.value(query)
        return password

    async def by_account(self, account: str) -> PersonRow | None:
        """Return the person with this account name."""
        return await self._store.one(select(PersonRow).where(PersonRow.account == account))

    async def all(self, limit: int = 1000) -> list[PersonRow]:
        """Return the people with an account, by name."""
        query = select(PersonRow).where(PersonRow.account.is_not(None))
        return await self._store.all(query.order_by(PersonRow.account).limit(limit))

    async def number_of_accounts(self) -> int:
        """Return the number of accounts."""
        query = select(func.count(PersonRow.account))
        return int(await self._store.value(query))


async def with_account(connection: AsyncConnection, people: Collection[str]) -> set[str]:
    """Return those of these people who have an account."""
    mine = PersonRow.id.in_(people) & PersonRow.account.is_not(None)
    return set((await connection.execute(select(PersonRow.id).where(mine))).scalars())


async def free_names(
    connection: AsyncConnection, person: PersonRow, skeletons: Collection[str], marks: Marks | None
) -> tuple[PersonRow, Collection[str]]:
    """Return the person with an available name, and the skeletons to reserve.

    With ``marks``, a name that looks like one used by a guest gets a number. Raises
    ``ServerError("name_like")`` if another account has one of the skeletons.
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
    """Reserve the skeletons of an account's names."""
    rows = [{"skeleton": skeleton, "person": person} for skeleton in dict.fromkeys(skeletons)]
    if rows:
        await connection.execute(insert(AccountName), rows)


TieKind = Literal["friend", "blocked"]


class TieRow(StoredRow):
    """A friend request or a block from ``person`` to ``other``. Two mutual requests make a friendship."""

    __tablename__ = "ties"

    person: Mapped[Id] = mapped_column(ForeignKey("people.id", ondelete="CASCADE"), primary_key=True)
    other: Mapped[Id] = mapped_column(
        ForeignKey("people.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    kind: Mapped[TieKind] = mapped_column(String(8))
    since: Mapped[Milliseconds] = mapped_column(default_factory=now_ms)


class TiedPerson(NamedTuple):
    """The other person of a tie. ``shown``: friends may see where they play."""

    id: str
    name: str
    shown: bool


class PersonTies(NamedTuple):
    """A person's friends, the friend requests received and sent, and the people they have blocked."""

    friends: list[TiedPerson]
    received: list[TiedPerson]
    sent: list[TiedPerson]
    blocked: list[TiedPerson]


class TieStore(Repository):
    """Reads and writes friendships and blocks."""

    def __init__(self, store: Store, limit: int) -> None:
        super().__init__(store)
        self._limit = limit  # ties of one person

    async def of(self, person: str) -> PersonTies:
        """Return the ties of a person, without those of people who have blocked them."""
        query = select(TieRow.kind, PersonRow.id, PersonRow.name, PersonRow.presence_shown)
        query = query.order_by(TieRow.since)
        mine = query.join(PersonRow, PersonRow.id == TieRow.other).where(TieRow.person == person)
        theirs = query.join(PersonRow, PersonRow.id == TieRow.person)
        theirs = theirs.where(TieRow.other == person, TieRow.kind == "friend")
        async with self._store.reading() as connection:
            own = list(await connection.execute(mine))
            incoming = list(await connection.execute(theirs))
        kinds = {row.id: row.kind for row in own}
        requests = {row.id: TiedPerson(row.id, row.name, row.presence_shown) for row in incoming}
        tied = [(row.kind, TiedPerson(row.id, row.name, row.presence_shown)) for row in own]
        return PersonTies(
            friends=[other for kind, other in tied if kind == "friend" and other.id in requests],
            received=[other for other in requests.values() if other.id not in kinds],
            sent=[other for kind, other in tied if kind == "friend" and other.id not in requests],
            blocked=[other for kind, other in tied if kind == "blocked"],
        )

    async def blocked(self, person: str) -> frozenset[str]:
        """Return the ids of the people whom a person has blocked."""
        query = select(TieRow.other).where(TieRow.person == person, TieRow.kind == "blocked")
        return frozenset(await self._store.values(query))

    async def are_friends(self, one: str, other: str) -> bool:
        """Whether two people are friends."""
        pair = or_(
            (TieRow.person == one) & (TieRow.other == other), (TieRow.person == other) & (TieRow.other == one)
        )
        query = select(func.count(TieRow.person)).where(pair, TieRow.kind == "friend")
        return int(await self._store.value(query)) == 2

    async def set(self, person: str, other: str, kind: TieKind | None) -> None:
        """Request a friendship, block a person, or delete the tie with ``None``.

        Raises ``ServerError`` with ``no_person`` or ``too_many_ties``.
        """
        async with self._store.exclusive() as connection:
            if (await connection.execute(select(PersonRow.id).where(PersonRow.id == other))).first() is None:
                raise ServerError("no_person")
            await connection.execute(delete(TieRow).where(TieRow.person == person, TieRow.other == other))
            if kind is None:
                return
            count = select(func.count(TieRow.other)).where(TieRow.person == person)
            if int((await connection.execute(count)).scalar_one()) >= self._limit:
                raise ServerError("too_many_ties", most=self._limit)
            await connection.execute(insert(TieRow).values(TieRow(person, other, kind).values()))

    async def decline(self, person: str, other: str) -> None:
        """Delete the friend request from ``other`` to ``person``."""
        request = (TieRow.person == other) & (TieRow.other == person) & (TieRow.kind == "friend")
        async with self._store.writing() as connection:
            await connection.execute(delete(TieRow).where(request))


async def delete_ties(connection: AsyncConnection, people: Collection[str]) -> None:
    """Delete all ties from and to these people."""
    await connection.execute(delete(TieRow).where(or_(TieRow.person.in_(people), TieRow.other.in_(people))))
