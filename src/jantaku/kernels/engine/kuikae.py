"""Tiles that may not be discarded right after a call (kuikae, inventory 85–88)."""

from jantaku.kernels._jit import kernel
from jantaku.kernels.rules import choice

FORBIDDEN = choice("calls.kuikae", "forbidden")
ALLOWED = choice("calls.kuikae", "allowed")


@kernel
def chi_barred(called, first):
    """Return the other end of the run from ``first``, barred after a call of ``called`` (inventory 87).

    The result is a mask, 0 if there is no such kind.
    """
    if called == first and first % 9 < 6:
        return 1 << first + 3
    if called == first + 2 and first % 9 > 0:
        return 1 << first - 1
    return 0


@kernel
def barred_after(called, first, is_chi, rules):
    """Return the kinds that may not be discarded right after the call (inventory 85–88), as a mask."""
    if rules.calls.kuikae == ALLOWED:
        return 0
    barred = 1 << called
    if is_chi and rules.calls.kuikae == FORBIDDEN:
        barred |= chi_barred(called, first)
    return barred
