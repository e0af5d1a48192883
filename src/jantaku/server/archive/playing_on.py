"""Plays on from a position of a finished or uploaded game: its walls and actions so far, a person, and bots.

The new game is a game like any other, at a private table without a clock; its table's stage says that it
counts nowhere, since its walls are known. Nothing else of an uploaded log comes with it, no names either. A
log shows only tiles that somebody held or saw: these stay where they lay, later draws too, as in games of the
parlour, whose walls are known. All other tiles, and the walls of later hands, are dealt at random.
"""

import asyncio
import dataclasses
from collections.abc import Sequence
from typing import Final, NamedTuple

from jantaku.errors import RequestError
from jantaku.game import Game
from jantaku.game.events import HandStarted
from jantaku.game.fair_walls import new_seed
from jantaku.records.script import wall_as_seen
from jantaku.rules import Ruleset
from jantaku.server.edge.protocol import TableOptions
from jantaku.server.errors import ServerError
from jantaku.server.names import BOT_NAMES
from jantaku.server.play import carry_out as play
from jantaku.server.play import table_seats
from jantaku.server.play.lobby import Lobby, NewTable
from jantaku.server.storage.accounts import PersonRow, new_id
from jantaku.server.storage.beginning import Beginning
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.rulesets import RulesetStore
from jantaku.server.storage.store import now_ms
from jantaku.server.storage.tables import PRACTICE, Sitter, TableRow

OPTIONS: Final = TableOptions(clock=False, private=True, spectators=False, draw_seats=False)
MOST_HANDS: Final = 100  # whose walls a game that goes on from a log keeps


class WhatIfMoment(NamedTuple):
    """The moment of a game before action ``step``, for whoever plays on in ``seat``.

    ``begun`` is the beginning of a game of the parlour; ``None`` for a log, whose walls are not known.
    ``players``: those of a game of the parlour, whose bots keep their names.
    """

    game: Game
    step: int
    seat: int
    begun: Beginning | None = None
    players: Sequence[Sitter] = ()


async def open_what_if(lobby: Lobby, who: PersonRow, address: str, moment: WhatIfMoment) -> str:
    """The table where ``who`` plays on from a moment.

    Raises ``no_review`` for a game that is only shown as stored, ``no_step``, ``no_seat``, ``what_if_long``,
    or ``too_many_moves`` if the tables where they play on are too long together.
    """
    services, (game, step, seat, begun, players_before) = lobby.services, moment
    if not game.follows_rules:
        raise RequestError("no_review", field="game")
    if not 0 <= step < len(game.moves):
        raise ServerError("no_step", step=step, most=len(game.moves) - 1)
    if seat not in game.seats:
        raise ServerError("no_seat", seat=seat)
    if begun is None:
        begun = await asyncio.to_thread(beginning_at, game, step)
    rules = await _kept(services.rulesets, game.rules)
    moves = [(by, str(action)) for _, by, action in game.moves[:step]]
    wanted = NewTable("", rules, OPTIONS, stage=PRACTICE, fingerprint=game.rules.fingerprint, moves=step)
    loop = await lobby.add(who, address, wanted)
    loop.table.taken_from[who.id] = address
    async with loop.changing() as table:
        row = table_seats.with_seat(table.row, seat, Sitter(who.name, who.id))
        row = _with_former_bots(row, players_before, services.settings.bot)
        row = table_seats.filled(row, services.settings.bot)
        row = dataclasses.replace(row, status="playing", game=1)
        players = tuple(sitter for sitter in row.sitters if sitter is not None)
        stored = GameRow(
            new_id(),
            row.id,
            1,
            begun.seed,
            row.rules,
            row.fingerprint,
            players,
            started=now_ms(),
            opening=begun.opening,
        )
        await services.games.begin_from(stored, row, moves)
        table.row = row
        await play.resume(table)
    loop.wake()
    return row.id


def _with_former_bots(row: TableRow, players: Sequence[Sitter], policy: str) -> TableRow:
    """Seat bots under the names they had; the others get names that nobody had."""
    had = {player.name for player in players}
    unused = iter([name for name in BOT_NAMES if name not in had])
    for seat, player in enumerate(players):
        if row.sitters[seat] is None:
            was_bot = player.person is None and player.name in BOT_NAMES
            name = player.name if was_bot else next(unused, None)
            row = row if name is None else table_seats.with_seat(row, seat, Sitter(name, bot=policy))
    return row


def beginning_at(game: Game, step: int) -> Beginning:
    """How a log's game begins: with its seed, or with what the log shows of the walls up to a step's hand.

    Raises ``what_if_long`` if these are too many.
    """
    if game.seed is not None:
        return Beginning(game.seed, standing=game.standing)
    before = game.moves[step][0]
    hands = sum(isinstance(event, HandStarted) for event in game.events[:before])
    if hands > MOST_HANDS:
        raise ServerError("what_if_long", most=MOST_HANDS)
    seed = new_seed()
    walls = (wall_as_seen(game, hand, seed) for hand in range(hands))
    return Beginning(seed, tuple(map(tuple, walls)), game.standing)


async def _kept(rulesets: RulesetStore, rules: Ruleset) -> str:
    """The name under which the server finds these rules: their own, unless it means others here."""
    ruleset = await rulesets.readable(rules.id)
    if ruleset is not None and ruleset.fingerprint == rules.fingerprint:
        return rules.id
    return await rulesets.save(rules)
