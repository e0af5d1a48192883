"""How ``standard`` rates the calls and wins open to a seat: the weights of calls, and the value of a win."""

from typing import Final

import numpy as np

from jantaku.bots.chance import new_source
from jantaku.bots.claim import COUNT, before_call, describe_call
from jantaku.bots.seat_view import write_seat_view
from jantaku.bots.weights import CLAIM_AT
from jantaku.bots.workspace import new_bot_workspace
from jantaku.bots.worth import NO_KIND, win_points
from jantaku.game.engine import context
from jantaku.kernels._jit import Direct, allocating
from jantaku.kernels.engine import actions
from jantaku.kernels.engine.hands import RED
from jantaku.kernels.engine.state import GAME, NO_TILE
from jantaku.kernels.rules import rules_record
from jantaku.kernels.win import IN_RIICHI, TSUMO
from jantaku.rules import load

MAX_CALLS = 34  # size of ``work.utility``


@allocating
def weigh_calls_in(games, seat, rules, context, work):
    """Write the weight of each chi and pon among ``work.actions`` to ``work.utility``, by index.

    A negative number ends the actions. A weight above 0 is a call.
    """
    game, view = games[0], work.views[0]
    write_seat_view(game, seat, view)
    before = before_call(view, work.weights[0], rules[0], context, work)
    for i in range(MAX_CALLS):
        code = int(work.actions[i])
        if code < 0:
            return i
        work.utility[i] = 0.0
        if code >> 8 != actions.CHI and code >> 8 != actions.PON:
            continue
        describe_call(view, code, before, rules[0], context, work)
        for j in range(COUNT):
            work.utility[i] += work.weights[0, CLAIM_AT + j] * work.features[0, j]
    return MAX_CALLS


@allocating
def win_worth_in(games, seat, rules, context, work):
    """Return the points of the win available to ``seat``, 0 if there is none."""
    game, view = games[0], work.views[0]
    write_seat_view(game, seat, view)
    riichi = IN_RIICHI if view.riichi[0] else 0
    if int(view.claimed) != NO_TILE:
        return win_points(view, NO_KIND, int(view.claimed) % RED, riichi, rules[0], context)
    if int(view.drawn) == NO_TILE:
        return 0
    kind = int(view.drawn) % RED
    return win_points(view, kind, kind, riichi | TSUMO, rules[0], context)


def _sample_arguments() -> tuple[object, ...]:
    work = new_bot_workspace(new_source(0), load("standard"))
    return np.zeros(1, GAME), 0, rules_record(load("standard")), context(), work


WEIGH_CALLS: Final = Direct(weigh_calls_in, _sample_arguments)
WIN_WORTH: Final = Direct(win_worth_in, _sample_arguments)
