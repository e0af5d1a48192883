"""What the routes of stored games need."""

from dataclasses import dataclass
from typing import Annotated

from jantaku.server.archive.replay import ReplayCache
from jantaku.server.edge.fair_work import FairWork
from jantaku.server.people.asking import needs
from jantaku.server.play.table_kit import TableKit


@dataclass(frozen=True, kw_only=True)
class ArchiveKit(TableKit):
    """What the routes of stored games need."""

    replay_cache: ReplayCache
    reviews: FairWork
    replays: FairWork


AtArchive = Annotated[ArchiveKit, needs(ArchiveKit)]
