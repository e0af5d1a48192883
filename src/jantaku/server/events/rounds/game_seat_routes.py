"""Who sat at a game: games of rounds and others alike."""

from typing import Annotated, Any, cast

from fastapi import Path

from jantaku.server.edge.routing import router_of
from jantaku.server.events.common.event_path import EventId
from jantaku.server.events.common.rights import REFEREE, rights_in
from jantaku.server.events.recording.event_tables import table_of
from jantaku.server.events.recording.game_bodies import RecordedGameInfo, SeatsBody
from jantaku.server.events.recording.games_shown import game_shown
from jantaku.server.events.rounds import game_seats
from jantaku.server.people.asking import AnyKit, Person

router = router_of("/api/events/{event}/games", "events")
GameId = Annotated[str, Path(max_length=64)]


@router.post("/{game}/seats")
async def set_seats(
    kit: AnyKit, who: Person, event: EventId, game: GameId, body: SeatsBody
) -> RecordedGameInfo:
    """Say who really sat at a game."""
    rights = await rights_in(kit.services, event, who, REFEREE)
    await game_seats.set_seats(kit.services, rights, game, body)
    table = await table_of(kit.services, await rights_in(kit.services, event, who), game)
    return await game_shown(kit.services, table, cast("Any", who.language))
