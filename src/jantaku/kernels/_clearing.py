"""Numba implementation of ``clear``: Numba cannot loop over the fields of a record."""

from typing import Any

from numba.core import cgutils, types
from numba.extending import lower_builtin, type_callable

from jantaku.kernels.clearing import clear


@type_callable(clear)
def _type(_context: object) -> Any:
    def typed(record: Any) -> Any:
        return types.void if isinstance(record, types.Record) else None

    return typed


@lower_builtin(clear, types.Record)  # type: ignore[untyped-decorator]
def _lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    size = context.get_constant(types.intp, signature.args[0].size)
    cgutils.memset(builder, arguments[0], size, 0)
    return context.get_dummy_value()
