"""How many tiles a hand lacks for four runs and a pair."""

from jantaku.kernels._jit import kernel, routine


@kernel
def _runs_of(tiles, start, two_sided):
    """Return (runs, pairs of neighbours) into which a suit of ``tiles`` divides, from the left.

    With ``two_sided``, only neighbours that wait on both sides count.
    """
    runs = pairs = 0
    first = second = 0  # unused tiles of the two previous ranks
    for rank in range(9):
        held = int(tiles[start + rank])
        made = min(first, second, held)
        runs += made
        first, second, held = first - made, second - made, held - made
        waiting = min(first, second) if rank >= 3 or not two_sided else 0  # 12 waits on one side only
        pairs += waiting
        first, second = second - waiting, held
    return runs, pairs


@kernel
def _missing(runs, pairs, has_pair):
    runs = min(runs, 4)
    pairs = min(pairs, 4 - runs)
    return pairs + 3 * (4 - runs - pairs) + 1 - has_pair


@routine
def run_hand(hand, called, free_pairs, two_sided):
    """Return the number of missing tiles, and a mask of the kinds whose discard increases it.

    ``called``: number of called runs. ``free_pairs``: mask of the kinds that may form the pair. Discards are
    tried on ``hand``, which is restored afterwards.
    """
    runs, pairs, further = called, 0, 0
    for suit in range(3):
        more, waiting = _runs_of(hand, 9 * suit, two_sided)
        runs, pairs = runs + more, pairs + waiting
    missing = _missing(runs, pairs, int(free_pairs != 0))
    for suit in range(3):
        before = _runs_of(hand, 9 * suit, two_sided)
        for kind in range(9 * suit, 9 * suit + 9):
            count = int(hand[kind])
            if count == 0:
                continue
            hand[kind] = count - 1
            more, waiting = _runs_of(hand, 9 * suit, two_sided)
            hand[kind] = count
            free = free_pairs & ~(1 << kind) if count == 2 else free_pairs
            after = _missing(runs - before[0] + more, pairs - before[1] + waiting, int(free != 0))
            further |= int(after > missing) << kind
    for kind in range(27, 34):
        if free_pairs == 1 << kind and int(hand[kind]) == 2:
            further |= 1 << kind
    return missing, further
