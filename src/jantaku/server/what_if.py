"""Plays on from a position of a finished game: the same walls and actions up to it, one person, and bots.

The new game is a game like any other, at a private table without a clock; its table's stage says that it
counts nowhere, since its walls are known.
"""

import dataclasses

from jantaku.server import play, seats
from jantaku.server.errors import ServerError
from jantaku.server.lobby import Lobby, Purpose
from jantaku.server.protocol import TableOptions
from jantaku.server.storage.accounts import PersonRow, new_id
from jantaku.server.storage.games import PRACTICE, GameRow
from jantaku.server.storage.store import now_ms
from jantaku.server.storage.tables import Sitter

OPTIONS = TableOptions(clock=False, private=True, spectators=False, draw_seats=False)


async def open_what_if(lobby: Lobby, who: PersonRow, game: GameRow, step: int, seat: int) -> str:
    """The table where ``who`` has ``seat`` before action ``step``; raises ``no_step`` or ``no_seat``."""
    services = lobby.services
    moves = await services.games.moves(game.id)
    if not 0 <= step < len(moves):
        raise ServerError("no_step", step=step, most=len(moves) - 1)
    if not 0 <= seat < len(game.players):
        raise ServerError("no_seat", seat=seat)
    loop = await lobby.add(who, "", game.rules, OPTIONS, Purpose(None, PRACTICE, game.fingerprint))
    async with loop.changing() as table:
        row = seats.with_seat(table.row, seat, Sitter(who.name, who.id))
        row = seats.filled(row, services.settings.bot)
        row = dataclasses.replace(row, status="playing", game=1)
        players = tuple(sitter for sitter in row.sitters if sitter is not None)
        begun = GameRow(new_id(), row.id, 1, game.seed, row.rules, row.fingerprint, players, started=now_ms())
        await services.games.begin_from(begun, row, moves[:step])
        table.row = row
        await play.resume(table)
    loop.wake()
    return row.id
