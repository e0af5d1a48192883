"""Shanten by its definition: the number of tiles missing from the nearest complete shape, minus one.

A target shape is ``4 - melds`` runs and triplets and one pair. It uses a kind at most four times, so a hand
never waits for a fifth copy. Missing tiles are counted kind by kind; suits are independent, so each is
searched alone and the results are combined.
"""

from collections.abc import Sequence
from functools import cache
from itertools import product

FAR = 99
YAOCHUU = (0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33)
SUITS = ((0, 9), (9, 18), (18, 27))
HONOURS = range(27, 34)

# The smallest number of missing tiles for each number of sets and pairs: ``lacking[sets, pairs]``
Lacking = dict[tuple[int, int], int]


def standard(counts: Sequence[int], melds: int) -> int:
    """Return the shanten for sets and a pair; −1 for a complete hand."""
    total: Lacking = {(0, 0): 0}
    for start, end in SUITS:
        total = _together(total, _suit(tuple(counts[start:end])))
    for kind in HONOURS:
        total = _together(total, _honour(counts[kind]))
    return total[4 - melds, 1] - 1


def chiitoitsu(counts: Sequence[int]) -> int:
    """Return the shanten for seven different pairs."""
    pairs = sum(count >= 2 for count in counts)
    kinds = sum(count >= 1 for count in counts)
    return 6 - pairs + max(0, 7 - kinds)


def kokushi(counts: Sequence[int]) -> int:
    """Return the shanten for kokushi musou."""
    kinds = sum(counts[kind] >= 1 for kind in YAOCHUU)
    has_pair = any(counts[kind] >= 2 for kind in YAOCHUU)
    return 13 - kinds - has_pair


def shanten(counts: Sequence[int], melds: int) -> int:
    """Return the lowest shanten of all forms possible with this number of melds."""
    if melds:
        return standard(counts, melds)
    return min(standard(counts, 0), chiitoitsu(counts), kokushi(counts))


def _together(left: Lacking, right: Lacking) -> Lacking:
    """Combine two parts of the hand, with the best distribution of sets and the pair between them."""
    best: Lacking = {}
    for (sets_a, pairs_a), lack_a in left.items():
        for (sets_b, pairs_b), lack_b in right.items():
            key = sets_a + sets_b, pairs_a + pairs_b
            if key[0] <= 4 and key[1] <= 1:
                best[key] = min(best.get(key, FAR), lack_a + lack_b)
    return best


def _honour(held: int) -> Lacking:
    """Return the number of tiles missing if an honour is unused, a triplet or the pair."""
    return {(0, 0): 0, (1, 0): max(0, 3 - held), (0, 1): max(0, 2 - held)}


@cache
def _suit(held: tuple[int, ...]) -> Lacking:
    """Go from 1 to 9 and choose at each rank the runs that start there, a triplet and the pair.

    The state is (runs begun two ranks below, runs begun one rank below, sets, pairs): both runs still
    need a tile of this rank.
    """
    states: dict[tuple[int, int, int, int], int] = {(0, 0, 0, 0): 0}
    for number, have in enumerate(held):
        after: dict[tuple[int, int, int, int], int] = {}
        max_runs = 4 if number <= 6 else 0
        for (two_below, one_below, sets, pairs), lack in states.items():
            possible_runs = range(min(max_runs, 4 - sets) + 1)
            for runs, triplet, pair in product(possible_runs, (0, 1), range(2 - pairs)):
                need = two_below + one_below + runs + 3 * triplet + 2 * pair
                key = one_below, runs, sets + runs + triplet, pairs + pair
                if need <= 4 and key[2] <= 4 and key[3] <= 1:
                    after[key] = min(after.get(key, FAR), lack + max(0, need - have))
        states = after
    best: Lacking = {}
    for (_, _, sets, pairs), lack in states.items():
        best[sets, pairs] = min(best.get((sets, pairs), FAR), lack)
    return best
