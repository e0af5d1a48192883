"""Local yaku in compiled code: the rules record holds the machine address of each predicate.

``address_of`` compiles a predicate to a function of plain integers; ``has_local`` calls it. Without
compilation, the address is a key in a dictionary of Python functions.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from jantaku.bounded import shown
from jantaku.errors import RulesError, meant
from jantaku.kernels import masks
from jantaku.kernels._jit import COMPILED, kernel
from jantaku.kernels.reading import PackedReading
from jantaku.rules.local_marks import LocalYaku, line_of, place_in

_FIELDS: Final = len(PackedReading._fields)
_SIGNATURE: Final = types.int64(*[types.int64] * _FIELDS)
_GUARDED: Final = """
def guarded({names}):
    reading = PackedReading({names})
    try:
        return 1 if predicate(reading) else 0
    except Exception:
        return 0
"""
_NAMED: Final = re.compile("(?:attribute|name) '(\\w+)'")
_register: dict[int, Callable[..., Any]] = {}
_kept: dict[tuple[bytes, str], Any] = {}  # by the code of a file and the id, as fingerprints are


def address_of(yaku: LocalYaku) -> int:
    """The address of its predicate for ``has_local``; raises ``RulesError`` if it cannot be compiled."""
    address = int(_code_of(yaku).address) if COMPILED else id(yaku.predicate)
    _register[address] = yaku.predicate
    return address


def differs(yaku: LocalYaku, reading: PackedReading) -> bool:
    """Whether the compiled predicate answers otherwise than plain Python, whose integers have no end."""
    return COMPILED and bool(_code_of(yaku).ctypes(*reading)) is not bool(yaku.predicate(reading))


def _code_of(yaku: LocalYaku) -> Any:
    key = yaku.source[0], yaku.id
    if key not in _kept:
        _kept[key] = _compiled(yaku)
    return _kept[key]


def _compiled(yaku: LocalYaku) -> Any:
    """The compiled predicate; Numba raises errors of many kinds for what it cannot compile."""
    try:
        predicate: Any = numba.njit(yaku.predicate)
        predicate_code = numba.cfunc(_SIGNATURE)(_of_integers(predicate))
    except Exception as error:
        raise _uncompilable(yaku, error) from error
    returned = predicate.nopython_signatures[-1].return_type
    if not isinstance(returned, types.Boolean | types.Integer):
        said = shown(str(returned))
        raise RulesError("local_returns", path=f"yaku.{yaku.id}", place=yaku.place, value=said)
    return predicate_code


def _uncompilable(yaku: LocalYaku, error: Exception) -> RulesError:
    """The error with the compiler's reason, its line, and the name that may be meant."""
    said = str(error)
    file = Path(yaku.source[1]).name
    lines = re.findall(rf'{re.escape(file)}(?:", line | \()(\d+)', said) if file else []
    reasons = (line.strip() for line in said.splitlines() if line.strip())
    reason = next((line for line in reasons if not line.startswith("Failed in")), type(error).__name__)
    named = _NAMED.search(reason)
    return RulesError(
        "local_uncompilable",
        path=f"yaku.{yaku.id}",
        place=place_in(file, int(lines[0])) if lines else yaku.place,
        reason=reason,
        hint=meant(named[1], known_names(yaku)) if named else "",
    )


def known_names(yaku: LocalYaku) -> list[str]:
    """What a predicate may name: the fields of a reading, the masks, and what its file defines."""
    named = [name for name in vars(masks) if name.isupper()]
    return [*PackedReading._fields, *named, *getattr(yaku.predicate, "__globals__", {})]


def tried(yaku: LocalYaku, reading: PackedReading) -> RulesError | None:
    """What is wrong with the predicate's answer to a reading, run as plain Python."""
    path = f"yaku.{yaku.id}"
    try:
        answer: Any = yaku.predicate(reading)
    except (Exception, SystemExit) as error:
        line = line_of(error, yaku.source[1])
        return RulesError(
            "local_fails", path=path, place=place_in(yaku.source[1], line) if line else yaku.place,
            reason=f"{type(error).__name__}: {shown(str(error))}",
            hint=meant(getattr(error, "name", None), known_names(yaku)),
        )  # fmt: skip
    if not isinstance(answer, bool | int):
        return RulesError("local_returns", path=path, place=yaku.place, value=shown(type(answer).__name__))
    return None


def _of_integers(predicate: Any) -> Callable[..., int]:
    """The predicate as a function with one integer argument for each field of a reading, callable from C.

    A reading on which it fails does not have the yaku: compiled code has nobody to raise an error to.
    """
    names = ", ".join(PackedReading._fields)
    scope = {"predicate": predicate, "PackedReading": PackedReading}
    exec(_GUARDED.format(names=names), scope)  # noqa: S102 — Numba needs named arguments
    guarded: Callable[..., int] = scope["guarded"]
    return guarded


@intrinsic
def _call(context, address, reading):  # noqa: ARG001
    def generate(context, builder, signature, arguments):  # noqa: ARG001
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
    def has_local(address, reading):
        """Whether the reading has the yaku whose predicate is at ``address``."""
        return _call(address, reading) != 0  # type: ignore[call-arg]

else:

    def has_local(address: int, reading: PackedReading) -> bool:
        """Whether the reading has the yaku whose predicate is registered under ``address``."""
        try:
            return bool(_register[int(address)](reading))
        except (Exception, SystemExit):
            return False
