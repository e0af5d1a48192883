"""Random choice among good options, recorded for a search that learns better weights.

An option is chosen with a probability proportional to the exponential of ``work.sharpness`` times its
weighted sum. ``work.trace`` collects the features of the chosen option minus the average of all options: the
gradient of the log probability with respect to the weights, up to the factor ``sharpness`` (Williams 1992).
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


@kernel
def note_option(option, weight, count, work):
    """Store the first ``count`` features of row 0 and their weighted sum as those of an option."""
    work.utility[option] = weight
    for i in range(count):
        work.features[option, i] = work.features[0, i]


@kernel
def note_refusal(count, work):
    """Make option 0 the refusal, which has no features and a sum of 0."""
    work.utility[0] = 0.0
    for i in range(count):
        work.features[0, i] = 0.0


@routine
def explore(options, first, count, work):
    """Choose one of the options in the mask ``options``: rows of ``work.features`` and ``work.utility``.

    The first ``count`` features of each row are used, with the weights starting at ``first``.
    """
    trace, utility, features = work.trace[work.seat[0]], work.utility, work.features
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
        if options >> option & 1 == 0:
            continue
        if left >= 0.0:
            chosen = option
        share = exp(work.sharpness[0] * (utility[option] - most))
        left -= share
        for i in range(count):
            trace[first + i] -= share / total * features[option, i]
    for i in range(count):
        trace[first + i] += features[chosen, i]
    return chosen
