"""How long bots and the table itself wait, so that people can follow a game."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Pauses:
    """Pauses, in seconds, that no rule requires.

    ``claim`` is the range of the pause between a discard and the next draw, whether or not anyone could call.
    In ``hesitation`` of the cases the pause lasts for the whole claim window, as if someone were thinking.
    ``after_window`` is added to a pause of the whole window, so that the last answers can be stored. ``bot``
    is how long bots think; ``result`` is how long the end of a hand is shown. ``pass_before_end`` is how long
    before the end of a pause a bot passes, so that its answer can be stored. ``deal`` is how much longer a
    bot thinks that begins a hand, while clients show the deal.
    """

    claim: tuple[float, float] = (0.4, 1.0)
    hesitation: float = 0.1
    after_window: tuple[float, float] = (0.1, 0.3)
    bot: tuple[float, float] = (0.4, 1.2)
    result: float = 15.0
    result_among_bots: float = 4.0
    pass_before_end: float = 0.2
    deal: float = 1.3


PACES: Final = {"slow": 1.6, "usual": 1.0, "quick": 0.3}  # by what the pauses of bots are multiplied


def pace_of(pace: str | None, people: int) -> float:
    """By what the pauses of bots are multiplied; without a word of the host, quick for one person alone."""
    return PACES[pace or ("quick" if people == 1 else "usual")]


NO_PAUSES: Final = Pauses((0, 0), 0, (0, 0), (0, 0), 0, 0, deal=0)
