"""Puts other people on the seats of a recorded game; its hands and penalties stay with the seats."""

from collections.abc import Sequence

from sqlalchemy import select

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
    for seat in changed:
        await change.set(recorded_seats, seats.game == game.id, seats.seat == seat, entry=players[seat])
    await change.remove(hand_marks, marks.game == game.id, marks.seat.in_(changed))
    await _move_penalties(change, game, players)


async def _move_penalties(change: Change, game: RecordedGameRow, players: Sequence[str]) -> None:
    penalties = event_penalties.c
    query = select(penalties.number, penalties.entry).where(change.of(event_penalties))
    for number, entry in await change.rows(query.where(penalties.game == game.id)):
        now = players[game.players.index(entry)]
        await change.set(event_penalties, penalties.number == number, entry=now)
