"""Lookup tables and scratch space for the engine's functions."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.kernels._jit import allocating
from jantaku.kernels.engine.actions import MAX_ACTIONS
from jantaku.kernels.value import RESULT
from jantaku.kernels.win import WIN
from jantaku.kernels.workspace import Workspace, new_workspace


class Context(NamedTuple):
    """Shanten tables, scoring workspace, a win being scored and its result, scratch arrays."""

    tables: npt.NDArray[np.uint32]
    space: Workspace
    wins: npt.NDArray[Any]
    result: npt.NDArray[np.int64]
    scratch: npt.NDArray[np.int64]
    held: npt.NDArray[np.uint8]
    shown: npt.NDArray[np.uint8]
    pay: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int16]


def new_context(tables: npt.NDArray[np.uint32], cuts: npt.NDArray[Any]) -> Context:
    """Allocate scratch space for one game at a time, given ``shanten_tables()`` and ``cut_tables()``."""
    made: Context = _allocate(tables, cuts, np.zeros(1, WIN))
    return made


@allocating
def _allocate(tables, cuts, wins):
    # Arrays of records made by compiled code have no attributes in Python, so ``wins`` is an argument
    return Context(
        tables,
        new_workspace(cuts),
        wins,
        np.empty(RESULT, np.int64),
        np.empty((2, 4), np.int64),
        np.empty(34, np.uint8),
        np.empty(34, np.uint8),
        np.empty(4, np.int64),
        np.empty(MAX_ACTIONS, np.int16),
    )
