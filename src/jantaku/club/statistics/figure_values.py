"""The figures of one player or team, as values that become JSON field by field.

A number in ``hands`` is the index of a line of ``Figures.hands``, where the game and the hand stand.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Share:
    """How often something happened: ``count`` of the ``known`` cases.

    ``cases`` are all there were. Where nobody recorded what the figure needs, ``known`` is lower.
    """

    count: int
    known: int
    cases: int

    @property
    def value(self) -> float | None:
        """The share of the known cases; ``None`` if there are none."""
        return self.count / self.known if self.known else None


@dataclass(frozen=True, slots=True)
class OpenedShare(Share):
    """A share and the hands that make up its ``count``."""

    hands: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Mean:
    """A sum of points over the hands from which it comes."""

    sum: int
    hands: tuple[int, ...]

    @property
    def value(self) -> float | None:
        """The mean; ``None`` if there are no hands."""
        return self.sum / len(self.hands) if self.hands else None


@dataclass(frozen=True, slots=True)
class HandLine:
    """A hand of the player: ``hand`` counts those of the ``game`` from 0, ``number`` from East 1.

    ``delta`` is what the hand brought or cost the seat, riichi sticks included. ``voided`` hands, those that
    a chombo ended, count in no rate.
    """

    game: str
    hand: int
    number: int
    honba: int
    end: Literal["ron", "tsumo", "draw", "abort", "foul"]
    dealer: bool
    delta: int
    voided: bool


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game of the player; ``total`` sums ``final`` over the games of the stage so far.

    ``hands`` is how many hands were recorded; ``None`` if only the points are known. ``at`` is ISO 8601.
    """

    game: str
    stage: str
    at: str | None
    seat: int
    place: int
    final: int
    total: int
    hands: int | None


@dataclass(frozen=True, slots=True)
class BiggestHand:
    """The win that brought the most points; the earliest of equal ones."""

    hand: int
    points: int
    han: int | None
    fu: int | None
    limit: str | None
    yakuman: int


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a histogram: a ``key`` and the hands it counts."""

    key: str
    hands: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Histogram:
    """Bars over the ``known`` of all ``cases``."""

    known: int
    cases: int
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Opponent:
    """How it went against one opponent, in the ``games`` that both played.

    ``ahead`` and ``behind`` count better and worse places. ``points`` and ``theirs`` sum final points.
    ``won_from`` and ``dealt_to`` are the rons between the two, with what they brought or cost this player.
    """

    opponent: str
    games: tuple[str, ...]
    ahead: int
    behind: int
    points: int
    theirs: int
    won_from: Mean
    dealt_to: Mean


@dataclass(frozen=True, slots=True)
class BriefFigures:
    """The figures that are listed for everybody.

    ``places`` count first to last places, halves where a place was shared. ``rates`` are named in
    ``docs/club.md``. ``average_win`` and ``average_deal_in`` are points; ``None`` where there are no hands.
    """

    games: int
    games_with_hands: int
    hands_played: int
    points: int
    places: tuple[float, ...]
    average_place: float | None
    best_game: int | None
    worst_game: int | None
    rates: dict[str, Share]
    average_win: float | None
    average_deal_in: float | None
    biggest_hand: int | None
    yaku: int


@dataclass(frozen=True, slots=True)
class Figures:
    """All figures of one player or team, each with the hands and games from which it comes."""

    brief: BriefFigures
    rates: dict[str, OpenedShare]
    average_win: Mean
    average_deal_in: Mean
    biggest_hand: BiggestHand | None
    han: Histogram
    yaku: Histogram
    fouls: tuple[Bar, ...]
    opponents: tuple[Opponent, ...]
    games: tuple[GameLine, ...]
    hands: tuple[HandLine, ...]
