"""The neural network of ``strong`` and adapted bots: its arrays, and the value that it gives to an option.

There is one network, a *head*, for each kind of decision (``DISCARD``, ``CALL``, ``RIICHI``). An option is
described by the numbers of ``bots.net_inputs``; those of the situation are common to all options of a
decision, so their part of the first layer is computed once. Two hidden layers of rectified units follow. The
result corrects the weighted sum of the option's features (``bots.weights``). Refusing (no call, no riichi)
has the value 0.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.kernels._jit import kernel
from jantaku.kernels.layers import layer, rectify

DISCARD, CALL, RIICHI = range(3)
HEADS: Final = 3
SITUATION: Final = 96  # numbers of a situation
OPTION: Final = 136  # numbers of an option; some heads use fewer, the rest are 0
FIRST, SECOND = 128, 64  # units of the hidden layers

Floats = npt.NDArray[np.float32]


class Net(NamedTuple):
    """Arrays of a network by head: the matrices ``[head, inputs, outputs]`` of its layers, and biases."""

    situation: Floats
    option: Floats
    bias: Floats
    second: Floats
    second_bias: Floats
    last: Floats


SHAPES: Final = (
    (HEADS, SITUATION, FIRST),
    (HEADS, OPTION, FIRST),
    (HEADS, FIRST),
    (HEADS, FIRST, SECOND),
    (HEADS, SECOND),
    (HEADS, SECOND, 1),
)
NO_NET: Final = Net(*(np.zeros(shape, np.float32) for shape in SHAPES))
_NO_BIAS: Final = np.zeros(1, np.float32)


class NetInputs(NamedTuple):
    """Inputs of the last decision and scratch memory.

    ``situation``: ``float32[SITUATION]``; ``option``: ``float32[HEADS, 34, OPTION]``, one row per option.
    ``options``: mask of the options of each head, 0 if it decided nothing; ``chosen``: the option chosen, −1
    for refusing. Choosing at random (``bots.explore``) also writes ``chances``, the probability of each
    option. ``first``, ``hidden``, ``second`` and ``value`` are the layers of one option.
    """

    situation: Floats
    option: Floats
    options: npt.NDArray[np.int64]
    chosen: npt.NDArray[np.int64]
    chances: Floats
    first: Floats
    hidden: Floats
    second: Floats
    value: Floats
    no_bias: Floats


def new_inputs() -> NetInputs:
    """Allocate the inputs of a decision."""
    return NetInputs(
        np.zeros(SITUATION, np.float32),
        np.zeros((HEADS, 34, OPTION), np.float32),
        np.zeros(HEADS, np.int64),
        np.zeros(HEADS, np.int64),
        np.zeros((HEADS, 34), np.float32),
        np.zeros(FIRST, np.float32),
        np.zeros(FIRST, np.float32),
        np.zeros(SECOND, np.float32),
        np.zeros(1, np.float32),
        _NO_BIAS,
    )


@kernel
def begin_options(head, row, work):
    """Prepare the evaluation of a decision's options by the network of ``work.weights[row]``."""
    net, inputs = work.nets, work.inputs
    layer(inputs.first, net.bias[row, head], inputs.situation, net.situation[row, head])


@kernel
def net_value(head, option, row, work):
    """Return the network's value of an option, after ``begin_options``."""
    net, inputs = work.nets, work.inputs
    layer(inputs.hidden, inputs.first, inputs.option[head, option], net.option[row, head])
    rectify(inputs.hidden)
    layer(inputs.second, net.second_bias[row, head], inputs.hidden, net.second[row, head])
    rectify(inputs.second)
    layer(inputs.value, inputs.no_bias, inputs.second, net.last[row, head])
    return float(inputs.value[0])
