"""Sessions, and the ways into an account besides its password."""

import secrets
from collections.abc import Collection, Sequence
from typing import Annotated, Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    ForeignKey,
    String,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.server.errors import ServerError
from jantaku.server.processes.links import Topic
from jantaku.server.settings import LINKS_OF_ONE, PASSKEYS_OF_ONE, SESSIONS_OF_ONE
from jantaku.server.storage.base import Id, Milliseconds, Name, Object, StoredRow, Word, read_rows
from jantaku.server.storage.people import (
    DAY_MS,
    ONE_TIMES,
    WAYS,
    PersonRow,
    free_names,
    guest_marks,
    hashed,
    keyed,
    reserve_names,
    unique_name,
)
from jantaku.server.storage.store import OverStore, now_ms

SESSION_DAYS: Final = 90  # after its last use, give or take a half
SEEN_MS: Final = 300_000  # interval at which a session's last use is stored
ID_LENGTH: Final = 16


Token = Annotated[str, mapped_column(String(64), primary_key=True)]
"""The hash of something secret."""
Owner = Annotated[str, mapped_column(String(16), ForeignKey("people.id", ondelete="CASCADE"), index=True)]


class SessionRow(StoredRow):
    """A browser that is signed in; ``device`` is its name and the system."""

    __tablename__ = "sessions"

    token: Mapped[Token]
    person: Mapped[Id] = mapped_column(ForeignKey("people.id"), index=True)
    expires: Mapped[Milliseconds]
    since: Mapped[Milliseconds]
    seen: Mapped[Milliseconds]
    device: Mapped[str] = mapped_column(String(40))

    @property
    def id(self) -> str:
        """What its owner calls it."""
        return self.token[:ID_LENGTH]


class LinkRow(StoredRow):
    """A link that signs in once, and may give a role."""

    __tablename__ = "links"

    token: Mapped[Token]
    person: Mapped[Id] = mapped_column(ForeignKey("people.id"))
    role: Mapped[Word | None]
    expires: Mapped[Milliseconds]


class RecoveryCode(StoredRow):
    """A code that sets a new password once; hashed with a key, as are mail addresses and identities."""

    __tablename__ = "recovery_codes"

    code: Mapped[Token]
    person: Mapped[Id] = mapped_column(ForeignKey("people.id"), index=True)


class MailAddress(StoredRow):
    """An address to which a new password may be sent."""

    __tablename__ = "mail_addresses"

    person: Mapped[Id] = mapped_column(ForeignKey("people.id", ondelete="CASCADE"), primary_key=True)
    address: Mapped[Name] = mapped_column(index=True, repr=False)


class PasskeyRow(StoredRow):
    """A passkey; ``id`` is the hash of the browser's own id."""

    __tablename__ = "passkeys"

    id: Mapped[Name] = mapped_column(primary_key=True)
    person: Mapped[Owner]
    key: Mapped[bytes]  # the public one
    uses: Mapped[int]  # as the device counts them
    name: Mapped[str] = mapped_column(String(40))  # browser and system
    created: Mapped[Milliseconds] = mapped_column(default_factory=now_ms)


class Identity(StoredRow):
    """A person at the OpenID provider: the hash of the provider and the subject."""

    __tablename__ = "identities"

    mark: Mapped[Token]
    person: Mapped[Owner]
    created: Mapped[Milliseconds] = mapped_column(default_factory=now_ms)


class OneTimeRow(StoredRow):
    """What a token stands for that works once, within minutes or hours; hashed with a key."""

    __tablename__ = "one_times"

    token: Mapped[Token]
    kind: Mapped[Word]
    person: Mapped[Id | None] = mapped_column(ForeignKey("people.id", ondelete="CASCADE"), index=True)
    data: Mapped[Object]
    expires: Mapped[Milliseconds] = mapped_column(index=True)


async def end_ways(connection: AsyncConnection, person: str, *, but_mail: bool = False) -> None:
    """Delete all ways into an account besides passwords and recovery codes."""
    for rows in (PasskeyRow, Identity, OneTimeRow, *(() if but_mail else (MailAddress,))):
        await connection.execute(delete(rows).where(rows.person == person))


async def end_all(connection: AsyncConnection, person: str, but: str = "") -> None:
    """Delete all sessions and links of a person except the session with the token ``but``.

    What those sessions have begun ends, too: a mail or a passkey could be confirmed after them.
    """
    others = (SessionRow.person == person) & (SessionRow.token != hashed(but))
    await connection.execute(delete(SessionRow).where(others))
    for rows in (LinkRow, OneTimeRow):
        await connection.execute(delete(rows).where(rows.person == person))


