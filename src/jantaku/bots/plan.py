"""The potential of a hand: its melds, valued honours and dora, and the value of yaku under the ruleset."""

from typing import NamedTuple

from jantaku.bots.danger import dora_of, yakuhai_han
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.hands import NORTH
from jantaku.kernels.engine.state import NO_TILE
from jantaku.kernels.masks import popcount
from jantaku.kernels.rules import CLOSED, OPEN
from jantaku.kernels.win import ANKAN, CHI, NO_MELD


class Plan(NamedTuple):
    """Facts of a hand that its yaku depend on.

    ``side``: ``CLOSED`` or ``OPEN``; ``melds``: number of melds; ``runs`` and ``triplets``: masks of the
    first kinds of called runs, and of the kinds of triplets and kans among the melds; ``kans``, ``ankans``:
    the kans among those, and the closed kans; ``yakuhai``: the han of honour triplets in hand and melds;
    ``yakuhai_pairs``: the han that honour pairs would give as triplets; ``pairs``: number of kinds held at
    least twice; ``bonus``: all dora.
    """

    side: int
    melds: int
    runs: int
    triplets: int
    kans: int
    ankans: int
    yakuhai: int
    yakuhai_pairs: int
    pairs: int
    bonus: int


@kernel
def worth_of(yaku, side, rules):
    """Return the han of a yaku, 0 if it does not count; 5 stands for limits and yakuman."""
    if int(rules.yaku.available[side]) >> yaku & 1 == 0:
        return 0
    if (int(rules.yaku.yakuman[side]) | int(rules.yaku.limit[side])) >> yaku & 1:
        return 5
    return int(rules.yaku.worth[side, yaku])


@routine
def _melds_of(view, called, called_first, rules):
    """Return the ``Plan`` of the seat's own melds and one more (``called``, ``NO_MELD`` for none)."""
    side, count, runs, triplets, kans, ankans, yakuhai, bonus = CLOSED, 0, 0, 0, 0, 0, 0, 0
    for i in range(int(view.melds[0]) + 1):
        last = i == int(view.melds[0])
        meld = called if last else int(view.meld[0, i])
        first = called_first if last else int(view.meld_first[0, i])
        if meld == NO_MELD or first == NO_TILE:
            continue
        count += 1
        side = side if meld == ANKAN else OPEN
        bonus += 0 if last else popcount(int(view.meld_red[0, i]))
        if meld == CHI:
            runs |= 1 << first
            bonus += (
                dora_of(view, first, rules)
                + dora_of(view, first + 1, rules)
                + dora_of(view, first + 2, rules)
            )
        else:
            triplets |= 1 << first
            kans |= int(meld >= ANKAN) << first
            ankans |= int(meld == ANKAN) << first
            yakuhai += yakuhai_han(view, 0, first, rules)
            bonus += (4 if meld >= ANKAN else 3) * dora_of(view, first, rules)
    bonus += int(view.kita[0]) * (int(rules.kita.han) + dora_of(view, NORTH, rules))
    return Plan(side, count, runs, triplets, kans, ankans, yakuhai, 0, 0, bonus)


@routine
def plan_of(hand, view, called, called_first, rules):
    """Return the ``Plan`` of ``hand`` with the seat's melds and one more (``called``, may be ``NO_MELD``)."""
    melds = _melds_of(view, called, called_first, rules)
    yakuhai, bonus, pairs, yakuhai_pairs = melds.yakuhai, melds.bonus, 0, 0
    for kind in range(34):
        count = int(hand[kind])
        if count == 0:
            continue
        bonus += count * dora_of(view, kind, rules) + int(view.red[kind])
        pairs += int(count >= 2)
        if kind >= 27 and count >= 2:
            han = yakuhai_han(view, 0, kind, rules)
            yakuhai += han if count >= 3 else 0
            yakuhai_pairs += han if count == 2 else 0
    return Plan(
        melds.side, melds.melds, melds.runs, melds.triplets, melds.kans, melds.ankans,
        yakuhai, yakuhai_pairs, pairs, bonus,
    )  # fmt: skip
