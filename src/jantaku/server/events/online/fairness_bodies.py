"""Bodies of the signs of unfair play, which only referees read."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from jantaku.club.fairness import PairSign
from jantaku.server.edge.wire import Wire
from jantaku.server.events.common.event_plan import EventKey
from jantaku.visible import readable


class PlayerOfFairness(Wire):
    """A player's agreement with strong play, and the quartiles of the seconds that a turn took them."""

    player: str
    decisions: int
    share: float
    expected: float | None
    chance: float | None
    marked: bool
    seconds: tuple[float, float, float] | None


class AppealInfo(Wire):
    """A line of the appeals' log; nothing in it is ever changed."""

    number: int
    entry: str
    name: str
    text: str
    at: str


class Fairness(Wire):
    """The signs of an event's online games; ``left_out``: those that cannot be replayed, or are too many.

    A sign is no proof: ``level`` is how often a whole set of honest games may mark anybody.
    """

    games: int
    left_out: int
    level: float
    pairs: list[PairSign]
    players: list[PlayerOfFairness]
    names: dict[str, str]
    appeals: list[AppealInfo]


class NewAppeal(Wire):
    """What somebody says of a sign, or what was decided: added to the log."""

    entry: EventKey
    text: Annotated[str, BeforeValidator(readable), Field(min_length=1, max_length=2000)]
