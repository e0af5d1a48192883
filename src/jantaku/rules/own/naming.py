"""Conditions that name other own yaku: which they are, and in which order they must be asked."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from jantaku.rules.own.reader import Condition, Sum, tests


class _Named(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def names(self) -> tuple[str, ...]: ...


Yaku = TypeVar("Yaku", bound=_Named)


def named_by(condition: Condition) -> tuple[str, ...]:
    """The own yaku that a condition names, each once."""
    sums = (test for test in tests(condition.tree) if isinstance(test, Sum))
    return tuple(dict.fromkeys(term.name for test in sums for term in test.terms if term.name))


def in_order(yaku: Sequence[Yaku]) -> list[Yaku]:
    """Each after those that its condition names; those of a circle are left out."""
    ordered: dict[str, Yaku] = {}
    left = {own.id: own for own in yaku}
    while ready := [own for own in left.values() if not left.keys() & set(own.names)]:
        for next_ in ready:
            ordered[next_.id] = left.pop(next_.id)
    return list(ordered.values())


def in_circles(yaku: Iterable[Yaku]) -> Iterator[Yaku]:
    """Those that name each other in a circle, and those that name one of these."""
    every = list(yaku)
    ordered = {own.id for own in in_order(every)}
    yield from (own for own in every if own.id not in ordered)
