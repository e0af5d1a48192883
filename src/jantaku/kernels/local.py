"""Local yaku in compiled code: the rules record holds the machine address of each predicate.

``address_of`` compiles a predicate to a function of plain integers; ``has_local`` calls it. Without
compilation, the address is a key in a dictionary of Python functions.
"""

from collections.abc import Callable
from typing import Any, Final

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from jantaku.errors import RulesError
from jantaku.kernels._jit import COMPILED, kernel
from jantaku.kernels.reading import PackedReading

_FIELDS: Final = len(PackedReading._fields)
_SIGNATURE: Final = types.int64(*[types.int64] * _FIELDS)
_register: dict[int, Callable[..., Any]] = {}
_kept: dict[Callable[..., Any], Any] = {}


def address_of(predicate: Callable[[Any], Any]) -> int:
    """The address of ``predicate`` for ``has_local``; raises ``RulesError`` if it cannot be compiled."""
    if not COMPILED:
        _register[id(predicate)] = predicate
        return id(predicate)
    if predicate not in _kept:
        try:
            _kept[predicate] = numba.cfunc(_SIGNATURE)(_of_integers(numba.njit(predicate)))
        except numba.core.errors.NumbaError as error:
            name = getattr(predicate, "__name__", "?")
            reason = next(line for line in str(error).splitlines() if not line.startswith("Failed in"))
            raise RulesError("local_uncompilable", path=f"yaku.{name}", reason=reason) from error
    return int(_kept[predicate].address)


def _of_integers(predicate: Any) -> Callable[..., int]:
    """The predicate as a function with one integer argument for each field of a reading, callable from C."""
    names = ", ".join(PackedReading._fields)
    scope = {"predicate": predicate, "PackedReading": PackedReading}
    exec(f"def call({names}): return int(predicate(PackedReading({names})))", scope)  # noqa: S102 — Numba needs named arguments
    found: Callable[..., int] = scope["call"]
    return found


@intrinsic
def _call(context, address, reading):  # type: ignore[no-untyped-def]  # noqa: ARG001
    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]  # noqa: ARG001
        word = ir.IntType(64)
        function = ir.FunctionType(word, [word] * _FIELDS).as_pointer()
        pointer = builder.inttoptr(arguments[0], function)
        values = [
            context.cast(builder, builder.extract_value(arguments[1], i), kind, types.int64)
            for i, kind in enumerate(reading.types)
        ]
        return builder.call(pointer, values)

    return types.int64(types.int64, reading), generate


if COMPILED:

    @kernel
    def has_local(address, reading):  # type: ignore[no-untyped-def]
        """Whether the reading has the yaku whose predicate is at ``address``."""
        return _call(address, reading) != 0  # type: ignore[call-arg]

else:

    def has_local(address: int, reading: PackedReading) -> bool:
        """Whether the reading has the yaku whose predicate is registered under ``address``."""
        return bool(_register[int(address)](reading))
