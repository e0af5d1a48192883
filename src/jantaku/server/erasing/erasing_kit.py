"""What deleting a person needs."""

from dataclasses import dataclass
from typing import Annotated

from jantaku.server.edge.guard import Confirmations
from jantaku.server.people.accounts import AccountService
from jantaku.server.people.asking import needs
from jantaku.server.play.table_kit import TableKit


@dataclass(frozen=True, kw_only=True)
class ErasingKit(TableKit):
    """What deleting a person needs."""

    accounts: AccountService
    confirmations: Confirmations


ForErasing = Annotated[ErasingKit, needs(ErasingKit)]
