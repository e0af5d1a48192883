"""Chips for wins, busted players and first place, and yakitori: payments separate from the points of hands.

Both affect only the final points: they neither change places nor end a game.
"""

from typing import Final

from jantaku.kernels import bits
from jantaku.kernels._jit import kernel
from jantaku.kernels.engine.state import NO_SEAT
from jantaku.kernels.hand import has_open_meld
from jantaku.kernels.masks import popcount
from jantaku.kernels.points import part_of
from jantaku.kernels.rules import choice
from jantaku.kernels.win import RED, TSUMO, URA, YAKU, YAKUMAN

EACH_WINNER: Final = choice("match.yakitori_to", "each_winner")
SHARED: Final = choice("match.yakitori_to", "shared")
TOBI_TO_FIRST: Final = choice("chips.tobi_to", "first")
TOBI_TO_EACH: Final = choice("chips.tobi_to", "each")


@kernel
def yakuman_chips(yakuman, tsumo, rules):
    """Return the chips that each payer owes for a hand of ``yakuman`` yakuman."""
    return yakuman * int(rules.chips.yakuman_tsumo if tsumo else rules.chips.yakuman_ron)


@kernel
def counted_chips(ippatsu, red, ura, rules):
    """Return the chips that each payer owes for a hand without yakuman."""
    return ippatsu * int(rules.chips.ippatsu) + red * int(rules.chips.red) + ura * int(rules.chips.ura)


@kernel
def chips_of(win, result, rules):
    """Return the chips that each payer owes for a win, from its ``result`` (``int64[RESULT]``)."""
    if rules.chips.value == 0:
        return 0
    if result[YAKUMAN] > 0:
        return yakuman_chips(int(result[YAKUMAN]), int(win.situation) & TSUMO != 0, rules)
    red = int(result[RED]) if rules.chips.red_open or not has_open_meld(win) else 0
    return counted_chips(int(result[YAKU]) >> bits.IPPATSU & 1, red, int(result[URA]), rules)


@kernel
def pay_chips(match, outcome, seat, chips):
    """Record the chips of a win of ``seat``, paid by the discarder, or by everyone on a tsumo."""
    for other in range(int(match.seats)):
        pays = other == int(outcome.discarder) or int(outcome.discarder) == NO_SEAT
        if pays and other != seat:
            outcome.chips[other] -= chips
            outcome.chips[seat] += chips


@kernel
def gaining_seats(outcome, seats):
    """Return the seats that gained points in the hand, as a mask."""
    gaining = 0
    for seat in range(seats):
        gaining |= int(outcome.delta[seat] > 0) << seat
    return gaining


@kernel
def _give_chips(match, payers, getters, due, rules):
    """Transfer ``due`` chips from each of the ``payers`` (a mask) to the ``getters``, at the end of a game.

    Chips that cannot be divided equally go to the seats nearest to the first dealer. If there is no
    recipient, nobody pays.
    """
    getters &= ~payers
    number = popcount(getters)
    whole, before = due * popcount(payers), 0
    for seat in range(int(match.seats)):
        chips = 0
        if number > 0 and payers >> seat & 1:
            chips = -due
        elif getters >> seat & 1:
            chips = whole // number + int(before < whole % number)
            before += 1
        match.chips[seat] += chips
        match.final[seat] += chips * int(rules.chips.value)


@kernel
def pay_final_chips(match, busted, gained, rules):
    """Pay the chips due at a game's end: from every busted player, and to first place (inventory d39).

    ``gained`` are the seats that won points in the last hand; both it and ``busted`` are masks. Places are
    already known.
    """
    if rules.chips.value == 0:
        return
    everybody, first = (1 << int(match.seats)) - 1, 0
    for seat in range(int(match.seats)):
        first |= int(match.place[seat] == 1) << seat
    getters, due = gained, int(rules.chips.tobi)
    if rules.chips.tobi_to == TOBI_TO_FIRST:
        getters = first
    elif rules.chips.tobi_to == TOBI_TO_EACH:
        getters = everybody
        due *= popcount(everybody & ~busted)
    _give_chips(match, busted, getters, due, rules)
    _give_chips(match, everybody & ~first, first, int(rules.chips.first), rules)


@kernel
def pay_yakitori(match, rules):
    """Record the yakitori payments from players without a win; nobody pays if there was no win at all."""
    seats = int(match.seats)
    winners, getters = int(match.winners), int(match.winners)
    if winners == 0 or rules.match.yakitori == 0:
        return
    if rules.match.yakitori_to != EACH_WINNER and rules.match.yakitori_to != SHARED:
        getters = 0
        for seat in range(seats):
            getters |= int(match.place[seat] == 1) << seat
    payers = (1 << seats) - 1 & ~winners & ~getters
    due = int(rules.match.yakitori)
    if rules.match.yakitori_to == EACH_WINNER:
        due *= popcount(getters)
    paid = due * popcount(payers)
    before = 0
    for seat in range(seats):
        match.yakitori[seat] = -due if payers >> seat & 1 else 0
        if getters >> seat & 1:
            match.yakitori[seat] = part_of(paid, popcount(getters), before)
            before += 1
