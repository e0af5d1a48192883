"""Coming in: as a guest, with a password, by a one-time link; and what each role may do."""

import asyncio
from collections.abc import Iterable
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from jantaku.server.errors import ServerError
from jantaku.server.known import Whence, is_known, sign_of, with_sign
from jantaku.server.names import ADMIN, account_of, check_reserved, shown_name, skeleton
from jantaku.server.security import Rates
from jantaku.server.services import Services
from jantaku.server.storage.accounts import PersonRow, new_id

HASHER: Final = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)  # argon2id
ENDS_TABLES: Final = ("organiser", "admin")
_NOBODY: Final = HASHER.hash("nobody's password")  # so that an unknown name takes as long as a wrong word


def may(person: PersonRow, roles: Iterable[str]) -> bool:
    """Whether somebody has one of the roles."""
    return person.role in roles


def demand(person: PersonRow, roles: Iterable[str]) -> None:
    """``not_allowed`` unless somebody has one of the roles."""
    if not may(person, roles):
        raise ServerError("not_allowed")


class AccountService:
    """Who comes in, and how."""

    def __init__(self, services: Services) -> None:
        self._accounts = services.accounts
        self._sessions = services.sessions
        self._settings = services.settings
        limits = services.settings.limits
        self._tries = Rates(limits.tries_of_address_per_h / 3600, limits.tries_of_address_per_h)
        self._strange_tries = Rates(limits.tries_of_account_per_h / 3600, limits.tries_of_account_per_h)

    async def guest(self, name: str, language: str) -> PersonRow:
        """Somebody new, by name alone."""
        person = PersonRow(new_id(), await self.free_name("", name), None, "player", language)
        await self._accounts.add(person)
        return person

    async def free_name(self, person: str, name: str) -> str:
        """A name as it is shown, which looks like no bot's and no account's of anybody but ``person``."""
        shown = shown_name(name)
        check_reserved(shown)
        await self._accounts.check_names(person, [skeleton(shown)])
        return shown

    async def register(
        self, who: PersonRow | None, name: str, password: str, language: str, whence: Whence
    ) -> PersonRow:
        """Open an account; a guest becomes its owner, and whoever else was signed in as the guest is not."""
        shown = shown_name(name)
        account = account_of(shown)
        if who is not None and not who.guest:
            raise ServerError("has_account")
        check_reserved(shown)
        self._one_try(f"new {account} {whence.address}")
        if await self._accounts.by_account(account) is not None:
            raise ServerError("name_taken")
        hashed = await asyncio.to_thread(HASHER.hash, password)
        looks = _looks(shown, account)
        if who is None:
            who = PersonRow(new_id(), shown, account, "player", language)
            await self._accounts.add(who, hashed, looks)
            return who
        who = who._replace(name=shown, account=account, language=language)
        await self._accounts.open(who, hashed, looks)
        return who

    async def rename(self, who: PersonRow, name: str) -> PersonRow:
        """Show somebody under another name; the name of an account stays the one to sign in with."""
        if who.account is None:
            shown = await self.free_name(who.id, name)
            await self._accounts.change(who.id, name=shown)
            return who._replace(name=shown)
        shown = shown_name(name)
        if skeleton(shown) not in _looks(who.account):  # the admin may be called admin
            check_reserved(shown)
        await self._accounts.rename(who.id, shown, _looks(shown, who.account))
        return who._replace(name=shown)

    async def login(self, name: str, password: str, whence: Whence) -> PersonRow:
        """The person of a name and password; ``wrong_password`` for either.

        Tries from a browser that the owner has used count for that browser alone. All others count for their
        address and, together, for the account: guessing stays bounded and does not shut the owner out.
        """
        account = account_of(name)
        found = await self._accounts.by_account(account)
        person, hashed = found or (None, None)
        known = person is not None and is_known(whence, person.id, hashed)
        tries = f"{whence.browser if known else whence.address} {account}"
        self._one_try(tries)
        if not known and not self._strange_tries.take(account):
            raise ServerError("too_many_tries")
        right = await asyncio.to_thread(_fits, hashed or _NOBODY, password)
        if person is None or hashed is None or not right:
            raise ServerError("wrong_password")
        self._tries.give_back(tries)
        if not known:
            self._strange_tries.give_back(account)
        return person

    async def change_password(self, who: PersonRow, old: str | None, new: str, session: str) -> None:
        """Another password, for whoever knows the old one; every other session and link of theirs ends.

        Somebody who has always come in by links has no password yet, and needs none to set the first.
        """
        if who.account is None:
            raise ServerError("no_account")
        tries = f"own {who.id}"
        self._one_try(tries)
        before = await self._accounts.password(who.id)
        if before is not None and not await asyncio.to_thread(_fits, before, old or ""):
            raise ServerError("wrong_old_password", field="old")
        hashed = await asyncio.to_thread(HASHER.hash, new)
        if not await self._accounts.change_password(who.id, before, hashed, session):
            raise ServerError("wrong_old_password", field="old")
        self._tries.give_back(tries)

    async def sign(self, who: PersonRow, whence: Whence) -> str:
        """The signs of a browser in which ``who`` is signed in; as before where there is no password."""
        password = None if who.account is None else await self._accounts.password(who.id)
        return (
            with_sign(whence.signs, sign_of(who.id, password, whence.browser)) if password else whence.signs
        )

    def _one_try(self, key: str) -> None:
        """Count a try at a password before it is looked at, so that none slips by in parallel."""
        if not self._tries.take(key):
            raise ServerError("too_many_tries")

    async def link(self, who: PersonRow, name: str | None, role: str | None) -> tuple[str, int]:
        """A one-time token: for oneself, or, by an admin, for somebody by name, who is made where need be."""
        person = who
        if name is not None or role is not None:
            demand(who, ("admin",))
        if name is not None:
            account = account_of(name)
            found = await self._accounts.by_account(account)
            person = (
                found[0] if found else PersonRow(new_id(), shown_name(name), account, "player", who.language)
            )
            if not found:
                check_reserved(name)
                await self._accounts.add(person, skeletons=_looks(person.name, account))
        return await self._sessions.new_link(person.id, role, self._settings.link_hours)

    async def admin_token(self, *, always: bool) -> str | None:
        """A one-time token for the admin: whenever it is asked for, else while there is no account."""
        if not always and await self._accounts.number_of_accounts():
            return None
        found = await self._accounts.by_account(ADMIN)
        admin = found[0] if found else PersonRow(new_id(), ADMIN, ADMIN, "admin", "en")
        if found is None:
            await self._accounts.add(admin, skeletons=_looks(ADMIN))
        token, _ = await self._sessions.new_link(admin.id, "admin", self._settings.link_hours)
        return token


def _looks(*names: str) -> list[str]:
    """What the names of one account look like."""
    return list(dict.fromkeys(map(skeleton, names)))


def _fits(hashed: str, password: str) -> bool:
    try:
        return HASHER.verify(hashed, password)
    except (Argon2Error, InvalidHashError):
        return False
