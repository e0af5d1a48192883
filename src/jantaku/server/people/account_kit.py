"""What the routes of accounts need."""

from dataclasses import dataclass
from typing import Annotated

from jantaku.server.edge.fair_work import FairWork
from jantaku.server.people.accounts import AccountService
from jantaku.server.people.asking import Kit, needs
from jantaku.server.people.recovery import Recovery


@dataclass(frozen=True, kw_only=True)
class AccountKit(Kit):
    """What the routes of accounts need."""

    accounts: AccountService
    figures: FairWork
    recovery: Recovery


Accounting = Annotated[AccountKit, needs(AccountKit)]
