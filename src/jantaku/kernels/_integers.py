"""Compiler passes that make arithmetic match plain Python, or refuse to compile it.

Numba treats ``int()`` of an unsigned byte as an unsigned number, so 1 − 2 becomes 2⁶⁴ − 1. NumPy keeps the
product of ``int32`` numbers at 32 bits, where compiled code has 64. Here ``int()`` yields an ``int64``, and a
kernel does not compile if it calculates with a narrow or unsigned number, passes one on or returns one.
Narrow numbers may be read, compared, stored and incremented in place; ``int()`` widens them.
"""

import operator
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numba.core import ir, types
from numba.core.compiler import DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, FunctionPass, register_pass
from numba.core.typed_passes import NopythonTypeInference
from numba.core.untyped_passes import IRProcessing

_COMPARE: Final = frozenset(
    getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge", "is_", "is_not", "contains")
)
# operators allowed on two booleans
_OF_TRUTHS: Final = frozenset((operator.and_, operator.or_, operator.xor))
_STORES: Final = (ir.SetItem, ir.StaticSetItem, ir.SetAttr)


_types: Any = types  # Numba's type hints for these are too weak for type checkers


class NarrowIntegerError(TypeError):
    """A kernel calculates with a narrow or unsigned number, so compiled and plain code could differ."""


def is_narrow(kind: Any) -> bool:
    """Return whether compiled and plain code may differ when calculating with this type, or a tuple of it."""
    plain: Any = _types.unliteral(kind)
    if isinstance(plain, _types.BaseTuple):
        return any(is_narrow(part) for part in plain)
    return isinstance(plain, _types.Integer) and (plain.bitwidth < 64 or not plain.signed)


@register_pass(mutates_CFG=False, analysis_only=False)
class SignedInt(FunctionPass):
    """Makes ``int()`` of any number an ``int64``."""

    _name = "jantaku_signed_int"

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def run_pass(self, state: Any) -> bool:
        """Replace ``int`` by ``numpy.int64`` and return whether anything changed."""
        casts = [
            assignment
            for block in state.func_ir.blocks.values()
            for assignment in block.find_insts(ir.Assign)
            if isinstance(assignment.value, ir.Global | ir.FreeVar) and assignment.value.value is int
        ]
        for cast in casts:
            cast.value = ir.Global("int64", np.int64, cast.value.loc)
        return bool(casts)


@register_pass(mutates_CFG=False, analysis_only=True)
class WideArithmetic(AnalysisPass):
    """Refuses calculations with narrow and unsigned numbers."""

    _name = "jantaku_wide_arithmetic"

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def run_pass(self, state: Any) -> bool:
        """Raise ``NarrowIntegerError`` at the first such calculation."""
        for line, what in narrow_arithmetic(state.func_ir, state.typemap, state.return_type):
            where = f"{state.func_id.func_qualname} ({state.func_id.modname}:{line})"
            raise NarrowIntegerError(f"{where}: {what}; use int()")
        return False


def pipelines(state: Any) -> list[Any]:
    """Return Numba's compiler pipeline with both passes added."""
    pipeline: Any = DefaultPassBuilder.define_nopython_pipeline(state)
    pipeline.add_pass_after(SignedInt, IRProcessing)
    pipeline.add_pass_after(WideArithmetic, NopythonTypeInference)
    pipeline.finalize()
    return [pipeline]


def narrow_arithmetic(code: Any, kinds: Any, returned: Any) -> Iterator[tuple[int, str]]:
    """Yield the line and a description of each operation whose result could differ in plain code."""
    body = [statement for block in code.blocks.values() for statement in block.body]
    stored = {statement.value.name for statement in body if isinstance(statement, _STORES)}
    if is_narrow(returned):
        yield code.loc.line, f"returns {returned}"
    for statement in body:
        if isinstance(statement, ir.Assign):
            for what in _uses(statement, kinds, statement.target.name in stored):
                yield statement.loc.line, what


def _uses(statement: Any, kinds: Any, is_stored: bool) -> Iterator[str]:
    value = statement.value
    if isinstance(value, ir.Var):
        yield from _widened([value], statement.target, kinds)
    if not isinstance(value, ir.Expr):
        return
    if value.op == "phi":
        yield from _widened(
            [it for it in value.incoming_values if isinstance(it, ir.Var)], statement.target, kinds
        )
    elif value.op == "unary" and value.fn is not operator.not_:
        yield from _narrow([value.value], kinds, value.fn.__name__)
    elif value.op == "binop" or (value.op == "inplace_binop" and not is_stored):
        function = value.fn if value.op == "binop" else value.immutable_fn
        yield from _calculated(function, [value.lhs, value.rhs], kinds)
    elif value.op == "call" and not _converts(kinds[value.func.name]):
        yield from _narrow([*value.args, *(it for _, it in value.kws)], kinds, "call")


def _converts(function: Any) -> bool:
    """Return whether this is a conversion such as ``int()`` or ``bool()``."""
    return isinstance(function, types.NumberClass) or getattr(function, "typing_key", None) is bool


def _calculated(function: Any, operands: Any, kinds: Any) -> Iterator[str]:
    """Describe what is wrong with an operation. NumPy's booleans cannot be added: True + True is True."""
    if function in _COMPARE:
        return
    truths = [isinstance(kinds[it.name], types.Boolean) for it in operands]
    if all(truths) and function not in _OF_TRUTHS:
        yield f"{function.__name__} of truth values"
    yield from _narrow(operands, kinds, function.__name__)


def _widened(sources: Any, target: Any, kinds: Any) -> Iterator[str]:
    """Describe narrow values assigned to a wide variable: plain code would not widen them."""
    if not is_narrow(kinds[target.name]):
        yield from _narrow(sources, kinds, f"a value of {target.name.split('.')[0]}")


def _narrow(operands: Any, kinds: Any, use: str) -> Iterator[str]:
    for it in operands:
        if is_narrow(kinds[it.name]):
            yield f"{use} with {kinds[it.name]}"


def widened(kind: Any) -> Any:
    """Return the type an argument is compiled as: ``int64`` for every integer width, to compile only once."""
    plain: Any = _types.unliteral(kind)
    return _types.int64 if isinstance(plain, _types.Integer) and plain.bitwidth < 64 else plain
