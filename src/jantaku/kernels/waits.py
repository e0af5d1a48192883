"""Waits and effective tiles: the kinds that lower a hand's shanten, before and after each discard.

``hand`` (``uint8[34]``) counts the concealed tiles; ``held`` (``uint8[34]``) also counts the tiles of melds,
because a kind held four times cannot be drawn. Sets of kinds are masks, bit ``k`` for kind ``k``.
"""

import numpy as np

from jantaku.kernels._jit import allocating, kernel
from jantaku.kernels.lookup import FIVES, HONOUR, MAN, SUIT
from jantaku.kernels.shanten import NEVER, lowest_of, suit_entry, suit_key


@kernel
def _entry(keys, suit, change, tables):
    part = HONOUR if suit == 3 else MAN if suit == 0 else SUIT
    return suit_entry(keys[suit] + change, part, tables)


@kernel
def _read(hand, keys, entries, tables):
    for suit in range(4):
        keys[suit] = suit_key(hand, 9 * suit, 7 if suit == 3 else 9)
        entries[suit] = _entry(keys, suit, 0, tables)


@kernel
def _lowest(entries, melds, tables):
    return lowest_of(entries[0], entries[1], entries[2], entries[3], melds, tables)


@kernel
def _improving(keys, entries, held, melds, tables):
    """Return the kinds whose draw lowers the shanten of ``entries``, as a mask."""
    now = _lowest(entries, melds, tables)
    kinds = 0
    for kind in range(34):
        if int(held[kind]) >= 4:
            continue
        suit = kind // 9
        before = entries[suit]
        entries[suit] = _entry(keys, suit, FIVES[kind % 9], tables)
        if _lowest(entries, melds, tables) < now:
            kinds |= 1 << kind
        entries[suit] = before
    return kinds


@kernel
def wait_mask(hand, held, melds, tables, scratch):
    """Compute ``waits`` with ``scratch`` (``int64[2, 4]``) from a compiled caller."""
    keys, entries = scratch[0], scratch[1]
    _read(hand, keys, entries, tables)
    if _lowest(entries, melds, tables) != 0:
        return 0
    return _improving(keys, entries, held, melds, tables)


@kernel
def discard_choices(hand, held, melds, tables, scratch, out):
    """Compute ``discards`` with ``scratch`` (``int64[2, 4]``) from a compiled caller."""
    keys, entries = scratch[0], scratch[1]
    _read(hand, keys, entries, tables)
    for kind in range(34):
        out[kind, 0] = NEVER
        out[kind, 1] = 0
        if int(hand[kind]) == 0:
            continue
        suit = kind // 9
        before = entries[suit]
        keys[suit] -= FIVES[kind % 9]
        entries[suit] = _entry(keys, suit, 0, tables)
        out[kind, 0] = _lowest(entries, melds, tables)
        out[kind, 1] = _improving(keys, entries, held, melds, tables)
        keys[suit] += FIVES[kind % 9]
        entries[suit] = before


@kernel
def tenpai_choices(hand, held, melds, tables, scratch, out):
    """Compute ``discard_choices`` only for discards that leave the hand tenpai; the others get ``NEVER``."""
    keys, entries = scratch[0], scratch[1]
    _read(hand, keys, entries, tables)
    for kind in range(34):
        out[kind, 0] = NEVER
        if int(hand[kind]) == 0:
            continue
        suit = kind // 9
        before = entries[suit]
        entries[suit] = _entry(keys, suit, -FIVES[kind % 9], tables)
        if _lowest(entries, melds, tables) == 0:
            out[kind, 0] = 0
            keys[suit] -= FIVES[kind % 9]
            out[kind, 1] = _improving(keys, entries, held, melds, tables)
            keys[suit] += FIVES[kind % 9]
        entries[suit] = before


@kernel
def effective_mask(hand, held, melds, tables, scratch):
    """Compute ``effective`` with ``scratch`` (``int64[2, 4]``) from a compiled caller."""
    _read(hand, scratch[0], scratch[1], tables)
    return _improving(scratch[0], scratch[1], held, melds, tables)


@allocating
def effective(hand, held, melds, tables):
    """Return the kinds that lower the shanten of 13 tiles (less three per meld), as a mask."""
    return effective_mask(hand, held, melds, tables, np.empty((2, 4), np.int64))


@allocating
def waits(hand, held, melds, tables):
    """Return the kinds that complete a hand of 13 tiles (less three per meld), as a mask; 0 if noten."""
    return wait_mask(hand, held, melds, tables, np.empty((2, 4), np.int64))


@allocating
def discards(hand, held, melds, tables, out):
    """Compute shanten and effective tiles after each discard from a hand of 14 tiles (less three per meld).

    ``out`` is ``int64[34, 2]``: the shanten after discarding that kind (``NEVER`` if it is not held) and the
    mask of the kinds that then lower it.
    """
    discard_choices(hand, held, melds, tables, np.empty((2, 4), np.int64), out)


@allocating
def waits_batch(hands, held, melds, tables):
    """Return the ``waits`` of ``uint8[n, 34]`` hands as ``int64[n]`` masks."""
    out = np.empty(len(hands), np.int64)
    scratch = np.empty((2, 4), np.int64)
    for i in range(len(hands)):
        out[i] = wait_mask(hands[i], held[i], int(melds[i]), tables, scratch)
    return out


@allocating
def discards_batch(hands, held, melds, tables):
    """Return the ``discards`` of ``uint8[n, 34]`` hands as ``int64[n, 34, 2]``."""
    out = np.empty((len(hands), 34, 2), np.int64)
    scratch = np.empty((2, 4), np.int64)
    for i in range(len(hands)):
        discard_choices(hands[i], held[i], int(melds[i]), tables, scratch, out[i])
    return out
