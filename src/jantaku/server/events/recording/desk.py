"""The referees' desk: calls, doubtful games, penalties and the change log."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from fastapi import Depends, Query
from pydantic import Field

from jantaku import terms
from jantaku.errors import JantakuError
from jantaku.rules.options import POINTS
from jantaku.server.edge.bodies import Done, iso, router_of
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import ORGANISER, RECORDER, REFEREE, EventRights, Number, changing
from jantaku.server.events.common.event_bodies import Reason, Why
from jantaku.server.events.common.event_context import UserEventContext
from jantaku.server.events.recording.change_log import ChangedField, words_for
from jantaku.server.events.recording.recorded_game import TableLabel, rounds_of, table_of
from jantaku.server.events.registration.entries import shown_team
from jantaku.server.people.auth_dependencies import (
    InjectedServices,
    RequestLanguage,
    always_deduplicate,
    deduplicate,
    limit_changes,
)
from jantaku.server.settings import CALLS_OF_ONE, PENALTIES_OF_EVENT
from jantaku.server.storage.entries import entry_of
from jantaku.server.storage.event_plan import EventKey
from jantaku.server.storage.events import (
    CALLING,
    DOUBT,
    CallRow,
    PenaltyRow,
    add_penalty,
    cancel_penalty,
    close_calls,
)
from jantaku.server.storage.finished_games import PlayedGame
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.services import Services
from jantaku.terms import Language
from jantaku.wire import Wire

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement


class CallBody(Wire):
    """A referee call to a game, to a disputed ``version`` of a hand, or to the place in ``label``."""

    kind: Literal["call", "dispute"] = "call"
    game: EventKey | None = None
    version: EventKey | None = None
    label: TableLabel = ""
    why: Why = ""


class RefereeCall(Wire):
    """An open call to a referee; ``mine``: made by the person requesting the list."""

    number: int
    kind: Literal["call", "dispute"]
    game: str | None
    version: str | None
    label: str
    name: str
    mine: bool
    why: str
    at: str | None


class CallList(Wire):
    """Open calls to a referee, oldest first: all for staff, otherwise the requesting person's own."""

    calls: list[RefereeCall]


class DoubtfulGame(Wire):
    """A game that a referee should check, with the ``reasons`` as text; ``number`` is used to clear it."""

    number: int
    game: str
    game_number: int
    stage: str
    round: int | None = None
    label: str
    players: list[str]
    reasons: list[str]
    at: str | None


class HeldUpGame(Wire):
    """A finished online game that could not be recorded; the server retries it."""

    replay: str
    stage: str
    names: list[str]
    reason: str
    at: str | None


class DoubtfulGames(Wire):
    """Games not yet cleared, oldest first, and online games that could not be recorded (``held_up``)."""

    games: list[DoubtfulGame]
    held_up: list[HeldUpGame]


class AnswerBody(Wire):
    """The decision that closes a call or a doubt."""

    answer: Why = ""


class PenaltyBody(Wire):
    """Points for an entry in a stage or one of its games; negative for a penalty."""

    stage: EventKey
    entry: EventKey
    game: EventKey | None = None
    points: Annotated[int, Field(strict=True, ge=-POINTS, le=POINTS)]
    why: Reason


class PenaltyInfo(Wire):
    """A penalty; ``cancelled`` is the time of its cancellation."""

    number: int
    stage: str
    entry: str
    game: str | None
    points: int
    why: str
    at: str | None
    cancelled: str | None


class PenaltyList(Wire):
    """Penalties in the order they were given."""

    penalties: list[PenaltyInfo]


class CancelBody(Wire):
    """The reason to cancel a penalty."""

    why: Reason


class AuditEntry(Wire):
    """A change to the event; ``text`` and ``details`` describe it in the language of the request."""

    at: str | None
    text: str
    details: list[ChangedField]
    name: str
    action: str
    game: str | None
    entry: str | None
    before: Any
    after: Any
    why: str


class AuditPage(Wire):
    """Changes, newest first; ``next`` is the ``before`` of the next page."""

    changes: list[AuditEntry]
    next: str | None


MAX_LISTED: Final = 500


async def call_referee(services: Services, rights: EventRights, user: PersonRow, body: CallBody) -> int:
    """Record a referee call or a dispute of a hand, and return its number."""
    if rights.entry is None and not rights.may(RECORDER):
        raise ServerError("not_concerned")
    if body.game is not None:
        table = await table_of(services, rights, body.game)
        table.demand_record()
        if body.version is not None and body.version not in {hand.version for hand in table.hands}:
            raise ServerError("no_version", field="version")
    if body.kind == "dispute" and (body.game is None or body.version is None):
        raise ServerError("no_version", field="version")
    mine = (CallRow.person == user.id) & CallRow.kind.in_(CALLING)
    async with changing(services, rights) as change:
        if await change.count(CallRow.number, mine, CallRow.closed.is_(None)) >= CALLS_OF_ONE:
            raise ServerError("too_many_calls", most=CALLS_OF_ONE)
        number = await change.next_number(CallRow.number)
        label = shown_team(body.label)
        about = (body.game, body.version, label, user.id, user.name, body.why.strip())
        await change.insert([CallRow(change.event.id, number, body.kind, *about, change.at)])
        entry = rights.entry.id if rights.entry else None
        note = {"number": number, "version": body.version, "label": label}
        change.note(body.kind, game=body.game, entry=entry, after=note, why=body.why)
    return number


