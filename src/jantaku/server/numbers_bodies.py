"""What a person's own numbers say; the figures are those of ``jantaku.club.statistics``."""

from jantaku.club.statistics import Figures
from jantaku.server.wire import Wire


class NumbersRuleset(Wire):
    """A ruleset under which the person has played, and in how many of the games that count here."""

    fingerprint: str
    name: str
    games: int


class OwnNumbers(Wire):
    """My figures under one ruleset; ``names`` are those of the opponents, by the ids in the figures.

    ``rulesets``: all under which I have played, the latest first. ``figures`` is ``None`` without games.
    ``most``: how many of my newest games are counted.
    """

    rulesets: list[NumbersRuleset]
    fingerprint: str
    seats: int
    figures: Figures | None
    names: dict[str, str]
    most: int