async def set_role(connection: AsyncConnection, person: str, role: str) -> None:
    """Change the role of a person; their one-time links end, as these may give another role.

    An admin may have made links for anybody, so when one loses the role all links end.
    """
    before = (await connection.execute(select(PersonRow.role).where(PersonRow.id == person))).scalar()
    await connection.execute(update(PersonRow).where(PersonRow.id == person).values(role=role))
    everybody = before == "admin" != role
    await connection.execute(delete(LinkRow).where(true() if everybody else LinkRow.person == person))


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
        row = SessionRow(hashed(token), person, now + days * DAY_MS, now, now, device)
        async with self._store.writing() as connection:
            await connection.execute(delete(SessionRow).where(SessionRow.expires < now))
            await connection.execute(insert(SessionRow).values(row.values()))
            await keep_newest(connection, SessionRow, person, SESSIONS_OF_ONE)
        return token

    async def person(self, session: str) -> PersonRow | None:
        """The person of a session; ``session`` is the hash of its token."""
        query = select(PersonRow).join(SessionRow, SessionRow.person == PersonRow.id)
        return await self._store.one(query.where(SessionRow.token == session, SessionRow.expires >= now_ms()))

    async def began(self, person: str, session: str) -> int:
        """When somebody signed in to a session of theirs; 0 if it is not."""
        mine = (SessionRow.token == session) & (SessionRow.person == person)
        return await self._store.value(select(SessionRow.since).where(mine)) or 0

    async def renew(self, token: str, days: int) -> bool:
        """Record that a session is in use; past half of its ``days``, extend it and return True."""
        row, now = await self._store.one(select(SessionRow).where(_has_token(token))), now_ms()
        if row is None or now > row.expires:
            return False
        longer = row.expires < now + days * DAY_MS // 2
        if longer or now - row.seen >= SEEN_MS:
            values = {"seen": now} | ({"expires": now + days * DAY_MS} if longer else {})
            await self._store.write(update(SessionRow).where(_has_token(token)).values(values))
        return longer

    async def of(self, person: str) -> list[SessionRow]:
        """The sessions of a person, most recently used first."""
        query = select(SessionRow).where(SessionRow.person == person, SessionRow.expires >= now_ms())
        return await self._store.all(query.order_by(SessionRow.seen.desc()))

    async def end(self, token: str) -> None:
        """Delete a token."""
        await self._store.write(delete(SessionRow).where(_has_token(token)))

    async def end_one(self, person: str, session: str) -> None:
        """End a person's session by its id; raises ``no_session`` if there is none."""
        mine = (SessionRow.person == person) & SessionRow.token.startswith(session, autoescape=True)
        if not await self._store.write(delete(SessionRow).where(mine)):
            raise ServerError("no_session")

    async def end_others(self, person: str, token: str) -> None:
        """End every session and link of a person except the session with ``token``."""
        async with self._store.writing() as connection:
            await end_all(connection, person, but=token)


def _has_token(token: str) -> ColumnElement[bool]:
    return SessionRow.token == hashed(token)


async def keep_newest(
    connection: AsyncConnection, rows: type[SessionRow | LinkRow], person: str, most: int
) -> None:
    """Delete all sessions or links of a person but the ``most`` that expire last."""
    newest = select(rows.token).where(rows.person == person).order_by(rows.expires.desc(), rows.token)
    gone = list((await connection.execute(newest.offset(most))).scalars())
    if gone:
        await connection.execute(delete(rows).where(rows.token.in_(gone)))


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
        row = LinkRow(hashed(token), person, role, expires)
        async with self._store.writing() as connection:
            if admin is not None:
                query = select(PersonRow.role).where(PersonRow.id == admin)
                if (await connection.execute(query)).scalar() != "admin":
                    raise ServerError("not_allowed")
            await connection.execute(delete(LinkRow).where(LinkRow.expires < now_ms()))
            await connection.execute(insert(LinkRow).values(row.values()))
            await keep_newest(connection, LinkRow, person, LINKS_OF_ONE)
        return token, expires

    async def use(self, token: str) -> PersonRow:
        """Use up a one-time link and return its person; raises ``link_used`` if it does not exist."""
        async with self._store.writing() as connection:
            query = delete(LinkRow).where(LinkRow.token == hashed(token))
            row = (await connection.execute(query.returning(LinkRow))).first()
            if row is None or row.expires < now_ms():
                raise ServerError("link_used")
            if row.role is not None:
                await set_role(connection, row.person, row.role)
            (person,) = await read_rows(connection, select(PersonRow).where(PersonRow.id == row.person))
            return person


