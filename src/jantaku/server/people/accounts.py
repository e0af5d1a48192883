"""Signing in as a guest, with a password or by a one-time link."""

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
FRESH_MS: Final = 600_000  # how long after signing in somebody without a password may set one
MOST_TRIED: Final = 10  # numbers behind a name that is taken
MOST_BEFORE_NUMBER: Final = 22  # letters of it that are kept
# an unknown name must take as long to refuse as a wrong password
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
        self._strange_tries = Rates(limits.tries_of_account_per_h / 3600, limits.tries_of_account_per_h)
        self._network_tries = Rates(limits.tries_of_network_per_h / 3600, limits.tries_of_network_per_h)

    @property
    def tries(self) -> dict[str, Rates]:
        """How often passwords are tried, by name."""
        return {
            "tries": self._tries,
            "strange_tries": self._strange_tries,
            "network_tries": self._network_tries,
        }

    async def guest(self, name: str, language: str) -> PersonRow:
        """Create a guest who has only a name, with a number if another guest has had it."""
        person = PersonRow(new_id(), await self.free_name("", name), None, "player", language)
        return await self._accounts.add_guest(person, unlike=not self._settings.same_names)

    async def free_name(self, person: str, name: str) -> str:
        """Normalise a name for display; refuse one that looks like a bot's or another person's account."""
        shown = shown_name(name)
        check_reserved(shown)
        await self._accounts.check_names(person, [skeleton(shown)])
        return shown

    async def register(
        self, who: PersonRow | None, name: str, password: str, language: str, origin: SignInOrigin
    ) -> PersonRow:
        """Open an account. A guest becomes its owner, and all other sessions of that guest end."""
        shown = shown_name(name)
        account = same_name(shown)
        if who is not None and not who.guest:
            raise ServerError("has_account")
        check_reserved(shown)
        self._one_try(f"new {account} {origin.address}")
        if await self._accounts.by_account(account) is not None:
            raise ServerError("name_taken")
        hashed = await asyncio.to_thread(HASHER.hash, password)
        return await self._open(who, shown, hashed, language)

    async def open_without_password(
        self, who: PersonRow | None, names: Sequence[str], language: str
    ) -> PersonRow:
        """Open an account under the first of these names that is free, with a number if none is.

        A guest becomes its owner. Its owner signs in by other ways, and may set a password.
        """
        numbered = [f"{names[0][:MOST_BEFORE_NUMBER]} {number}" for number in range(2, MOST_TRIED)]
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
            return await self._accounts.add(who, looks, unlike=not self._settings.same_names)
        unlike = self._is_new(who, shown)
        name = who.name if is_numbered(who.name, shown) else shown
        who = replace(who, name=name, account=account, language=language, password=hashed)
        return await self._sign_in.open(who, looks, unlike=unlike)

    def _is_new(self, who: PersonRow, shown: str) -> bool:
        """Whether a name differs from a person's own, so that it must be unlike those of guests."""
        own = skeleton(shown) == skeleton(who.name) or is_numbered(who.name, shown)
        return not (own or self._settings.same_names)

    async def rename(self, who: PersonRow, name: str) -> PersonRow:
        """Change the displayed name. The account name used for signing in stays the same."""
        if who.account is None:
            shown = await self.free_name(who.id, name)
            if is_numbered(who.name, shown):
                return who
            name = await self._accounts.rename_guest(who.id, shown, unlike=self._is_new(who, shown))
            return replace(who, name=name)
        shown = shown_name(name)
        if skeleton(shown) not in _skeletons(who.account):  # the admin may be called admin
            check_reserved(shown)
        if is_numbered(who.name, shown) and skeleton(shown) == skeleton(who.account):
            return who
        looks = _skeletons(shown, who.account)
        return await self._accounts.rename(replace(who, name=shown), looks, unlike=self._is_new(who, shown))

    async def login(self, name: str, password: str, origin: SignInOrigin) -> PersonRow:
        """Return the person with this name and password; raise ``wrong_password`` if either is wrong.

        Attempts from a browser that the owner has used before count for that browser only. All other attempts
        count for their address, for its network and, together, for the account. When those of the account are
        used up, each network still has a few of its own. So guessing stays bounded, and whoever guesses from
        ten addresses locks the owner out of none but these.
        """
        account = same_name(name)
        person = await self._accounts.by_account(account)
        hashed = None if person is None else person.password
        with self.counted(account, person, origin):
            right = await asyncio.to_thread(_matches, hashed or _NOBODY, password)
            if person is None or hashed is None or not right:
                raise ServerError("wrong_password")
        return person

    @contextmanager
    def counted(self, account: str, person: PersonRow | None, origin: SignInOrigin) -> Iterator[None]:
        """Count an attempt to get into an account; it is given back if the block raises nothing."""
        known = person is not None and is_known(origin, person.id, person.password)
        tries = f"{origin.browser if known else origin.address} {account}"
        self._one_try(tries)
        taken = [] if known else self._strange_try(account, origin.address)
        yield
        self._tries.give_back(tries)
        for rates, key in taken:
            rates.give_back(key)

    def _strange_try(self, account: str, address: str) -> list[tuple[Rates, str]]:
        """Count an attempt from a browser that is not known; return where it was counted."""
        network = f"{wide_network_of(address)} {account}"
        wanted = (self._network_tries, network), (self._strange_tries, account)
        taken = [(rates, key) for rates, key in wanted if rates.take(key)]
        if not taken:
            raise ServerError("too_many_tries")
        return taken

    async def change_password(self, who: PersonRow, old: str | None, new: str, session: str) -> None:
        """Set a new password after checking the old one; all other sessions and links of the person end.

        A person who has only used links has no password and needs none to set the first one.
        """
        if who.account is None:
            raise ServerError("no_account")
        before = await self.check_password(who, old)
        hashed = await asyncio.to_thread(HASHER.hash, new)
        if not await self._sign_in.change_password(who.id, before, hashed, session):
            raise ServerError("wrong_old_password", field="old")

    async def check_password(self, who: PersonRow, password: str | None) -> str | None:
        """The stored hash of one's own password, if ``password`` is right.

        Without one the person must have signed in a moment ago: a session that somebody left open, or stole,
        gets no way into the account that lasts.
        """
        tries = f"own {who.id}"
        self._one_try(tries)
        stored = await self._accounts.password(who.id)
        if stored is not None and not await asyncio.to_thread(_matches, stored, password or ""):
            raise ServerError("wrong_old_password", field="old")
        if stored is None:
            await self._check_fresh(who)
        self._tries.give_back(tries)
        return stored

    async def _check_fresh(self, who: PersonRow) -> None:
        """Raise ``sign_in_again`` unless the session of this request has just begun."""
        if now_ms() - await self._sessions.began(who.id, SESSION.get()) > FRESH_MS:
            raise ServerError("sign_in_again")

    async def sign(self, who: PersonRow, origin: SignInOrigin) -> str:
        """The browser's signs after ``who`` signed in there; unchanged if there is no password."""
        password = None if who.account is None else await self._accounts.password(who.id)
        return (
            with_sign(origin.signs, sign_of(who.id, password, origin.browser)) if password else origin.signs
        )

    def _one_try(self, key: str) -> None:
        """Count an attempt before the password is checked, so that parallel attempts cannot slip through."""
        if not self._tries.take(key):
            raise ServerError("too_many_tries")

    async def link(self, who: PersonRow, name: str | None, role: str | None) -> tuple[str, int]:
        """Create a one-time token for oneself or, as an admin, for a named person (created if needed)."""
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
                looks, unlike = _skeletons(person.name, account), not self._settings.same_names
                person = await self._accounts.add(person, looks, unlike=unlike)
        own = person.id == who.id and who.account is not None
        if own and await self._accounts.password(who.id) is None:
            await self._check_fresh(who)  # or the link would make the session new
        return await self._links.make(person.id, role, admin)

    async def admin_token(self, *, always: bool) -> str | None:
        """A one-time token for the admin: always if ``always``, otherwise only while no account exists."""
        if not always and await self._accounts.number_of_accounts():
            return None
        admin = await self._accounts.by_account(ADMIN)
        if admin is None:
            admin = PersonRow(new_id(), ADMIN, ADMIN, "admin", "en")
            await self._accounts.add(admin, _skeletons(ADMIN))
        token, _ = await self._links.make(admin.id, "admin")
        return token


