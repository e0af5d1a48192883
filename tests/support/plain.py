"""Plain versions of compiled functions in the same process, and comparisons of both.

A compiled function calls others by the names of its module. ``plain`` gives it a copy of that module in which
every compiled function is replaced by its Python code, so that everything runs uncompiled.
"""

import sys
from collections.abc import Callable, Sequence
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from jantaku.game import Action, Event, Game
from jantaku.game.engine import context
from jantaku.kernels._jit import COMPILED, KERNELS, Entry
from jantaku.kernels.engine import entries
from jantaku.kernels.engine.state import GAME
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset

_modules: dict[str, ModuleType] = {}


def plain(function: Any) -> Callable[..., Any]:
    """Return the function as plain Python."""
    made: Callable[..., Any] = _plain(function)
    return made


def _plain(value: Any) -> Any:
    if isinstance(value, ModuleType) and value.__name__.startswith("jantaku."):
        return _copy(value)
    function = _function(value)
    return value if function is None else getattr(_copy(sys.modules[function.__module__]), function.__name__)


def _function(value: Any) -> Any:
    """Return the Python code of a compiled function; ``None`` for anything else."""
    if isinstance(value, Entry):
        return value.py_func
    return value if isinstance(value, FunctionType) and value in KERNELS else None


def _copy(module: ModuleType) -> ModuleType:
    """Return the module with plain functions in place of compiled ones."""
    twin = _modules.get(module.__name__)
    if twin is not None:
        return twin
    twin = _modules[module.__name__] = ModuleType(module.__name__)
    twin.__dict__.update(module.__dict__)
    own = {name: value for name, value in vars(module).items() if _is_compiled_in(module, value)}
    for name, value in own.items():
        made = _function(value)
        setattr(twin, name, FunctionType(made.__code__, vars(twin), name, made.__defaults__))
    for name, value in vars(module).items():
        if name not in own:
            setattr(twin, name, _plain(value))
    return twin


def _is_compiled_in(module: ModuleType, value: Any) -> bool:
    made = _function(value)
    return made is not None and made.__module__ == module.__name__


@cache
def plain_step() -> Callable[..., Any]:
    """Return the engine's step as plain Python."""
    return plain(entries.step)


def stepped(state: bytes, seat: int, code: int, rules: Ruleset, *, compiled: bool) -> Any:
    """Return the array of the game after one step of the engine."""
    games = np.frombuffer(state, GAME).copy()
    step: Any = entries.step if compiled else plain_step()
    step(games, seat, code, rules_record(rules), context(rules.tiles.man))
    return games


def compare_step(state: bytes, seat: int, code: int, rules: Ruleset) -> None:
    """Check that compiled and plain code change the whole record alike in this step."""
    if not COMPILED:
        return
    ours, its = (stepped(state, seat, code, rules, compiled=compiled) for compiled in (True, False))
    assert ours.tobytes() == its.tobytes(), differences(ours[0], its[0])


def differences(one: Any, other: Any, path: str = "") -> dict[str, tuple[Any, Any]]:
    """Return the fields in which two records differ, with both values."""
    unequal: dict[str, tuple[Any, Any]] = {}
    for name in one.dtype.names:
        mine, its = one[name], other[name]
        if getattr(mine, "dtype", None) is not None and mine.dtype.names and not mine.shape:
            unequal |= differences(mine, its, f"{path}{name}.")
        elif not np.array_equal(mine, its):
            unequal[path + name] = mine.tolist(), its.tolist()
    return unequal


def watch_games() -> None:
    """Compare both modes at the end of each hand of any ``Game`` in this process."""
    if not COMPILED:
        return
    plain_step()  # created before tests start threads
    original = Game.play

    def play(game: Game, seat: int, action: Action) -> Sequence[Event]:
        before, hands = game.state, len(game.walls)
        events = original(game, seat, action)
        if game.is_over or len(game.walls) > hands:
            compare_step(before, *game.played[-1], game.rules)
        return events

    Game.play = play  # type: ignore[method-assign,assignment]
