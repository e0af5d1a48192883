"""The organiser's settings of an event and of the rounds of its stages, as stored and sent."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import BeforeValidator, Field

from jantaku.club.event import Stage, TieBreak
from jantaku.errors import Phrases
from jantaku.server.errors import ServerError
from jantaku.server.settings import ENTRIES_OF_EVENT, ROUNDS_OF_STAGE, STAGES_OF_EVENT
from jantaku.visible import clean_if_visible
from jantaku.wire import Wire

# ids are used in URL paths: letters, digits and a few signs, but not dots alone
EventKey = Annotated[
    str, Field(min_length=1, max_length=64, pattern=r"^\.*[\p{L}\p{N}_~-][\p{L}\p{N}_.~-]*$")
]
LongText = Annotated[str, BeforeValidator(clean_if_visible), Field(max_length=4000)]
RoundNumber = Annotated[int, Field(ge=1, le=ROUNDS_OF_STAGE)]
FixedPoints = Annotated[int, Field(strict=True, ge=-1_000_000, le=1_000_000)]
Pair = Annotated[list[EventKey], Field(min_length=2, max_length=2)]


@dataclass(frozen=True, slots=True)
class StagePlan(Stage):
    """A stage as sent and stored: times in ISO 8601, points in whole points."""

    id: EventKey
    source: EventKey | None = None


class Registration(Wire):
    """Registration settings.

    With ``moderated`` an organiser admits each entry. Entries beyond ``limit`` go to the waiting list.
    """

    open: bool = True
    moderated: bool = False
    limit: Annotated[int, Field(ge=1, le=ENTRIES_OF_EVENT)] | None = None


class EventPlan(Wire):
    """Settings of an event.

    With ``hidden_standings`` only the staff see standings and results until the event is closed. Players may
    correct a hand themselves for ``correction_min`` minutes. With ``confirm_alone`` a game counts even if one
    account has confirmed it for every seat. ``online_tables`` allows players to open online tables, and
    ``spectators`` allows others to watch them.
    """

    stages: list[StagePlan] = Field(default=..., min_length=1, max_length=STAGES_OF_EVENT)
    tie_breaks: list[TieBreak] = Field(default_factory=list, max_length=20)
    about: LongText = ""
    registration: Registration = Registration()
    hidden_standings: bool = False
    correction_min: Annotated[int, Field(ge=0, le=10_080)] = 30
    confirm_alone: bool = False
    online_tables: bool = True
    spectators: bool = True

    def stage(self, name: str) -> StagePlan | None:
        """Return the stage with this id, if any."""
        return next((stage for stage in self.stages if stage.id == name), None)

    def known_stage(self, name: str) -> StagePlan:
        """Return the stage with this id; raises ``ServerError("no_stage")`` if there is none."""
        stage = self.stage(name)
        if stage is None:
            known = Phrases(stage.id for stage in self.stages)
            raise ServerError("no_stage", field="stage", stage=name, known=known)
        return stage


class RoundSettings(Wire):
    """Settings for the rounds of a stage.

    ``minutes`` is the length of a round, 0 for no timer, and ``last_hand`` the rule for its end, as text
    for players. ``late_until`` is the last round that accepts late entries. ``bye_points`` are the points for
    a bye.

    ``substitutes`` are entries that fill tables when the number of players is not a multiple of the seats.
    They get ``substitute_points`` for a game regardless of their score, if set; otherwise the points won or
    lost plus ``substitute_uma``, if set; otherwise the same as everyone else.

    ``teams_apart`` keeps team mates at different tables where possible, and ``apart`` lists further pairs to
    be kept apart. With ``checked_in`` only players who have checked in are seated.
    """

    minutes: Annotated[int, Field(ge=0, le=1440)] = 0
    last_hand: LongText = ""
    late_until: RoundNumber | None = None
    bye_points: FixedPoints = 0
    substitutes: Annotated[list[EventKey], Field(max_length=100)] = Field(default_factory=list)
    substitute_points: FixedPoints | None = None
    substitute_uma: FixedPoints | None = None
    teams_apart: bool = True
    checked_in: bool = False
    apart: Annotated[list[Pair], Field(max_length=1000)] = Field(default_factory=list)
