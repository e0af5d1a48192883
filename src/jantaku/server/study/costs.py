"""What mistakes cost a person per hand: by kind, by situation, over time, and compared with bots.

The hands of a game are dependent, so the game is the unit of every interval.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple, get_args

from jantaku.bots.review.levels import LevelCost, level_costs
from jantaku.bots.review.model import MistakeKind
from jantaku.server.storage.reviews import GameCosts, Situation
from jantaku.wire import Wire

Z: Final = 1.959963984540054  # normal quantile of a 95 % interval
MIN_GAMES: Final = 5  # fewer give no interval
KINDS: Final[tuple[MistakeKind, ...]] = get_args(MistakeKind)
SITUATIONS: Final[tuple[Situation, ...]] = get_args(Situation)


class CostPerHand(Wire):
    """Points lost per hand, with a 95 % interval, which is ``None`` for fewer than five games."""

    cost: float
    low: float | None
    high: float | None


class MistakeCost(Wire):
    """What one kind of mistake costs per hand; the kind is ``None`` for all mistakes together.

    ``earlier`` and ``later``: in the older and the newer half of the games. ``change``: their difference,
    negative if the newer games cost less. All three are ``None`` for fewer than ten games.
    """

    kind: MistakeKind | None
    cost: CostPerHand
    earlier: CostPerHand | None
    later: CostPerHand | None
    change: CostPerHand | None


class SituationCost(Wire):
    """What mistakes in a situation cost, per hand in which it arose; ``hands``: their number.

    ``dealer`` and ``child``: the person's seat. ``early``: up to the sixth discard, ``middle``: up to the
    twelfth, ``late``: later. ``riichi``: against an opponent's riichi.
    """

    situation: Situation
    hands: int
    cost: CostPerHand


class ProfileCosts(Wire):
    """What mistakes cost in the reviewed games under one ruleset.

    ``costs``: of all mistakes together, then of each kind, costliest first. ``levels``: for comparison.
    """

    games: int
    hands: int
    costs: list[MistakeCost]
    situations: list[SituationCost]
    levels: list[LevelCost]


class _Ratio(NamedTuple):
    """Points per hand, its variance, and the number of games."""

    value: float
    variance: float
    games: int

    def shown(self) -> CostPerHand:
        """Return the interval, which never begins below 0, as mistakes gain nothing."""
        if self.games < MIN_GAMES:
            return CostPerHand(cost=self.value, low=None, high=None)
        half = quantile(self.games - 1) * math.sqrt(self.variance)
        return CostPerHand(cost=self.value, low=max(0.0, self.value - half), high=self.value + half)


def quantile(freedom: int) -> float:
    """Return Student's quantile of a 95 % interval, by its expansion for at least four degrees of freedom.

    >>> [round(quantile(freedom), 2) for freedom in (4, 10, 100)]
    [2.77, 2.23, 1.98]
    """
    z2 = Z * Z
    first = (z2 + 1) / 4
    second = (5 * z2 * z2 + 16 * z2 + 3) / 96
    third = (3 * z2**3 + 19 * z2**2 + 17 * z2 - 15) / 384
    return Z * (1 + first / freedom + second / freedom**2 + third / freedom**3)


def _ratio(lost: Sequence[float], hands: Sequence[int]) -> _Ratio:
    """Return points per hand of games; the variance is that of a ratio of two sums (the delta method)."""
    games, total = len(lost), sum(hands)
    if total == 0:
        return _Ratio(0.0, 0.0, 0)
    value = sum(lost) / total
    squares = sum((points - value * count) ** 2 for points, count in zip(lost, hands, strict=True))
    variance = squares / total**2 * games / (games - 1) if games > 1 else 0.0
    return _Ratio(value, variance, games)


def profile_costs(games: Sequence[GameCosts], players: int) -> ProfileCosts | None:
    """Return the costs of reviewed games, given from the oldest to the newest; ``None`` without a hand."""
    games = [game for game in games if game.hands]
    if not games:
        return None
    kinds = sorted(KINDS, key=lambda kind: -sum(game.lost.get(kind, 0.0) for game in games))
    found = [kind for kind in kinds if any(game.lost.get(kind) for game in games)]
    return ProfileCosts(
        games=len(games),
        hands=sum(game.hands for game in games),
        costs=[_of_kind(games, kind) for kind in (None, *found)],
        situations=[_of_situation(games, situation) for situation in SITUATIONS],
        levels=list(level_costs(players)),
    )


def _of_kind(games: Sequence[GameCosts], kind: MistakeKind | None) -> MistakeCost:
    lost = [sum(game.lost.values()) if kind is None else game.lost.get(kind, 0.0) for game in games]
    hands, middle = [game.hands for game in games], len(games) // 2
    earlier = later = change = None
    if middle >= MIN_GAMES:
        old, new = _ratio(lost[:middle], hands[:middle]), _ratio(lost[middle:], hands[middle:])
        half = quantile(len(games) - 2) * math.sqrt(old.variance + new.variance)
        value = new.value - old.value
        earlier, later = old.shown(), new.shown()
        change = CostPerHand(cost=value, low=value - half, high=value + half)
    cost = _ratio(lost, hands).shown()
    return MistakeCost(kind=kind, cost=cost, earlier=earlier, later=later, change=change)


def _of_situation(games: Sequence[GameCosts], situation: Situation) -> SituationCost:
    arose = [game for game in games if game.arose.get(situation)]
    lost = [game.lost_in.get(situation, 0.0) for game in arose]
    hands = [game.arose[situation] for game in arose]
    return SituationCost(situation=situation, hands=sum(hands), cost=_ratio(lost, hands).shown())
