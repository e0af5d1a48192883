"""Steps many games in which bots play the other seats."""

from typing import Final

from jantaku.bots.match import play_decision
from jantaku.kernels._jit import routine
from jantaku.kernels.engine.claims import next_seat
from jantaku.kernels.engine.state import NO_SEAT
from jantaku.lab.kernels.batch import BEGAN, SKIPPED, enter, go_on, report, show

CALLER: Final = -1  # in place of a policy: the caller plays the seat


@routine
def advance_against(batch, shown, indices, again, context, players):
    """``advance``, and on to the next decision of a seat whose policy is ``CALLER``.

    The hands of a new game that end before that count in the next step. ``players`` is a ``Players``.
    """
    source = players.work.source
    for i in range(len(indices)):
        state = enter(batch, shown, i, int(indices[i]), again, context)
        if state == SKIPPED:
            continue
        game, policies = batch.games[i], players.policies[i]
        for k in range(len(source)):
            source[k] = players.chances[i, k]
        while True:
            seat = next_seat(game)
            if seat == NO_SEAT or policies[seat] == CALLER:
                break
            play_decision(game, policies, players.work, batch.rules[0], context)
            state = go_on(batch, shown, i, state, again, context)
        for k in range(len(source)):
            players.chances[i, k] = source[k]
        if state != BEGAN:
            report(shown, i)
        show(batch, shown, i, context)
