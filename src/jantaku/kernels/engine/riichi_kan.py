"""Concealed kans that a player in riichi may declare (inventory 130–133)."""

from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.hands import RED, count_held
from jantaku.kernels.rules import choice
from jantaku.kernels.shanten import shanten
from jantaku.kernels.waits import wait_mask

NEVER_KAN = choice("riichi.ankan", "never")
SAME_STRUCTURE = choice("riichi.ankan", "same_structure")


@routine
def riichi_kan(game, seat, kind, rules, context):
    """Return whether a concealed kan in riichi keeps the waits and, if required, the structure."""
    if rules.riichi.ankan == NEVER_KAN or int(game.drawn) % RED != kind:
        return False
    count_held(game, seat, context.held)
    if not game.melds_count:  # the quad becomes a meld, whose tiles do not count
        context.held[kind] = 0
    rule, waits = int(rules.riichi.ankan), int(game.waits[seat])
    return keeps_riichi(game.hand[seat], int(game.melds[seat]), kind, waits, rule, context)


@routine
def keeps_riichi(hand, melds, kind, waits, rule, context):
    """Return whether riichi allows a quad of ``kind``, of which ``hand`` (``uint8[34]``) holds four.

    ``waits`` is the mask of waits before the draw, ``rule`` the value of ``riichi.ankan``; ``context.held``
    counts all the seat's tiles, including melds.
    """
    hand[kind] -= 4
    after = wait_mask(hand, context.held, melds + 1, context.tables, context.scratch)
    hand[kind] += 4
    if rule == NEVER_KAN or after != waits:
        return False
    return rule != SAME_STRUCTURE or _always_triplet(hand, melds, kind, waits, context)


@kernel
def _always_triplet(hand, melds, kind, waits, context):
    """Return whether the kind is a triplet in every reading of every wait: no run or pair can use it."""
    hand[kind] -= 1  # the fourth tile, just drawn
    possible = False
    for first in range(max(kind - kind % 9, kind - 2), kind + 1):
        if kind >= 27 or first % 9 > 6 or first + 2 - kind > 2:
            continue
        possible = possible or _completes_with_run(hand, first, melds, waits, context)
    hand[kind] += 1
    return not possible


@kernel
def _completes_with_run(hand, first, melds, waits, context):
    """Return whether any wait completes the hand in a reading with the run from ``first``."""
    complete = False
    for kind in range(34):
        if waits >> kind & 1 == 0:
            continue
        hand[kind] += 1
        if hand[first] > 0 and hand[first + 1] > 0 and hand[first + 2] > 0:
            for k in range(3):
                hand[first + k] -= 1
            complete = complete or shanten(hand, melds + 1, context.tables) < 0
            for k in range(3):
                hand[first + k] += 1
        hand[kind] -= 1
    return complete