async def close_call(
    services: Services, rights: EventRights, user: PersonRow, number: int, answer: str
) -> None:
    """Close a call, with a referee's decision or by whoever made it; raise ``no_call`` if none is open."""
    same = (CallRow.number == number) & CallRow.kind.in_(CALLING)
    open_calls = await services.desk.calls(rights.event.id, same, limit=1)
    if not open_calls:
        raise ServerError("no_call")
    if open_calls[0].person != user.id:
        rights.demand(REFEREE)
    caller = await services.entries.of_person(rights.event.id, open_calls[0].person or "")
    async with changing(services, rights) as change:
        if not await close_calls(change, answer.strip(), same):
            raise ServerError("no_call")
        about = {"game": open_calls[0].game, "entry": caller.id if caller else None}
        change.note("answer", before={"number": number, "kind": open_calls[0].kind}, why=answer, **about)


async def open_calls(services: Services, rights: EventRights) -> list[RefereeCall]:
    """Return the open calls visible to a person: all for staff, else their own."""
    person = rights.person.id if rights.person else ""
    where: list[ColumnElement[bool]] = [CallRow.kind.in_(CALLING)]
    if not rights.may(RECORDER):
        where.append(CallRow.person == person)
    rows = await services.desk.calls(rights.event.id, *where, limit=MAX_LISTED)
    return [RefereeCall.of(row, mine=row.person == person, at=iso(row.at)) for row in rows]


async def give_penalty(services: Services, rights: EventRights, user: PersonRow, body: PenaltyBody) -> None:
    """Give a penalty in a stage, or in a game of the entry."""
    rights.plan.known_stage(body.stage)
    if body.game is not None:
        row = await services.recorded.find(rights.event.id, body.game)
        if body.entry not in row.players or row.stage != body.stage:
            raise ServerError("not_entered", field="entry", id=body.entry)
    async with changing(services, rights) as change:
        await entry_of(change, body.entry)
        if await change.count(PenaltyRow.number) >= PENALTIES_OF_EVENT:
            raise ServerError("too_many_penalties", most=PENALTIES_OF_EVENT)
        number = await change.next_number(PenaltyRow.number)
        about = (body.stage, body.entry, body.game, body.points, body.why, user.id)
        await add_penalty(change, PenaltyRow(change.event.id, number, *about, change.at, None))
        after = {"number": number, "stage": body.stage, "points": body.points}
        change.note("penalty", entry=body.entry, game=body.game, after=after, why=body.why)


async def cancel_given_penalty(services: Services, rights: EventRights, number: int, why: str) -> None:
    """Cancel a penalty; it remains in the list."""
    async with changing(services, rights) as change:
        row = await cancel_penalty(change, number)
        before = {"number": number, "stage": row.stage, "points": row.points}
        change.note("penalty_cancelled", entry=row.entry, game=row.game, before=before, why=why)


async def penalties_of(services: Services, rights: EventRights) -> list[PenaltyInfo]:
    """Return the penalties visible to a person: all for staff, their own for players."""
    rows = await services.desk.penalties(rights.event.id)
    mine = rights.entry.id if rights.entry else None
    return [
        PenaltyInfo.of(row, at=iso(row.at), cancelled=iso(row.cancelled))
        for row in rows
        if rights.may(RECORDER) or row.entry == mine
    ]


MAX_DOUBTS: Final = 500


async def doubtful_games(services: Services, rights: EventRights, language: Language) -> list[DoubtfulGame]:
    """Return the games that a referee should check, oldest first, with the reasons as text."""
    rows = await services.desk.calls(rights.event.id, CallRow.kind == DOUBT, limit=MAX_DOUBTS)
    games = {
        game.id: game
        for game in await services.recorded.named(rights.event.id, [str(row.game) for row in rows])
    }
    rounds = await rounds_of(services, rights, {game.stage for game in games.values()})
    return [
        DoubtfulGame(
            number=row.number,
            game=game.id,
            game_number=game.number,
            stage=game.stage,
            round=rounds.get(game.id),
            label=game.label,
            players=list(game.players),
            reasons=[
                terms.text(f"desk.doubt.{code}", language, **values) for code, values in json.loads(row.why)
            ],
            at=iso(row.at),
        )
        for row in rows
        if (game := games.get(row.game or "")) is not None
    ]


