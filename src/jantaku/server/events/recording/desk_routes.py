"""The referee's desk of an event: calls, penalties, and the log of all changes."""

from typing import Annotated

from fastapi import Depends, Query

from jantaku.server.edge.routing import router_of
from jantaku.server.edge.shared_bodies import Done
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_asked import AskedByPerson
from jantaku.server.events.common.event_path import Number
from jantaku.server.events.common.event_plan import iso
from jantaku.server.events.common.event_rights import ORGANISER, RECORDER, REFEREE, EventRights
from jantaku.server.events.recording import desk, desk_bodies, doubtful
from jantaku.server.events.recording.recording_kit import AtDesk, RecordingKit
from jantaku.server.people.asking import RequestLanguage, changing_mind, never_twice, not_twice
from jantaku.terms import Language

router = router_of("/api/events/{event}", "events")
PAGE = 100


@router.get("/calls")
async def calls(asked: AskedByPerson) -> desk_bodies.CallList:
    """The open calls, oldest first."""
    return desk_bodies.CallList(calls=await desk.calls(asked.services, await asked.rights()))


@router.post("/calls", dependencies=[Depends(not_twice), Depends(changing_mind)])
async def call(asked: AskedByPerson, body: desk_bodies.CallBody) -> desk_bodies.CallList:
    """Call a referee, or dispute a hand."""
    rights = await asked.rights()
    await desk.call(asked.services, rights, asked.who, body)
    return desk_bodies.CallList(calls=await desk.calls(asked.services, rights))


@router.post("/calls/{number}/close")
async def close(asked: AskedByPerson, number: Number, body: desk_bodies.AnswerBody) -> Done:
    """Close a call."""
    rights = await asked.rights()
    await desk.close(asked.services, rights, asked.who, number, body.answer)
    return Done()


@router.get("/doubts")
async def doubts(asked: AskedByPerson, kit: AtDesk, language: RequestLanguage) -> desk_bodies.DoubtfulGames:
    """Games that a referee should look at, for those who run the event."""
    rights = await asked.rights(RECORDER)
    return await _doubts(kit, rights, language)


async def _doubts(kit: RecordingKit, rights: EventRights, language: Language) -> desk_bodies.DoubtfulGames:
    event = rights.event.id
    return desk_bodies.DoubtfulGames(
        games=await doubtful.doubtful_games(kit.services, rights, language),
        held_up=doubtful.held_up_games(kit.held_up(event), language),
    )


@router.post("/doubts/{number}/clear")
async def clear(
    asked: AskedByPerson, kit: AtDesk, language: RequestLanguage, number: Number, body: desk_bodies.AnswerBody
) -> desk_bodies.DoubtfulGames:
    """Say that a game is as it was played."""
    rights = await asked.rights(REFEREE)
    await doubtful.clear(asked.services, rights, number, body.answer)
    return await _doubts(kit, rights, language)


@router.get("/penalties")
async def penalties(asked: AskedByPerson) -> desk_bodies.PenaltyList:
    """All penalties for those who run the event, their own for players."""
    rights = await asked.rights()
    return desk_bodies.PenaltyList(penalties=await desk.penalties(asked.services, rights))


@router.post("/penalties", dependencies=[Depends(never_twice)])
async def penalise(asked: AskedByPerson, body: desk_bodies.PenaltyBody) -> desk_bodies.PenaltyList:
    """Give a penalty with a reason."""
    rights = await asked.rights(REFEREE)
    await desk.penalise(asked.services, rights, asked.who, body)
    return desk_bodies.PenaltyList(penalties=await desk.penalties(asked.services, rights))


@router.post("/penalties/{number}/cancel")
async def cancel(
    asked: AskedByPerson, number: Number, body: desk_bodies.CancelBody
) -> desk_bodies.PenaltyList:
    """Take a penalty back with a reason."""
    rights = await asked.rights(REFEREE)
    await desk.take_back(asked.services, rights, number, body.why)
    return desk_bodies.PenaltyList(penalties=await desk.penalties(asked.services, rights))


@router.get("/log")
async def log(
    asked: AskedByPerson,
    game: Annotated[str | None, Query(max_length=64)] = None,
    before: Annotated[str | None, Query(max_length=40, pattern=r"^\d{1,9}\.\d{1,9}$")] = None,
) -> desk_bodies.AuditPage:
    """Who changed what: all of it for those who run the event, for players what concerns them."""
    rights = await asked.rights()
    if rights.entry is None and not rights.may(RECORDER):
        raise ServerError("not_concerned")
    entry = None if rights.may(RECORDER) or rights.entry is None else rights.entry.id
    revision, _, part = (before or "").partition(".")
    at = (int(revision), int(part)) if before else None
    rows = await asked.services.event_log.read(
        asked.event, entry, at, PAGE, game=game, whole=rights.may(ORGANISER)
    )
    following = f"{rows[-1].revision}.{rows[-1].part}" if len(rows) == PAGE else None
    return desk_bodies.AuditPage(
        changes=[desk_bodies.AuditEntry.of(row, at=iso(row.at)) for row in rows], next=following
    )
