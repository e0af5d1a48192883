"""Yaku to plan for: how many tiles a hand still misses of each, and what it is worth under the ruleset."""

from typing import Final

from jantaku.bots.plan import worth_of
from jantaku.kernels import bits
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.masks import ORPHANS
from jantaku.kernels.rules import CLOSED

(
    HONITSU,
    CHINITSU,
    TOITOI,
    CHIITOITSU,
    SANSHOKU,
    ITTSUU,
    CHANTA,
    IIPEIKOU,
    TRIPLE_TRIPLETS,
    DRAGONS,
    TANYAO,
    PINFU,
) = range(12)
GOALS: Final = 12
GOAL_YAKU: Final = (
    bits.HONITSU,
    bits.CHINITSU,
    bits.TOITOI,
    bits.CHIITOITSU,
    bits.SANSHOKU_DOUJUN,
    bits.ITTSUU,
    bits.CHANTA,
    bits.IIPEIKOU,
    bits.SANSHOKU_DOUKOU,
    bits.SHOUSANGEN,
    bits.TANYAO,
    bits.PINFU,
)
"""The yaku that each goal leads to."""
NEVER: Final = 14  # tiles missing of a yaku that the hand can no longer make
NEAR: Final = 3  # a goal is near with fewer tiles missing
FAR: Final = 6  # a goal does not count with as many tiles missing


@kernel
def _tiles_of(hand, seen, kind):
    """1 if the hand has a tile of the kind, 0 if it misses it, −``NEVER`` if none is left to draw."""
    if hand[kind] > 0:
        return 1
    return 0 if int(seen[kind]) < 4 else -NEVER


@kernel
def _run(hand, seen, plan, first):
    """How many tiles of the run are there; 3 if it has been called."""
    if plan.runs >> first & 1:
        return 3
    return _tiles_of(hand, seen, first) + _tiles_of(hand, seen, first + 1) + _tiles_of(hand, seen, first + 2)


@kernel
def _three_runs(hand, seen, plan, first, step):
    """Tiles missing of three runs that begin at ``first`` and ``step`` and twice ``step`` further."""
    found = used = 0
    for k in range(3):
        found += _run(hand, seen, plan, first + k * step)
        used += plan.runs >> first + k * step & 1
    return 9 - max(found, 9 - NEVER) if plan.melds - used <= 1 else NEVER


@kernel
def _sanshoku(hand, seen, plan):
    least = NEVER
    for rank in range(7):
        least = min(least, _three_runs(hand, seen, plan, rank, 9))
    return least


@kernel
def _ittsuu(hand, seen, plan):
    least = NEVER
    for suit in range(3):
        least = min(least, _three_runs(hand, seen, plan, 9 * suit, 3))
    return least


@kernel
def _triplet(hand, seen, plan, kind):
    """How many tiles of a triplet are there; −``NEVER`` if it cannot be completed."""
    if plan.triplets >> kind & 1:
        return 3
    held = int(hand[kind])
    return min(held, 3) if held + 4 - int(seen[kind]) >= 3 else -NEVER


@kernel
def _triple_triplets(hand, seen, plan):
    least = NEVER
    for rank in range(9):
        found = used = 0
        for suit in range(3):
            found += _triplet(hand, seen, plan, 9 * suit + rank)
            used += plan.triplets >> 9 * suit + rank & 1
        if plan.melds - used <= 1:
            least = min(least, 9 - max(found, 9 - NEVER))
    return least


@kernel
def _dragons(hand, seen, plan):
    """Tiles missing of two triplets and a pair of dragons."""
    found, least, used = 0, 3, 0
    for kind in range(31, 34):
        held = _triplet(hand, seen, plan, kind)
        if held < 0:
            held = min(int(hand[kind]), 2)
        found, least = found + held, min(least, held)
        used += plan.triplets >> kind & 1
    return 8 - found + int(least == 3) if plan.melds - used <= 2 else NEVER


@kernel
def _iipeikou(hand, seen, plan):
    if plan.side != CLOSED or plan.melds > 2:
        return NEVER
    most = 0
    for suit in range(3):
        for rank in range(7):
            found = 0
            for k in range(3):
                kind = 9 * suit + rank + k
                held = min(int(hand[kind]), 2)
                found += held if held + 4 - int(seen[kind]) >= 2 else -NEVER
            most = max(most, found)
    return 6 - most


