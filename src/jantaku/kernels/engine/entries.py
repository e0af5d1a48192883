"""Entry points for Python: they take arrays of one record, which Numba passes faster than records."""

from jantaku.kernels._jit import allocating
from jantaku.kernels.engine import step as engine
from jantaku.kernels.engine.fouls import foul_actions


@allocating
def legal(games, seat, rules, context, out):
    """``step.legal`` of ``games[0]`` under ``rules[0]``."""
    return engine.legal(games[0], seat, rules[0], context, out)


@allocating
def fouls(games, seat, rules, context, out):
    """``fouls.foul_actions`` of ``games[0]`` under ``rules[0]``."""
    return foul_actions(games[0], seat, rules[0], context, out)


@allocating
def step(games, seat, code, rules, context):
    """``step.step`` of ``games[0]`` under ``rules[0]``."""
    return engine.step(games[0], seat, code, rules[0], context)
