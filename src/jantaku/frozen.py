"""Frozen dataclasses that import and construct fast.

Importing ``dataclasses`` takes ten milliseconds, longer than importing hands and wins. The ``__init__`` that
it generates for a frozen class calls ``object.__setattr__`` for each field, which is slower than all checks
of a win. Type checkers see the ``dataclass`` of the standard library. The attributes that it adds to a class
(for ``dataclasses.fields`` and ``replace``, ``inspect.signature`` and pydantic) are created on first access.
"""

from collections.abc import Callable
from typing import Any, Final, Literal, NoReturn, TypeVar, cast

_Class = TypeVar("_Class")
_MISSING: Final = object()
_STANDARD: Final = ("__dataclass_fields__", "__dataclass_params__", "__signature__")
_GENERATED: Final = ("__init__", "__eq__", "__hash__", "__getstate__", "__setstate__")
_become: Final = vars(object)["__class__"].__set__


class KW_ONLY:  # noqa: N801  (as in ``dataclasses``)
    """Type of the marker field ``_``: the fields after it are keyword-only."""


class field:  # noqa: N801  (as in ``dataclasses``)
    """Default and options of a field, as in ``dataclasses.field``."""

    def __init__(
        self,
        *,
        default: Any = _MISSING,
        init: bool = True,
        compare: bool = True,
        repr: bool = True,  # noqa: A002
    ) -> None:
        self.default, self.init, self.compare, self.repr = default, init, compare, repr
        self.kw_only = False


def dataclass(
    *,
    frozen: Literal[True],  # noqa: ARG001
    slots: Literal[True],  # noqa: ARG001
) -> Callable[[type[_Class]], type[_Class]]:
    """Make a frozen dataclass with slots.

    The generated ``__init__`` switches the object to an unfrozen subclass, assigns the fields, calls
    ``__post_init__``, which may still assign, and switches back. Both classes have the same slots, so
    ``__class__`` can be set to either. Keyword-only parameters are slow in Python; instead, an unused
    parameter before them catches and refuses positional arguments.
    """
    return _frozen


def _frozen(plain: type[_Class]) -> type[_Class]:
    fields, by_name = dict[str, field](), False
    for name in plain.__annotations__:
        spec = vars(plain).get(name, _MISSING)
        if name != "_":
            fields[name] = made = spec if isinstance(spec, field) else field(default=spec)
            made.kw_only = by_name
        by_name |= name == "_"
    methods = _generated(plain, fields)
    inside = {
        name: value for name, value in vars(plain).items() if name not in (*fields, "__dict__", "__weakref__")
    }
    namespace = {
        **{name: methods[name] for name in _GENERATED},
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__replace__": _replaced,
        "__match_args__": tuple(name for name, spec in fields.items() if spec.init and not spec.kw_only),
        "__slots__": tuple(fields),
        "__qualname__": plain.__qualname__,
        **{name: _Standard(name, fields) for name in _STANDARD},
        **inside,
    }
    cls = cast("type[_Class]", type(plain.__name__, plain.__bases__, namespace))
    mutable = {"__slots__": (), "__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    unfrozen = type(f"Unfrozen{plain.__name__}", (cls,), mutable)
    methods.update(_cls=cls, _unfrozen=unfrozen, _check=inside["__post_init__"])

    def check_frozen(self: Any) -> None:
        _become(self, unfrozen)
        inside["__post_init__"](self)
        _become(self, cls)

    setattr(cls, "__post_init__", check_frozen)  # noqa: B010 — pydantic calls it without ``__init__``
    return cls


def _generated(plain: type, fields: dict[str, field]) -> dict[str, Any]:
    """Return the methods generated from the names of the fields, as ``dataclasses`` does."""
    names: dict[str, Any] = {"_become": _become, "_MISSING": _MISSING}
    parameters, lines = ["self"], ["_become(self, _unfrozen)"]
    for name, spec in fields.items():
        default = f"_of_{name}"
        if spec.default is not _MISSING:
            names[default] = spec.default
        if spec.kw_only and spec.init and "_=_MISSING" not in parameters:
            parameters.append("_=_MISSING")
            refused = f"{plain.__name__}: {name} and the fields after it are keyword-only"
            lines.insert(0, f"if _ is not _MISSING: raise TypeError({refused!r})")
        if spec.init:
            parameters.append(f"{name}={default}" if default in names else name)
        if spec.init or default in names:
            lines.append(f"self.{name} = {name if spec.init else default}")
    mine, theirs = (
        f"({''.join(f'{whose}.{name}, ' for name, spec in fields.items() if spec.compare)})"
        for whose in ("self", "other")
    )
    state = f"[{', '.join(f'self.{name}' for name in fields)}]"
    source = f"""
def __init__({", ".join(parameters)}):
    {
        '''
    '''.join(lines)
    }
    _check(self)
    _become(self, _cls)
def __eq__(self, other):
    return {mine} == {theirs} if other.__class__ is self.__class__ else NotImplemented
def __hash__(self):
    return hash({mine})
def __getstate__(self):
    return {state}
def __setstate__(self, state):
    _become(self, _unfrozen)
    {state} = state
    _become(self, _cls)
"""
    exec(source, names)  # noqa: S102
    for name in _GENERATED:
        names[name].__qualname__ = f"{plain.__qualname__}.{name}"
        names[name].__module__ = plain.__module__
    return names


def _refuse(_self: object, name: str, *_value: object) -> NoReturn:
    from dataclasses import FrozenInstanceError  # noqa: PLC0415

    raise FrozenInstanceError(f"{name!r} of a frozen object cannot be changed")


def _replaced(self: Any, /, **changes: Any) -> Any:
    """Support ``copy.replace`` of Python 3.13."""
    from dataclasses import replace  # noqa: PLC0415

    return replace(self, **changes)


class _Standard:
    """A class attribute of ``dataclasses``; all of them are created when one is first read."""

    def __init__(self, name: str, fields: dict[str, field]) -> None:
        self._name, self._fields = name, fields

    def __set_name__(self, cls: type, _name: str) -> None:
        self._cls = cls

    def __get__(self, _object: object, _cls: type) -> Any:
        import dataclasses  # noqa: PLC0415
        from inspect import signature  # noqa: PLC0415

        kinds = self._cls.__annotations__
        specs = {
            name: dataclasses.field(
                **{key: value for key, value in vars(option).items() if value is not _MISSING}
            )
            for name, option in self._fields.items()
        }
        made: Any = dataclasses.make_dataclass(
            self._cls.__name__, [(name, kinds[name], spec) for name, spec in specs.items()], frozen=True
        )
        made.__signature__ = signature(made)
        for name in _STANDARD:
            setattr(self._cls, name, getattr(made, name))
        return getattr(made, self._name)
