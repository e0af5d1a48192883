"""Levels of bots that people can choose from: policies, a softened one, and a search.

``gentle`` decides as ``standard`` does, but with changed weights: it sees no danger, never declares riichi,
and chooses options at random (``bots.explore``) instead of always taking the best. ``search`` plays out its
actions before it chooses (``bots.search``).
"""

from dataclasses import dataclass
from typing import Final

from jantaku.bots.policies import BOTS, EFFICIENT, STANDARD, STRONG
from jantaku.bots.weights import STANDARD_WEIGHTS, WEIGHT_NAMES

GENTLE: Final = "gentle"
SEARCH: Final = "search"
# from the gentlest to the strongest
LEVELS: Final = (GENTLE, BOTS[EFFICIENT], BOTS[STANDARD], BOTS[STRONG], SEARCH)
_UNSEEN: Final = (
    "discard.risk",
    "discard.safe",
    "call.threat",
    "riichi.threat",
)  # features of danger, which ``gentle`` ignores
_NEVER: Final = -100.0


@dataclass(frozen=True, slots=True)
class Softened:
    """A bot derived from ``standard``: its weights, and how sharply it prefers better options."""

    weights: tuple[float, ...]
    sharpness: float


def _gentle(name: str, weight: float) -> float:
    if name == "riichi.always":
        return _NEVER
    return 0.0 if name.startswith(_UNSEEN) else weight


SOFTENED: Final = {
    GENTLE: Softened(tuple(map(_gentle, WEIGHT_NAMES, STANDARD_WEIGHTS)), 0.7),
}
