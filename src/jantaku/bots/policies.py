"""The policies by number, and which of them decides."""

from typing import Final

from jantaku.bots.chance import below
from jantaku.bots.efficient import efficient
from jantaku.bots.seat import write_seat_view
from jantaku.bots.standard import standard
from jantaku.kernels._jit import allocating, routine
from jantaku.kernels.table.step import legal

RANDOM, EFFICIENT, STANDARD = range(3)
BOTS: Final = ("random", "efficient", "standard")


@routine
def choose(policy, count, rules, context, mind):  # type: ignore[no-untyped-def]
    """The action that ``policy`` takes on ``mind.views[0]`` among the first ``count`` of ``mind.actions``."""
    if count == 1:
        return int(mind.actions[0])
    if policy == EFFICIENT:
        return efficient(mind.views[0], count, rules, context, mind)
    if policy == STANDARD:
        return standard(mind.views[0], count, rules, context, mind)
    return int(mind.actions[below(mind.source, count)])


@allocating
def decide(games, seat, policy, rules, context, mind):  # type: ignore[no-untyped-def]
    """What ``policy`` does as ``seat`` of ``games[0]`` under ``rules[0]``; −1 where it is not asked."""
    count = legal(games[0], seat, rules[0], context, mind.actions)
    if count == 0:
        return -1
    write_seat_view(games[0], seat, mind.views[0])
    return choose(policy, count, rules[0], context, mind)