class RecoveryStore(OverStore):
    """All recovery codes."""

    async def left(self, person: str) -> int:
        """How many unused codes a person has."""
        query = select(func.count(RecoveryCode.code)).where(RecoveryCode.person == person)
        return int(await self._store.value(query))

    async def replace(self, person: str, codes: Sequence[str]) -> None:
        """Give a person new codes; the ones before stop working."""
        rows = [{"code": await keyed(self._store, WAYS, code), "person": person} for code in codes]
        async with self._store.counting() as connection:
            await connection.execute(delete(RecoveryCode).where(RecoveryCode.person == person))
            await connection.execute(insert(RecoveryCode), rows)

    async def use(self, person: str, code: str, password: str) -> bool:
        """Set a new password by a code and end all sessions and links; whether there was such a code."""
        mark = await keyed(self._store, WAYS, code)
        mine = (RecoveryCode.code == mark) & (RecoveryCode.person == person)
        async with self._store.writing() as connection:
            if not (await connection.execute(delete(RecoveryCode).where(mine))).rowcount:
                return False
            await connection.execute(
                update(PersonRow).where(PersonRow.id == person).values(password=password)
            )
            await end_ways(connection, person)
            await end_all(connection, person)
        return True


MOST_USES = 2**31 - 1  # that a column keeps; devices may count twice as far


