"""Numba implementation of ``layers``: loops that the compiler turns into vector instructions."""

from collections.abc import Callable
from typing import Any, Final

from numba.extending import overload

from jantaku.kernels.layers import layer, rectify

_OPTIONS: Final[Any] = {"error_model": "numpy", "nogil": True}


@overload(layer, jit_options=_OPTIONS)
def _layer(target: Any, bias: Any, inputs: Any, matrix: Any) -> Callable[[Any, Any, Any, Any], None]:  # noqa: ARG001
    def compiled(target: Any, bias: Any, inputs: Any, matrix: Any) -> None:
        for j in range(len(target)):
            target[j] = bias[j]
        for i in range(len(inputs)):
            value = inputs[i]
            if value != 0:
                row = matrix[i]
                for j in range(len(target)):
                    target[j] += value * row[j]

    return compiled


@overload(rectify, jit_options=_OPTIONS)
def _rectify(target: Any) -> Callable[[Any], None]:  # noqa: ARG001
    def compiled(target: Any) -> None:
        for j in range(len(target)):
            target[j] = max(target[j], 0)

    return compiled
