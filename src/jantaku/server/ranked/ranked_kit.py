"""What the routes of ranked play need."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends

from jantaku.server.people.asking import Kit, needs
from jantaku.server.ranked.queue import RankedQueue


@dataclass(frozen=True, kw_only=True)
class RankedKit(Kit):
    """What the routes of ranked play need."""

    queue: RankedQueue


ForRanked = Annotated[RankedKit, needs(RankedKit)]


async def _of_steward(kit: ForRanked) -> RankedKit:
    """The kit of the steward, where everybody waits."""
    await kit.queue.inherit()
    return kit


AtSteward = Annotated[RankedKit, Depends(_of_steward)]
