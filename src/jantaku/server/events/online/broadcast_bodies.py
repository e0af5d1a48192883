"""Bodies of the broadcast of an event."""

from typing import Literal

from jantaku.server.edge.wire import Wire

ManTiles = Literal["all", "one_nine", "one_five_nine"]


class CastSeat(Wire):
    """A seat on a broadcast: ``wind`` from 0, East."""

    name: str
    wind: int
    score: int
    riichi: bool
    turn: bool


class CastTable(Wire):
    """A table on a broadcast; ``hand_number`` counts from East 1.

    ``delay_s``: how much later than the players everybody sees it. ``online``: it is played in the parlour,
    so that the wall, the dora and the turn are known; at other tables they are empty.
    """

    id: str
    online: bool
    label: str
    round: int | None
    delay_s: float
    hand_number: int
    honba: int
    deposits: int
    indicators: str
    man: ManTiles
    wall_left: int | None
    over: bool
    seats: list[CastSeat]


class Broadcast(Wire):
    """The tables that are played, after their delay, and the timer of the round."""

    name: dict[str, str]
    tables: list[CastTable]
    left_s: int | None
    running: bool
