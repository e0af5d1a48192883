"""Stored sessions, one-time links, recovery codes, mail addresses, passkeys and OpenID identities."""

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
    ONE_TIME_KEY,
    SIGN_IN_KEY,
    PersonRow,
    free_names,
    guest_marks,
    hashed,
    keyed_hash,
    reserve_names,
    unique_name,
)
from jantaku.server.storage.store import Repository, now_ms

SESSION_DAYS: Final = 90  # lifetime of a session; it is extended when half of it has passed
SEEN_MS: Final = 300_000  # minimum interval between updates of a session's last use
ID_LENGTH: Final = 16


Token = Annotated[str, mapped_column(String(64), primary_key=True)]
"""Hash of a secret."""
Owner = Annotated[str, mapped_column(String(16), ForeignKey("people.id", ondelete="CASCADE"), index=True)]


class SessionRow(StoredRow):
    """A signed-in browser; ``device`` names the browser and the operating system."""

    __tablename__ = "sessions"

    token: Mapped[Token]
    person: Mapped[Id] = mapped_column(ForeignKey("people.id"), index=True)
    expires: Mapped[Milliseconds]
    since: Mapped[Milliseconds]
    seen: Mapped[Milliseconds]
    device: Mapped[str] = mapped_column(String(40))

    @property
    def id(self) -> str:
        """Public id in the owner's list of sessions."""
        return self.token[:ID_LENGTH]


class LinkRow(StoredRow):
    """A one-time sign-in link, which may also grant a role."""

    __tablename__ = "links"

    token: Mapped[Token]
    person: Mapped[Id] = mapped_column(ForeignKey("people.id"))
    role: Mapped[Word | None]
    expires: Mapped[Milliseconds]


class RecoveryCode(StoredRow):
    """A one-time code for setting a new password. Codes, mail addresses and identities are keyed hashes."""

    __tablename__ = "recovery_codes"

    code: Mapped[Token]
    person: Mapped[Id] = mapped_column(ForeignKey("people.id"), index=True)


class MailAddress(StoredRow):
    """A person's mail address for resetting the password."""

    __tablename__ = "mail_addresses"

    person: Mapped[Id] = mapped_column(ForeignKey("people.id", ondelete="CASCADE"), primary_key=True)
    address: Mapped[Name] = mapped_column(index=True, repr=False)


class PasskeyRow(StoredRow):
    """A passkey; ``id`` is the hash of the browser's own id."""

    __tablename__ = "passkeys"

    id: Mapped[Name] = mapped_column(primary_key=True)
    person: Mapped[Owner]
    key: Mapped[bytes]  # the public key
    uses: Mapped[int]  # signature counter of the device
    name: Mapped[str] = mapped_column(String(40))  # browser and operating system
    created: Mapped[Milliseconds] = mapped_column(default_factory=now_ms)


class Identity(StoredRow):
    """An OpenID identity of a person; ``mark`` is the keyed hash of the provider and the subject."""

    __tablename__ = "identities"

    mark: Mapped[Token]
    person: Mapped[Owner]
    created: Mapped[Milliseconds] = mapped_column(default_factory=now_ms)


class OneTimeRow(StoredRow):
    """The data of a one-time token, which expires after minutes or hours; the token is a keyed hash."""

    __tablename__ = "one_times"

    token: Mapped[Token]
    kind: Mapped[Word]
    person: Mapped[Id | None] = mapped_column(ForeignKey("people.id", ondelete="CASCADE"), index=True)
    data: Mapped[Object]
    expires: Mapped[Milliseconds] = mapped_column(index=True)


async def delete_credentials(connection: AsyncConnection, person: str, *, keep_mail: bool = False) -> None:
    """Delete a person's passkeys, identities and one-time tokens, and the mail unless ``keep_mail``."""
    for rows in (PasskeyRow, Identity, OneTimeRow, *(() if keep_mail else (MailAddress,))):
        await connection.execute(delete(rows).where(rows.person == person))


