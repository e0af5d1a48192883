"""How the rounds of a stage are run: a body, and what is stored of a stage."""

from typing import Annotated

from pydantic import Field

from jantaku.server.edge.wire import Wire
from jantaku.server.events.common.event_plan import EventKey, LongWords
from jantaku.server.limits import ROUNDS_OF_STAGE

RoundNumber = Annotated[int, Field(ge=1, le=ROUNDS_OF_STAGE)]
FixedPoints = Annotated[int, Field(strict=True, ge=-1_000_000, le=1_000_000)]
Pair = Annotated[list[EventKey], Field(min_length=2, max_length=2)]


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
    last_hand: LongWords | None = None
    late_until: RoundNumber | None = None
    bye_points: FixedPoints = 0
    substitutes: Annotated[list[EventKey], Field(max_length=100)] = Field(default_factory=list)
    substitute_points: FixedPoints | None = None
    substitute_uma: FixedPoints | None = None
    teams_apart: bool = True
    checked_in: bool = False
    apart: Annotated[list[Pair], Field(max_length=1000)] = Field(default_factory=list)
