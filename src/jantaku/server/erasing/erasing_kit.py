"""What deleting a person needs."""

from dataclasses import dataclass
from typing import Annotated

from jantaku.server.archive.archive_kit import ArchiveKit
from jantaku.server.edge.confirmations import Confirmations
from jantaku.server.numbers.table_ratings import TableRatings
from jantaku.server.people.accounts import AccountService
from jantaku.server.people.asking import needs


@dataclass(frozen=True, kw_only=True)
class ErasingKit(ArchiveKit):
    """What deleting a person needs."""

    accounts: AccountService
    confirmations: Confirmations
    table_ratings: TableRatings


ForErasing = Annotated[ErasingKit, needs(ErasingKit)]
