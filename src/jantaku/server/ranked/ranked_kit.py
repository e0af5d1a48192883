"""What the routes of ranked play need."""

from dataclasses import dataclass
from typing import Annotated

from jantaku.server.people.asking import Kit, needs
from jantaku.server.ranked.queue import RankedQueue


@dataclass(frozen=True, kw_only=True)
class RankedKit(Kit):
    """What the routes of ranked play need."""

    queue: RankedQueue


ForRanked = Annotated[RankedKit, needs(RankedKit)]
