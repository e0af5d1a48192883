"""Routes of ranked play."""

import time
from collections.abc import Iterator
from typing import Annotated, Literal

from fastapi import Depends, Path
from pydantic import Field

from jantaku.club import Rating
from jantaku.rules import load
from jantaku.server.edge.bodies import router_of
from jantaku.server.edge.protocol import ShortOrLong
from jantaku.server.errors import ServerError
from jantaku.server.people.auth_dependencies import (
    InjectedServices,
    Person,
    RequestLanguage,
    Visiting,
    limit_changes,
)
from jantaku.server.ranked.entries import LADDERS, LINES, STEP, TOP, Entry, Family, RankedLine, step_of
from jantaku.server.ranked.queue import RankedQueue
from jantaku.server.rules.pages import rules_name
from jantaku.server.storage.people import PersonRow
from jantaku.terms import Language
from jantaku.wire import Wire


async def _at_leader(services: InjectedServices) -> InjectedServices:
    """Return the services if this process is the leader; only the leader has the queue."""
    await services.ranked.inherit()
    return services


AtLeader = Annotated[InjectedServices, Depends(_at_leader)]


RankedPlayers = Literal[3, 4]
MAX_BOTS_AFTER_S = 3600


class LineBody(Wire):
    """A kind of ranked game: family of rules, length, and number of players."""

    family: Family
    length: ShortOrLong
    players: RankedPlayers

    @property
    def line(self) -> RankedLine:
        """Convert to a ``RankedLine``."""
        return RankedLine(self.family, self.length, self.players)


class WaitBody(Wire):
    """A request to wait for a game of any of these ``lines``.

    After ``bots_after_s`` bots may take the free seats, and the game is unrated; ``null``: never. ``away``:
    the user leaves the page, and a notification calls them. ``daily``: only for the daily table.
    """

    lines: Annotated[list[LineBody], Field(min_length=1, max_length=len(LINES))]
    bots_after_s: Annotated[int | None, Field(ge=0, le=MAX_BOTS_AFTER_S)] = None
    away: bool = False
    daily: bool = False


class LineState(LineBody):
    """A line with the number of waiting people and the recent waiting time (``null`` if unknown)."""

    rules: str
    name: str
    waiting: int
    wait_s: int | None


class WaitingPerson(Wire):
    """A person waiting for the same lines as the caller, or for any if the caller is not waiting.

    ``steps``: their steps in games of four and of three players.
    """

    person: str
    name: str
    steps: tuple[int, int]
    waited_s: int
    daily: bool


class CalledTable(Wire):
    """A table that is ready. ``here``: the caller has confirmed. ``coming``: how many of ``people`` have.

    If bots take the other seats, the game is not ``rated``.
    """

    line: LineBody
    here: bool
    coming: int
    people: int
    rated: bool
    left_s: int


class OwnWait(Wire):
    """The caller's entry in the queue; ``called``: the table that is ready for them."""

    lines: list[LineBody]
    waited_s: int
    bots_after_s: int | None
    away: bool
    daily: bool
    called: CalledTable | None


class OwnStep(Wire):
    """The caller's step in games of ``players``, progress to the next (``part``), and ``rank`` of ``people``.

    ``rank`` is ``null`` before the first game.
    """

    players: RankedPlayers
    step: int
    part: float
    games: int
    rank: int | None
    people: int


class DailyTable(Wire):
    """Start of the daily table in Unix milliseconds, and the number of people waiting for it.

    ``left_s``: seconds until then, as the device's clock may be wrong. ``reminded``: notify the caller.
    """

    at: int
    left_s: int
    waiting: int
    reminded: bool


