"""What the routes of statistics answer; the figures are those of ``jantaku.club.statistics``."""

from jantaku.club.ratings import Rating
from jantaku.club.statistics import Achievement, BriefFigures, Figures
from jantaku.server.edge.wire import Wire


class PlayerBrief(Wire):
    """An entry with its figures; ``rating`` is ``None`` before the first game."""

    entry: str
    figures: BriefFigures
    rating: Rating | None


class TeamBrief(Wire):
    """A team with its figures."""

    team: str
    figures: BriefFigures


class StatisticsBody(Wire):
    """The statistics of an event: everybody in brief, achievements, and the names of the entries."""

    players: list[PlayerBrief]
    teams: list[TeamBrief]
    achievements: list[Achievement]
    names: dict[str, str]


class RatedStep(Wire):
    """What a game did to the rating."""

    game: str
    place: int
    before: Rating
    after: Rating


class PlayerBody(Wire):
    """One player with all figures.

    ``rating`` has a step for each game; it is ``None`` while the standings are hidden, since it follows from
    the games of others. ``names`` are those of the opponents.
    """

    entry: str
    name: str
    team: str
    figures: Figures
    rating: list[RatedStep] | None
    names: dict[str, str]


class TeamBody(Wire):
    """One team with all figures; its opponents are other teams."""

    team: str
    figures: Figures
