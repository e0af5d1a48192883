"""All readings of a complete hand: its sets and pair, and the part that the winning tile completed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

from naive.shanten import YAOCHUU

Shape = Literal["run", "triplet", "quad"]
Form = Literal["standard", "chiitoitsu", "kokushi", "puutaa", "four kans"]
Wait = Literal["ryanmen", "shanpon", "kanchan", "penchan", "tanki", "none"]

EAST, NORTH, WHITE, GREEN, RED = 27, 30, 31, 32, 33
WINDS = range(EAST, NORTH + 1)
DRAGONS = range(WHITE, RED + 1)


def is_honour(kind: int) -> bool:
    return kind >= EAST


def number(kind: int) -> int:
    """Return the rank of a suit tile, 1 to 9; 0 for an honour."""
    return 0 if is_honour(kind) else kind % 9 + 1


def suit(kind: int) -> int:
    """Return the suit: 0 man, 1 pin, 2 sou, 3 honours."""
    return kind // 9


def is_terminal(kind: int) -> bool:
    return number(kind) in (1, 9)


def is_yaochuu(kind: int) -> bool:
    return is_honour(kind) or is_terminal(kind)


@dataclass(frozen=True, slots=True)
class Group:
    """A run (by its lowest kind), a triplet or a quad; ``concealed``: formed without a call or ron."""

    shape: Shape
    kind: int
    concealed: bool

    @property
    def kinds(self) -> tuple[int, ...]:
        return (self.kind, self.kind + 1, self.kind + 2) if self.shape == "run" else (self.kind,)


@dataclass(frozen=True)
class Reading:
    """One reading: four sets and a pair, or a special form."""

    form: Form
    groups: tuple[Group, ...] = ()
    pair: int = -1
    wait: Wait = "none"
    runs: list[int] = field(init=False)
    triplets: list[int] = field(init=False)
    quads: int = field(init=False)
    concealed_triplets: int = field(init=False)

    def __post_init__(self) -> None:
        sets = [g for g in self.groups if g.shape != "run"]
        object.__setattr__(self, "runs", [g.kind for g in self.groups if g.shape == "run"])
        object.__setattr__(self, "triplets", [g.kind for g in sets])
        object.__setattr__(self, "quads", sum(g.shape == "quad" for g in sets))
        object.__setattr__(self, "concealed_triplets", sum(g.concealed for g in sets))


def readings(
    concealed: Sequence[int], melds: Sequence[Group], win: int, *, ron: bool, special: Sequence[Form] = ()
) -> list[Reading]:
    """Return all readings of a hand; an empty list if it is not complete.

    ``concealed`` counts the tiles in hand including the winning tile (kind ``win``). ``special`` lists the
    forms, unconnected tiles or four kans, that the rules and the situation allow.
    """
    readings: list[Reading] = []
    for pair, sets in standard_splits(concealed):
        if len(sets) + len(melds) == 4:
            readings += _placed(pair, sets, melds, win, ron=ron)
    if not melds:
        if sum(count == 2 for count in concealed) == 7:
            readings.append(Reading("chiitoitsu", wait="tanki"))
        if sorted(concealed[kind] for kind in YAOCHUU) == [1] * 12 + [2]:
            pair = next(kind for kind in YAOCHUU if concealed[kind] == 2)
            readings.append(Reading("kokushi", pair=pair))
        elif "puutaa" in special and is_unconnected(concealed):
            readings.append(Reading("puutaa"))
    if not readings and "four kans" in special:
        readings.append(Reading("four kans", tuple(melds)))
    return readings


def standard_splits(counts: Sequence[int]) -> Iterator[tuple[int, list[tuple[Shape, int]]]]:
    """Yield each pair with each way to split the remaining tiles into runs and triplets."""
    left = list(counts)
    for pair in range(34):
        if left[pair] >= 2:
            left[pair] -= 2
            for sets in _sets(left, 0):
                yield pair, sets
            left[pair] += 2


def _sets(left: list[int], start: int) -> Iterator[list[tuple[Shape, int]]]:
    """Remove the lowest tile as part of a triplet, then as the start of a run."""
    while start < 34 and left[start] == 0:
        start += 1
    if start == 34:
        yield []
        return
    if left[start] >= 3:
        left[start] -= 3
        for rest in _sets(left, start):
            yield [("triplet", start), *rest]
        left[start] += 3
    if not is_honour(start) and number(start) <= 7 and left[start + 1] and left[start + 2]:
        for kind in (start, start + 1, start + 2):
            left[kind] -= 1
        for rest in _sets(left, start):
            yield [("run", start), *rest]
        for kind in (start, start + 1, start + 2):
            left[kind] += 1


def _placed(
    pair: int, sets: list[tuple[Shape, int]], melds: Sequence[Group], win: int, *, ron: bool
) -> Iterator[Reading]:
    """Yield one reading for each distinct set or pair that the winning tile may have completed."""
    own = tuple(Group(shape, kind, concealed=True) for shape, kind in sets)
    if pair == win:
        yield Reading("standard", (*own, *melds), pair, "tanki")
    for completed in dict.fromkeys(own):
        if win not in completed.kinds:
            continue
        groups = own
        if completed.shape == "triplet" and ron:
            groups = tuple(replace(g, concealed=g != completed) for g in own)
        yield Reading("standard", (*groups, *melds), pair, _wait(completed, win))


def _wait(completed: Group, win: int) -> Wait:
    if completed.shape == "triplet":
        return "shanpon"
    if win == completed.kind + 1:
        return "kanchan"
    waited_for_3 = win == completed.kind + 2 and number(completed.kind) == 1
    waited_for_7 = win == completed.kind and number(completed.kind) == 7
    return "penchan" if waited_for_3 or waited_for_7 else "ryanmen"


def is_unconnected(counts: Sequence[int]) -> bool:
    """Return whether 14 tiles have one pair and no two kinds of a suit within two ranks of each other."""
    held = [kind for kind in range(34) if counts[kind]]
    if len(held) != 13 or sum(counts) != 14:
        return False
    return all(is_honour(a) or suit(a) != suit(b) or b - a > 2 for a, b in pairwise(held))
