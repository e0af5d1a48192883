"""What a person's own numbers say; the figures are those of ``jantaku.club.statistics``."""

from jantaku.club.statistics import Figures
from jantaku.server.edge.protocol import OwnYakuNames
from jantaku.server.edge.wire import Wire


class NumbersRuleset(Wire):
    """A ruleset under which the person has played, and in how many of the games that count here.

    ``own_yaku``: as in ``RulesRef``.
    """

    fingerprint: str
    name: str
    games: int
    own_yaku: OwnYakuNames


class RatingPoint(Wire):
    """A rating after a game: ``mu`` and its uncertainty ``sigma``, one standard deviation."""

    at: str
    place: int
    mu: float
    sigma: float


class OwnRating(Wire):
    """My rating at rated tables under this ruleset, by OpenSkill, and its course over the latest games.

    ``ordinal`` is mu − 3 sigma, by which people are ranked: I have place ``rank`` of ``people``. Only games
    among people count.
    """

    mu: float
    sigma: float
    ordinal: float
    rank: int
    people: int
    games: int
    steps: list[RatingPoint]


class ClubEventGames(Wire):
    """How many of the games were recorded at an event of a club; ``name`` has a text for each language."""

    name: dict[str, str]
    games: int


class OwnNumbers(Wire):
    """My figures under one ruleset; ``names`` are those of the opponents, by the ids in the figures.

    Games that a club recorded under an entry of mine count, too: ``clubs`` says of which events.

    ``rulesets``: all under which I have played, the latest first. ``figures`` is ``None`` without games,
    ``rating`` without rated ones.
    ``most``: how many of my newest games are counted. ``shown``: whether others may see my numbers,
    ``reviews``: whether they may open the reviews of my games.
    """

    rulesets: list[NumbersRuleset]
    fingerprint: str
    seats: int
    figures: Figures | None
    rating: OwnRating | None
    names: dict[str, str]
    clubs: list[ClubEventGames]
    most: int
    shown: bool
    reviews: bool


class ShowNumbers(Wire):
    """Whether others may see my numbers, and open the reviews of my games; without ``reviews`` these stay."""

    on: bool
    reviews: bool | None = None


class PublicNumbers(Wire):
    """The numbers of a person who shows them, without opponents and without the ids of games."""

    name: str
    rulesets: list[NumbersRuleset]
    fingerprint: str
    seats: int
    figures: Figures | None
    rating: OwnRating | None
    most: int
