"""Logs of games that were played elsewhere, into a stage of an event: a preview, then the game itself."""

from typing import Any, cast

from fastapi import Depends

from jantaku.server.edge.routing import router_of
from jantaku.server.events.common.event_path import EventId
from jantaku.server.events.common.rights import REFEREE, rights_in
from jantaku.server.events.recording.event_logs import enter_log, find_players
from jantaku.server.events.recording.event_tables import table_of
from jantaku.server.events.recording.game_bodies import RecordedGameInfo
from jantaku.server.events.recording.games_shown import game_shown
from jantaku.server.events.recording.log_bodies import LogBody, LogPreview, LogPreviewBody
from jantaku.server.events.recording.recording_kit import AtDesk
from jantaku.server.people.asking import Asking, Person, keeping_body, not_twice

router = router_of("/api/events/{event}/logs", "events")


@router.post("/preview")
async def preview(
    kit: AtDesk, asker: Asking, who: Person, event: EventId, body: LogPreviewBody
) -> LogPreview:
    """What a log tells, and which entries its names find."""
    rights = await rights_in(kit.services, event, who, REFEREE)
    log = await find_players(kit, asker, rights, body.text, body.site)
    game = log.game
    return LogPreview.model_validate(
        {
            "format": game.format,
            "site": log.site,
            "names": list(game.names),
            "players": log.players,
            "hands": len(game.hands),
            **{name: game.result[name] for name in ("scores", "final", "places")},
            "known": log.known,
        }
    )


@router.post("", dependencies=[Depends(not_twice), Depends(keeping_body)])
async def enter(kit: AtDesk, asker: Asking, who: Person, event: EventId, body: LogBody) -> RecordedGameInfo:
    """Enter the log of a game; the same game again, in whatever format, counts once."""
    rights = await rights_in(kit.services, event, who, REFEREE)
    game = await enter_log(kit, asker, rights, who, body)
    rights = await rights_in(kit.services, event, who)
    table = await table_of(kit.services, rights, game)
    return await game_shown(kit.services, table, cast("Any", who.language))
