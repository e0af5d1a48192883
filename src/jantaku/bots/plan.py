"""What a hand can become: the yaku within reach and their worth under the ruleset."""

from typing import NamedTuple

from jantaku.bots.danger import dora_of, yakuhai_han
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.masks import ORPHANS, popcount
from jantaku.kernels.rules import CLOSED, OPEN
from jantaku.kernels.win import ANKAN, CHI, NO_MELD


class Plan(NamedTuple):
    """The prospects of a hand. Numbers count concealed tiles unless melds are named.

    ``side``: ``CLOSED`` or ``OPEN``; ``suit``: that of the melds, otherwise the one with the most tiles;
    ``off``: how many tiles are neither of that suit nor honours; ``mixed``: whether the melds are of several
    suits; ``simple``: whether the melds allow tanyao; ``yaochuu``: how many tiles prevent it; ``yakuhai``:
    the han of honour triplets in hand and melds; ``yakuhai_pairs``: the han that honour pairs would bring as
    triplets; ``triplets``: those of hand and melds; ``chi``: the runs called; ``sanshoku`` and ``ittsuu``:
    how many of the nine tiles the hand has for the best run (``sanshoku_at`` is its first rank) or suit
    (``ittsuu_at``); ``bonus``: all dora.
    """

    side: int
    suit: int
    off: int
    mixed: int
    simple: int
    yaochuu: int
    yakuhai: int
    yakuhai_pairs: int
    pairs: int
    triplets: int
    chi: int
    sanshoku: int
    sanshoku_at: int
    ittsuu: int
    ittsuu_at: int
    bonus: int


class Melds(NamedTuple):
    """The contribution of the melds to a ``Plan``; ``suit`` is −1 if they have none."""

    side: int
    suit: int
    mixed: int
    simple: int
    yakuhai: int
    triplets: int
    chi: int
    bonus: int


@kernel
def worth_of(yaku, side, rules):  # type: ignore[no-untyped-def]
    """The han of a yaku, 0 if it does not count; 5 stands for limits and yakuman."""
    if int(rules.yaku.available[side]) >> yaku & 1 == 0:
        return 0
    if (int(rules.yaku.yakuman[side]) | int(rules.yaku.limit[side])) >> yaku & 1:
        return 5
    return int(rules.yaku.worth[side, yaku])


@kernel
def _meld_facts(view, meld, first, rules):  # type: ignore[no-untyped-def]
    """(yakuhai, suit, simple, triplet, dora) of one meld; the suit is 3 for honours."""
    rank = first % 9
    if meld == CHI:
        dora = dora_of(view, first) + dora_of(view, first + 1) + dora_of(view, first + 2)
        return 0, first // 9, int(0 < rank < 6), 0, dora
    simple = int(first < 27 and 0 < rank < 8)
    size = 4 if meld >= ANKAN else 3
    return yakuhai_han(view, 0, first, rules), first // 9, simple, 1, size * dora_of(view, first)


@kernel
def _richest(hand):  # type: ignore[no-untyped-def]
    """The suit with the most tiles."""
    best, most = 0, -1
    for suit in range(3):
        total = 0
        for rank in range(9):
            total += int(hand[9 * suit + rank])
        if total > most:
            best, most = suit, total
    return best


@kernel
def _sanshoku(hand):  # type: ignore[no-untyped-def]
    """(tiles, first rank) of the most complete run in all three suits."""
    best, at = 0, 0
    for rank in range(7):
        found = 0
        for suit in range(3):
            for step in range(3):
                found += int(hand[9 * suit + rank + step] > 0)
        if found > best:
            best, at = found, rank
    return best, at


@kernel
def _ittsuu(hand):  # type: ignore[no-untyped-def]
    """(tiles, suit) of the suit with most different ranks."""
    best, at = 0, 0
    for suit in range(3):
        found = 0
        for rank in range(9):
            found += int(hand[9 * suit + rank] > 0)
        if found > best:
            best, at = found, suit
    return best, at


@routine
def _melds_of(view, called, called_first, rules):  # type: ignore[no-untyped-def]
    """The combined facts of the seat's own melds and one more (``called``, ``NO_MELD`` for none)."""
    side, suit, mixed, simple, yakuhai, triplets, chi, bonus = CLOSED, -1, 0, 1, 0, 0, 0, 0
    for i in range(int(view.melds[0]) + 1):
        last = i == int(view.melds[0])
        meld = called if last else int(view.meld[0, i])
        first = called_first if last else int(view.meld_first[0, i])
        if meld == NO_MELD:
            continue
        side = side if meld == ANKAN else OPEN
        han, of_suit, tanyao, triplet, dora = _meld_facts(view, meld, first, rules)
        yakuhai += han
        simple &= tanyao
        triplets += triplet
        chi += 1 - triplet
        bonus += dora
        if of_suit < 3:
            mixed |= int(suit >= 0 and suit != of_suit)
            suit = of_suit
        bonus += 0 if last else popcount(int(view.meld_red[0, i]))
    return Melds(side, suit, mixed, simple, yakuhai, triplets, chi, bonus)


@routine
def plan_of(hand, view, called, called_first, rules):  # type: ignore[no-untyped-def]
    """The ``Plan`` of ``hand`` with the seat's own melds and one more (``called``, ``NO_MELD`` for none)."""
    melds = _melds_of(view, called, called_first, rules)
    suit = melds.suit if melds.suit >= 0 else _richest(hand)
    off = yaochuu = pairs = yakuhai_pairs = 0
    yakuhai, triplets, bonus = melds.yakuhai, melds.triplets, melds.bonus
    for kind in range(34):
        count = int(hand[kind])
        if count == 0:
            continue
        bonus += count * dora_of(view, kind) + int(view.red[kind])
        off += count if kind < 27 and kind // 9 != suit else 0
        yaochuu += count if ORPHANS >> kind & 1 else 0
        pairs += int(count >= 2)
        triplets += int(count >= 3)
        if kind >= 27 and count >= 2:
            han = yakuhai_han(view, 0, kind, rules)
            yakuhai += han if count >= 3 else 0
            yakuhai_pairs += han if count == 2 else 0
    sanshoku, at = _sanshoku(hand)
    ittsuu, of = _ittsuu(hand)
    return Plan(
        melds.side, suit, off, melds.mixed, melds.simple, yaochuu, yakuhai, yakuhai_pairs,
        pairs, triplets, melds.chi, sanshoku, at, ittsuu, of, bonus,
    )  # fmt: skip
