"""The policies by number, and the function that calls them."""

from typing import Final

from jantaku.bots.chance import below
from jantaku.bots.efficient import efficient
from jantaku.bots.net import HEADS
from jantaku.bots.seat_view import write_seat_view
from jantaku.bots.standard import standard
from jantaku.kernels._jit import allocating, kernel, routine
from jantaku.kernels.engine.step import among, legal

RANDOM, EFFICIENT, STANDARD, STRONG, ADAPTED = range(5)
BOTS: Final = ("random", "efficient", "standard", "strong")
ADAPTED_NAME: Final = "adapted"  # the network and weights given to the workspace


@routine
def choose(policy, count, rules, context, work):
    """Return the action that ``policy`` chooses for ``work.views[0]`` among ``count`` of ``work.actions``."""
    for head in range(HEADS):
        work.inputs.options[head] = 0
    if count == 1:
        return int(work.actions[0])
    if policy == EFFICIENT:
        return efficient(work.views[0], count, rules, context, work)
    if policy >= STANDARD:
        return standard(work.views[0], count, policy - STANDARD, rules, context, work)
    return int(work.actions[below(work.source, count)])


@kernel
def decide(game, seat, policy, rules, context, work):
    """Return the action of ``policy`` for ``seat``, always a legal one; −1 if the seat need not act."""
    offered = work.actions
    count = legal(game, seat, rules, context, offered)
    if count == 0:
        return -1
    if policy != RANDOM and count > 1:
        write_seat_view(game, seat, work.views[0])
    code = choose(policy, count, rules, context, work)
    return code if among(code, offered, count) else int(offered[0])


@allocating
def decide_in(games, seat, policy, rules, context, work):
    """Call ``decide`` for ``games[0]`` under ``rules[0]``, for callers in Python."""
    return decide(games[0], seat, policy, rules[0], context, work)
