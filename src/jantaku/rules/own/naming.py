"""Conditions that name other local yaku: which they are, and in which order they must be asked."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from jantaku.rules.own.tree import Condition, Sum, tests


class _Named(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def names(self) -> tuple[str, ...]: ...


Yaku = TypeVar("Yaku", bound=_Named)


def named_by(condition: Condition) -> tuple[str, ...]:
    """The local yaku that a condition names, each once."""
    sums = (test for test in tests(condition.tree) if isinstance(test, Sum))
    return tuple(dict.fromkeys(term.name for test in sums for term in test.terms if term.name))


def in_order(yaku: Sequence[Yaku]) -> list[Yaku]:
    """Each after those that its condition names; those of a circle are left out."""
    found: dict[str, Yaku] = {}
    left = {one.id: one for one in yaku}
    while ready := [one for one in left.values() if not left.keys() & set(one.names)]:
        for one in ready:
            found[one.id] = left.pop(one.id)
    return list(found.values())


def in_circles(yaku: Iterable[Yaku]) -> Iterator[Yaku]:
    """Those that name each other in a circle, and those that name one of these."""
    every = list(yaku)
    ordered = {one.id for one in in_order(every)}
    yield from (one for one in every if one.id not in ordered)
