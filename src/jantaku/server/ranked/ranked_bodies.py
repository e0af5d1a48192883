"""Bodies of ranked play."""

from typing import Annotated, Literal

from pydantic import Field

from jantaku.server.edge.wire import Wire
from jantaku.server.play.table_bodies import ShortOrLong
from jantaku.server.ranked.ladder import LINES, Family, RankedLine

RankedPlayers = Literal[3, 4]
MOST_BOTS_AFTER_S = 3600


class LineBody(Wire):
    """What one waits for: rules of a family, the length, and how many play."""

    family: Family
    length: ShortOrLong
    players: RankedPlayers

    @property
    def line(self) -> RankedLine:
        """The same below the wire."""
        return RankedLine(self.family, self.length, self.players)


class WaitBody(Wire):
    """Wait for a table of any of these ``lines``.

    ``bots_after_s``: after so long bots may take the free seats, and the game is not rated; ``null``: never.
    ``away``: I leave the page, and a notification calls me. ``daily``: only for the daily table.
    """

    lines: Annotated[list[LineBody], Field(min_length=1, max_length=len(LINES))]
    bots_after_s: Annotated[int | None, Field(ge=0, le=MOST_BOTS_AFTER_S)] = None
    away: bool = False
    daily: bool = False


class LineState(LineBody):
    """A line: how many wait for it, and how long people have waited lately (``null``: nobody knows)."""

    rules: str
    name: str
    waiting: int
    wait_s: int | None


class WaitingPerson(Wire):
    """Somebody who waits for a table that I wait for, or for anything if I do not wait.

    ``steps``: their steps with four and with three players. ``picture``: the mark of their own picture.
    """

    person: str
    name: str
    picture: str | None
    steps: tuple[int, int]
    waited_s: int
    daily: bool


class CalledTable(Wire):
    """A table is ready: who says in time to be there (``here``) is seated. ``coming``: how many have said so.

    ``bots`` take the other seats; then nothing is rated.
    """

    line: LineBody
    here: bool
    coming: int
    people: int
    rated: bool
    left_s: int


class OwnWait(Wire):
    """How I wait; ``called``: for which table."""

    lines: list[LineBody]
    waited_s: int
    bots_after_s: int | None
    away: bool
    daily: bool
    called: CalledTable | None


class OwnStep(Wire):
    """My step with so many players: ``part`` of the way to the next, and place ``rank`` of ``people``.

    ``rank`` is ``null`` before the first game.
    """

    players: RankedPlayers
    step: int
    part: float
    games: int
    rank: int | None
    people: int


class DailyTable(Wire):
    """When the daily table begins, in milliseconds since 1970, and how many wait for it.

    ``left_s``: the seconds until then, by the server's clock; a device's own may be wrong.
    """

    at: int
    left_s: int
    waiting: int
    reminded: bool


class RankedPage(Wire):
    """Ranked play as I may see it. ``table``: where I am seated; ``held_s``: how long I may not wait again.

    ``account``: whether I have one; guests cannot be ranked.
    """

    lines: list[LineState]
    people: list[WaitingPerson]
    mine: OwnWait | None
    table: str | None
    held_s: int
    account: bool
    steps: list[OwnStep]
    daily: DailyTable | None


class RemindBody(Wire):
    """Whether I am notified ten minutes before the daily table."""

    on: bool


class SeatStep(Wire):
    """What a game did to the step of a seat, and the way to the next one."""

    before: int
    after: int
    part_before: float
    part_after: float


class GameSteps(Wire):
    """What a ranked game did to the step of each seat; ``null`` if it does not count."""

    seats: list[SeatStep | None]
