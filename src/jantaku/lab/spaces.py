"""What observations and actions look like, in Gymnasium's words; needs the extra ``env``."""

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
    """The observation of one seat, or of as many ``games``."""
    return spaces.Box(int(LOW), int(HIGH), (*games, ROWS, COLUMNS), np.int16)


def action() -> spaces.Discrete:
    """The index of an action."""
    return spaces.Discrete(ACTIONS)


def actions(games: int) -> spaces.MultiDiscrete:
    """An index for each of ``games``."""
    return spaces.MultiDiscrete(np.full(games, ACTIONS))


def with_mask() -> spaces.Dict:
    """An observation with the actions that are legal (1) and not (0)."""
    return spaces.Dict({"observation": observations(), "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8)})
