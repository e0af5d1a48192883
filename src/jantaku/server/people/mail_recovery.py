"""Coming back to an account by mail, where the owner has set a mail server.

Only a keyed hash of an address is stored. Whoever asks is answered alike, and as fast, whether an account has
it.
"""

import asyncio
from typing import Final

from jantaku import terms
from jantaku.server.edge.limits import Rates
from jantaku.server.errors import ServerError
from jantaku.server.limits import MAILS_PER_H
from jantaku.server.people.accounts import HASHER, AccountService
from jantaku.server.people.mail import Mail, address_of
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.services import Services

CONFIRM, RECOVER = "confirm", "recover"
HOUR_S: Final = 3600
CONFIRM_S: Final = 24 * HOUR_S
RECOVER_S: Final = HOUR_S
MOST_ACCOUNTS: Final = 5  # that one mail speaks of


class MailRecovery:
    """Confirms mail addresses, and sets new passwords for whoever reads them."""

    def __init__(self, services: Services, accounts: AccountService) -> None:
        self._accounts, self._ways = accounts, services.sign_in
        self._settings = services.settings
        self._mail = Mail(services.settings)
        self._answers: set[asyncio.Task[None]] = set()
        self._mails = Rates(MAILS_PER_H / HOUR_S, MAILS_PER_H)

    @property
    def rates(self) -> dict[str, Rates]:
        """How often mails are sent, by name."""
        return {"mails": self._mails}

    @property
    def possible(self) -> bool:
        """Whether mails can be sent."""
        return self._mail.possible

    async def begin(self, who: PersonRow, text: str, password: str | None) -> None:
        """Send a link that confirms an address for one's own account, after a look at the password."""
        address = self._address(text)
        if who.account is None:
            raise ServerError("no_account")
        await self._accounts.check_password(who, password)
        mark = await self._ways.mark(address)
        if not self._mails.take(f"{who.id}") or not self._mails.take(mark):
            raise ServerError("too_many")
        token = await self._ways.put(CONFIRM, who.id, {"address": mark}, CONFIRM_S)
        self._send(_language(who), address, CONFIRM, links=self._link("mail", token))

    async def confirm(self, who: PersonRow, token: str) -> None:
        """Let one's own account have the address that a link was sent to; raises ``link_used``.

        Whoever reads a mail that was sent to a wrong address does not get the account with it.
        """
        way = await self._ways.take(CONFIRM, token)
        if way is None or way.person != who.id:
            raise ServerError("link_used")
        await self._ways.set_address(who.id, way.data["address"])

    async def remove(self, who: PersonRow, password: str | None) -> None:
        """Let one's own account have no address, after a look at the password."""
        if who.account is None:
            raise ServerError("no_account")
        await self._accounts.check_password(who, password)
        await self._ways.set_address(who.id, None)

    async def ask(self, text: str, language: terms.Language) -> None:
        """Send links that set a new password, one for each account with this address; nothing if none has."""
        address = self._address(text)
        mark = await self._ways.mark(address)
        if self._mails.take(mark):  # else nobody learns it either
            task = asyncio.create_task(self._answer(address, mark, language))
            self._answers.add(task)
            task.add_done_callback(self._answers.discard)

    async def _answer(self, address: str, mark: str, language: terms.Language) -> None:
        links = []
        for person in await self._ways.of_address(mark, MOST_ACCOUNTS):
            token = await self._ways.put(RECOVER, person.id, {}, RECOVER_S)
            links.append(f"{person.account}: {self._link('recover', token)}")
        if links:
            self._send(language, address, RECOVER, links="\n".join(links))

    async def use(self, token: str, password: str) -> str:
        """Set a new password by a link; returns whose. Raises ``link_used``."""
        hash_of_password = await asyncio.to_thread(HASHER.hash, password)
        way = await self._ways.take(RECOVER, token)
        if way is None or way.person is None:
            raise ServerError("link_used")
        await self._ways.reset(way.person, hash_of_password)
        return way.person

    def _address(self, text: str) -> str:
        if not self.possible:
            raise ServerError("no_mail")
        address = address_of(text)
        if address is None:
            raise ServerError("bad_address", field="address")
        return address

    def _link(self, page: str, token: str) -> str:
        return f"{self._settings.public_url}/{page}/{token}"

    def _send(self, language: terms.Language, address: str, kind: str, **values: str) -> None:
        values |= {"site": self._settings.public_url}
        subject, text = (
            terms.text(f"mail.{kind}_{part}", language, **values) for part in ("subject", "text")
        )
        self._mail.send(address, subject, text)


def _language(who: PersonRow) -> terms.Language:
    return next((language for language in terms.LANGUAGES if language == who.language), "en")
