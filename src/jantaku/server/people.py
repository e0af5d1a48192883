"""Coming in: as a guest, with a password, by a one-time link; and what each role may do."""

import asyncio
import unicodedata
from collections.abc import Iterable
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from jantaku.server.errors import ServerError
from jantaku.server.services import Services
from jantaku.server.storage.accounts import PersonRow, new_id

HASHER: Final = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)  # argon2id
ROLES: Final = ("player", "referee", "organiser", "admin")
ADMIN: Final = "admin"  # the account of whoever runs the server
ENDS_TABLES: Final = ("organiser", "admin")
_NOBODY: Final = HASHER.hash("nobody's password")  # so that an unknown name takes as long as a wrong word


def account_of(name: str) -> str:
    """The name by which an account is found: case, width and spaces at the ends do not matter."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def shown_name(name: str) -> str:
    """A name as it is shown: without marks that turn text around, and not empty."""
    kept = "".join(one for one in unicodedata.normalize("NFC", name) if unicodedata.category(one)[0] != "C")
    found = " ".join(kept.split())[:24]
    if not found:
        raise ServerError("empty_name")
    return found


def may(person: PersonRow, roles: Iterable[str]) -> bool:
    """Whether somebody has one of the roles."""
    return person.role in roles


def demand(person: PersonRow, roles: Iterable[str]) -> None:
    """``not_allowed`` unless somebody has one of the roles."""
    if not may(person, roles):
        raise ServerError("not_allowed")


class People:
    """Who comes in, and how."""

    def __init__(self, services: Services) -> None:
        self._accounts = services.accounts
        self._settings = services.settings

    async def guest(self, name: str, language: str) -> PersonRow:
        """Somebody new, by name alone."""
        person = PersonRow(new_id(), shown_name(name), None, "player", language)
        await self._accounts.add(person)
        return person

    async def register(self, who: PersonRow | None, name: str, password: str, language: str) -> PersonRow:
        """Open an account; a guest becomes its owner."""
        shown, account = shown_name(name), account_of(name)
        if who is not None and not who.guest:
            raise ServerError("has_account")
        if await self._accounts.by_account(account) is not None:
            raise ServerError("name_taken")
        hashed = await asyncio.to_thread(HASHER.hash, password)
        if who is None:
            who = PersonRow(new_id(), shown, account, "player", language)
            await self._accounts.add(who, hashed)
            return who
        await self._accounts.change(who.id, name=shown, account=account, password=hashed, language=language)
        return who._replace(name=shown, account=account, language=language)

    async def login(self, name: str, password: str) -> PersonRow:
        """The person of a name and password; ``wrong_password`` for either."""
        found = await self._accounts.by_account(account_of(name))
        person, hashed = found or (None, None)
        right = await asyncio.to_thread(_fits, hashed or _NOBODY, password)
        if person is None or hashed is None or not right:
            raise ServerError("wrong_password")
        return person

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
                await self._accounts.add(person)
        return await self._accounts.new_link(person.id, role, self._settings.link_hours)

    async def admin_token(self, *, always: bool) -> str | None:
        """A one-time token for the admin: whenever it is asked for, else while there is no account."""
        if not always and await self._accounts.number_of_accounts():
            return None
        found = await self._accounts.by_account(ADMIN)
        admin = found[0] if found else PersonRow(new_id(), ADMIN, ADMIN, "admin", "en")
        if found is None:
            await self._accounts.add(admin)
        token, _ = await self._accounts.new_link(admin.id, "admin", self._settings.link_hours)
        return token


def _fits(hashed: str, password: str) -> bool:
    try:
        return HASHER.verify(hashed, password)
    except (Argon2Error, InvalidHashError):
        return False
