"""A Tenhou log (``.mjlog``) as a ``Game``, after everything in it was checked."""

from jantaku.game import Game
from jantaku.game.actions import decode
from jantaku.game.walls import tile_set
from jantaku.kernels.table.state import CLAIMS
from jantaku.records.difference import LogMismatchError
from jantaku.records.log import Log
from jantaku.records.replay import replay, rules_of
from jantaku.records.verify import verify
from jantaku.records.wall import wall_of


def game_of(log: Log) -> Game:
    """The game of a log; ``LogMismatchError`` where the log and the rules differ."""
    found = verify(log).difference
    if found is not None:
        raise LogMismatchError(found.hand, found.what, found.log, found.engine)
    rules = rules_of(log)
    walls = [[log.tile(number) for number in wall_of(hand)] for hand in log.hands]
    game = Game(rules, walls=[*walls, tile_set(rules)])
    for decision in replay(log):
        called = int(game.record.claimed_tile) if game.record.phase == CLAIMS else 0
        game.play(decision.seat, decode(decision.action, called))
    return game