async def end_sessions(connection: AsyncConnection, person: str, but: str = "") -> None:
    """Delete all sessions, links and one-time tokens of a person except the session with the token ``but``.

    Without this, a deleted session could still complete a mail confirmation or passkey it had started.
    """
    others = (SessionRow.person == person) & (SessionRow.token != hashed(but))
    await connection.execute(delete(SessionRow).where(others))
    for rows in (LinkRow, OneTimeRow):
        await connection.execute(delete(rows).where(rows.person == person))


async def set_role(connection: AsyncConnection, person: str, role: str) -> None:
    """Change the role of a person and delete their one-time links, which may grant another role.

    An admin may have created links for anyone, so all links are deleted when an admin loses the role.
    """
    before = (await connection.execute(select(PersonRow.role).where(PersonRow.id == person))).scalar()
    await connection.execute(update(PersonRow).where(PersonRow.id == person).values(role=role))
    demoted = before == "admin" != role
    await connection.execute(delete(LinkRow).where(true() if demoted else LinkRow.person == person))


def session_id(token: str) -> str:
    """Return the id of a session in its owner's list; it is not secret and cannot be used to sign in."""
    return hashed(token)[:ID_LENGTH]


class EndedSessions(NamedTuple):
    """A set of ended sessions, by ids: those of a ``person``, a single ``session``, or all ``but`` one."""

    person: str = ""
    session: str = ""
    but: str = ""

    def has(self, person: str, session: str) -> bool:
        """Whether a session has ended.

        >>> [EndedSessions("mina", but="b").has(*one) for one in (("mina", "a"), ("mina", "b"), ("jun", "a"))]
        [True, False, False]
        """
        mine = self.person in ("", person) and self.session in ("", session)
        return mine and self.but != session


SIGNED_OUT = Topic[EndedSessions]("signed_out")


class Sessions(Repository):
    """Reads and writes sessions."""

    async def begin(self, person: str, days: int, device: str = "") -> str:
        """Create a session and return its token; the oldest sessions beyond the limit are deleted."""
        token, now = secrets.token_urlsafe(32), now_ms()
        row = SessionRow(hashed(token), person, now + days * DAY_MS, now, now, device)
        async with self._store.writing() as connection:
            await connection.execute(delete(SessionRow).where(SessionRow.expires < now))
            await connection.execute(insert(SessionRow).values(row.values()))
            await limit_tokens(connection, SessionRow, person, SESSIONS_OF_ONE)
        return token

    async def person(self, session: str) -> PersonRow | None:
        """Return the person of an unexpired session; ``session`` is the hash of its token."""
        query = select(PersonRow).join(SessionRow, SessionRow.person == PersonRow.id)
        return await self._store.one(query.where(SessionRow.token == session, SessionRow.expires >= now_ms()))

    async def began(self, person: str, session: str) -> int:
        """Return when (ms) a person's session began; 0 if the person has no such session."""
        mine = (SessionRow.token == session) & (SessionRow.person == person)
        return await self._store.value(select(SessionRow.since).where(mine)) or 0

    async def renew(self, token: str, days: int) -> bool:
        """Record the use of a session; after half of its ``days``, extend it and return True."""
        row, now = await self._store.one(select(SessionRow).where(_has_token(token))), now_ms()
        if row is None or now > row.expires:
            return False
        longer = row.expires < now + days * DAY_MS // 2
        if longer or now - row.seen >= SEEN_MS:
            values = {"seen": now} | ({"expires": now + days * DAY_MS} if longer else {})
            await self._store.write(update(SessionRow).where(_has_token(token)).values(values))
        return longer

    async def of(self, person: str) -> list[SessionRow]:
        """Return the sessions of a person, most recently used first."""
        query = select(SessionRow).where(SessionRow.person == person, SessionRow.expires >= now_ms())
        return await self._store.all(query.order_by(SessionRow.seen.desc()))

    async def end(self, token: str) -> None:
        """Delete the session with this token."""
        await self._store.write(delete(SessionRow).where(_has_token(token)))

    async def end_one(self, person: str, session: str) -> None:
        """Delete a person's session by its id; raises ``ServerError("no_session")`` if there is none."""
        mine = (SessionRow.person == person) & SessionRow.token.startswith(session, autoescape=True)
        if not await self._store.write(delete(SessionRow).where(mine)):
            raise ServerError("no_session")

    async def end_others(self, person: str, token: str) -> None:
        """Delete every session and link of a person except the session with ``token``."""
        async with self._store.writing() as connection:
            await end_sessions(connection, person, but=token)


