"""Logs of games that were played elsewhere, into a stage of an event: a preview, then the game itself."""

from typing import Any, cast

from fastapi import Depends

from jantaku.server.edge.routing import router_of
from jantaku.server.events.common.event_asked import AskedByPerson
from jantaku.server.events.common.event_rights import REFEREE
from jantaku.server.events.recording.game_log_bodies import LogBody, LogPreview, LogPreviewBody
from jantaku.server.events.recording.game_logs import enter_log, find_players
from jantaku.server.events.recording.game_rights import table_of
from jantaku.server.events.recording.games_shown import game_shown
from jantaku.server.events.recording.recorded_game_bodies import RecordedGameInfo
from jantaku.server.events.recording.recording_kit import AtDesk
from jantaku.server.people.asking import Asking, keeping_body, not_twice

router = router_of("/api/events/{event}/logs", "events")


@router.post("/preview")
async def preview(asked: AskedByPerson, kit: AtDesk, asker: Asking, body: LogPreviewBody) -> LogPreview:
    """What a log tells, and which entries its names find."""
    rights = await asked.rights(REFEREE)
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
async def enter(asked: AskedByPerson, kit: AtDesk, asker: Asking, body: LogBody) -> RecordedGameInfo:
    """Enter the log of a game; the same game again, in whatever format, counts once."""
    rights = await asked.rights(REFEREE)
    game = await enter_log(kit, asker, rights, asked.who, body)
    rights = await asked.rights()
    table = await table_of(asked.services, rights, game)
    return await game_shown(asked.services, table, cast("Any", asked.who.language))
