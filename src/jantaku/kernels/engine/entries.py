"""Entry points for Python. They take one-record arrays, which Numba passes faster than records."""

from jantaku.kernels._jit import allocating
from jantaku.kernels.engine import step as engine
from jantaku.kernels.engine.fouls import foul_actions


@allocating
def legal(games, seat, rules, context, out):
    """Call ``step.legal`` for ``games[0]`` under ``rules[0]``."""
    return engine.legal(games[0], seat, rules[0], context, out)


@allocating
def fouls(games, seat, rules, context, out):
    """Call ``fouls.foul_actions`` for ``games[0]`` under ``rules[0]``."""
    return foul_actions(games[0], seat, rules[0], context, out)


@allocating
def step(games, seat, code, rules, context):
    """Call ``step.step`` for ``games[0]`` under ``rules[0]``."""
    return engine.step(games[0], seat, code, rules[0], context)
