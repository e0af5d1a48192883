"""Compiled bot games whose hands are recorded."""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.bots.match import play_hand
from jantaku.bots.workspace import Mind
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.state import GAME_OVER
from jantaku.kernels.engine.step import start_match
from jantaku.lab.kernels.hands import note_end, note_game, note_start
from jantaku.lab.kernels.turns import deal

NO_ROOM: Final = -1


class Notes(NamedTuple):
    """Room for what is noted of a chunk of games: ``ENDED_HAND[m]`` and ``ENDED_GAME[n]``."""

    hands: npt.NDArray[Any]
    games: npt.NDArray[Any]


class Players(NamedTuple):
    """Who plays: the policy of each seat in every game (``int64[n, 4]``), its chances, and room to think.

    ``moves`` is room for the moves of a hand, or none.
    """

    policies: npt.NDArray[np.int64]
    chances: npt.NDArray[np.int64]
    mind: Mind
    moves: npt.NDArray[np.int32]


@kernel
def play_game(batch, i, players, notes, context):  # type: ignore[no-untyped-def]
    """Play game ``i`` to its end; how many hands were noted, ``NO_ROOM`` if too many.

    Where its hands go from is what ``notes.games[i].hands`` says before.
    """
    game, rules, mind = batch.games[i], batch.rules[0], players.mind
    hands, decisions, first = 0, 0, int(notes.games[i].hands)
    for k in range(len(mind.source)):
        mind.source[k] = players.chances[i, k]
    start_match(game, rules)
    while first + hands < len(notes.hands):
        row = notes.hands[first + hands]
        deal(batch, i, context)
        note_start(game, row, i, hands)
        decisions += play_hand(game, players.policies[i], mind, players.moves, rules, context)
        note_end(game, row)
        hands += 1
        if game.phase == GAME_OVER:
            note_game(game, notes.games[i], hands, decisions)
            return hands
    return NO_ROOM


@routine
def play_games(batch, players, notes, context):  # type: ignore[no-untyped-def]
    """Play every game to its end; how many hands were noted, ``NO_ROOM`` where they do not fit."""
    total = 0
    for i in range(len(batch.games)):
        if total == len(notes.hands):
            return NO_ROOM
        notes.games[i].hands = total
        hands = play_game(batch, i, players, notes, context)
        if hands == NO_ROOM:
            return NO_ROOM
        total += hands
    return total
