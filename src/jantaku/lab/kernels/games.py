"""Plays compiled bot games and records their hands."""

from typing import Any, Final, NamedTuple

import numpy.typing as npt

from jantaku.bots.search.kernels.own_draws import begin_draws, play_on
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.dealing import start_match
from jantaku.kernels.engine.state import GAME_OVER
from jantaku.lab.kernels.hand_rows import record_end, record_game, record_start
from jantaku.lab.kernels.recording import Recording, play_recorded, records
from jantaku.lab.kernels.turns import deal

NO_ROOM: Final = -1


class Results(NamedTuple):
    """Space for the results of a chunk of games: ``ENDED_HAND[m]``, ``ENDED_GAME[n]``, and the decisions."""

    hands: npt.NDArray[Any]
    games: npt.NDArray[Any]
    record: Recording


@kernel
def play_game(batch, i, players, results, context):
    """Play game ``i`` to its end; return its number of hands, or ``NO_ROOM`` if they do not fit.

    On entry ``results.games[i].hands`` is the row of ``results.hands`` at which its hands start.
    """
    game, rules, work = batch.games[i], batch.rules[0], players.work
    hands, decisions, first = 0, 0, int(results.games[i].hands)
    for k in range(len(work.source)):
        work.source[k] = players.chances[i, k]
    start_match(game, rules)
    while first + hands < len(results.hands):
        row = results.hands[first + hands]
        deal(batch, i, context)
        record_start(game, row, i, hands)
        if len(players.draws.item) > 0:
            begin_draws(game, players.draws)
        if records(results.record):
            decisions += play_recorded(
                game, players.policies[i], work, first + hands, results.record, rules, context
            )
        else:
            decisions += play_on(game, players.policies[i], players, rules, context)
        record_end(game, row)
        hands += 1
        if game.phase == GAME_OVER:
            record_game(game, results.games[i], hands, decisions)
            return hands
    return NO_ROOM


@routine
def play_games(batch, players, results, context):
    """Play every game to its end; return the number of hands, or ``NO_ROOM`` if they do not fit."""
    total = 0
    for i in range(len(batch.games)):
        if total == len(results.hands):
            return NO_ROOM
        results.games[i].hands = total
        hands = play_game(batch, i, players, results, context)
        if hands == NO_ROOM:
            return NO_ROOM
        total += hands
    return total
