"""Plays random legal actions in many games."""

from jantaku.bots.chance import below
from jantaku.kernels._jit import routine
from jantaku.kernels.engine.dealing import start_match
from jantaku.kernels.engine.state import GAME_OVER, HAND_OVER, NO_SEAT
from jantaku.kernels.engine.step import carry_out
from jantaku.lab.kernels.turns import deal, offer

GAMES, HANDS, DECISIONS, STUCK = range(4)


@routine
def play_at_random(batch, chances, decisions, context, counts):
    """Make ``decisions`` random decisions in every game, starting new hands and games as needed.

    ``chances`` are the games' random sources. ``counts`` (``int64[4]``) is increased by the games and hands
    finished, the decisions made, and the games stuck without a seat to act (which must not happen).
    """
    for i in range(len(batch.games)):
        game = batch.games[i]
        fresh = batch.seats[i] == NO_SEAT
        for _ in range(decisions):
            over = fresh or game.phase == GAME_OVER
            if over:
                start_match(game, batch.rules[0])
            if over or game.phase == HAND_OVER:
                deal(batch, i, context)
                fresh = False
            offer(batch, i, context)
            if batch.offered[i] == 0:
                counts[STUCK] += 1
                break
            choice = below(chances[i], batch.offered[i])
            carry_out(game, int(batch.seats[i]), int(batch.codes[i, choice]), batch.rules[0], context)
            counts[DECISIONS] += 1
            counts[HANDS] += int(game.phase == HAND_OVER or game.phase == GAME_OVER)
            counts[GAMES] += int(game.phase == GAME_OVER)