def held_up_games(games: Iterable[tuple[PlayedGame, Exception]], language: Language) -> list[HeldUpGame]:
    """Build the list of online games that could not be recorded, with the reasons as text."""
    return [
        HeldUpGame(
            replay=played.game.id,
            stage=played.stage,
            names=[player.name for player in played.game.players],
            reason=(error if isinstance(error, JantakuError) else ServerError("internal")).message(language),
            at=iso(played.game.ended),
        )
        for played, error in games
    ]


async def clear_doubt(services: Services, rights: EventRights, number: int, why: str) -> None:
    """Clear a doubtful game; nothing changes if another referee already has."""
    async with changing(services, rights) as change:
        rights.demand(REFEREE)
        same = (CallRow.kind == DOUBT) & (CallRow.number == number)
        closed = await close_calls(change, why.strip(), same)
        if closed:
            codes = [code for code, _ in json.loads(closed[0].why)]
            change.note("cleared", game=closed[0].game, before={"reasons": codes}, why=why)


router = router_of("/api/events/{event}", "events")
PAGE = 100


@router.get("/calls")
async def calls(context: UserEventContext) -> CallList:
    """List the open calls, oldest first."""
    return CallList(calls=await open_calls(context.services, await context.rights()))


@router.post("/calls", dependencies=[Depends(deduplicate), Depends(limit_changes)])
async def call(context: UserEventContext, body: CallBody) -> CallList:
    """Call a referee or dispute a hand."""
    rights = await context.rights()
    await call_referee(context.services, rights, context.user, body)
    return CallList(calls=await open_calls(context.services, rights))


@router.post("/calls/{number}/close")
async def close(context: UserEventContext, number: Number, body: AnswerBody) -> Done:
    """Close a call; allowed for referees and whoever made it."""
    rights = await context.rights()
    await close_call(context.services, rights, context.user, number, body.answer)
    return Done()


@router.get("/doubts")
async def doubts(
    context: UserEventContext, services: InjectedServices, language: RequestLanguage
) -> DoubtfulGames:
    """List the games that a referee should check, for staff."""
    rights = await context.rights(RECORDER)
    return await _doubts(services, rights, language)


async def _doubts(services: InjectedServices, rights: EventRights, language: Language) -> DoubtfulGames:
    event = rights.event.id
    return DoubtfulGames(
        games=await doubtful_games(services, rights, language),
        held_up=held_up_games(services.online_counter.held_up(event), language),
    )


@router.post("/doubts/{number}/clear")
async def clear(
    context: UserEventContext,
    services: InjectedServices,
    language: RequestLanguage,
    number: Number,
    body: AnswerBody,
) -> DoubtfulGames:
    """Clear a doubtful game as correct, for referees."""
    rights = await context.rights(REFEREE)
    await clear_doubt(context.services, rights, number, body.answer)
    return await _doubts(services, rights, language)


@router.get("/penalties")
async def penalties(context: UserEventContext) -> PenaltyList:
    """List the penalties: all for staff, their own for players."""
    rights = await context.rights()
    return PenaltyList(penalties=await penalties_of(context.services, rights))


@router.post("/penalties", dependencies=[Depends(always_deduplicate)])
async def penalise(context: UserEventContext, body: PenaltyBody) -> PenaltyList:
    """Give a penalty with a reason, for referees."""
    rights = await context.rights(REFEREE)
    await give_penalty(context.services, rights, context.user, body)
    return PenaltyList(penalties=await penalties_of(context.services, rights))


@router.post("/penalties/{number}/cancel")
async def cancel(context: UserEventContext, number: Number, body: CancelBody) -> PenaltyList:
    """Cancel a penalty with a reason, for referees."""
    rights = await context.rights(REFEREE)
    await cancel_given_penalty(context.services, rights, number, body.why)
    return PenaltyList(penalties=await penalties_of(context.services, rights))


@router.get("/log")
async def log(
    context: UserEventContext,
    language: RequestLanguage,
    game: Annotated[str | None, Query(max_length=64)] = None,
    before: Annotated[str | None, Query(max_length=40, pattern=r"^\d{1,9}\.\d{1,9}$")] = None,
) -> AuditPage:
    """List the changes to the event: all for staff; for players, those that concern them."""
    rights = await context.rights()
    if rights.entry is None and not rights.may(RECORDER):
        raise ServerError("not_concerned")
    entry = None if rights.may(RECORDER) or rights.entry is None else rights.entry.id
    revision, _, part = (before or "").partition(".")
    at = (int(revision), int(part)) if before else None
    rows = await context.services.event_log.read(
        context.event, entry, at, PAGE, game=game, whole=rights.may(ORGANISER)
    )
    following = f"{rows[-1].revision}.{rows[-1].part}" if len(rows) == PAGE else None
    words = await words_for(context.services, rights, rows, language)
    changes = [
        AuditEntry.of(row, at=iso(row.at), text=words.sentence(row), details=words.details(row))
        for row in rows
    ]
    return AuditPage(changes=changes, next=following)
