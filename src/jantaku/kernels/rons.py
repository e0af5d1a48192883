"""Several rons on one tile: how many stand, and who takes the honba and deposits (inventory 233, 253–259)."""

from jantaku.kernels._jit import kernel
from jantaku.kernels.rules import choice

HEAD_BUMP = choice("win.multiple_ron", "head_bump")
NEAREST_TWO = choice("win.multiple_ron", "nearest_two")
HEAD_BUMP_TRIPLE_DRAW = choice("win.multiple_ron", "head_bump_triple_draw")
SPLIT = choice("win.deposits_to", "split")
EACH = choice("win.honba_to", "each")


@kernel
def most_standing(number, rules):  # type: ignore[no-untyped-def]
    """How many of so many rons stand, the nearest first; 0 where three of them make a draw."""
    if number == 3 and rules.draw.sanchahou:
        return 0
    rule = rules.win.multiple_ron
    if rule == HEAD_BUMP or rule == HEAD_BUMP_TRIPLE_DRAW:
        return 1
    return 2 if rule == NEAREST_TWO else 3


@kernel
def honba_taken(honba, first, rules):  # type: ignore[no-untyped-def]
    """The honba a winner takes; ``first`` for the nearest one."""
    return honba if first or rules.win.honba_to == EACH else 0


@kernel
def deposits_taken(left, takers, rules):  # type: ignore[no-untyped-def]
    """How many of the deposits left the next of so many takers gets; what does not divide goes nearest."""
    return -(-left // takers) if rules.win.deposits_to == SPLIT else left
