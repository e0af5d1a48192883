"""The standings of an event from what is stored, computed once for each change of its results."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from jantaku.club import ClubEvent, standings
from jantaku.server.events.common.event_bodies import StandingsBody
from jantaku.server.events.results.counted_results import read_results
from jantaku.server.events.results.results_cache import ResultsCache
from jantaku.server.events.results.round_points import ByePoints
from jantaku.server.storage.events import EventRow
from jantaku.server.storage.services import Services

KEPT: Final = 64  # events whose standings are kept


class StandingsCache(ResultsCache[StandingsBody]):
    """The standings of the events that were asked for last."""

    def __init__(self, services: Services) -> None:
        super().__init__(KEPT)
        self._services = services

    async def compute(self, event: EventRow) -> StandingsBody:
        """The standings from the games that count now."""
        stored = await read_results(self._services, event)
        return await asyncio.to_thread(lambda: _standings(stored.filled(), stored.added.byes))


def _standings(event: ClubEvent, byes: Sequence[ByePoints]) -> StandingsBody:
    standing = standings(event)
    data: dict[str, Any] = {"teams": [], **standing.to_dict()}
    for stage in data["stages"]:
        stage["teams"] = [team.to_dict() for team in standing.teams_of[stage["id"]]]
    names = {player.id: player.label for player in event.players}
    sums: Counter[tuple[str, str]] = Counter()
    for bye in byes:
        sums[bye.stage, bye.entry] += bye.points
    totals = [{"stage": stage, "player": name, "points": points} for (stage, name), points in sums.items()]
    return StandingsBody.model_validate({**data, "byes": totals, "names": names})
