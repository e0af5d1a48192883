"""Steps many games with bots as opponents."""

from typing import Final

from jantaku.bots.match import play_decision
from jantaku.kernels._jit import routine
from jantaku.kernels.engine.claims import next_seat
from jantaku.kernels.engine.state import NO_SEAT
from jantaku.lab.kernels.batch import BEGAN, SKIPPED, continue_game, report_hands, step_game, write_outputs

CALLER: Final = -1  # in place of a policy: the caller plays the seat


@routine
def advance_against(batch, outputs, indices, auto_reset, context, players):
    """Like ``advance``, and play on to the next decision of a seat whose policy is ``CALLER``.

    Hands of a new game that end before that decision count in the next step. ``players`` is a ``Players``.
    """
    source = players.work.source
    for i in range(len(indices)):
        state = step_game(batch, outputs, i, int(indices[i]), auto_reset, context)
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
            state = continue_game(batch, outputs, i, state, auto_reset, context)
        for k in range(len(source)):
            players.chances[i, k] = source[k]
        if state != BEGAN:
            report_hands(outputs, i)
        write_outputs(batch, outputs, i, context)
