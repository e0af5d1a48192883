"""Entering games from the logs of online sites."""

from contextlib import suppress
from typing import Annotated, Any, NamedTuple, cast

from fastapi import Depends
from pydantic import Field
from sqlalchemy.exc import IntegrityError

from jantaku.club.event import Instant
from jantaku.club.log_games import LogGame, matched
from jantaku.errors import RequestError
from jantaku.records.texts import MAX_NAME
from jantaku.seats import BySeat
from jantaku.server.edge.bodies import router_of
from jantaku.server.edge.limits import Principal
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import REFEREE, EventRights, changing, instant_ms
from jantaku.server.events.common.event_context import UserEventContext
from jantaku.server.events.recording.game_log_jobs import read_event_log
from jantaku.server.events.recording.recorded_game import (
    RecordedGameInfo,
    SeatEntries,
    TableLabel,
    game_view,
    table_of,
)
from jantaku.server.events.recording.starting_games import check_players, check_room
from jantaku.server.events.registration.entries import demand_playing, shown_team
from jantaku.server.events.registration.names import SiteName
from jantaku.server.names import shown_name
from jantaku.server.people.auth_dependencies import (
    InjectedServices,
    Requester,
    deduplicate,
    limit_stored_body,
)
from jantaku.server.storage.entries import add_nicknames
from jantaku.server.storage.event_plan import EventKey
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.recorded_games import (
    LOG,
    RecordedGameRow,
    add_games,
    add_versions,
    initial_versions,
)
from jantaku.wire import Wire

LogText = Annotated[str, Field(min_length=1, max_length=2_000_000)]


class LogPreviewBody(Wire):
    """A game log to preview. ``site`` is where it was played, if the log does not state it."""

    text: LogText
    site: SiteName | None = None


class LogPreview(Wire):
    """The content of a log. ``players`` are the entries matching its ``names``, ``null`` for unknown names.

    ``known`` is the recorded game if the log has already been entered.
    """

    format: str
    site: str
    names: list[str]
    players: list[str | None]
    hands: int
    scores: BySeat
    final: BySeat
    places: BySeat
    known: str | None


class LogBody(Wire):
    """A game log to enter. ``players`` are entries by seat; by default the names in the log determine them.

    ``remember``: store the names in the log as nicknames of these entries.
    """

    text: LogText
    stage: EventKey
    players: SeatEntries | None = None
    site: SiteName | None = None
    remember: bool = True
    at: Instant | None = None
    label: TableLabel = ""


class MatchedLog(NamedTuple):
    """A parsed log: its ``site``, the entries matching its names, and the game recorded from it, if any."""

    game: LogGame
    site: str
    players: list[str | None]
    known: str | None


async def find_players(
    services: InjectedServices, asker: Principal, rights: EventRights, text: str, site: str | None
) -> MatchedLog:
    """Parse a log in a worker process and match its players; raise ``RecordError`` or ``RequestError``."""
    event = rights.event
    rules = await services.rulesets.find(event.rules, event.fingerprint)
    language = rights.person.language if rights.person else "en"
    game: LogGame = await services.workers.run(asker, read_event_log, text, rules, language)
    site = site or game.site
    nicknames = {
        nickname.name: nickname.entry
        for nickname in await services.nicknames.all(event.id)
        if nickname.site == site
    }
    playing = [entry for entry in await services.entries.all(event.id) if entry.status == "playing"]
    names = [entry.name.casefold() for entry in playing]
    listed = {entry.name: entry.id for entry in playing if names.count(entry.name.casefold()) == 1}
    players = matched([_stored(name) for name in game.names], nicknames, listed)
    same = (RecordedGameRow.digest == game.digest) | (RecordedGameRow.id == _key(game))
    rows = await services.recorded.all(event.id, same)
    return MatchedLog(game, site, players, rows[0].id if rows else None)


def _key(game: LogGame) -> str:
    """Return the id of the game recorded from a log."""
    return f"{LOG}{game.digest[:16]}"


def _stored(name: str) -> str:
    """Return a name as stored; empty if it is not a displayable name."""
    with suppress(ServerError):
        return shown_name(name, MAX_NAME)
    return ""


async def enter_log(
    services: InjectedServices, asker: Principal, rights: EventRights, user: PersonRow, body: LogBody
) -> str:
    """Record a log as a confirmed game and return its id; a log entered before changes nothing.

    Raises ``no_stage``, ``log_nobody`` for a name without an entry, and the errors of ``check_players`` and
    ``demand_playing``.
    """
    rights.plan.known_stage(body.stage)
    log = await find_players(services, asker, rights, body.text, body.site)
    if log.known is not None:
        return log.known
    players = body.players or _all_players(log)
    check_players(players, len(log.game.names))
    try:
        return await _store(services, rights, user, body, log._replace(players=list(players)))
    except IntegrityError:  # a simultaneous request entered the same log
        return await enter_log(services, asker, rights, user, body)


def _all_players(log: MatchedLog) -> list[str]:
    players = []
    for name, player in zip(log.game.names, log.players, strict=True):
        if player is None:
            raise RequestError("log_nobody", field="players", name=name)
        players.append(player)
    return players


async def _store(
    services: InjectedServices, rights: EventRights, user: PersonRow, body: LogBody, log: MatchedLog
) -> str:
    game, key = log.game, _key(log.game)
    players = [str(player) for player in log.players]
    async with changing(services, rights) as change:
        await demand_playing(change, players, "players", over=True)
        await check_room(change)
        at = instant_ms(body.at) or change.at
        versions = initial_versions(game.hands, user.id, change.at)
        row = RecordedGameRow(
            event=change.event.id,
            id=key,
            number=await change.next_number(RecordedGameRow.number),
            stage=body.stage,
            label=shown_team(body.label),
            at=at,
            person=user.id,
            status="confirmed",
            head=versions[-1].id,
            revision=len(versions),
            ended_with=None,
            result=game.result,
            players=tuple(players),
            digest=game.digest,
        )
        await add_games(change, [row])
        await add_versions(change, [(key, version) for version in versions])
        if body.remember:
            pairs = [(_stored(name), player) for name, player in zip(game.names, players, strict=True)]
            await add_nicknames(change, [(log.site, name, player) for name, player in pairs if name])
        change.note("log", game=key, after={"stage": body.stage, "players": players, "format": game.format})
        change.results_change = True
    return key


router = router_of("/api/events/{event}/logs", "events")


@router.post("/preview")
async def preview(
    context: UserEventContext, services: InjectedServices, asker: Requester, body: LogPreviewBody
) -> LogPreview:
    """Preview a log and the entries matching its names, for referees."""
    rights = await context.rights(REFEREE)
    log = await find_players(services, asker, rights, body.text, body.site)
    game = log.game
    return LogPreview.model_validate(
        {
            "format": game.format,
            "site": log.site,
            "names": list(game.names),
            "players": log.players,
            "hands": len(game.hands),
            **{name: getattr(game.result, name) for name in ("scores", "final", "places")},
            "known": log.known,
        }
    )


@router.post("", dependencies=[Depends(deduplicate), Depends(limit_stored_body)])
async def enter(
    context: UserEventContext, services: InjectedServices, asker: Requester, body: LogBody
) -> RecordedGameInfo:
    """Enter a game log, for referees; the same game counts only once, whatever the format."""
    rights = await context.rights(REFEREE)
    game = await enter_log(services, asker, rights, context.user, body)
    rights = await context.rights()
    table = await table_of(context.services, rights, game)
    return await game_view(context.services, table, cast("Any", context.user.language))
