"""The order of players in a stage: ranked and qualified first, by points, then by the event's tie-breaks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby

from jantaku.club.event import EventGame, TieBreak


@dataclass(slots=True)
class Played:
    """What a player has played in a stage; ``finals`` are the final points of the games, in their order."""

    player: str
    seats: int
    finals: list[int] = field(default_factory=list)
    places: list[Fraction | int] = field(default_factory=list)
    points: int = 0
    carried: int = 0
    penalty: int = 0
    counted: int = 0
    qualified: bool = True
    ranked: bool = True

    def __post_init__(self) -> None:
        self.places = [0] * self.seats

    @property
    def average_place(self) -> Fraction | None:
        """The mean place over all games; ``None`` if there are none."""
        if not self.finals:
            return None
        total = sum(place * count for place, count in enumerate(self.places, 1))
        return Fraction(total) / len(self.finals)


Key = Callable[[Played], tuple[int, Fraction | int]]
LAST = (1, 0)
"""Players without a game come last among equals."""


def ranked(
    players: Sequence[Played], tie_breaks: Sequence[TieBreak], games: Sequence[EventGame]
) -> list[tuple[int | None, Played]]:
    """The players in order with their ranks (1, 2, 2, 4); players who are equal keep their order.

    Whoever is not ranked comes last, with ``None``.
    """
    groups = _split(players, lambda player: (2 - player.qualified - player.ranked, -player.points))
    for name in tie_breaks:
        groups = [part for group in groups for part in _split(group, _key(name, group, games))]
    rows, before = list[tuple[int | None, Played]](), 0
    for group in groups:
        rows += [(before + 1 if player.ranked else None, player) for player in group]
        before += len(group)
    return rows


def _split(group: Sequence[Played], key: Key) -> list[list[Played]]:
    """The group split by key, the lowest key first."""
    if len(group) == 1:
        return [list(group)]
    return [list(part) for _, part in groupby(sorted(group, key=key), key)]


def _key(name: TieBreak, group: Sequence[Played], games: Sequence[EventGame]) -> Key:
    if name == "head_to_head":
        return _head_to_head(group, games) if len(group) > 1 else lambda _: LAST
    value = _VALUES[name]
    return lambda player: (0, value(player)) if player.finals else LAST


_VALUES: dict[str, Callable[[Played], Fraction | int]] = {
    "average_place": lambda player: player.average_place or 0,
    "firsts": lambda player: -player.places[0],
    "best_game": lambda player: -max(player.finals),
    "games": lambda player: -len(player.finals),
}


def _head_to_head(group: Sequence[Played], games: Sequence[EventGame]) -> Key:
    """The sum of final points in the games that two or more of the group played together."""
    tied, sums = {player.player for player in group}, dict[str, int]()
    for game in games:
        met = [i for i, player in enumerate(game.players) if player in tied]
        if len(met) > 1:
            for i in met:
                sums[game.players[i]] = sums.get(game.players[i], 0) + game.final[i]
    return lambda player: (0, -sums[player.player]) if player.player in sums else LAST
