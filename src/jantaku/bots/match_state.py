"""The state of the match: whether this may be the last hand, and how much risk to take."""

from typing import Final

from jantaku.kernels._jit import kernel
from jantaku.kernels.engine.settle import last_number

CAUTION: Final = (1.4, 1.1, 0.95, 0.7)  # factor of the cost of risk in the last hand, by place


@kernel
def is_last_hand(view, rules):  # type: ignore[no-untyped-def]
    """Whether the match may end with this hand."""
    return int(view.number) >= last_number(rules)


@kernel
def caution_of(view, rules):  # type: ignore[no-untyped-def]
    """The factor by which the bot weighs the cost of a risk."""
    return CAUTION[int(view.places[0])] if is_last_hand(view, rules) else 1.0
