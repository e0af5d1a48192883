"""Chances of each place before every hand of a game, from the points and the number of hands left.

A seat's weight is the exponential of its points, in thousands, divided by ``SCALE`` times the square root of
the hands left: points matter more when fewer hands can still change them. A seat's chance of first place is
proportional to its weight; second place goes to one of the others in the same way, and so on (Plackett–Luce).
``research.fit_placing`` fits ``SCALE`` to games between ``standard`` bots.
"""

from collections.abc import Sequence
from itertools import permutations
from math import exp, sqrt
from typing import Final

from jantaku.game import Game
from jantaku.game.events import GameEnded, HandStarted
from jantaku.kernels.engine.game_end import last_number
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset

SCALE: Final = 4.5
Chances = tuple[float, ...]  # from first place to last


def hands_left(number: int, rules: Ruleset) -> int:
    """Return how many regular hands are left, including hand ``number`` (from East 1); at least one."""
    return max(int(last_number(rules_record(rules)[0])) - number + 1, 1)


def chances(scores: Sequence[int], left: int, scale: float = SCALE) -> tuple[Chances, ...]:
    """Return the chances of each seat for every place, with ``left`` hands to come.

    >>> [round(one[0], 2) for one in chances((40000, 20000, 20000, 20000), 1)]
    [0.97, 0.01, 0.01, 0.01]
    """
    most, spread = max(scores), 1000 * scale * sqrt(left)
    weights = [exp((score - most) / spread) for score in scores]
    seats = range(len(scores))
    table = [[0.0] * len(scores) for _ in seats]
    for order in permutations(seats):
        chance, rest = 1.0, sum(weights)
        for seat in order:
            chance *= weights[seat] / rest if rest > 0 else 1.0
            rest -= weights[seat]
        for place, seat in enumerate(order):
            table[seat][place] += chance
    return tuple(tuple(row) for row in table)


def chances_by_hand(game: Game) -> tuple[tuple[Chances, ...], ...]:
    """Return the chances before each hand and, for a finished game, the final places as certainties."""
    rows = []
    for event in game.events:
        if isinstance(event, HandStarted):
            rows.append(chances(event.scores, hands_left(event.number, game.rules)))
        elif isinstance(event, GameEnded):
            rows.append(_certain(event.places))
    return tuple(rows)


def _certain(places: Sequence[int]) -> tuple[Chances, ...]:
    """Return the final places as chances; seats that share places have an equal part of each."""
    rows = []
    for place in places:
        sharing = places.count(place)
        rows.append(tuple(float(place - 1 <= i < place - 1 + sharing) / sharing for i in range(len(places))))
    return tuple(rows)
