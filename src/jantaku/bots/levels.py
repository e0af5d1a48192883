"""The levels of bots that people choose from, and the gentlest one: data alone, no code of its own.

``gentle`` decides as ``standard`` does with changed weights: it sees no danger, never declares riichi, and
takes each option with a probability (``bots.explore``) instead of the best one always.
"""

from dataclasses import dataclass
from typing import Final

from jantaku.bots.policies import BOTS, EFFICIENT, STANDARD, STRONG
from jantaku.bots.weights import STANDARD_WEIGHTS, WEIGHT_NAMES

GENTLE: Final = "gentle"
LEVELS: Final = (GENTLE, BOTS[EFFICIENT], BOTS[STANDARD], BOTS[STRONG])  # from the gentlest to the strongest
_UNSEEN: Final = ("discard.risk", "discard.safe", "call.threat", "riichi.threat")  # the danger it overlooks
_NEVER: Final = -100.0


@dataclass(frozen=True, slots=True)
class Softened:
    """A bot made of the weights of ``standard``: changed ones, and how sharply it prefers better options."""

    weights: tuple[float, ...]
    sharpness: float


def _gentle(name: str, weight: float) -> float:
    if name == "riichi.always":
        return _NEVER
    return 0.0 if name.startswith(_UNSEEN) else weight


SOFTENED: Final = {
    GENTLE: Softened(tuple(map(_gentle, WEIGHT_NAMES, STANDARD_WEIGHTS)), 0.7),
}
