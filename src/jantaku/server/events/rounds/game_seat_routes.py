"""Who sat at a game: games of rounds and others alike."""

from typing import Any, cast

from jantaku.server.edge.routing import router_of
from jantaku.server.events.common.event_asked import AskedByPerson
from jantaku.server.events.common.event_path import GameId
from jantaku.server.events.common.event_rights import REFEREE
from jantaku.server.events.recording.game_rights import table_of
from jantaku.server.events.recording.games_shown import game_shown
from jantaku.server.events.recording.recorded_game_bodies import RecordedGameInfo, SeatsBody
from jantaku.server.events.rounds import game_seats

router = router_of("/api/events/{event}/games", "events")


@router.post("/{game}/seats")
async def set_seats(asked: AskedByPerson, game: GameId, body: SeatsBody) -> RecordedGameInfo:
    """Say who really sat at a game."""
    rights = await asked.rights(REFEREE)
    await game_seats.set_seats(asked.services, rights, game, body)
    table = await table_of(asked.services, await asked.rights(), game)
    return await game_shown(asked.services, table, cast("Any", asked.who.language))
