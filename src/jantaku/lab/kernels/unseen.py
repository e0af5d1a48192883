"""Deals the tiles that one seat cannot see at random: other hands, the wall, and unknown discards.

The unseen tiles are shuffled. Then tiles of each opponent's hand are exchanged until its shanten is typical
of that point of a game, according to ``NEARNESS``. A hand in riichi becomes tenpai, and its waits exclude all
tiles that its player has discarded or passed since.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.bots.chance import below, new_source
from jantaku.bots.seat_view import write_seat_view
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.hands import RED, add_to_hand, after, away, seats_of, update_waits
from jantaku.kernels.engine.state import MAX_TILES, NO_SEAT
from jantaku.kernels.shanten import shanten

MAX_SWAPS: Final = 4000  # limit of exchanges for a hand; a few hundred usually suffice
MAX_TRIES: Final = 300  # limit of attempts to deal a hand in riichi
TENPAI: Final = 0


class HiddenTiles(NamedTuple):
    """The unknown parts of a record, and working memory.

    ``rivers`` (``int64[4]``) is the number of unknown discards of each seat, its first ones; ``own``
    (``int64[1]``) is a mask of kinds that the observing seat has not discarded among these. ``safe``
    (``int64[4]``) are masks of kinds that each seat does not wait for, in addition to those in the rivers.
    ``indicators`` (``int64[1]``) is the number of known dora indicators. ``nearness`` (``int64[5, 25, 8]``)
    is the number of hands in 1000 with at most a given shanten, by melds, discards and shanten. ``pool``
    receives the unseen tiles; ``source`` is the random source.
    """

    rivers: npt.NDArray[np.int64]
    own: npt.NDArray[np.int64]
    safe: npt.NDArray[np.int64]
    indicators: npt.NDArray[np.int64]
    nearness: npt.NDArray[np.int64]
    pool: npt.NDArray[np.uint8]
    source: npt.NDArray[np.int64]


def new_unseen(
    nearness: npt.NDArray[np.int64], rivers: Sequence[int], safe: Sequence[int], own: int, indicators: int
) -> HiddenTiles:
    """Allocate a ``HiddenTiles``."""
    return HiddenTiles(
        np.array(rivers, np.int64),
        np.array([own], np.int64),
        np.array(safe, np.int64),
        np.array([indicators], np.int64),
        nearness,
        np.zeros(MAX_TILES, np.uint8),
        new_source(0),
    )


@kernel
def _is_known_indicator(game, index, indicators):
    """Return whether a known dora indicator is at this index of the wall."""
    for i in range(indicators):
        if index == int(game.tiles) - int(game.rinshan) - 1 - 2 * i:
            return True
    return False


@kernel
def _is_hidden(game, seat, other):
    """Return whether the hand of ``other`` is hidden from ``seat``; an open riichi reveals it."""
    return other != seat and game.open_riichi[other] == 0


@kernel
def _swap(pool, first, other):
    tile = pool[first]
    pool[first] = pool[other]
    pool[other] = tile


@kernel
def _sort(pool, count):
    """Sort the first tiles, so that the deal does not depend on where hidden tiles were."""
    for end in range(1, count):
        index = end
        while index > 0 and pool[index - 1] > pool[index]:
            _swap(pool, index - 1, index)
            index -= 1


@routine
def _gather(game, seat, unseen):
    """Write all unseen tiles to the pool; return their number."""
    pool, count = unseen.pool, 0
    for other in range(seats_of(game)):
        for i in range(int(unseen.rivers[other])):
            pool[count] = game.river[other, i]
            count += 1
        if not _is_hidden(game, seat, other):
            continue
        for kind in range(34):
            for copy in range(int(game.hand[other, kind])):
                pool[count] = kind + RED * int(copy < int(game.red[other, kind]))
                count += 1
    for index in range(int(game.drawn_live), int(game.tiles) - int(game.drawn_rinshan)):
        if not _is_known_indicator(game, index, int(unseen.indicators[0])):
            pool[count] = game.wall[index]
            count += 1
    _sort(pool, count)
    return count


@routine
def _shuffle(unseen, count):
    """Shuffle the first ``count`` tiles of the pool."""
    for last in range(count - 1, 0, -1):
        _swap(unseen.pool, last, below(unseen.source, last + 1))


@routine
def _fill_rivers(game, seat, unseen, count):
    """Fill unknown discards from the end of the pool; return the number of tiles left in it."""
    for other in range(seats_of(game)):
        for i in range(int(unseen.rivers[other])):
            index = count - 1
            while other == seat and index > 0 and int(unseen.own[0]) >> int(unseen.pool[index]) % RED & 1:
                index -= 1
            _swap(unseen.pool, index, count - 1)
            count -= 1
            game.river[other, i] = unseen.pool[count]
            game.discarded[other] |= 1 << int(unseen.pool[count]) % RED
    return count


@kernel
def _distance(game, seat, context):
    return shanten(game.hand[seat], int(game.melds[seat]), context.tables)


@routine
def _approach_tenpai(game, seat, wanted, left, unseen, context):
    """Swap tiles of the hand with unseen ones until its shanten is at most ``wanted``; return the shanten.

    The hand is at the end of the first ``left`` tiles of the pool. A swap that raises the shanten is undone.
    """
    pool, hand = unseen.pool, game.hand[seat]
    size = 13 - 3 * int(game.melds[seat])
    rest = left - size
    for kind in range(34):
        hand[kind] = 0
    for index in range(rest, left):
        hand[int(pool[index]) % RED] += 1
    current = _distance(game, seat, context)
    for _ in range(MAX_SWAPS):
        if current <= wanted or rest == 0:
            break
        first, other = rest + below(unseen.source, size), below(unseen.source, rest)
        hand[int(pool[first]) % RED] -= 1
        hand[int(pool[other]) % RED] += 1
        changed = _distance(game, seat, context)
        if changed <= current:
            _swap(pool, first, other)
            current = changed
        else:
            hand[int(pool[first]) % RED] += 1
            hand[int(pool[other]) % RED] -= 1
    return current


@kernel
def _random_shanten(game, seat, unseen):
    """Draw a shanten from the distribution of hands without riichi with these discards and melds."""
    row = unseen.nearness[int(game.melds[seat]), min(int(game.discards[seat]), 24)]
    chance, level = below(unseen.source, 1000), 0
    while level < 7 and chance >= int(row[level]):
        level += 1
    return level


@routine
def _write_hand(game, seat, left, unseen, context):
    """Write the hand at the end of the pool to the record; return the number of tiles before it."""
    for kind in range(34):
        game.hand[seat, kind] = game.red[seat, kind] = 0
    rest = left - 13 + 3 * int(game.melds[seat])
    for index in range(rest, left):
        add_to_hand(game, seat, int(unseen.pool[index]))
    update_waits(game, seat, context)
    game.furiten_passing[seat] = game.furiten_lasting[seat] = 0
    return rest


@routine
def _deal_riichi(game, seat, safe, left, unseen, context):
    """Deal a tenpai hand whose waits exclude ``safe``.

    Returns the number of tiles left in the pool, or −1 if no such hand was found.
    """
    size = 13 - 3 * int(game.melds[seat])
    for _ in range(MAX_TRIES):
        if _approach_tenpai(game, seat, TENPAI, left, unseen, context) == TENPAI:
            rest = _write_hand(game, seat, left, unseen, context)
            waits = int(game.waits[seat])
            if waits != 0 and waits & safe == 0:
                return rest
        for index in range(left - size, left):
            _swap(unseen.pool, index, below(unseen.source, left))
    return -1


@routine
def _fill_wall(game, unseen, left):
    """Fill the wall with the rest of the pool."""
    _shuffle(unseen, left)
    for index in range(int(game.drawn_live), int(game.tiles) - int(game.drawn_rinshan)):
        if not _is_known_indicator(game, index, int(unseen.indicators[0])):
            left -= 1
            game.wall[index] = unseen.pool[left]


@routine
def deal_unseen(game, seat, unseen, view, context):
    """Deal all tiles of the record hidden from ``seat`` at random; ``view`` is a ``SEAT_VIEW`` to write to.

    Returns ``NO_SEAT``, or the seat in riichi for which no tenpai hand was found.
    """
    left = _gather(game, seat, unseen)
    _shuffle(unseen, left)
    left = _fill_rivers(game, seat, unseen, left)
    write_seat_view(game, seat, view)
    for turn in range(1, seats_of(game)):  # riichi first: these hands are the hardest to deal
        other = after(game, seat, turn)
        if game.riichi[other] and _is_hidden(game, seat, other):
            safe = int(game.discarded[other]) | int(view.passed_riichi[away(game, seat, other)])
            safe |= int(unseen.safe[other])
            left = _deal_riichi(game, other, safe, left, unseen, context)
            if left < 0:
                return other
    for turn in range(1, seats_of(game)):
        other = after(game, seat, turn)
        if not game.riichi[other] and _is_hidden(game, seat, other):
            _approach_tenpai(game, other, _random_shanten(game, other, unseen), left, unseen, context)
            left = _write_hand(game, other, left, unseen, context)
    _fill_wall(game, unseen, left)
    return NO_SEAT
