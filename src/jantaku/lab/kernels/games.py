"""Whole games played by bots and noted hand by hand, compiled from end to end."""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.bots.policies import RANDOM, choose
from jantaku.bots.seat_view import write_seat_view
from jantaku.bots.workspace import Mind
from jantaku.kernels._jit import kernel, routine
from jantaku.kernels.engine.state import GAME_OVER, HAND_OVER
from jantaku.kernels.engine.step import carry_out, legal, start_match
from jantaku.lab.kernels.hands import note_end, note_game, note_start
from jantaku.lab.kernels.turns import deal, next_seat

NO_ROOM: Final = -1


class Notes(NamedTuple):
    """Room for what is noted of a chunk of games: ``ENDED_HAND[m]`` and ``ENDED_GAME[n]``."""

    hands: npt.NDArray[Any]
    games: npt.NDArray[Any]


class Players(NamedTuple):
    """Who plays: the policy of each seat in every game (``uint8[n, 4]``), its chances, and room to think."""

    policies: npt.NDArray[np.uint8]
    chances: npt.NDArray[np.int64]
    mind: Mind


@kernel
def _one_of(code, mind, count):  # type: ignore[no-untyped-def]
    """``code`` where it is legal, else the first legal action."""
    for k in range(count):
        if int(mind.actions[k]) == code:
            return code
    return int(mind.actions[0])


@kernel
def decide(game, seat, policy, rules, context, mind):  # type: ignore[no-untyped-def]
    """The engine's integer of what the policy does for ``seat``, which is to act."""
    count = legal(game, seat, rules, context, mind.actions)
    if policy != RANDOM and count > 1:
        write_seat_view(game, seat, mind.views[0])
    return _one_of(choose(policy, count, rules, context, mind), mind, count)


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
    deal(batch, i, context)
    note_start(game, notes.hands[first], i, 0)
    while True:
        seat = next_seat(game)
        code = decide(game, seat, int(players.policies[i, seat]), rules, context, mind)
        carry_out(game, seat, code, rules, context)
        decisions += 1
        if game.phase != HAND_OVER and game.phase != GAME_OVER:
            continue
        note_end(game, notes.hands[first + hands])
        hands += 1
        if game.phase == GAME_OVER:
            note_game(game, notes.games[i], hands, decisions)
            return hands
        if first + hands == len(notes.hands):
            return NO_ROOM
        deal(batch, i, context)
        note_start(game, notes.hands[first + hands], i, hands)


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
