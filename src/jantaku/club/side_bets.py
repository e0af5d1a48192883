"""Side bets (sashi-uma) between two players of a game; they never affect the standings."""

from fractions import Fraction
from typing import Literal

from jantaku.club.stage_standings import rounded

BetKind = Literal["fixed", "per_1000"]


def won_points(kind: BetKind, stake: int, mine: int, theirs: int) -> int:
    """Return one player's winnings, negative for a loss; ``mine`` and ``theirs`` are final points.

    ``fixed``: the player with more final points wins the stake. ``per_1000``: the stake for each 1,000 points
    of difference, rounded half away from zero.

    >>> won_points("fixed", 10, 5000, -3000), won_points("per_1000", 10, -3000, 5500)
    (10, -85)
    """
    if kind == "per_1000":
        return rounded(Fraction(stake * (mine - theirs), 1000))
    return stake * ((mine > theirs) - (mine < theirs))
