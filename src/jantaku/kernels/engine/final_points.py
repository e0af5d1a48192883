"""Final points of a game: places, uma and oka, and rounding (inventory 400–412)."""

from typing import Final

from jantaku.kernels._jit import kernel
from jantaku.kernels.points import part_of
from jantaku.kernels.rules import choice

SHARE: Final = choice("match.tie", "share")
NO_ROUNDING: Final = choice("match.final_rounding", "none")
NEAREST: Final = choice("match.final_rounding", "nearest_1000")


@kernel
def place_of(match, seat):
    """Return how many seats rank above this one: more points, or equal and nearer to the first dealer."""
    mine = int(match.scores[seat])
    before = 0
    for other in range(int(match.seats)):
        theirs = int(match.scores[other])
        before += int(theirs > mine or (theirs == mine and other < seat))
    return before


@kernel
def ahead_of(match, seat, rules):
    """Return how many seats rank above this one; under some rules, equal points share a place."""
    if rules.match.tie != SHARE:
        return place_of(match, seat)
    before = 0
    for other in range(int(match.seats)):
        before += int(match.scores[other] > match.scores[seat])
    return before


@kernel
def tied_with(match, seat):
    """Return how many players share this seat's place, itself included, and how many sit before it."""
    tied = before = 0
    for other in range(int(match.seats)):
        same = int(match.place[other] == match.place[seat])
        tied += same
        before += same if other < seat else 0
    return tied, before


@kernel
def share_among_first(match, points, total):
    """Add ``total`` to the ``points`` of first place, divided if several players share it."""
    for seat in range(int(match.seats)):
        if match.place[seat] == 1:
            tied, before = tied_with(match, seat)
            points[seat] += part_of(total, tied, before)


@kernel
def floating(match, rules):
    """Return how many players have at least the starting points."""
    number = 0
    for seat in range(int(match.seats)):
        number += int(match.scores[seat] >= rules.match.start_points)
    return number


@kernel
def uma_of(match, place, rules):
    """Return the uma of a place (0–3); floating uma depends on how many players are afloat."""
    afloat = floating(match, rules)
    if rules.floats and 1 <= afloat < int(match.seats):
        return int(rules.floating_uma[afloat - 1, place])
    return int(rules.uma[place])


@kernel
def bonus(match, seat, rules):
    """Return oka and uma of the seat's place; players sharing a place divide both."""
    tied, before = tied_with(match, seat)
    place = int(match.place[seat]) - 1
    total = int(rules.oka) if place == 0 else 0
    for i in range(tied):
        total += uma_of(match, place + i, rules)
    return total // tied + (total % tied if before == 0 else 0)


@kernel
def rounded(points, rules):
    """Round ``points`` to thousands; depending on the rules, 500 rounds up, or down (五捨六入)."""
    if rules.match.final_rounding == NO_ROUNDING:
        return points
    if rules.match.final_rounding == NEAREST:
        return (points + 500) // 1000 * 1000
    return (points + 499) // 1000 * 1000
