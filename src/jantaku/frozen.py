"""Frozen dataclasses that are made quickly.

The ``__init__`` that ``dataclass`` writes sets each field of a frozen class by a call, which takes longer
than checking the fields of a win. Here ``__new__`` makes an object of a subclass that is not frozen, sets its
fields as usual, and then gives it the frozen class.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any


class Frozen:
    """Base of frozen dataclasses with a ``__new__``: copies and pickles are made by it, too."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        own: Any = self
        return _made_again, (
            type(self),
            {field.name: getattr(self, field.name) for field in fields(own) if field.init},
        )


def _made_again(kind: Callable[..., object], given: Mapping[str, object]) -> object:
    return kind(**given)


def unfrozen(cls: type) -> Any:
    """A subclass of ``cls``, a frozen dataclass with slots, whose objects can be changed.

    Both classes have the same slots, so that ``__class__`` of an object may be set to either.
    """
    changing = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    return type(f"Unfrozen{cls.__name__}", (cls,), {"__slots__": (), **changing})
