"""What a person may see of ranked play."""

import time
from collections.abc import Iterator, Mapping

from jantaku.club import Rating
from jantaku.rules import load
from jantaku.server.ranked import ranked_bodies as bodies
from jantaku.server.ranked.ladder import LADDERS, LINES, STEP, TOP, RankedLine, step_of
from jantaku.server.ranked.queue import RankedQueue
from jantaku.server.ranked.queue_entries import Entry
from jantaku.server.ranked.ranked_kit import RankedKit
from jantaku.server.rules.rules_names import rules_name
from jantaku.server.storage.accounts import PersonRow
from jantaku.terms import Language

MOST_SHOWN = 50


def part_of(rating: Rating | None) -> float:
    """How much of the way from the own step to the next is done.

    >>> part_of(Rating(25, 8)), part_of(Rating(25, 7)), part_of(None), part_of(Rating(99, 0))
    (0.5, 0.0, 0.0, 1.0)
    """
    if rating is None or rating.ordinal < 0:
        return 0.0
    return round(min(1.0, rating.ordinal / STEP - step_of(rating)), 3)


async def page_for(kit: RankedKit, who: PersonRow, language: Language) -> bodies.RankedPage:
    """Everything about ranked play for one person."""
    queue, now = kit.queue, time.monotonic()
    entry = queue.of(who.id)
    return bodies.RankedPage(
        lines=list(_lines(queue, language)),
        people=list(_people(queue, entry, now, kit.services.avatars.marks)),
        mine=None if entry is None else _own(queue, entry, now),
        table=await queue.table_of(who.id),
        held_s=round(await queue.leavers.held_s(who.id)),
        account=not who.guest,
        steps=[await _step(queue, who.id, players) for players in LADDERS],
        daily=await _daily(kit, who),
    )


def _body(line: RankedLine) -> bodies.LineBody:
    return bodies.LineBody.model_validate(line._asdict())


def _lines(queue: RankedQueue, language: Language) -> Iterator[bodies.LineState]:
    for line in LINES:
        wait = queue.wait_s(line)
        yield bodies.LineState(
            **line._asdict(),
            rules=line.rules,
            name=rules_name(load(line.rules), language),
            waiting=sum(line in entry.lines and not entry.daily for entry in queue.entries),
            wait_s=None if wait is None else round(wait),
        )


def _people(
    queue: RankedQueue, mine: Entry | None, now: float, marks: Mapping[str, str]
) -> Iterator[bodies.WaitingPerson]:
    """Those who have waited longest come first; of whoever waits for the daily table all see it."""
    alike = (
        entry
        for entry in queue.entries
        if entry.shown
        and entry is not mine
        and (mine is None or entry.daily or mine.daily or entry.lines & mine.lines)
    )
    for entry in sorted(alike, key=lambda entry: entry.since)[:MOST_SHOWN]:
        yield bodies.WaitingPerson(
            person=entry.person,
            name=entry.who.person.name,
            picture=marks.get(entry.person),
            steps=(entry.steps.get(LADDERS[0], 0), entry.steps.get(LADDERS[1], 0)),
            waited_s=round(now - entry.since),
            daily=entry.daily,
        )


def _own(queue: RankedQueue, entry: Entry, now: float) -> bodies.OwnWait:
    summons = queue.summons_of(entry.person)
    return bodies.OwnWait(
        lines=[_body(line) for line in LINES if line in entry.lines],
        waited_s=round(now - entry.since),
        bots_after_s=None if entry.bots_after_s is None else round(entry.bots_after_s),
        away=entry.away,
        daily=entry.daily,
        called=None
        if summons is None
        else bodies.CalledTable(
            line=_body(summons.line),
            here=entry.person in summons.here,
            coming=len(summons.here),
            people=len(summons.entries),
            rated=summons.rated,
            left_s=max(0, round(summons.until - now)),
        ),
    )


async def _step(queue: RankedQueue, person: str, players: int) -> bodies.OwnStep:
    known = await queue.ratings.of(players, person)
    rating = known.steps[-1].rating if known.steps else None
    return bodies.OwnStep.model_validate(
        {
            "players": players,
            "step": step_of(rating),
            "part": 0.0 if step_of(rating) >= TOP else part_of(rating),
            "games": known.games,
            "rank": known.rank,
            "people": known.people,
        }
    )


async def _daily(kit: RankedKit, who: PersonRow) -> bodies.DailyTable | None:
    hour = kit.queue.hour
    left = hour.left_s()
    if hour.next is None or left is None:
        return None
    return bodies.DailyTable(
        at=round(hour.next.timestamp() * 1000),
        left_s=max(0, round(left)),
        waiting=sum(entry.daily for entry in kit.queue.entries),
        reminded=await kit.services.accounts.is_reminded(who.id),
    )