def _has_token(token: str) -> ColumnElement[bool]:
    return SessionRow.token == hashed(token)


async def limit_tokens(
    connection: AsyncConnection, rows: type[SessionRow | LinkRow], person: str, limit: int
) -> None:
    """Delete a person's sessions or links except the ``limit`` ones that expire last."""
    newest = select(rows.token).where(rows.person == person).order_by(rows.expires.desc(), rows.token)
    surplus = list((await connection.execute(newest.offset(limit))).scalars())
    if surplus:
        await connection.execute(delete(rows).where(rows.token.in_(surplus)))


HOUR_MS: Final = 3_600_000
LINK_HOURS: Final = 24  # lifetime of an unused link


class OneTimeLinks(Repository):
    """Creates and redeems one-time sign-in links."""

    async def create(
        self, person: str, role: str | None, admin: str | None = None, hours: int = LINK_HOURS
    ) -> tuple[str, int]:
        """Create a one-time sign-in token; return it with its expiry in ms.

        ``admin`` is the account issuing it for someone else or with a role; raises
        ``ServerError("not_allowed")`` unless that account is an admin.
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
            await limit_tokens(connection, LinkRow, person, LINKS_OF_ONE)
        return token, expires

    async def use(self, token: str) -> PersonRow:
        """Redeem a link and return its person; raises ``link_used`` if it was used or has expired."""
        async with self._store.writing() as connection:
            query = delete(LinkRow).where(LinkRow.token == hashed(token))
            row = (await connection.execute(query.returning(LinkRow))).first()
            if row is None or row.expires < now_ms():
                raise ServerError("link_used")
            if row.role is not None:
                await set_role(connection, row.person, row.role)
            (person,) = await read_rows(connection, select(PersonRow).where(PersonRow.id == row.person))
            return person


class RecoveryStore(Repository):
    """Reads and redeems recovery codes."""

    async def count_unused(self, person: str) -> int:
        """Return the number of unused codes of a person."""
        query = select(func.count(RecoveryCode.code)).where(RecoveryCode.person == person)
        return int(await self._store.value(query))

    async def replace(self, person: str, codes: Sequence[str]) -> None:
        """Replace all recovery codes of a person."""
        rows = [
            {"code": await keyed_hash(self._store, SIGN_IN_KEY, code), "person": person} for code in codes
        ]
        async with self._store.exclusive() as connection:
            await connection.execute(delete(RecoveryCode).where(RecoveryCode.person == person))
            await connection.execute(insert(RecoveryCode), rows)

    async def use(self, person: str, code: str, password: str) -> bool:
        """Redeem a code: set a new password and delete all sessions and other credentials.

        Returns whether the code was valid.
        """
        mark = await keyed_hash(self._store, SIGN_IN_KEY, code)
        mine = (RecoveryCode.code == mark) & (RecoveryCode.person == person)
        async with self._store.writing() as connection:
            if not (await connection.execute(delete(RecoveryCode).where(mine))).rowcount:
                return False
            await connection.execute(
                update(PersonRow).where(PersonRow.id == person).values(password=password)
            )
            await delete_credentials(connection, person)
            await end_sessions(connection, person)
        return True


MAX_USES = 2**31 - 1  # limit of the column; signature counters of devices are unsigned


class SignInStore(Repository):
    """Reads and writes the credentials of accounts."""

    async def open(self, person: PersonRow, skeletons: Collection[str], *, unique: bool = False) -> PersonRow:
        """Turn a guest into an account and delete all their sessions and links.

        With ``unique``, a name that a guest has used gets a number. Raises ``ServerError`` with
        ``has_account``, ``name_taken`` or ``name_like``.
        """
        guest = update(PersonRow).where(PersonRow.id == person.id, PersonRow.account.is_(None))
        marks = await guest_marks(self._store) if unique else None
        with unique_name():
            async with self._store.exclusive() as connection:
                person, skeletons = await free_names(connection, person, skeletons, marks)
                values = {"name": person.name, "account": person.account, "password": person.password}
                opened = await connection.execute(guest.values(language=person.language, **values))
                if not opened.rowcount:
                    raise ServerError("has_account")
                await reserve_names(connection, person.id, skeletons)
                await end_sessions(connection, person.id)
        return person

    async def give_role(self, person: str, role: str) -> None:
        """Call ``set_role`` in its own transaction."""
        async with self._store.writing() as connection:
            await set_role(connection, person, role)

    async def change_password(self, person: str, before: str | None, password: str, session: str) -> bool:
        """Replace the password if its stored hash is still ``before``; return whether it was replaced.

        Only the session with the token ``session`` survives. Anyone who knew the old password could have
        created recovery codes and other credentials, so these are deleted as well.
        """
        same = PersonRow.password.is_(None) if before is None else PersonRow.password == before
        async with self._store.writing() as connection:
            changed = update(PersonRow).where(PersonRow.id == person, same).values(password=password)
            if not (await connection.execute(changed)).rowcount:
                return False
            if before is not None:
                await connection.execute(delete(RecoveryCode).where(RecoveryCode.person == person))
                await delete_credentials(connection, person)
            await end_sessions(connection, person, but=session)
        return True

    async def issue(self, kind: str, person: str | None, data: dict[str, Any], lasts_s: int) -> str:
        """Store data under a new one-time token and return the token; see ``redeem``."""
        token, now = secrets.token_urlsafe(32), now_ms()
        mark = await keyed_hash(self._store, ONE_TIME_KEY, token)
        row = OneTimeRow(mark, kind, person, data, now + lasts_s * 1000)
        async with self._store.writing() as connection:
            await connection.execute(delete(OneTimeRow).where(OneTimeRow.expires < now))
            await connection.execute(insert(OneTimeRow).values(row.values()))
        return token

    async def redeem(self, kind: str, token: str) -> OneTimeRow | None:
        """Delete a one-time token and return its row; ``None`` if it is unknown or has expired."""
        mine = (OneTimeRow.token == await keyed_hash(self._store, ONE_TIME_KEY, token)) & (
            OneTimeRow.kind == kind
        )
        async with self._store.writing() as connection:
            row: Any = (
                await connection.execute(delete(OneTimeRow).where(mine).returning(OneTimeRow))
            ).first()
        return None if row is None or row.expires < now_ms() else OneTimeRow(*row)

    async def mark(self, text: str) -> str:
        """Return the stored hash of a mail address or an OpenID identity."""
        return await keyed_hash(self._store, SIGN_IN_KEY, text)

    async def has_address(self, person: str) -> bool:
        """Whether a person has a mail address."""
        query = select(MailAddress.person).where(MailAddress.person == person)
        return await self._store.first(query) is not None

    async def set_address(self, person: str, address: str | None) -> None:
        """Set a person's mail address by its hash, or remove it with ``None``.

        One-time tokens sent to the previous address are deleted.
        """
        async with self._store.writing() as connection:
            for rows in (MailAddress, OneTimeRow):
                await connection.execute(delete(rows).where(rows.person == person))
            if address is not None:
                await connection.execute(insert(MailAddress).values(person=person, address=address))

    async def of_address(self, address: str, limit: int) -> list[PersonRow]:
        """Return the people with this mail address, given its hash."""
        query = select(PersonRow).join(MailAddress, MailAddress.person == PersonRow.id)
        query = query.where(MailAddress.address == address).order_by(PersonRow.account).limit(limit)
        return await self._store.all(query)

    async def reset(self, person: str, password: str) -> None:
        """Set a new password after a mail reset; delete all sessions, and all credentials except the mail."""
        async with self._store.writing() as connection:
            await connection.execute(
                update(PersonRow).where(PersonRow.id == person).values(password=password)
            )
            await connection.execute(delete(RecoveryCode).where(RecoveryCode.person == person))
            await delete_credentials(connection, person, keep_mail=True)
            await end_sessions(connection, person)

    async def add_passkey(self, row: PasskeyRow) -> None:
        """Store a passkey; raises ``ServerError("passkey_refused")`` if it exists or there are too many."""
        mine = select(PasskeyRow.id).where(PasskeyRow.person == row.person)
        try:
            async with self._store.exclusive() as connection:
                if len((await connection.execute(mine)).all()) >= PASSKEYS_OF_ONE:
                    raise ServerError("passkey_refused")
                values = row.values() | {"uses": min(row.uses, MAX_USES)}
                await connection.execute(insert(PasskeyRow).values(values))
        except IntegrityError as error:
            raise ServerError("passkey_refused") from error

    async def passkeys_of(self, person: str) -> list[PasskeyRow]:
        """Return the passkeys of a person, oldest first."""
        query = select(PasskeyRow).where(PasskeyRow.person == person).order_by(PasskeyRow.created)
        return await self._store.all(query)

    async def passkey(self, key_id: str) -> tuple[PasskeyRow, PersonRow] | None:
        """Return a passkey and its owner."""
        passkey = await self._store.one(select(PasskeyRow).where(PasskeyRow.id == key_id))
        if passkey is None:
            return None
        owner = await self._store.one(select(PersonRow).where(PersonRow.id == passkey.person))
        return None if owner is None else (passkey, owner)

    async def record_passkey_use(self, key_id: str, before: int, uses: int) -> bool:
        """Set the signature counter from ``before`` to ``uses``; ``False`` if it is not ``before``."""
        mine = (PasskeyRow.id == key_id) & (PasskeyRow.uses == before)
        used = update(PasskeyRow).where(mine).values(uses=min(uses, MAX_USES))
        return bool(await self._store.write(used))

    async def remove_passkey(self, person: str, key_id: str) -> None:
        """Delete a passkey of a person; raises ``ServerError`` with ``no_passkey`` or ``last_way``."""
        mine = (PasskeyRow.id == key_id) & (PasskeyRow.person == person)
        async with self._store.exclusive() as connection:
            if not (await connection.execute(delete(PasskeyRow).where(mine))).rowcount:
                raise ServerError("no_passkey")
            await _check_last_way(connection, person)

    async def identity(self, mark: str) -> PersonRow | None:
        """Return the person with this OpenID identity, given its hash."""
        query = select(PersonRow).join(Identity, Identity.person == PersonRow.id)
        return await self._store.one(query.where(Identity.mark == mark))

    async def has_identity(self, person: str) -> bool:
        """Whether a person can sign in with OpenID."""
        query = select(Identity.mark).where(Identity.person == person)
        return await self._store.first(query) is not None

    async def add_identity(self, person: str, mark: str) -> None:
        """Link an identity to a person; raises ``ServerError("identity_taken")`` if it is already linked."""
        try:
            await self._store.write(insert(Identity).values(Identity(mark, person).values()))
        except IntegrityError as error:
            raise ServerError("identity_taken") from error

    async def remove_identities(self, person: str) -> None:
        """Unlink all identities of a person; raises ``last_way`` if no other credential is left."""
        async with self._store.exclusive() as connection:
            await connection.execute(delete(Identity).where(Identity.person == person))
            await _check_last_way(connection, person)


async def _check_last_way(connection: AsyncConnection, person: str) -> None:
    """Raise ``ServerError("last_way")`` if an account has no password, passkey or identity left."""
    query = select(PersonRow.id).where(PersonRow.id == person)
    others = (exists().where(rows.person == person) for rows in (PasskeyRow, Identity))
    query = query.where(or_(PersonRow.password.is_not(None), *others))
    if (await connection.execute(query)).first() is None:
        raise ServerError("last_way")
