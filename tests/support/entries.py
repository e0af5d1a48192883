"""Compare each compiled function that Python calls with its plain version, on realistic inputs.

``python -m support.entries engine``, run in ``tests``, prints the name of each function and how many of its
calls were compared; ``players`` does so for bots, the lab and the club, which takes minutes. It runs in
its own process, because the package caches its compiled functions.
"""

import copy
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numba.core.registry import CPUDispatcher

from jantaku.bots import bot
from jantaku.cli.warm import STEPS
from jantaku.game import Action, Game
from jantaku.kernels import _jit
from jantaku.kernels._backend import backend
from jantaku.lab.vector import VectorEnv
from support.plain import plain

MAX_CALLS: Final = 4  # number of compared calls of one function
MAX_SECONDS: Final = 3.0  # seconds of plain Python for one function
EMPTY: Final = ("_allocate", "new_workspace")  # functions whose results are uninitialised
SHARED: Final = 1 << 20  # bytes; larger tables are read-only
found: Counter[str] = Counter()
_seconds: defaultdict[str, float] = defaultdict(float)


def watch() -> None:
    """Start comparing; no function of the package may have been called before."""

    def called(function: Any, *args: Any) -> Any:
        name = f"{function.__module__.removeprefix('jantaku.')}.{function.__name__}"
        done = found[name] >= MAX_CALLS or _seconds[name] > MAX_SECONDS
        if done or function.__name__ in EMPTY:
            return CPUDispatcher.__call__(function, *args)
        twins = _twin(args)
        result = CPUDispatcher.__call__(function, *args)
        started = time.process_time()
        again = plain(getattr(sys.modules[function.__module__], function.__name__))(*twins)
        _seconds[name] += time.process_time() - started
        assert same((result, args), (again, twins)), name
        found[name] += 1
        return result

    def entry_point(entry: Any, *_: Any) -> Callable[..., Any]:
        return lambda *args: called(entry.dispatcher, *args)

    _jit.use_compiled()
    backend().DISPATCHER.__call__ = called
    _jit.entry_point = entry_point


def _twin(value: Any) -> Any:
    """Return an independent copy of an argument; tables are shared."""
    if isinstance(value, np.ndarray):
        return value if value.nbytes >= SHARED else value.copy()
    if isinstance(value, tuple):
        made = [_twin(part) for part in value]
        return type(value)(*made) if hasattr(value, "_fields") else tuple(made)
    return value.copy() if isinstance(value, np.record | bytearray) else copy.deepcopy(value)


def same(one: Any, other: Any) -> bool:
    """Return whether two values are equal, up to rounding errors of floats."""
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.random.Generator):
        return bool(one.bit_generator.state == other.bit_generator.state)
    if getattr(one, "dtype", None) is not None and one.dtype.names:
        return all(same(one[name], other[name]) for name in one.dtype.names)
    if isinstance(one, np.ndarray | np.generic | float):
        return bool(
            np.allclose(one, other, rtol=1e-9, atol=1e-12, equal_nan=np.asarray(one).dtype.kind == "f")
        )
    return bool(one == other)


def work(group: str) -> None:
    """Call the functions of a group: what ``jantaku warm`` does, and a few turns of games."""
    for name, step in STEPS[group]:
        if name != "tables":
            step()
    for rules in ("bgm-2025", "mahjongsoul-3"):
        play(rules, player=group == "players")


def play(rules: str, *, player: bool) -> None:
    """Play a few turns by bots or by the last legal action, and steps of an environment."""
    game = Game(rules, seed=3)
    for turn in range(12):
        seat = game.to_act[0]
        chosen = bot("standard" if turn % 2 else "efficient").choose if player else _last
        game.play(seat, chosen(game, seat))
    if player:
        env = VectorEnv(rules, games=2, seed=1)
        seen: Any = env.reset()
        for _ in range(3):
            seen = env.step(seen.mask.argmax(axis=1))


def _last(game: Game, seat: int) -> Action:
    return game.legal(seat)[-1]


if __name__ == "__main__":
    watch()
    work(sys.argv[1])
    sys.stdout.write(json.dumps(found) + "\n")
