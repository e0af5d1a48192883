"""Accounts: guests, passwords, one-time links and recovery codes."""

import asyncio
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from jantaku.club.namesakes import same_name
from jantaku.server.edge.limits import SESSION, Rates, wide_network_of
from jantaku.server.errors import ServerError
from jantaku.server.names import ADMIN, check_reserved, is_numbered, shown_name, skeleton
from jantaku.server.people.auth_dependencies import SignInOrigin, demand, is_known, sign_of, with_sign
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms

HASHER: Final = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)  # argon2id
FRESH_MS: Final = 600_000  # how long after signing in a person without a password may set one
MAX_SUFFIX: Final = 10  # numbers tried as a suffix of a taken name
MAX_BEFORE_SUFFIX: Final = 22  # characters of the name before the suffix
# refusing an unknown name must take as long as refusing a wrong password
_NOBODY: Final = HASHER.hash("nobody's password")


class AccountService:
    """Signs people in and manages their accounts."""

    def __init__(self, services: Services) -> None:
        self._accounts = services.accounts
        self._sign_in = services.sign_in
        self._links = services.one_time_links
        self._sessions = services.sessions
        self._settings = services.settings
        limits = services.settings.limits
        self._tries = Rates(limits.tries_of_address_per_h / 3600, limits.tries_of_address_per_h)
        self._account_tries = Rates(limits.tries_of_account_per_h / 3600, limits.tries_of_account_per_h)
        self._network_tries = Rates(limits.tries_of_network_per_h / 3600, limits.tries_of_network_per_h)

    @property
    def tries(self) -> dict[str, Rates]:
        """The rate limits of password attempts, by name."""
        return {
            "tries": self._tries,
            "strange_tries": self._account_tries,
            "network_tries": self._network_tries,
        }

    async def guest(self, name: str, language: str) -> PersonRow:
        """Create a guest with only a name, numbered if another guest has used it."""
        person = PersonRow(new_id(), await self.free_name("", name), None, "player", language)
        return await self._accounts.add_guest(person, unique=not self._settings.same_names)

    async def free_name(self, person: str, name: str) -> str:
        """Normalise a name for display; raises if it resembles a bot's or another person's account name."""
        shown = shown_name(name)
        check_reserved(shown)
        await self._accounts.check_names(person, [skeleton(shown)])
        return shown

    async def register(
        self, who: PersonRow | None, name: str, password: str, language: str, origin: SignInOrigin
    ) -> PersonRow:
        """Open an account. A guest becomes its owner, which ends the guest's other sessions.

        Raises ``has_account``, ``name_taken`` and ``too_many_tries``.
        """
        shown = shown_name(name)
        account = same_name(shown)
        if who is not None and not who.guest:
            raise ServerError("has_account")
        check_reserved(shown)
        self._count_try(f"new {account} {origin.address}")
        if await self._accounts.by_account(account) is not None:
            raise ServerError("name_taken")
        hashed = await asyncio.to_thread(HASHER.hash, password)
        return await self._open(who, shown, hashed, language)

    async def open_without_password(
        self, who: PersonRow | None, names: Sequence[str], language: str
    ) -> PersonRow:
        """Open an account under the first free name, numbered if none is free.

        A guest becomes its owner. The owner signs in without a password and may set one later.
        """
        numbered = [f"{names[0][:MAX_BEFORE_SUFFIX]} {number}" for number in range(2, MAX_SUFFIX)]
        last = f"Player {new_id()}"
        for name in (*names, *numbered, last):
            try:
                return await self._open(who, shown_name(name), None, language)
            except ServerError as error:
                if error.status >= 500 or name == last:
                    raise
        raise ServerError("name_taken")

    async def _open(self, who: PersonRow | None, shown: str, hashed: str | None, language: str) -> PersonRow:
        account = same_name(shown)
        check_reserved(shown)
        if await self._accounts.by_account(account) is not None:
            raise ServerError("name_taken")
        looks = _skeletons(shown, account)
        if who is None:
            who = PersonRow(new_id(), shown, account, "player", language, hashed)
            return await self._accounts.add(who, looks, unique=not self._settings.same_names)
        unique = self._is_new(who, shown)
        name = who.name if is_numbered(who.name, shown) else shown
        who = replace(who, name=name, account=account, language=language, password=hashed)
        return await self._sign_in.open(who, looks, unique=unique)

    def _is_new(self, who: PersonRow, shown: str) -> bool:
        """Whether a name differs from the person's current one, so that it must not resemble a guest's."""
        own = skeleton(shown) == skeleton(who.name) or is_numbered(who.name, shown)
        return not (own or self._settings.same_names)

    async def rename(self, who: PersonRow, name: str) -> PersonRow:
        """Change the displayed name. The account name for signing in stays the same."""
        if who.account is None:
            shown = await self.free_name(who.id, name)
            if is_numbered(who.name, shown):
                return who
            name = await self._accounts.rename_guest(who.id, shown, unique=self._is_new(who, shown))
            return replace(who, name=name)
        shown = shown_name(name)
        if skeleton(shown) not in _skeletons(
            who.account
        ):  # reserved names stay allowed for their own account
            check_reserved(shown)
        if is_numbered(who.name, shown) and skeleton(shown) == skeleton(who.account):
            return who
        looks = _skeletons(shown, who.account)
        return await self._accounts.rename(replace(who, name=shown), looks, unique=self._is_new(who, shown))

    async def login(self, name: str, password: str, origin: SignInOrigin) -> PersonRow:
        """Return the person with this name and password; raise ``wrong_password`` if either is wrong.

        Attempts from a browser that the owner has used before count for that browser only. All other attempts
        count towards the limits of their address, of its network and of the account. When the account's limit
        is used up, each network still has a few attempts. This bounds guessing, and a guesser can lock the
        owner out only on the guesser's own networks.
        """
        account = same_name(name)
        person = await self._accounts.by_account(account)
        hashed = None if person is None else person.password
        with self.counting(account, person, origin):
            right = await asyncio.to_thread(_matches, hashed or _NOBODY, password)
            if person is None or hashed is None or not right:
                raise ServerError("wrong_password")
        return person

    @contextmanager
    def counting(self, account: str, person: PersonRow | None, origin: SignInOrigin) -> Iterator[None]:
        """Count an attempt to enter an account, unless the block succeeds."""
        known = person is not None and is_known(origin, person.id, person.password)
        tries = f"{origin.browser if known else origin.address} {account}"
        self._count_try(tries)
        taken = [] if known else self._count_unknown_browser(account, origin.address)
        yield
        self._tries.give_back(tries)
        for rates, key in taken:
            rates.give_back(key)

    def _count_unknown_browser(self, account: str, address: str) -> list[tuple[Rates, str]]:
        """Count an attempt from an unknown browser; return the limits and keys charged."""
        network = f"{wide_network_of(address)} {account}"
        wanted = (self._network_tries, network), (self._account_tries, account)
        taken = [(rates, key) for rates, key in wanted if rates.take(key)]
        if not taken:
            raise ServerError("too_many_tries")
        return taken

    async def change_password(self, who: PersonRow, old: str | None, new: str, session: str) -> None:
        """Set a new password after checking the old one; the person's other sessions and links end.

        Setting the first password needs no old one. Raises ``no_account`` and ``wrong_old_password``.
        """
        if who.account is None:
            raise ServerError("no_account")
        before = await self.check_password(who, old)
        hashed = await asyncio.to_thread(HASHER.hash, new)
        if not await self._sign_in.change_password(who.id, before, hashed, session):
            raise ServerError("wrong_old_password", field="old")

    async def check_password(self, who: PersonRow, password: str | None) -> str | None:
        """Check a person's own password; return its stored hash, or ``None`` if the account has none.

        Without a password the person must have signed in within ``FRESH_MS``, so that an abandoned or stolen
        session cannot add a permanent way into the account. Raises ``wrong_old_password``, ``sign_in_again``.
        """
        tries = f"own {who.id}"
        self._count_try(tries)
        stored = await self._accounts.password(who.id)
        if stored is not None and not await asyncio.to_thread(_matches, stored, password or ""):
            raise ServerError("wrong_old_password", field="old")
        if stored is None:
            await self._check_fresh(who)
        self._tries.give_back(tries)
        return stored

    async def _check_fresh(self, who: PersonRow) -> None:
        """Raise ``sign_in_again`` unless the request's session is younger than ``FRESH_MS``."""
        if now_ms() - await self._sessions.began(who.id, SESSION.get()) > FRESH_MS:
            raise ServerError("sign_in_again")

    async def sign(self, who: PersonRow, origin: SignInOrigin) -> str:
        """Return the browser's signs after ``who`` signed in there; unchanged if there is no password."""
        password = None if who.account is None else await self._accounts.password(who.id)
        return (
            with_sign(origin.signs, sign_of(who.id, password, origin.browser)) if password else origin.signs
        )

    def _count_try(self, key: str) -> None:
        """Count an attempt before checking the password, so that parallel ones cannot exceed the limit."""
        if not self._tries.take(key):
            raise ServerError("too_many_tries")

    async def link(self, who: PersonRow, name: str | None, role: str | None) -> tuple[str, int]:
        """Create a one-time sign-in token; return it with its expiry in milliseconds since the epoch.

        Without ``name`` it is for ``who``. An admin may issue it for a named person, whose account is created
        if necessary, and with a ``role``.
        """
        person, admin = who, None
        if name is not None or role is not None:
            demand(who, ("admin",))
            admin = who.id
        if name is not None:
            account = same_name(name)
            found = await self._accounts.by_account(account)
            person = found or PersonRow(new_id(), shown_name(name), account, "player", who.language)
            if found is None:
                check_reserved(name)
                looks, unique = _skeletons(person.name, account), not self._settings.same_names
                person = await self._accounts.add(person, looks, unique=unique)
        own = person.id == who.id and who.account is not None
        if own and await self._accounts.password(who.id) is None:
            await self._check_fresh(who)  # otherwise the link would renew an old session
        return await self._links.create(person.id, role, admin)

    async def admin_token(self, *, always: bool) -> str | None:
        """Create a one-time token for the admin; without ``always``, only while there are no accounts."""
        if not always and await self._accounts.number_of_accounts():
            return None
        admin = await self._accounts.by_account(ADMIN)
        if admin is None:
            admin = PersonRow(new_id(), ADMIN, ADMIN, "admin", "en")
            await self._accounts.add(admin, _skeletons(ADMIN))
        token, _ = await self._links.create(admin.id, "admin")
        return token


