"""Bodies of the broadcast of an event."""

from typing import Literal

from jantaku.server.edge.wire import Wire

ManTiles = Literal["all", "one_nine", "one_five_nine"]


class CastWait(Wire):
    """A tile that completes a hand, and how many copies of it nobody has seen or holds."""

    tile: str
    left: int


class CastHand(Wire):
    """The hand of a seat, for those who may see it.

    ``chance`` is the chance that one of the waits is among the tiles that are still to be drawn, as the tiles
    that nobody has seen are in any order.
    """

    tiles: str
    melds: list[str]
    shanten: int
    waits: list[CastWait]
    chance: float | None


class CastSeat(Wire):
    """A seat on a broadcast: ``wind`` from 0, East."""

    name: str
    wind: int
    score: int
    riichi: bool
    turn: bool
    hand: CastHand | None


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
    """The tables that are played, after their delay, and the timer of the round.

    ``hands``: whether this reader sees hands; those of tables whose delay is shorter than ``hands_delay_s``
    are never shown.
    """

    name: dict[str, str]
    tables: list[CastTable]
    left_s: int | None
    running: bool
    hands: bool
    hands_delay_s: int


class BroadcastKey(Wire):
    """The key of the broadcast; ``null``: hands are shown to nobody."""

    key: str | None


class SetBroadcast(Wire):
    """Show hands on the broadcast to whoever has a new key, or to nobody any more."""

    hands: bool
