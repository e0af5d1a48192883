"""Scratch memory of a bot, allocated once and reused for every decision."""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.bots.net import Net, NetInputs, new_inputs
from jantaku.bots.net_file import PLAIN, TrainedBot, trained_for
from jantaku.bots.plan_tables import tables_of
from jantaku.bots.prospects import COUNTED, LEAST
from jantaku.bots.seat_view import SEAT_VIEW
from jantaku.kernels._jit import allocating
from jantaku.kernels.engine.actions import MAX_ACTIONS
from jantaku.rules import Ruleset

FEATURES: Final = 96


class BotWorkspace(NamedTuple):
    """The arrays that a policy needs for a decision.

    ``views`` holds one ``SEAT_VIEW``, ``actions`` the legal actions. ``choices`` has the shanten and
    effective tiles after each discard (``kernels.waits.discards``), ``inner`` the same after a call.
    ``features`` has a row for each kind, ``utility`` the weighted sums. ``risk`` and ``threat`` are written
    by ``bots.danger``. ``trial`` and ``drawn`` are hands on which changes are tried, ``source`` is the random
    source. ``plans``, ``targets``, ``points`` and ``differs`` come from the ruleset (``bots.plan_tables``),
    ``reach``, ``odds``, ``best`` and ``nearest`` from ``bots.prospects``. ``weights`` has a row for each
    policy starting at ``STANDARD``. ``corrected`` (``int64[policies, HEADS]``) is 1 for the heads of
    ``bots.net`` that have a network. With a ``sharpness`` of 0 the best option is chosen, otherwise one at
    random (``bots.explore``).
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
    drawn: npt.NDArray[np.uint8]
    source: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]
    sharpness: npt.NDArray[np.float64]
    plans: npt.NDArray[np.float64]
    targets: npt.NDArray[np.int64]
    points: npt.NDArray[np.float64]
    differs: npt.NDArray[np.int64]
    reach: npt.NDArray[np.int64]
    odds: npt.NDArray[np.float64]
    best: npt.NDArray[np.float64]
    nearest: npt.NDArray[np.int64]
    nets: Net
    corrected: npt.NDArray[np.int64]
    inputs: NetInputs


@allocating
def _allocate(  # noqa: PLR0913, PLR0917  (called once)
    views, source, weights, tables, nets, corrected, inputs
):
    return BotWorkspace(
        views,
        np.zeros(MAX_ACTIONS, np.int16),
        np.zeros((34, 2), np.int64),
        np.zeros((34, 2), np.int64),
        np.zeros((34, FEATURES), np.float64),
        np.zeros(34, np.float64),
        np.zeros((4, 34), np.float64),
        np.zeros((4, 3), np.float64),
        np.zeros(34, np.uint8),
        np.zeros(34, np.uint8),
        source,
        weights,
        np.zeros(1, np.float64),
        tables[0],
        tables[1],
        tables[2],
        tables[3],
        np.zeros((len(tables[0]), LEAST + 1), np.int64),
        np.zeros((len(tables[0]), 2), np.float64),
        np.zeros((34, 2 * COUNTED), np.float64),
        np.zeros(34, np.int64),
        nets,
        corrected,
        inputs,
    )


def new_bot_workspace(
    source: npt.NDArray[np.int64], rules: Ruleset, adapted: TrainedBot | None = None
) -> BotWorkspace:
    """Create a workspace for games under ``rules`` with the random source ``source`` (``bots.chance``).

    ``adapted`` is the bot of the policy ``ADAPTED``, by default ``standard``.
    """
    trained = (PLAIN, trained_for(rules), adapted or PLAIN)
    plans = tables_of(rules)
    made: BotWorkspace = _allocate(
        np.zeros(1, SEAT_VIEW),
        source,
        np.array([one.weights for one in trained], np.float64),
        (plans.plans, plans.targets, plans.points, np.array([int(plans.differs)])),
        _stacked(*(one.net for one in trained)),
        np.array([one.net.last.any(axis=(1, 2)) for one in trained], np.int64),
        new_inputs(),
    )
    return made


def _stacked(*nets: Net) -> Net:
    return Net(*(np.stack(arrays) for arrays in zip(*nets, strict=True)))
