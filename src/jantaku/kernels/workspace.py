"""Scratch memory for scoring, allocated once: allocating arrays takes longer than scoring a hand."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.kernels._jit import allocating
from jantaku.kernels.reading import MAX_READINGS, ROW
from jantaku.kernels.value import RESULT


class Workspace(NamedTuple):
    """Readings, table of cuts, counts of all tiles, result of one reading, payments."""

    readings: npt.NDArray[np.int64]
    cuts: npt.NDArray[np.uint16]
    held: npt.NDArray[np.int64]
    trial: npt.NDArray[np.int64]
    pay: npt.NDArray[np.int64]


@allocating
def new_workspace(cuts):
    """Allocate an empty ``Workspace``; ``cuts`` is ``cut_tables()``."""
    return Workspace(
        np.empty((MAX_READINGS, ROW), np.int64),
        cuts,
        np.empty(34, np.int64),
        np.empty(RESULT, np.int64),
        np.empty(8, np.int64),
    )
