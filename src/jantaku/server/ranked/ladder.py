"""What ranked play is played by, and the steps on which ratings are shown."""

from math import floor
from typing import Final, Literal, NamedTuple

from jantaku.club import Rating
from jantaku.server.play.table_bodies import ShortOrLong

Family = Literal["standard", "tenhou", "mahjongsoul"]
FAMILIES: Final[tuple[Family, ...]] = ("standard", "tenhou", "mahjongsoul")
LENGTHS: Final[tuple[ShortOrLong, ...]] = ("east", "hanchan")
LADDERS: Final = (4, 3)  # players; each has ratings of its own, over all rulesets and lengths
STEP: Final = 2.0  # of the ordinal, mu − 3 sigma
TOP: Final = 18  # nine kyu (0 to 8), then ten dan
START_MU: Final = 25.0  # of whoever has not played yet


class RankedLine(NamedTuple):
    """What somebody waits for: rules of a family, so many rounds, so many players."""

    family: Family
    length: ShortOrLong
    players: int

    @property
    def rules(self) -> str:
        """The preset.

        >>> RankedLine("tenhou", "east", 3).rules
        'tenhou-3'
        """
        return f"{self.family}-3" if self.players < LADDERS[0] else self.family


LINES: Final = tuple(
    RankedLine(family, length, players) for players in LADDERS for family in FAMILIES for length in LENGTHS
)


def step_of(rating: Rating | None) -> int:
    """The step of a rating, from 0; the less certain it is, the lower.

    >>> step_of(None), step_of(Rating(25.0, 25 / 3)), step_of(Rating(27.0, 2.0)), step_of(Rating(99.0, 1.0))
    (0, 0, 10, 18)
    """
    return 0 if rating is None else max(0, min(TOP, floor(rating.ordinal / STEP)))
