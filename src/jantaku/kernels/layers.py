"""Layers of a neural network in single precision, evaluated for one input at a time."""

from typing import Any


def layer(target: Any, bias: Any, inputs: Any, matrix: Any) -> None:
    """Write ``bias + inputs @ matrix`` to ``target``: ``float32[m]``, from ``float32[n]`` and ``[n, m]``.

    The terms are added in order, so plain and compiled code (``_layers``) give the same result. Inputs of 0,
    such as features that do not apply and inactive units, take no time.
    """
    target[:] = bias
    for i in inputs.nonzero()[0]:
        target += inputs[i] * matrix[i]


def rectify(target: Any) -> None:
    """Replace negative numbers by 0."""
    target[target < 0] = 0
