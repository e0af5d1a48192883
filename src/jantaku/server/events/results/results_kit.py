"""What the routes of standings and statistics need."""

from dataclasses import dataclass
from typing import Annotated

from jantaku.server.events.results.event_standings import StandingsCache
from jantaku.server.events.results.event_statistics import StatisticsCache
from jantaku.server.people.asking import Kit, needs


@dataclass(frozen=True, kw_only=True)
class ResultsKit(Kit):
    """What the routes of standings and statistics need."""

    standings: StandingsCache
    statistics: StatisticsCache


AtResults = Annotated[ResultsKit, needs(ResultsKit)]
