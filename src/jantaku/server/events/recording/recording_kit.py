"""What the routes of entered games need."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from jantaku.server.events.results.statistics import ResultsKit
from jantaku.server.people.auth_dependencies import needs
from jantaku.server.storage.finished_games import PlayedGame


@dataclass(frozen=True, kw_only=True)
class RecordingKit(ResultsKit):
    """What the routes of entered games need."""

    held_up: Callable[[str], list[tuple[PlayedGame, Exception]]]


AtDesk = Annotated[RecordingKit, needs(RecordingKit)]
