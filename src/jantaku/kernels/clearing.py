"""Sets every byte of a record to zero, so that nothing of what it held before is left."""

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from jantaku.kernels._jit import COMPILED, kernel


@intrinsic
def _zero(context, record):  # noqa: ARG001
    def generate(context, builder, signature, arguments):
        size = context.get_constant(types.intp, signature.args[0].size)
        cgutils.memset(builder, arguments[0], size, 0)
        return context.get_dummy_value()

    return types.void(record), generate


if COMPILED:

    @kernel
    def clear(record):
        """Set every field of the record to zero, and the unused bytes between them."""
        _zero(record)  # type: ignore[call-arg]

else:

    def clear(record: Any) -> None:
        """Set every field of the record to zero."""
        for name in record.dtype.names:
            record[name] = 0
