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
LIKELY: Final = 0.002  # probability above which an option counts as likely


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
def explore(head, options, columns, work):
    """Choose one of the options in the mask ``options``: rows of ``work.features`` and ``work.utility``.

    ``columns`` are the first weight of these features and their number; ``work.trace`` may be empty.
    ``work.inputs`` gets the ``doubt`` and the ``likely`` options of the decision ``head`` (``bots.net``).
    """
    utility, features, first, count = work.utility, work.features, columns[0], columns[1]
    most, total = -1e300, 0.0
    for option in range(MAX_OPTIONS):
        if options >> option & 1:
            most = max(most, utility[option])
    for option in range(MAX_OPTIONS):
        if options >> option & 1:
            total += exp(work.sharpness[0] * (utility[option] - most))
    left = total * (below(work.source, _FINE) + 0.5) / _FINE
    chosen, likely, traced = -1, 0, len(work.trace) > 0
    for option in range(MAX_OPTIONS):
        if options >> option & 1 == 0:
            continue
        share = exp(work.sharpness[0] * (utility[option] - most))
        likely |= int(share > LIKELY * total) << option
        if left >= 0.0:
            chosen = option
        left -= share
        if traced:
            for i in range(count):
                work.trace[work.seat[0], first + i] -= share / total * features[option, i]
    if traced:
        for i in range(count):
            work.trace[work.seat[0], first + i] += features[chosen, i]
    work.inputs.doubt[head] = 1.0 - 1.0 / total
    work.inputs.likely[head] = likely | 1 << chosen
    return chosen