def _skeletons(*names: str) -> list[str]:
    """Return the distinct skeletons of an account's names."""
    return list(dict.fromkeys(map(skeleton, names)))


def _matches(hashed: str, password: str) -> bool:
    try:
        return HASHER.verify(hashed, password)
    except (Argon2Error, InvalidHashError):
        return False


CODES: Final = 8
_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's Base32, without look-alikes
_MISREAD: Final = str.maketrans("OIL", "011", "- ")
_GROUPS, _GROUP = 3, 4  # 60 bits


class Recovery:
    """Creates and accepts recovery codes."""

    def __init__(self, services: Services, accounts: AccountService) -> None:
        self._accounts, self._tries = services.accounts, accounts
        self._codes = services.recovery

    async def make(self, who: PersonRow, password: str | None) -> list[str]:
        """Return new codes for a person's account after checking the password; earlier codes stop working."""
        if who.account is None:
            raise ServerError("no_account")
        await self._tries.check_password(who, password)
        codes = [_new_code() for _ in range(CODES)]
        await self._codes.replace(who.id, [_plain(code) for code in codes])
        return codes

    async def use(self, name: str, code: str, password: str, origin: SignInOrigin) -> PersonRow:
        """Set a new password with a recovery code; raises ``wrong_recovery`` if it is not the account's.

        Attempts count towards the limits on passwords. All sessions and links of the person end.
        """
        account = same_name(name)
        person = await self._accounts.by_account(account)
        with self._tries.counting(account, person, origin):
            hashed = await asyncio.to_thread(HASHER.hash, password)
            # refusing an unknown name must take as long as refusing a wrong code
            used = await self._codes.use(person.id if person else "", _plain(code), hashed)
            if person is None or not used:
                raise ServerError("wrong_recovery", field="code")
        return person


def _new_code() -> str:
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(_GROUP)) for _ in range(_GROUPS))


def _plain(code: str) -> str:
    """Return the canonical form that is hashed: upper case, no dashes, look-alikes replaced."""
    return code.upper().translate(_MISREAD)
