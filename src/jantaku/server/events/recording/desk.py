"""The referee's desk: calls and disputes, and penalties."""

from typing import TYPE_CHECKING, Final

from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_plan import iso
from jantaku.server.events.common.event_rights import RECORDER, REFEREE, EventRights, changing
from jantaku.server.events.recording.desk_bodies import CallBody, PenaltyBody, PenaltyInfo, RefereeCall
from jantaku.server.events.recording.game_rights import table_of
from jantaku.server.events.registration.entries import shown_team
from jantaku.server.limits import CALLS_OF_ONE, PENALTIES_OF_EVENT
from jantaku.server.storage.entries import entry_of
from jantaku.server.storage.events import (
    CALLS,
    CallRow,
    PenaltyRow,
    add_call,
    add_penalty,
    cancel_penalty,
    close_calls,
)
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.schema import event_calls, event_penalties
from jantaku.server.storage.services import Services

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement

MOST_LISTED: Final = 500


async def call(services: Services, rights: EventRights, who: PersonRow, body: CallBody) -> int:
    """Call a referee, or dispute a hand; returns the number of the call."""
    if rights.entry is None and not rights.may(RECORDER):
        raise ServerError("not_concerned")
    if body.game is not None:
        table = await table_of(services, rights, body.game)
        table.demand_record()
        if body.version is not None and body.version not in {hand.version for hand in table.hands}:
            raise ServerError("no_version", field="version")
    if body.kind == "dispute" and (body.game is None or body.version is None):
        raise ServerError("no_version", field="version")
    mine = (event_calls.c.person == who.id) & event_calls.c.kind.in_(CALLS)
    async with changing(services, rights) as change:
        if await change.count(event_calls.c.number, mine, event_calls.c.closed.is_(None)) >= CALLS_OF_ONE:
            raise ServerError("too_many_calls", most=CALLS_OF_ONE)
        number = await change.next_number(event_calls.c.number)
        label = shown_team(body.label)
        about = (body.game, body.version, label, who.id, who.name, body.why.strip())
        await add_call(change, CallRow(number, body.kind, *about, at=change.at, closed=None, answer=""))
        entry = rights.entry.id if rights.entry else None
        note = {"number": number, "version": body.version, "label": label}
        change.note(body.kind, game=body.game, entry=entry, after=note, why=body.why)
    return number


async def close(services: Services, rights: EventRights, who: PersonRow, number: int, answer: str) -> None:
    """Close a call: a referee with what was decided, or whoever called."""
    same = (event_calls.c.number == number) & event_calls.c.kind.in_(CALLS)
    calls = await services.desk.calls(rights.event.id, same, most=1)
    if not calls:
        raise ServerError("no_call")
    if calls[0].person != who.id:
        rights.demand(REFEREE)
    caller = await services.entries.of_person(rights.event.id, calls[0].person or "")
    async with changing(services, rights) as change:
        if not await close_calls(change, answer.strip(), same):
            raise ServerError("no_call")
        about = {"game": calls[0].game, "entry": caller.id if caller else None}
        change.note("answer", before={"number": number, "kind": calls[0].kind}, why=answer, **about)


async def calls(services: Services, rights: EventRights) -> list[RefereeCall]:
    """The open calls that a person sees: those who run the event all, others their own."""
    person = rights.person.id if rights.person else ""
    where: list[ColumnElement[bool]] = [event_calls.c.kind.in_(CALLS)]
    if not rights.may(RECORDER):
        where.append(event_calls.c.person == person)
    rows = await services.desk.calls(rights.event.id, *where, most=MOST_LISTED)
    return [RefereeCall.of(row, mine=row.person == person, at=iso(row.at)) for row in rows]


async def penalise(services: Services, rights: EventRights, who: PersonRow, body: PenaltyBody) -> None:
    """Give a penalty in a stage, or within a game of the entry."""
    rights.plan.known_stage(body.stage)
    if body.game is not None:
        row = await services.recorded.find(rights.event.id, body.game)
        if body.entry not in row.players or row.stage != body.stage:
            raise ServerError("not_entered", field="entry", id=body.entry)
    async with changing(services, rights) as change:
        await entry_of(change, body.entry)
        if await change.count(event_penalties.c.number) >= PENALTIES_OF_EVENT:
            raise ServerError("too_many_penalties", most=PENALTIES_OF_EVENT)
        number = await change.next_number(event_penalties.c.number)
        about = (body.stage, body.entry, body.game, body.points, body.why, who.id)
        await add_penalty(change, PenaltyRow(number, *about, at=change.at, cancelled=None))
        after = {"number": number, "stage": body.stage, "points": body.points}
        change.note("penalty", entry=body.entry, game=body.game, after=after, why=body.why)


async def take_back(services: Services, rights: EventRights, number: int, why: str) -> None:
    """Cancel a penalty; it stays in the list as cancelled."""
    async with changing(services, rights) as change:
        row = await cancel_penalty(change, number)
        before = {"number": number, "stage": row.stage, "points": row.points}
        change.note("penalty_cancelled", entry=row.entry, game=row.game, before=before, why=why)


async def penalties(services: Services, rights: EventRights) -> list[PenaltyInfo]:
    """The penalties that a person sees: those who run the event all, players their own."""
    rows = await services.desk.penalties(rights.event.id)
    mine = rights.entry.id if rights.entry else None
    return [
        PenaltyInfo.of(row, at=iso(row.at), cancelled=iso(row.cancelled))
        for row in rows
        if rights.may(RECORDER) or row.entry == mine
    ]
