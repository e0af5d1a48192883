"""Working memory of a bot, allocated once and reused for every decision."""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.bots.seat_view import SEAT_VIEW
from jantaku.kernels._jit import allocating
from jantaku.kernels.engine.actions import MOST_ACTIONS

FEATURES: Final = 64


class Mind(NamedTuple):
    """What a policy works with besides the view.

    ``views`` holds one ``SEAT_VIEW``, ``actions`` the legal actions; ``choices`` what each discard leaves
    (``kernels.waits``), ``inner`` the same after a call; ``features`` the numbers that are weighed, a row for
    each kind, and ``utility`` what they come to; ``risk`` and ``threat`` are those of ``bots.danger``;
    ``trial`` is a hand tried out; ``source`` where chance comes from.
    """

    views: npt.NDArray[Any]
    actions: npt.NDArray[np.int16]
    choices: npt.NDArray[np.int64]
    inner: npt.NDArray[np.int64]
    features: npt.NDArray[np.float64]
    utility: npt.NDArray[np.float64]
    risk: npt.NDArray[np.float64]
    threat: npt.NDArray[np.float64]
    trial: npt.NDArray[np.uint8]
    source: npt.NDArray[np.int64]


@allocating
def _room(views, source):  # type: ignore[no-untyped-def]
    return Mind(
        views,
        np.zeros(MOST_ACTIONS, np.int16),
        np.zeros((34, 2), np.int64),
        np.zeros((34, 2), np.int64),
        np.zeros((34, FEATURES), np.float64),
        np.zeros(34, np.float64),
        np.zeros((4, 34), np.float64),
        np.zeros((4, 3), np.float64),
        np.zeros(34, np.uint8),
        source,
    )


def new_mind(source: npt.NDArray[np.int64]) -> Mind:
    """A mind with the random source ``source`` (``bots.chance``)."""
    made: Mind = _room(np.zeros(1, SEAT_VIEW), source)
    return made
