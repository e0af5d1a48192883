"""What the routes of accounts need."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Protocol

from jantaku.server.edge.fair_work import FairWork
from jantaku.server.people.accounts import AccountService
from jantaku.server.people.asking import Kit, needs
from jantaku.server.people.recovery import Recovery
from jantaku.server.storage.accounts import PersonRow


class OwnSocket(Protocol):
    """A socket of a person at a table."""

    person: PersonRow
    session: str


class Presence(Protocol):
    """Where people are at tables; the lobby knows it."""

    def playing_at(self, person: str) -> str | None:
        """The table where a person plays."""

    def signed_in_anew(self, session: str, now: PersonRow, following: str) -> None:
        """Give the sockets of a session that has ended to the next one."""

    def signed_out(self, gone: Callable[[OwnSocket], bool]) -> None:
        """Close the sockets of ended sessions."""


@dataclass(frozen=True, kw_only=True)
class AccountKit(Kit):
    """What the routes of accounts need."""

    accounts: AccountService
    figures: FairWork
    presence: Presence
    recovery: Recovery
    role_changed: Callable[[PersonRow], None]


Accounting = Annotated[AccountKit, needs(AccountKit)]
