"""Request and response bodies of seasons."""

from typing import Annotated, Final

from pydantic import Field

from jantaku.club.season_ranking import MOST_BONUSES, MOST_GAMES, MOST_UNIT, PerAttendance, Rounding
from jantaku.server.edge.shared_bodies import RulesName
from jantaku.server.edge.wire import Wire
from jantaku.server.events.common.event_bodies import EventName, EventStatus, StaffRole, Why
from jantaku.server.events.common.event_plan import Count, EventKey, Words, ZoneName
from jantaku.server.limits import PARTS_OF_SEASON

MOST_POINTS: Final = 1_000_000
Points = Annotated[int, Field(ge=-MOST_POINTS, le=MOST_POINTS)]
Share = Annotated[int | float, Field(ge=0, le=1)]
EventOfPart = Annotated[str | None, Field(max_length=16)]


class AttendanceRule(Wire):
    """Points for each event, day (of the ``zone``) or game that somebody has played, at most for so many."""

    points: Points
    per: PerAttendance = "event"
    most: Count | None = None
    zone: ZoneName = "UTC"


class YearCounting(Wire):
    """How the year is counted; who has played fewer than ``min_games`` does not qualify.

    ``bonus`` has the points for the first, second and further places of each part that counts. Shares of
    points are rounded to whole ``unit``.
    """

    min_games: Annotated[int, Field(ge=0, le=MOST_GAMES)] = 0
    attendance: AttendanceRule | None = None
    bonus: Annotated[list[Points], Field(max_length=MOST_BONUSES)] = Field(default_factory=list)
    unit: Annotated[int, Field(ge=1, le=MOST_UNIT)] = 1
    rounding: Rounding = "nearest"


class SeasonPart(Wire):
    """A part of a season and its event; ``ranked``: a ``share`` of its points counts for the year.

    ``brings``: the share of their points of the year that the best bring into it.
    """

    id: EventKey
    name: Words = Field(default_factory=dict)
    ranked: bool = True
    event: EventOfPart = None
    share: Share = 1
    brings: Share = 0


Parts = Annotated[list[SeasonPart], Field(max_length=PARTS_OF_SEASON)]


class CreateSeason(Wire):
    """Open a season from a ``template``, which opens an event for each part, or from events of mine.

    ``rules`` are those of every event that the template opens, but for the parts in ``part_rules``; without
    them it keeps its own.
    """

    template: Annotated[str, Field(max_length=64)] | None = None
    rules: RulesName | None = None
    part_rules: Annotated[dict[EventKey, RulesName], Field(max_length=PARTS_OF_SEASON)] = Field(
        default_factory=dict
    )
    name: EventName | None = None
    cut: Count | None = None
    counting: YearCounting | None = None
    listed: bool = True
    parts: Parts = Field(default_factory=list)


class SeasonPatch(Wire):
    """Change a season; what is not named stays. ``cut`` may be ``null``: nobody qualifies by the year.

    ``revision`` is that of the season as I have seen it; ``parts`` need it.
    """

    name: EventName | None = None
    cut: Count | None = None
    counting: YearCounting | None = None
    listed: bool | None = None
    parts: Parts | None = None
    revision: Annotated[int, Field(ge=1)] | None = None


class SeasonPartInfo(SeasonPart):
    """A part with what its event's pages say first.

    ``hidden``: players do not see its standings yet. ``role`` is mine in the event, and ``plays`` says
    whether I play in it.
    """

    event_name: Words | None = None
    rules: str | None = None
    rules_name: str | None = None
    status: EventStatus | None = None
    opens: str | None = None
    closes: str | None = None
    hidden: bool = False
    role: StaffRole | None = None
    plays: bool = False


class SeasonInfo(Wire):
    """A season; ``mine``: whether I may change it."""

    id: str
    name: Words
    cut: int | None
    counting: YearCounting
    listed: bool
    parts: list[SeasonPartInfo]
    mine: bool
    revision: int


class TemplatePart(Wire):
    """A part that a template opens, by its name in each language."""

    id: str
    name: Words


class SeasonTemplates(Wire):
    """The names of all templates of seasons, and the parts of each."""

    templates: list[str]
    parts: dict[str, list[TemplatePart]]


class SeasonSummary(Wire):
    """A season in a list."""

    id: str
    name: Words
    parts: int


class SeasonList(Wire):
    """Seasons, newest first; ``next`` continues the list."""

    seasons: list[SeasonSummary]
    mine: list[SeasonSummary]
    next: str | None


class YearEntry(Wire):
    """An entry of a player in the event of a part, and what its points count for the year."""

    part: str
    entry: str
    points: int


class YearRow(Wire):
    """A player's place in the year; ``mine``: it is I.

    ``finalist``: whether they play the final, because they qualify or have moved up for somebody who does
    not play; ``withdrawn``: they qualify, but have withdrawn from it or were refused.
    ``points`` are those of ``entries``, of ``attendance`` and of the ``bonus`` for places. With too few
    ``games`` a player is not ``qualified``.
    """

    rank: int
    name: str
    points: int
    games: int
    attendance: int
    bonus: int
    qualified: bool
    finalist: bool
    withdrawn: bool
    mine: bool
    entries: list[YearEntry]


class YearRanking(Wire):
    """The ranking of the year over all ranked parts.

    ``twice`` tells its organiser who is probably two rows of it, as they have an account in some parts alone.
    """

    cut: int | None
    ranking: list[YearRow]
    twice: list[str]


class FinalistsBody(Wire):
    """Enter the year's best into the event of a part."""

    part: EventKey


class FinalistsEntered(Wire):
    """Names: entered now, ``there`` before, and ``left_out`` because they withdrew or were refused."""

    entered: list[str]
    there: list[str]
    left_out: list[str]


class PersonEntry(Wire):
    """An entry of a person in the event of a part."""

    part: str
    event: str
    entry: str
    team: str


class SeasonPerson(Wire):
    """Somebody in a season; ``account``: whether an account belongs to them."""

    player: str
    name: str
    account: bool
    entries: list[PersonEntry]


class SeasonPeople(Wire):
    """The people of a season by name: whoever is registered in one of its events."""

    people: list[SeasonPerson]


class MergePeople(Wire):
    """Make two people of a season one, in all its events: this one becomes ``into``."""

    into: EventKey
    why: Why = ""


class SeparatePerson(Wire):
    """Make the entry of a person in the event of a ``part`` somebody else."""

    part: EventKey
    why: Why = ""
