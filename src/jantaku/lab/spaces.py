"""The observation and action spaces for Gymnasium; needs the extra ``env``."""

import numpy as np

from jantaku.errors import RequestError
from jantaku.lab.kernels.action_space import ACTIONS
from jantaku.lab.kernels.observation import COLUMNS, ROWS

try:
    from gymnasium import spaces
except ImportError as error:
    raise RequestError("missing_extra", field="gymnasium", extra="env") from error

LOW, HIGH = np.iinfo(np.int16).min, np.iinfo(np.int16).max


def observations(*games: int) -> spaces.Box:
    """Return the space of one seat's observation, or of a batch of ``games``."""
    return spaces.Box(int(LOW), int(HIGH), (*games, ROWS, COLUMNS), np.int16)


def action() -> spaces.Discrete:
    """Return the space of an action index."""
    return spaces.Discrete(ACTIONS)


def actions(games: int) -> spaces.MultiDiscrete:
    """Return the space of one action index for each of ``games``."""
    return spaces.MultiDiscrete(np.full(games, ACTIONS))


def with_mask() -> spaces.Dict:
    """Return the space of an observation with a mask of the legal actions (1 legal, 0 not)."""
    return spaces.Dict({"observation": observations(), "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8)})