def _skeletons(*names: str) -> list[str]:
    """The skeletons of all the names of one account."""
    return list(dict.fromkeys(map(skeleton, names)))


def _matches(hashed: str, password: str) -> bool:
    try:
        return HASHER.verify(hashed, password)
    except (Argon2Error, InvalidHashError):
        return False


CODES: Final = 8
_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: none that looks like another
_MISREAD: Final = str.maketrans("OIL", "011", "- ")
_GROUPS, _GROUP = 3, 4  # 60 bits


class Recovery:
    """Makes recovery codes and takes them."""

    def __init__(self, services: Services, accounts: AccountService) -> None:
        self._accounts, self._tries = services.accounts, accounts
        self._codes = services.recovery

    async def make(self, who: PersonRow, password: str | None) -> list[str]:
        """New codes for one's own account, after a look at the password; the ones before stop working."""
        if who.account is None:
            raise ServerError("no_account")
        await self._tries.check_password(who, password)
        codes = [_new_code() for _ in range(CODES)]
        await self._codes.replace(who.id, [_plain(code) for code in codes])
        return codes

    async def use(self, name: str, code: str, password: str, origin: SignInOrigin) -> PersonRow:
        """Set a new password by a code; raises ``wrong_recovery`` if name and code do not belong together.

        Attempts count as those with a wrong password do. All sessions and links of the person end.
        """
        account = same_name(name)
        person = await self._accounts.by_account(account)
        with self._tries.counted(account, person, origin):
            hashed = await asyncio.to_thread(HASHER.hash, password)
            # an unknown name must take as long to refuse as a wrong code
            used = await self._codes.use(person.id if person else "", _plain(code), hashed)
            if person is None or not used:
                raise ServerError("wrong_recovery", field="code")
        return person


def _new_code() -> str:
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(_GROUP)) for _ in range(_GROUPS))


def _plain(code: str) -> str:
    """The code as it is hashed, whatever its case, dashes and look-alike letters."""
    return code.upper().translate(_MISREAD)
