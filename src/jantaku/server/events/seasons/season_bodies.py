"""Request and response bodies of seasons."""

from typing import Annotated

from pydantic import Field

from jantaku.server.edge.shared_bodies import RulesName
from jantaku.server.edge.wire import Wire
from jantaku.server.events.common.event_bodies import EventName, EventStatus, StaffRole
from jantaku.server.events.common.event_plan import Count, EventKey, Words

MOST_PARTS = 50
EventOfPart = Annotated[str | None, Field(max_length=16)]


class SeasonPart(Wire):
    """A part of a season and its event; ``ranked``: its points count for the year."""

    id: EventKey
    name: Words = Field(default_factory=dict)
    ranked: bool = True
    event: EventOfPart = None


Parts = Annotated[list[SeasonPart], Field(max_length=MOST_PARTS)]


class CreateSeason(Wire):
    """Open a season from a ``template``, which opens an event for each part, or from events of mine.

    ``rules`` are those of every event that the template opens; without them it keeps its own.
    """

    template: Annotated[str, Field(max_length=64)] | None = None
    rules: RulesName | None = None
    name: EventName | None = None
    cut: Count | None = None
    listed: bool = True
    parts: Parts = Field(default_factory=list)


class SeasonPatch(Wire):
    """Change a season; what is not named stays. ``cut`` may be ``null``: nobody qualifies by the year.

    ``revision`` is that of the season as I have seen it; ``parts`` need it.
    """

    name: EventName | None = None
    cut: Count | None = None
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
    listed: bool
    parts: list[SeasonPartInfo]
    mine: bool
    revision: int


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
    """An entry of a player in the event of a part."""

    part: str
    entry: str
    points: int


class YearRow(Wire):
    """A player's place in the year; ``finalist``: whether they qualify for the final; ``mine``: it is I."""

    rank: int
    name: str
    points: int
    finalist: bool
    mine: bool
    entries: list[YearEntry]


class YearRanking(Wire):
    """The ranking of the year over all ranked parts."""

    cut: int | None
    ranking: list[YearRow]


class FinalistsBody(Wire):
    """Enter the year's best into the event of a part."""

    part: EventKey


class FinalistsEntered(Wire):
    """Names: entered now, ``there`` before, and ``left_out`` because they withdrew or were refused."""

    entered: list[str]
    there: list[str]
    left_out: list[str]