class SignInStore(OverStore):
    """All ways into accounts."""

    async def open(self, person: PersonRow, skeletons: Collection[str], *, unlike: bool = False) -> PersonRow:
        """Make a guest the owner of an account and end all their sessions and links.

        A name that is not the guest's own gets a number if it must be ``unlike`` those of other guests.
        """
        guest = update(PersonRow).where(PersonRow.id == person.id, PersonRow.account.is_(None))
        marks = await guest_marks(self._store) if unlike else None
        with unique_name():
            async with self._store.counting() as connection:
                person, skeletons = await free_names(connection, person, skeletons, marks)
                values = {"name": person.name, "account": person.account, "password": person.password}
                opened = await connection.execute(guest.values(language=person.language, **values))
                if not opened.rowcount:
                    raise ServerError("has_account")
                await reserve_names(connection, person.id, skeletons)
                await end_all(connection, person.id)
        return person

    async def give_role(self, person: str, role: str) -> None:
        """Change the role of a person; see ``set_role``."""
        async with self._store.writing() as connection:
            await set_role(connection, person, role)

    async def change_password(self, person: str, before: str | None, password: str, session: str) -> bool:
        """Replace the password if the stored one is still ``before``; only the token ``session`` survives.

        Whoever knew the password could have made recovery codes and other ways in, so these end with it.
        """
        same = PersonRow.password.is_(None) if before is None else PersonRow.password == before
        async with self._store.writing() as connection:
            changed = update(PersonRow).where(PersonRow.id == person, same).values(password=password)
            if not (await connection.execute(changed)).rowcount:
                return False
            if before is not None:
                await connection.execute(delete(RecoveryCode).where(RecoveryCode.person == person))
                await end_ways(connection, person)
            await end_all(connection, person, but=session)
        return True

    async def put(self, kind: str, person: str | None, data: dict[str, Any], lasts_s: int) -> str:
        """A new token that ``take`` gives back once."""
        token, now = secrets.token_urlsafe(32), now_ms()
        mark = await keyed(self._store, ONE_TIMES, token)
        row = OneTimeRow(mark, kind, person, data, now + lasts_s * 1000)
        async with self._store.writing() as connection:
            await connection.execute(delete(OneTimeRow).where(OneTimeRow.expires < now))
            await connection.execute(insert(OneTimeRow).values(row.values()))
        return token

    async def take(self, kind: str, token: str) -> OneTimeRow | None:
        """What a token stands for, which is used up by that; ``None`` if it is unknown or has expired."""
        mine = (OneTimeRow.token == await keyed(self._store, ONE_TIMES, token)) & (OneTimeRow.kind == kind)
        async with self._store.writing() as connection:
            row: Any = (
                await connection.execute(delete(OneTimeRow).where(mine).returning(OneTimeRow))
            ).first()
        return None if row is None or row.expires < now_ms() else OneTimeRow(*row)

    async def mark(self, text: str) -> str:
        """The stored hash of a mail address, or of a person at an OpenID provider."""
        return await keyed(self._store, WAYS, text)

    async def has_address(self, person: str) -> bool:
        """Whether a person has a mail address."""
        query = select(MailAddress.person).where(MailAddress.person == person)
        return await self._store.first(query) is not None

    async def set_address(self, person: str, address: str | None) -> None:
        """Give a person a mail address by its mark, instead of any before; ``None``: none.

        Links that were sent to others end.
        """
        async with self._store.writing() as connection:
            for rows in (MailAddress, OneTimeRow):
                await connection.execute(delete(rows).where(rows.person == person))
            if address is not None:
                await connection.execute(insert(MailAddress).values(person=person, address=address))

    async def of_address(self, address: str, most: int) -> list[PersonRow]:
        """The people who have a mail address, by its mark."""
        query = select(PersonRow).join(MailAddress, MailAddress.person == PersonRow.id)
        query = query.where(MailAddress.address == address).order_by(PersonRow.account).limit(most)
        return await self._store.all(query)

    async def reset(self, person: str, password: str) -> None:
        """Set a new password for whoever has read the mail: all sessions end, and the other ways in."""
        async with self._store.writing() as connection:
            await connection.execute(
                update(PersonRow).where(PersonRow.id == person).values(password=password)
            )
            await connection.execute(delete(RecoveryCode).where(RecoveryCode.person == person))
            await end_ways(connection, person, but_mail=True)
            await end_all(connection, person)

    async def add_passkey(self, row: PasskeyRow) -> None:
        """Store a passkey; raises ``passkey_refused`` if it is known or the person has too many."""
        mine = select(PasskeyRow.id).where(PasskeyRow.person == row.person)
        try:
            async with self._store.counting() as connection:
                if len((await connection.execute(mine)).all()) >= PASSKEYS_OF_ONE:
                    raise ServerError("passkey_refused")
                values = row.values() | {"uses": min(row.uses, MOST_USES)}
                await connection.execute(insert(PasskeyRow).values(values))
        except IntegrityError as error:
            raise ServerError("passkey_refused") from error

    async def passkeys_of(self, person: str) -> list[PasskeyRow]:
        """The passkeys of a person, oldest first."""
        query = select(PasskeyRow).where(PasskeyRow.person == person).order_by(PasskeyRow.created)
        return await self._store.all(query)

    async def passkey(self, key_id: str) -> tuple[PasskeyRow, PersonRow] | None:
        """A passkey by its id, and whose it is."""
        passkey = await self._store.one(select(PasskeyRow).where(PasskeyRow.id == key_id))
        if passkey is None:
            return None
        owner = await self._store.one(select(PersonRow).where(PersonRow.id == passkey.person))
        return None if owner is None else (passkey, owner)

    async def used_passkey(self, key_id: str, before: int, uses: int) -> bool:
        """Note how often a passkey was used by its own count; whether no other use came before."""
        mine = (PasskeyRow.id == key_id) & (PasskeyRow.uses == before)
        used = update(PasskeyRow).where(mine).values(uses=min(uses, MOST_USES))
        return bool(await self._store.write(used))

    async def remove_passkey(self, person: str, key_id: str) -> None:
        """Delete a passkey of a person; raises ``no_passkey`` if there is none, or ``last_way``."""
        mine = (PasskeyRow.id == key_id) & (PasskeyRow.person == person)
        async with self._store.counting() as connection:
            if not (await connection.execute(delete(PasskeyRow).where(mine))).rowcount:
                raise ServerError("no_passkey")
            await _check_ways(connection, person)

    async def identity(self, mark: str) -> PersonRow | None:
        """The person with an identity."""
        query = select(PersonRow).join(Identity, Identity.person == PersonRow.id)
        return await self._store.one(query.where(Identity.mark == mark))

    async def has_identity(self, person: str) -> bool:
        """Whether a person can sign in at the provider."""
        query = select(Identity.mark).where(Identity.person == person)
        return await self._store.first(query) is not None

    async def add_identity(self, person: str, mark: str) -> None:
        """Let an identity sign in as a person; raises ``identity_taken`` if it is another one's."""
        try:
            await self._store.write(insert(Identity).values(Identity(mark, person).values()))
        except IntegrityError as error:
            raise ServerError("identity_taken") from error

    async def remove_identities(self, person: str) -> None:
        """Let no identity sign in as a person any more; raises ``last_way`` if nothing else does."""
        async with self._store.counting() as connection:
            await connection.execute(delete(Identity).where(Identity.person == person))
            await _check_ways(connection, person)


async def _check_ways(connection: AsyncConnection, person: str) -> None:
    """Raise ``last_way`` if nothing opens an account any more."""
    query = select(PersonRow.id).where(PersonRow.id == person)
    others = (exists().where(rows.person == person) for rows in (PasskeyRow, Identity))
    query = query.where(or_(PersonRow.password.is_not(None), *others))
    if (await connection.execute(query)).first() is None:
        raise ServerError("last_way")
