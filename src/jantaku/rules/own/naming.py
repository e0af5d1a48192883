"""References between custom yaku: which ones a condition names, and the order of evaluation."""

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
    """Return the ids of the custom yaku that a condition names, without duplicates."""
    sums = (test for test in tests(condition.tree) if isinstance(test, Sum))
    return tuple(dict.fromkeys(term.name for test in sums for term in test.terms if term.name))


def in_order(yaku: Sequence[Yaku]) -> list[Yaku]:
    """Sort custom yaku so that each follows those that its condition names; cycles are left out."""
    ordered: dict[str, Yaku] = {}
    left = {own.id: own for own in yaku}
    while ready := [own for own in left.values() if not left.keys() & set(own.names)]:
        for own in ready:
            ordered[own.id] = left.pop(own.id)
    return list(ordered.values())


def in_cycles(yaku: Iterable[Yaku]) -> Iterator[Yaku]:
    """Yield the custom yaku whose references form a cycle or lead into one."""
    every = list(yaku)
    ordered = {own.id for own in in_order(every)}
    yield from (own for own in every if own.id not in ordered)
