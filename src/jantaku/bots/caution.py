"""The state of the match: whether this may be the last hand, and how much risk is worth taking."""

from typing import Final, NamedTuple

from jantaku.kernels._jit import kernel
from jantaku.kernels.engine.game_end import last_number

CAUTION: Final = (1.4, 1.1, 0.95, 0.7)  # factor on the cost of risk in the last hand, by place
GAP: Final = 12_000


@kernel
def is_last_hand(view, rules):
    """Return whether the match may end with this hand."""
    return int(view.number) >= last_number(rules)


@kernel
def hands_left(view, rules):
    """Return how many regular hands come after this one."""
    return max(last_number(rules) - int(view.number), 0)


class Margins(NamedTuple):
    """Lead over the player one place below, and gap to the player one place above.

    In the last hand, 1 means ``GAP`` points. The earlier the hand, the less the same points count; in the
    first hand they count nothing.
    """

    ahead: float
    behind: float


@kernel
def margins_of(view, rules):
    """Return the bot's lead over the player one place below and its gap to the player one place above."""
    own, below, above = int(view.scores[0]), GAP, GAP
    place = int(view.places[0])
    for seat in range(1, int(view.seats)):
        gap = int(view.scores[seat]) - own
        if int(view.places[seat]) < place:
            above = min(above, gap)
        else:
            below = min(below, -gap)
    late = min(int(view.number) / max(last_number(rules), 1), 1.0)
    ahead = late * below / GAP if place < int(view.seats) - 1 else 0.0
    behind = late * above / GAP if place > 0 else 0.0
    return Margins(ahead, behind)


@kernel
def caution_of(view, rules):
    """Return the factor by which the bot weighs the cost of a risk."""
    return CAUTION[int(view.places[0])] if is_last_hand(view, rules) else 1.0
