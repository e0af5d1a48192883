"""Coming back to an account without its password, by codes that its owner has written down."""

import asyncio
import secrets
from typing import Final

from jantaku.club.namesakes import same_name
from jantaku.server.errors import ServerError
from jantaku.server.people.accounts import HASHER, AccountService
from jantaku.server.people.known_browsers import SignInOrigin
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.services import Services

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
        person, before = await self._accounts.by_account(account) or (None, None)
        with self._tries.counted(account, person, before, origin):
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
