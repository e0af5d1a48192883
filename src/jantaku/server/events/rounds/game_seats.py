"""Says who really sat at a game, whether it belongs to a round or not."""

from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_rights import EventRights, changing
from jantaku.server.events.recording.game_rights import table_of
from jantaku.server.events.recording.recorded_game_bodies import SeatsBody
from jantaku.server.events.recording.starting_games import check_players
from jantaku.server.events.registration.entries import demand_playing
from jantaku.server.events.rounds.round_import import check_round
from jantaku.server.events.rounds.seat_changes import move_people, with_seats
from jantaku.server.storage.entries import entries_of
from jantaku.server.storage.events import Change
from jantaku.server.storage.recorded_games import RecordedGameRow, change_game, change_seats, game_of
from jantaku.server.storage.rounds import RoundRow, rows_in
from jantaku.server.storage.services import Services


async def set_seats(services: Services, rights: EventRights, game: str, body: SeatsBody) -> None:
    """Give the seats of a game to other people: hands, points and penalties stay with the seats.

    Raises ``game_moved_on`` if the game has changed since the ``revision``, ``not_entered``, and in a round
    ``twice_in_round``.
    """
    table = await table_of(services, rights, game)
    check_players(body.players, table.rules.match.players)
    async with changing(services, rights) as change:
        row = await game_of(change, game)
        if row.revision != body.revision:
            raise ServerError("game_moved_on")
        if (row.head or row.ended_with is not None) and not body.why.strip():
            raise ServerError("why_needed", field="why")
        known = {entry.id for entry in await entries_of(change.connection, change.event.id)}
        await demand_playing(change, body.players, "players", over=True)
        if tuple(body.players) == row.players:
            return
        await _move(change, row, body, known)
        await change_game(change, row, revision=row.revision + 1)
        change.results_change = True


async def _move(change: Change, game: RecordedGameRow, body: SeatsBody, known: set[str]) -> None:
    seated_at = await _round_of(change, game)
    if seated_at is None:
        await change_seats(change, game, body.players)
        change.note("seats", game=game.id, before=game.players, after=body.players, why=body.why)
        return
    row, at = seated_at
    after = await with_seats(change, row, {at + 1: body.players})
    check_round(row.number, after.seating, known, len(body.players))
    await move_people(change, row, after, None, body.why)


async def _round_of(change: Change, game: RecordedGameRow) -> tuple[RoundRow, int] | None:
    """The round to which a game belongs, and the place of its table."""
    for row in (await rows_in(change, game.stage)).rounds:
        for at, table in enumerate(row.tables):
            if table.game == game.id:
                return row, at
    return None
