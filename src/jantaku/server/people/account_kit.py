"""What the routes of accounts need."""

from dataclasses import dataclass
from typing import Annotated

from jantaku.server.edge.work import FairWork
from jantaku.server.people.accounts import AccountService
from jantaku.server.people.asking import Kit, needs
from jantaku.server.people.mail_recovery import MailRecovery
from jantaku.server.people.openid import OpenId
from jantaku.server.people.passkeys import Passkeys
from jantaku.server.people.recovery_codes import Recovery
from jantaku.server.storage.services import Services


class SignInServices:
    """The ways into an account besides its password."""

    def __init__(self, services: Services, accounts: AccountService) -> None:
        self.mail = MailRecovery(services, accounts)
        self.passkeys = Passkeys(services, accounts)
        self.openid = OpenId(services, accounts)


@dataclass(frozen=True, kw_only=True)
class AccountKit(Kit):
    """What the routes of accounts need."""

    accounts: AccountService
    figures: FairWork
    recovery: Recovery
    ways: SignInServices


Accounting = Annotated[AccountKit, needs(AccountKit)]
