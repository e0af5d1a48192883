"""What the routes of rounds need."""

from dataclasses import dataclass
from typing import Annotated

from jantaku.server.events.results.results_kit import ResultsKit
from jantaku.server.events.rounds.seating_work import SeatingWorks
from jantaku.server.people.asking import needs


@dataclass(frozen=True, kw_only=True)
class RoundsKit(ResultsKit):
    """What the routes of rounds need."""

    seatings: SeatingWorks


AtRounds = Annotated[RoundsKit, needs(RoundsKit)]
