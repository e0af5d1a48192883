"""What organisers decide about an event and the rounds of its stages, as it is stored and sent."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import BeforeValidator, Field

from jantaku.club.event import Stage, TieBreak
from jantaku.errors import Phrases
from jantaku.server.errors import ServerError
from jantaku.server.settings import ENTRIES_OF_EVENT, ROUNDS_OF_STAGE, STAGES_OF_EVENT
from jantaku.visible import readable
from jantaku.wire import Wire

# Letters, digits and a few signs, so that an id can stand in an address, but not only dots
EventKey = Annotated[
    str, Field(min_length=1, max_length=64, pattern=r"^\.*[\p{L}\p{N}_~-][\p{L}\p{N}_.~-]*$")
]
LongText = Annotated[str, BeforeValidator(readable), Field(max_length=4000)]
RoundNumber = Annotated[int, Field(ge=1, le=ROUNDS_OF_STAGE)]
FixedPoints = Annotated[int, Field(strict=True, ge=-1_000_000, le=1_000_000)]
Pair = Annotated[list[EventKey], Field(min_length=2, max_length=2)]


@dataclass(frozen=True, slots=True)
class StagePlan(Stage):
    """A stage as the contract has it: times are ISO 8601, points whole points."""

    id: EventKey
    source: EventKey | None = None


class Registration(Wire):
    """``moderated``: an organiser admits each entry; ``limit``: further entries wait for a free place."""

    open: bool = True
    moderated: bool = False
    limit: Annotated[int, Field(ge=1, le=ENTRIES_OF_EVENT)] | None = None


class EventPlan(Wire):
    """What an organiser decides about an event.

    ``hidden_standings``: only those who run the event see standings and results until it is closed.
    ``correction_min``: for so many minutes players may correct a hand themselves. ``confirm_alone``: a game
    counts though one account has confirmed it for every seat. ``online_tables``: players may open tables in
    the parlour themselves. ``spectators``: others may watch the event's tables there.
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
        """The stage with an id."""
        return next((stage for stage in self.stages if stage.id == name), None)

    def known_stage(self, name: str) -> StagePlan:
        """The same; raises ``no_stage`` if there is none."""
        stage = self.stage(name)
        if stage is None:
            known = Phrases(stage.id for stage in self.stages)
            raise ServerError("no_stage", field="stage", stage=name, known=known)
        return stage


class RoundSettings(Wire):
    """How the rounds of a stage are run.

    ``minutes``: how long a round lasts, 0 without a timer; ``last_hand``: the rule for its end, as players
    read it. ``late_until``: the last round in which somebody may come in. ``bye_points``: what a bye adds to
    the points of a player. ``substitutes`` are entries that fill the tables where the number of players is no
    multiple of the seats; they get ``substitute_points`` for a game whatever they score, or else the points
    that they won or lost and ``substitute_uma``, or else what everybody gets. Team mates do not meet with
    ``teams_apart``, nor do the pairs in ``apart``, if that can be avoided. With ``checked_in`` only those are
    seated who have checked in.
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
