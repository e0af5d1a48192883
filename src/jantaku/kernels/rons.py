"""Several rons on one tile: valid rons and the split of honba and deposits (inventory 233, 253–259)."""

from jantaku.kernels._jit import kernel
from jantaku.kernels.masks import popcount
from jantaku.kernels.payments import may_collect_earlier
from jantaku.kernels.rules import choice
from jantaku.kernels.win import IN_RIICHI, MAX_SEATS

HEAD_BUMP = choice("win.multiple_ron", "head_bump")
NEAREST_TWO = choice("win.multiple_ron", "nearest_two")
HEAD_BUMP_TRIPLE_DRAW = choice("win.multiple_ron", "head_bump_triple_draw")
SPLIT = choice("win.deposits_to", "split")
OWN_FIRST = choice("win.deposits_to", "own_first")
EACH = choice("win.honba_to", "each")
TRIPLE_DRAW = 1 << MAX_SEATS


@kernel
def valid_ron_count(number, rules):
    """Return how many of ``number`` rons are valid, nearest first; 0 if three abort the hand."""
    if number == 3 and rules.draw.sanchahou:
        return 0
    rule = rules.win.multiple_ron
    if rule == HEAD_BUMP or rule == HEAD_BUMP_TRIPLE_DRAW:
        return 1
    return 2 if rule == NEAREST_TWO else 3


@kernel
def valid_rons(winners, discarder, rules):
    """Return the winners (a mask) whose ron is valid, or ``TRIPLE_DRAW`` if three rons abort the hand."""
    most = valid_ron_count(popcount(winners), rules)
    if most == 0:
        return TRIPLE_DRAW
    valid = 0
    seats = int(rules.match.players)
    for turn in range(1, seats):
        seat = (discarder + turn) % seats
        if winners >> seat & 1 and most > 0:
            valid |= 1 << seat
            most -= 1
    return valid


@kernel
def honba_collected(honba, first, rules):
    """Return the honba that a winner collects; ``first`` is whether it is the nearest to the discarder."""
    return honba if first or rules.win.honba_to == EACH else 0


@kernel
def deposits_collected(left, eligible, rules):
    """Return how many of ``left`` deposits, odd ones included, go to the nearest of ``eligible`` winners."""
    return -(-left // eligible) if rules.win.deposits_to == SPLIT else left


@kernel
def share_deposits(winners, eligible, deposits, laid, rules, out):
    """Add each winner's number of deposits to ``out`` (``int64[4]``); return how many stay on the table.

    Masks and ``out`` count turns from the discarder. ``laid`` of the deposits were laid in this hand and go
    to any winner; those of earlier hands go only to ``eligible`` (inventory 136–137).
    """
    if eligible == winners:
        laid = 0
    earlier = deposits - laid
    for turn in range(MAX_SEATS):
        if eligible >> turn & 1:
            taken = deposits_collected(earlier, popcount(eligible >> turn), rules)
            out[turn] += taken
            earlier -= taken
        if winners >> turn & 1:
            taken = deposits_collected(laid, popcount(winners >> turn), rules)
            out[turn] += taken
            laid -= taken
    return earlier + laid


@kernel
def share_sticks(wins, number, rules, out):
    """Write the honba and deposits collected by each of the first ``number`` wins, nearest first.

    On entry, every ``WIN`` has the honba, deposits and ``laid`` that are on the table. ``out`` is
    ``int64[4]`` scratch. Returns how many deposits stay on the table. Under ``own_first``, winners in riichi
    get their own deposit back before the others are shared (EMA Riichi Rules 2025, 3.3.10).
    """
    winners = eligible = 0
    deposits, laid = int(wins[0].deposits), int(wins[0].laid)
    for i in range(MAX_SEATS):
        out[i] = 0
    for i in range(number):
        situation = int(wins[i].situation)
        winners |= 1 << i
        eligible |= int(may_collect_earlier(situation, rules)) << i
        if rules.win.deposits_to == OWN_FIRST and situation & IN_RIICHI and deposits > 0:
            out[i] = 1
            deposits -= 1
            laid = max(laid - 1, 0)
    left = share_deposits(winners, eligible, deposits, laid, rules, out)
    for i in range(number):
        wins[i].honba = honba_collected(int(wins[i].honba), i == 0, rules)
        wins[i].deposits = wins[i].laid = out[i]
    return left