class RankedPage(Wire):
    """Ranked play as seen by the caller. ``table``: their current table; ``held_s``: remaining suspension.

    ``account``: whether the caller has one; guests cannot be ranked.
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
    """Whether the caller is notified ten minutes before the daily table."""

    on: bool


class SeatStep(Wire):
    """Step of a seat and progress to the next one, before and after a game."""

    before: int
    after: int
    part_before: float
    part_after: float


class GameSteps(Wire):
    """Step changes by seat in a ranked game; ``null`` if it does not count for the seat."""

    seats: list[SeatStep | None]


MAX_SHOWN = 50


def part_of(rating: Rating | None) -> float:
    """Return the progress to the next step, 0–1.

    >>> part_of(Rating(25, 8)), part_of(Rating(25, 7)), part_of(None), part_of(Rating(99, 0))
    (0.5, 0.0, 0.0, 1.0)
    """
    if rating is None or rating.ordinal < 0:
        return 0.0
    return round(min(1.0, rating.ordinal / STEP - step_of(rating)), 3)


async def page_for(services: InjectedServices, user: PersonRow, language: Language) -> RankedPage:
    """Build the page of ranked play for one person."""
    queue, now = services.ranked, time.monotonic()
    entry = queue.of(user.id)
    return RankedPage(
        lines=list(_lines(queue, language)),
        people=list(_people(queue, entry, now)),
        mine=None if entry is None else _own(queue, entry, now),
        table=await queue.table_of(user.id),
        held_s=round(await queue.leavers.held_s(user.id)),
        account=not user.guest,
        steps=[await _step(queue, user.id, players) for players in LADDERS],
        daily=await _daily(services, user),
    )


def _body(line: RankedLine) -> LineBody:
    return LineBody.model_validate(line._asdict())


def _lines(queue: RankedQueue, language: Language) -> Iterator[LineState]:
    for line in LINES:
        wait = queue.wait_s(line)
        yield LineState(
            **line._asdict(),
            rules=line.rules,
            name=rules_name(load(line.rules), language),
            waiting=sum(line in entry.lines and not entry.daily for entry in queue.entries),
            wait_s=None if wait is None else round(wait),
        )


def _people(queue: RankedQueue, mine: Entry | None, now: float) -> Iterator[WaitingPerson]:
    """Yield visible waiting people, longest wait first; those for the daily table are visible to all."""
    alike = (
        entry
        for entry in queue.entries
        if entry.shown
        and entry is not mine
        and (mine is None or entry.daily or mine.daily or entry.lines & mine.lines)
    )
    for entry in sorted(alike, key=lambda entry: entry.since)[:MAX_SHOWN]:
        yield WaitingPerson(
            person=entry.person,
            name=entry.visitor.person.name,
            steps=(entry.steps.get(LADDERS[0], 0), entry.steps.get(LADDERS[1], 0)),
            waited_s=round(now - entry.since),
            daily=entry.daily,
        )


def _own(queue: RankedQueue, entry: Entry, now: float) -> OwnWait:
    check = queue.check_of(entry.person)
    return OwnWait(
        lines=[_body(line) for line in LINES if line in entry.lines],
        waited_s=round(now - entry.since),
        bots_after_s=None if entry.bots_after_s is None else round(entry.bots_after_s),
        away=entry.away,
        daily=entry.daily,
        called=None
        if check is None
        else CalledTable(
            line=_body(check.line),
            here=entry.person in check.here,
            coming=len(check.here),
            people=len(check.entries),
            rated=check.rated,
            left_s=max(0, round(check.until - now)),
        ),
    )


async def _step(queue: RankedQueue, person: str, players: int) -> OwnStep:
    known = await queue.ratings.of(players, person)
    rating = known.steps[-1].rating if known.steps else None
    return OwnStep.model_validate(
        {
            "players": players,
            "step": step_of(rating),
            "part": 0.0 if step_of(rating) >= TOP else part_of(rating),
            "games": known.games,
            "rank": known.rank,
            "people": known.people,
        }
    )


async def _daily(services: InjectedServices, user: PersonRow) -> DailyTable | None:
    hour = services.ranked.hour
    left = hour.left_s()
    if hour.next is None or left is None:
        return None
    return DailyTable(
        at=round(hour.next.timestamp() * 1000),
        left_s=max(0, round(left)),
        waiting=sum(entry.daily for entry in services.ranked.entries),
        reminded=user.reminded,
    )


router = router_of("/api/ranked", "ranked")


@router.get("")
async def look(
    services: AtLeader, language: RequestLanguage, user: Person, hidden: bool = False
) -> RankedPage:
    """Return the queue, the caller's entry and steps; waiting pages poll this.

    ``hidden``: the page is in the background, so the user needs more time to return.
    """
    services.ranked.seen(user.id, hidden=hidden)
    return await page_for(services, user, language)


@router.put("", dependencies=[Depends(limit_changes)])
async def wait(
    services: AtLeader, language: RequestLanguage, visitor: Visiting, body: WaitBody
) -> RankedPage:
    """Join the queue or change the entry; only for accounts, as anyone can create guests."""
    if visitor.person.guest:
        raise ServerError("account_needed")
    lines = frozenset(line.line for line in body.lines)
    await services.ranked.join(
        Entry(
            visitor,
            language,
            lines,
            bots_after_s=body.bots_after_s,
            away=body.away,
            daily=body.daily and services.ranked.hour.next is not None,
        )
    )
    return await page_for(services, visitor.person, language)


@router.delete("", dependencies=[Depends(limit_changes)])
async def leave(services: AtLeader, language: RequestLanguage, user: Person) -> RankedPage:
    """Leave the queue."""
    services.ranked.leave(user.id)
    return await page_for(services, user, language)


@router.post("/here", dependencies=[Depends(limit_changes)])
async def here(services: AtLeader, language: RequestLanguage, user: Person) -> RankedPage:
    """Confirm the ready check."""
    services.ranked.here(user.id)
    return await page_for(services, user, language)


@router.put("/reminder", dependencies=[Depends(limit_changes)])
async def remind(services: InjectedServices, user: Person, body: RemindBody) -> RemindBody:
    """Turn the reminder for the daily table on or off."""
    await services.accounts.change(user.id, reminded=body.on)
    return body


@router.get("/games/{game_id}")
async def of_game(
    services: InjectedServices, user: Person, game_id: Annotated[str, Path(max_length=16)]
) -> GameSteps:
    """Return the step changes in a ranked game, for its players."""
    row = await services.games.find(game_id)
    if row is None or all(player.person != user.id for player in row.players):
        raise ServerError("no_game")
    table = await services.seating.find(row.table_id)
    if row.status != "finished" or table is None or not table.ranked:
        raise ServerError("no_game")
    ratings = await services.ranked.ratings.around(len(row.players), row)
    changes = [ratings.get(player.person or "") for player in row.players]
    return GameSteps(
        seats=[
            change
            and SeatStep(
                before=step_of(change[0]),
                after=step_of(change[1]),
                part_before=part_of(change[0]),
                part_after=part_of(change[1]),
            )
            for change in changes
        ]
    )
