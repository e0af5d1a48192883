"""Random numbers that are the same on every machine, compiled or not.

The generator is L'Ecuyer's combination of two multiplicative ones (1988), with a period of about 2.3e18. Its
state, called a *source*, is ``int64[2]``; all products stay below 2 to the 47, so nothing overflows.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from jantaku.kernels._jit import kernel

_FIRST: Final = 2147483563
_SECOND: Final = 2147483399


def new_source(seed: int | tuple[int, ...] | None = None) -> npt.NDArray[np.int64]:
    """Create a source from ``seed`` (one or more non-negative numbers), or at random."""
    state = np.random.SeedSequence(seed).generate_state(2, np.uint64)
    return np.array(
        [1 + int(state[0]) % (_FIRST - 1), 1 + int(state[1]) % (_SECOND - 1)],
        np.int64,
    )


@kernel
def below(source, limit):
    """Return a random number from 0 to ``limit`` − 1; ``limit`` is small, so the bias is negligible."""
    source[0] = source[0] * 40014 % _FIRST
    source[1] = source[1] * 40692 % _SECOND
    return (source[0] - source[1]) % (_FIRST - 1) % limit


@kernel
def shuffle(tiles, source, wall):
    """Write ``tiles`` in random order (Fisher–Yates) to ``wall``, which is at least as long."""
    for i in range(len(tiles)):
        wall[i] = tiles[i]
    for last in range(len(tiles) - 1, 0, -1):
        other = below(source, last + 1)
        tile = wall[last]
        wall[last] = wall[other]
        wall[other] = tile
