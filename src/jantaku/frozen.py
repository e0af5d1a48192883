"""Frozen dataclasses that are imported and made quickly.

``dataclasses`` takes ten milliseconds to import, longer than hands and wins do, and the ``__init__`` that it
writes for a frozen class sets each field by a call, which takes longer than all checks of a win. Type
checkers see the ``dataclass`` of the standard library; what that one adds to a class (for
``dataclasses.fields`` and ``replace``, ``inspect.signature`` and pydantic) is made when somebody asks for it.
"""

from collections.abc import Callable
from typing import Any, Final, Literal, NoReturn, TypeVar, cast

_Class = TypeVar("_Class")
_MISSING: Final = object()
_STANDARD: Final = ("__dataclass_fields__", "__dataclass_params__", "__signature__")
_WRITTEN: Final = ("__init__", "__eq__", "__hash__", "__getstate__", "__setstate__")
_become: Final = vars(object)["__class__"].__set__


class KW_ONLY:  # noqa: N801  (as in ``dataclasses``)
    """The type of a field ``_``: those after it are given by name."""


class field:  # noqa: N801  (as in ``dataclasses``)
    """What is said of a field beside its name and type."""

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
    """A frozen dataclass with slots.

    Its ``__init__`` makes the object one of a subclass that is not frozen, sets its fields as usual, calls
    ``__post_init__``, which may still set fields, and then freezes it. Both classes have the same slots, so
    that ``__class__`` may be set to either. Python takes longer for keyword-only parameters, so an unused
    one before them takes, and refuses, what is given by position.
    """
    return _frozen


def _frozen(plain: type[_Class]) -> type[_Class]:
    fields, by_name = dict[str, field](), False
    for name in plain.__annotations__:
        said = vars(plain).get(name, _MISSING)
        if name != "_":
            fields[name] = one = said if isinstance(said, field) else field(default=said)
            one.kw_only = by_name
        by_name |= name == "_"
    written = _written(plain, fields)
    inside = {
        name: value for name, value in vars(plain).items() if name not in (*fields, "__dict__", "__weakref__")
    }
    made = {
        **{name: written[name] for name in _WRITTEN},
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__replace__": _replaced,
        "__match_args__": tuple(name for name, said in fields.items() if said.init and not said.kw_only),
        "__slots__": tuple(fields),
        "__qualname__": plain.__qualname__,
        **{name: _Standard(name, fields) for name in _STANDARD},
        **inside,
    }
    cls = cast("type[_Class]", type(plain.__name__, plain.__bases__, made))
    changing = {"__slots__": (), "__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    unfrozen = type(f"Unfrozen{plain.__name__}", (cls,), changing)
    written.update(_cls=cls, _unfrozen=unfrozen, _check=inside["__post_init__"])

    def check_frozen(self: Any) -> None:
        _become(self, unfrozen)
        inside["__post_init__"](self)
        _become(self, cls)

    setattr(cls, "__post_init__", check_frozen)  # noqa: B010 — for pydantic, which calls no ``__init__``
    return cls


def _written(plain: type, fields: dict[str, field]) -> dict[str, Any]:
    """The methods that are written from the names of the fields, as ``dataclasses`` does."""
    names: dict[str, Any] = {"_become": _become, "_MISSING": _MISSING}
    parameters, lines = ["self"], ["_become(self, _unfrozen)"]
    for name, said in fields.items():
        default = f"_of_{name}"
        if said.default is not _MISSING:
            names[default] = said.default
        if said.kw_only and said.init and "_=_MISSING" not in parameters:
            parameters.append("_=_MISSING")
            refused = f"{plain.__name__}: {name} and what follows are given by name"
            lines.insert(0, f"if _ is not _MISSING: raise TypeError({refused!r})")
        if said.init:
            parameters.append(f"{name}={default}" if default in names else name)
        if said.init or default in names:
            lines.append(f"self.{name} = {name if said.init else default}")
    mine, theirs = (
        f"({''.join(f'{whose}.{name}, ' for name, said in fields.items() if said.compare)})"
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
    for name in _WRITTEN:
        names[name].__qualname__ = f"{plain.__qualname__}.{name}"
        names[name].__module__ = plain.__module__
    return names


def _refuse(_self: object, name: str, *_value: object) -> NoReturn:
    from dataclasses import FrozenInstanceError  # noqa: PLC0415

    raise FrozenInstanceError(f"{name!r} of a frozen object cannot be changed")


def _replaced(self: Any, /, **changes: Any) -> Any:
    """For ``copy.replace`` of Python 3.13."""
    from dataclasses import replace  # noqa: PLC0415

    return replace(self, **changes)


class _Standard:
    """An attribute of a class that ``dataclasses`` makes, with the others, when somebody asks for it."""

    def __init__(self, name: str, fields: dict[str, field]) -> None:
        self._name, self._fields = name, fields

    def __set_name__(self, cls: type, _name: str) -> None:
        self._cls = cls

    def __get__(self, _object: object, _cls: type) -> Any:
        import dataclasses  # noqa: PLC0415
        from inspect import signature  # noqa: PLC0415

        kinds = self._cls.__annotations__
        said = {
            name: dataclasses.field(
                **{key: value for key, value in vars(one).items() if value is not _MISSING}
            )
            for name, one in self._fields.items()
        }
        made: Any = dataclasses.make_dataclass(
            self._cls.__name__, [(name, kinds[name], one) for name, one in said.items()], frozen=True
        )
        made.__signature__ = signature(made)
        for name in _STANDARD:
            setattr(self._cls, name, getattr(made, name))
        return getattr(made, self._name)
