"""Random choice among good options, for training and for gentle bots.

An option is chosen with a probability proportional to the exponential of ``work.sharpness`` times its value.
"""

from math import exp
from typing import Final

from jantaku.bots.chance import below
from jantaku.kernels._jit import kernel, routine

_FINE: Final = 1 << 30  # resolution of a random share
MAX_OPTIONS: Final = 34


@kernel
def explores(work):
    """Return whether options are chosen at random; otherwise the best one is chosen."""
    return work.sharpness[0] > 0.0


@routine
def explore(head, options, work):
    """Choose one of the options in the mask ``options`` by their values, ``work.utility``.

    ``work.inputs.chances`` gets the probability of each option of the decision ``head`` (``bots.net``).
    """
    utility, chances = work.utility, work.inputs.chances
    most, total = -1e300, 0.0
    for option in range(MAX_OPTIONS):
        if options >> option & 1:
            most = max(most, utility[option])
    for option in range(MAX_OPTIONS):
        if options >> option & 1:
            total += exp(work.sharpness[0] * (utility[option] - most))
    left = total * (below(work.source, _FINE) + 0.5) / _FINE
    chosen = -1
    for option in range(MAX_OPTIONS):
        chances[head, option] = 0.0
        if options >> option & 1 == 0:
            continue
        share = exp(work.sharpness[0] * (utility[option] - most))
        chances[head, option] = share / total
        if left >= 0.0:
            chosen = option
        left -= share
    return chosen
