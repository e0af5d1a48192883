"""Routes of recorded games: starting them, entering hands and points, confirming."""

from dataclasses import dataclass
from typing import Annotated, Any, cast

from fastapi import Depends, Query, Request
from sqlalchemy import ColumnElement, select
from starlette.responses import JSONResponse, Response

from jantaku.server.edge.bodies import Problem, router_of
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import REFEREE, GameId, hidden
from jantaku.server.events.common.event_context import EventContext, PublicEventContext, UserEventContext
from jantaku.server.events.recording import payment_previews, recorded_game, starting_games
from jantaku.server.events.recording.payment_previews import PreviewBody, PreviewInfo
from jantaku.server.events.recording.recorded_game import (
    GameTable,
    game_view,
    rounds_of,
    summaries,
    table_of,
    version_view,
)
from jantaku.server.people.auth_dependencies import InjectedServices, RequestLanguage, answer_language
from jantaku.server.storage.recorded_games import RecordedGameRow, RecordedSeat
from jantaku.server.storage.store import now_ms

router = router_of("/api/events/{event}/games", "events")
Filter = Annotated[str | None, Query(max_length=64)]
PAGE = 50


@dataclass(frozen=True)
class WantedGames:
    """Filter for a list of games; ``unfinished`` ones are neither confirmed nor cancelled.

    ``round`` is the number of a round of ``stage``.
    """

    stage: Filter = None
    round: Annotated[int | None, Query(ge=1, le=1000)] = None
    entry: Filter = None
    before: Annotated[int | None, Query(ge=1, le=10**9)] = None
    unfinished: bool = False


async def _table(context: EventContext[Any], game: str) -> GameTable:
    return await table_of(context.services, await context.rights(), game)


async def _game_info(context: UserEventContext, game: str) -> recorded_game.RecordedGameInfo:
    return await game_view(context.services, await _table(context, game), cast("Any", context.user.language))


@router.get("")
async def games(
    context: PublicEventContext, wanted: Annotated[WantedGames, Depends()]
) -> recorded_game.RecordedList:
    """List the games of an event that match a filter, newest first."""
    rights = await context.rights()
    columns = RecordedGameRow
    where = list[ColumnElement[bool]]()
    if wanted.stage is not None:
        where.append(columns.stage == wanted.stage)
    if wanted.round is not None:
        seated = await rounds_of(context.services, rights, {wanted.stage or ""})
        where.append(columns.id.in_([game for game, number in seated.items() if number == wanted.round]))
    if wanted.before is not None:
        where.append(columns.number < wanted.before)
    if wanted.unfinished:
        where.append(columns.status == "playing")
    if wanted.entry is not None:
        mine = (RecordedSeat.event == rights.event.id) & (RecordedSeat.entry == wanted.entry)
        where.append(columns.id.in_(select(RecordedSeat.game).where(mine)))
    rows = await context.services.recorded.all(rights.event.id, *where, limit=PAGE)
    return recorded_game.RecordedList(
        games=await summaries(context.services, rows, rights, now_ms()),
        next=rows[-1].number if len(rows) == PAGE else None,
    )


@router.post("")
async def start(
    context: UserEventContext, services: InjectedServices, body: recorded_game.StartRecorded
) -> recorded_game.RecordedGameInfo:
    """Start a game, or enter the points of a finished one."""
    rights = await context.rights()
    await starting_games.start(context.services, rights, context.user, body, services.standings)
    return await _game_info(context, body.id)


@router.get("/{game}")
async def one(
    context: PublicEventContext, language: RequestLanguage, game: GameId
) -> recorded_game.RecordedGameInfo:
    """Return a game with its hands."""
    table = await _table(context, game)
    if hidden(table.rights, table.row.players):
        raise ServerError("standings_hidden")
    return await game_view(context.services, table, language)


@router.get("/{game}/versions")
async def versions(context: UserEventContext, game: GameId) -> recorded_game.VersionList:
    """List every version of every hand of a game, for its players and recorders."""
    table = await _table(context, game)
    table.demand_record()
    return recorded_game.VersionList(versions=[version_view(version) for version in table.versions])


@router.post(
    "/{game}/hands",
    response_model=recorded_game.HandEntered,
    responses={409: {"model": recorded_game.HandConflictBody}},
)
async def enter(
    context: UserEventContext, request: Request, game: GameId, body: recorded_game.HandBody
) -> recorded_game.HandEntered | Response:
    """Enter or change a hand. A repeated request gets the same response; a conflict returns both versions."""
    try:
        return await starting_games.enter_hand(context.services, context.user, context.event, game, body)
    except starting_games.HandConflictError as conflict:
        wrong = ServerError("hand_conflict")
        problem = Problem(code=wrong.code, message=wrong.message(answer_language(request)), field="follows")
        theirs = [version_view(version) for version in conflict.theirs]
        both = recorded_game.HandConflictBody(error=problem, yours=body, theirs=theirs, head=conflict.head)
        return JSONResponse(both.model_dump(), wrong.status)


@router.post("/{game}/preview")
async def preview(context: UserEventContext, game: GameId, body: PreviewBody) -> PreviewInfo:
    """Settle a game with these hands, without storing anything."""
    return await payment_previews.preview(await _table(context, game), body)


@router.post("/{game}/confirm")
async def confirm(
    context: UserEventContext, game: GameId, body: recorded_game.ConfirmBody
) -> recorded_game.RecordedGameInfo:
    """Confirm a finished game; it counts when all seats have confirmed."""
    await recorded_game.confirm(context.services, await _table(context, game), context.user, body)
    return await _game_info(context, game)


@router.post("/{game}/status")
async def set_status(
    context: UserEventContext, game: GameId, body: recorded_game.GameStatusBody
) -> recorded_game.RecordedGameInfo:
    """Cancel a game, or resume a cancelled or confirmed one."""
    await starting_games.set_status(context.services, await _table(context, game), body)
    return await _game_info(context, game)


@router.post("/{game}/points")
async def set_points(
    context: UserEventContext, game: GameId, body: recorded_game.PointsBody
) -> recorded_game.RecordedGameInfo:
    """End a game by its points, which count once the players confirm them, or immediately for a referee."""
    table = await _table(context, game)
    if table.rights.may(REFEREE):
        await starting_games.end_by_points(context.services, table, body.end, body.why, body.revision)
    else:
        await starting_games.propose_points(context.services, table, body.end, body.revision)
    return await _game_info(context, game)
