"""Adds chips and yakitori to games of which only the points are known that they ended with."""

import numpy as np

from jantaku.kernels._jit import allocating
from jantaku.kernels.engine.entered import SHEET
from jantaku.kernels.engine.prizes import pay_yakitori


@allocating
def add_prizes(places, chips, winners, rules, final, yakitori):
    """Add the prizes of each game to ``final`` and write its ``yakitori``; ``winners`` are masks of seats."""
    sheets = np.zeros(1, SHEET)
    match, seats = sheets[0].match, int(rules[0].match.players)
    match.seats = seats
    for i in range(len(places)):
        match.winners = winners[i]
        for seat in range(seats):
            match.place[seat] = places[i, seat]
            match.yakitori[seat] = 0
        pay_yakitori(match, rules[0])
        for seat in range(seats):
            yakitori[i, seat] = match.yakitori[seat]
            final[i, seat] += int(chips[i, seat]) * int(rules[0].chips.value) + int(match.yakitori[seat])
