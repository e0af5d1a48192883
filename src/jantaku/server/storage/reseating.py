"""Puts other people on the seats of a recorded game; its hands and penalties stay with the seats."""

from collections.abc import Sequence

from sqlalchemy import delete, select, update

from jantaku.server.storage.event_schema import event_penalties, hand_marks, recorded_seats
from jantaku.server.storage.events import Change
from jantaku.server.storage.recorded_games import RecordedGameRow


async def change_seats(change: Change, game: RecordedGameRow, players: Sequence[str]) -> None:
    """Say who really sat at a game.

    Penalties within the game go to whoever sat where they were given. What somebody has seen or signed on a
    seat that was another's no longer holds.
    """
    changed = [seat for seat, entry in enumerate(game.players) if players[seat] != entry]
    seats, marks = recorded_seats.c, hand_marks.c
    of_game = (seats.event == change.event.id) & (seats.game == game.id)
    for seat in changed:
        mine = update(recorded_seats).where(of_game, seats.seat == seat)
        await change.connection.execute(mine.values(entry=players[seat]))
    signed = (marks.event == change.event.id) & (marks.game == game.id) & marks.seat.in_(changed)
    await change.connection.execute(delete(hand_marks).where(signed))
    await _move_penalties(change, game, players)


async def _move_penalties(change: Change, game: RecordedGameRow, players: Sequence[str]) -> None:
    penalties = event_penalties.c
    mine = (penalties.event == change.event.id) & (penalties.game == game.id)
    query = select(penalties.number, penalties.entry).where(mine)
    for number, entry in list(await change.connection.execute(query)):
        values = {"entry": players[game.players.index(entry)]}
        same = (penalties.event == change.event.id) & (penalties.number == number)
        await change.connection.execute(update(event_penalties).where(same).values(values))