@kernel
def _one_suit(hand, plan, out):
    """Write how many tiles stand in the way of one suit with honours, and without."""
    honours, best, total = 0, -1, 0
    for kind in range(27, 34):
        honours += int(hand[kind])
    for suit in range(3):
        own = 0
        for rank in range(9):
            own += int(hand[9 * suit + rank])
        total += own
        if plan.suits & 7 & ~(1 << suit) == 0:
            best = max(best, own)
    out[HONITSU] = total - best if best >= 0 else NEVER
    out[CHINITSU] = total - best + honours if best >= 0 and plan.suits & 8 == 0 else NEVER


@kernel
def _pairs(hand, plan, out):
    """Write the tiles missing of triplets alone, and of seven pairs."""
    pairs, triplets = 0, plan.melds
    for kind in range(34):
        held = int(hand[kind])
        triplets += int(held >= 3)
        pairs += int(held == 2)
    out[TOITOI] = 9 - 2 * triplets - min(pairs, 5 - triplets) if plan.runs == 0 else NEVER
    out[CHIITOITSU] = max(7 - pairs - triplets, 0) if plan.melds == 0 else NEVER


@kernel
def _outside(hand, plan):
    """Tiles that stand in the way of a terminal or an honour in every set and the pair."""
    if plan.inner:
        return NEVER
    off = 0
    for suit in range(3):
        for rank in range(9):
            held, far = int(hand[9 * suit + rank]), min(rank, 8 - rank)
            if far >= 3:
                off += held
            elif far > 0:  # a run needs its terminal
                end = int(hand[9 * suit]) if rank < 4 else int(hand[9 * suit + 8])
                off += max(held - max(end, 1), 0)
    return off


@kernel
def _yaochuu(hand, plan):
    """How many terminals and honours stand in the way of tanyao."""
    if plan.inner < plan.melds:
        return NEVER
    found = 0
    for kind in range(34):
        found += int(hand[kind]) if ORPHANS >> kind & 1 else 0
    return found


@kernel
def _runs_of(tiles, start):
    """(runs, two-sided pairs of neighbours) that a suit of ``tiles`` divides into, from the left."""
    runs = two_sided = 0
    first = second = 0  # tiles of the two ranks before that are not yet used
    for rank in range(9):
        held = int(tiles[start + rank])
        made = min(first, second, held)
        runs += made
        first, second, held = first - made, second - made, held - made
        waiting = min(first, second) if rank >= 3 else 0  # 12 waits on one side only
        two_sided += waiting
        first, second = second - waiting, held
    return runs, two_sided


@kernel
def _pinfu(hand, plan):
    """Tiles missing of four runs, with a two-sided wait for each that is not complete, and a pair."""
    if plan.melds > 0:
        return NEVER
    runs = two_sided = 0
    for suit in range(3):
        found, waiting = _runs_of(hand, 9 * suit)
        runs, two_sided = runs + found, two_sided + waiting
    two_sided = min(two_sided, 4 - runs)
    pair = int(plan.pairs > 0 and (plan.yakuhai_pairs == 0 or plan.pairs > 1))
    return two_sided + 3 * (4 - runs - two_sided) + 1 - pair


@kernel
def worth_of_goal(goal, plan, rules):
    """The han of the goal's yaku for this hand; 5 stands for limits and yakuman."""
    return worth_of(GOAL_YAKU[goal], plan.side, rules)


@routine
def write_goals(hand, seen, plan, rules, out):
    """Write the tiles that ``hand`` misses of each goal to ``out``; ``NEVER`` if it cannot count."""
    _one_suit(hand, plan, out)
    _pairs(hand, plan, out)
    out[SANSHOKU] = _sanshoku(hand, seen, plan)
    out[ITTSUU] = _ittsuu(hand, seen, plan)
    out[CHANTA] = _outside(hand, plan)
    out[IIPEIKOU] = _iipeikou(hand, seen, plan)
    out[TRIPLE_TRIPLETS] = _triple_triplets(hand, seen, plan)
    out[DRAGONS] = _dragons(hand, seen, plan)
    out[TANYAO] = _yaochuu(hand, plan)
    out[PINFU] = _pinfu(hand, plan)
    for goal in range(GOALS):
        if worth_of_goal(goal, plan, rules) == 0:
            out[goal] = NEVER


@kernel
def nearest_yaku(plan, goals):
    """How many tiles the hand misses of the nearest yaku that an open hand may win with, at most ``FAR``."""
    if plan.yakuhai > 0:
        return 0
    least = 1 if plan.yakuhai_pairs > 0 else FAR
    for goal in range(GOALS):
        least = min(least, int(goals[goal]))
    return least
