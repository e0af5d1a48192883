"""Plays compiled bot games and records their hands."""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.bots.search.kernels.own_draws import begin_draws, play_on
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.dealing import start_match
from jantaku.kernels.engine.state import GAME_OVER
from jantaku.lab.kernels.hand_rows import record_end, record_game, record_start
from jantaku.lab.kernels.turns import deal

NO_ROOM: Final = -1


class Results(NamedTuple):
    """Space for the results of a chunk of games: ``ENDED_HAND[m]`` and ``ENDED_GAME[n]``.

    ``traces`` (``float32[m, 4, weights]``) receives each seat's exploration trace of each hand
    (``bots.explore``), unless it is empty.
    """

    hands: npt.NDArray[Any]
    games: npt.NDArray[Any]
    traces: npt.NDArray[np.float32]


@kernel
def _move_trace(trace, row):
    """Move the exploration trace of a hand to its row, and clear it."""
    for seat in range(trace.shape[0]):
        for i in range(trace.shape[1]):
            row[seat, i] = trace[seat, i]
            trace[seat, i] = 0.0


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
        decisions += play_on(game, players.policies[i], players, rules, context)
        record_end(game, row)
        if len(results.traces) > 0:
            _move_trace(work.trace, results.traces[first + hands])
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
