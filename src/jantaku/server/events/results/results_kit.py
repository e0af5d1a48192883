"""What the routes of standings and statistics need."""

from dataclasses import dataclass, field
from typing import Annotated

from jantaku.server.events.results.event_standings import StandingsCache
from jantaku.server.events.results.event_statistics import StatisticsCache
from jantaku.server.events.results.kept_answers import FRESH_S, MOST_FILES, MOST_SCREENS, KeptAnswers
from jantaku.server.people.asking import Kit, needs


@dataclass(frozen=True, kw_only=True)
class ResultsKit(Kit):
    """What the routes of standings and statistics need."""

    standings: StandingsCache
    statistics: StatisticsCache
    files: KeptAnswers = field(default_factory=lambda: KeptAnswers(MOST_FILES))
    screens: KeptAnswers = field(default_factory=lambda: KeptAnswers(MOST_SCREENS, FRESH_S))


AtResults = Annotated[ResultsKit, needs(ResultsKit)]
