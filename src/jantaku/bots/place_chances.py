"""Chances of each place before every hand of a game, from the points and the number of hands left.

A seat's weight is the exponential of its points, in thousands, divided by ``SCALE`` times the square root of
the hands left: points matter more when fewer hands can still change them. A seat's chance of first place is
proportional to its weight; second place goes to one of the others in the same way, and so on (Plackett–Luce).
``research.fit_placing`` fits ``SCALE`` to games between ``standard`` bots.
"""

from collections.abc import Sequence
from math import exp, sqrt
from typing import Final

import numpy as np

from jantaku.game import Game
from jantaku.game.events import GameEnded, HandStarted
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.final_points import tied_with, uma_of
from jantaku.kernels.engine.game_end import last_number
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset

SCALE: Final = 4.5
Chances = tuple[float, ...]  # from first place to last


@kernel
def _weight(scores, seat, most, spread):
    return max(exp((int(scores[seat]) - most) / spread), 1e-300)


@kernel
def _weight_besides(scores, seats, out, most, spread):
    """Return the total weight of the seats that are not in the mask ``out``."""
    total = 0.0
    for seat in range(seats):
        if out >> seat & 1 == 0:
            total += _weight(scores, seat, most, spread)
    return total


@routine
def write_place_chances(scores, seats, seat, spread, chances):
    """Write the chances of ``seat`` for every place to ``chances`` (``float64[4]``); ``spread`` is in points.

    With four seats the second and third place take one and two other seats before this one.
    """
    most = int(scores[0])
    for other in range(1, seats):
        most = max(most, int(scores[other]))
    own = _weight(scores, seat, most, spread)
    for place in range(len(chances)):
        chances[place] = 0.0
    chances[0] = own / _weight_besides(scores, seats, 0, most, spread)
    for first in range(seats):
        if first == seat:
            continue
        one = _weight(scores, first, most, spread) / _weight_besides(scores, seats, 0, most, spread)
        left = _weight_besides(scores, seats, 1 << first, most, spread)
        chances[1] += one * own / left
        for second in range(seats):
            if second in (seat, first):
                continue
            two = one * _weight(scores, second, most, spread) / left
            rest = _weight_besides(scores, seats, 1 << first | 1 << second, most, spread)
            chances[2] += two * own / rest
    if seats > 3:
        chances[3] = max(0.0, 1.0 - chances[0] - chances[1] - chances[2])


@kernel
def spread_of(left, scale):
    """Return the spread of the weights in points, with ``left`` hands to come."""
    return 1000.0 * scale * sqrt(left)


@routine
def expected_result(match, seat, rules, chances):
    """Return (place, final points) that the seat can expect after a hand; exact if the game is over.

    The points are those of the seat, less the return points, plus an equal part of the deposits and the
    uma and oka of each place times its chance. ``chances`` (``float64[4]``) receives the chances.
    """
    if match.over:
        tied, _ = tied_with(match, seat)
        best = int(match.place[seat]) - 1
        for i in range(len(chances)):
            chances[i] = 1.0 / tied if best <= i < best + tied else 0.0
        return best + (tied + 1) / 2.0, float(int(match.final[seat]))
    seats = int(match.seats)
    left = max(int(last_number(rules)) - int(match.number) + 1, 1)
    write_place_chances(match.scores, seats, seat, spread_of(left, SCALE), chances)
    place = 0.0
    final = 1.0 * (int(match.scores[seat]) - int(rules.match.return_points) - int(match.penalties[seat]))
    final += int(match.deposits) * int(rules.riichi.deposit) / seats
    final += int(match.chips[seat]) * int(rules.chips.value)
    for i in range(seats):
        place += (i + 1) * chances[i]
        final += chances[i] * (uma_of(match, i, rules) + (int(rules.oka) if i == 0 else 0))
    return place, final


def hands_left(number: int, rules: Ruleset) -> int:
    """Return how many regular hands are left, including hand ``number`` (from East 1); at least one."""
    return max(int(last_number(rules_record(rules)[0])) - number + 1, 1)


def chances(scores: Sequence[int], left: int, scale: float = SCALE) -> tuple[Chances, ...]:
    """Return the chances of each seat for every place, with ``left`` hands to come.

    >>> [round(one[0], 2) for one in chances((40000, 20000, 20000, 20000), 1)]
    [0.97, 0.01, 0.01, 0.01]
    """
    seats, points, rows = len(scores), np.array(scores, np.int64), []
    for seat in range(seats):
        row = np.zeros(4)
        write_place_chances(points, seats, seat, spread_of(left, scale), row)
        rows.append(tuple(map(float, row[:seats])))
    return tuple(rows)


def chances_by_hand(game: Game) -> tuple[tuple[Chances, ...], ...]:
    """Return the chances before each hand and, for a finished game, the final places as certainties."""
    rows: list[tuple[Chances, ...]] = []
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
