"""Targets: what a hand must become for a yaku, as numbers for compiled code, one row for each way to get it.

``bots.sketches`` derives targets from the condition of the yaku, ``bots.distance`` measures a hand by them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from jantaku.rules.own.codes import ALL_KINDS

MAX_SOME: Final = 5
MAX_MELDS: Final = 4
(
    ALLOWED, NEED_1, NEED_2, NEED_3, NEED_4, RUNS, TRIPLETS, SETS, GROUP, SORT, LEAST, PAIRS, TOUCH,
    SOME, GATHER, GATHERED, SEAT, ROUND, MELDS, PAIR_FREE, WINDS, PLAN, CHANCE,
) = (*range(14), *range(18, 27))  # fmt: skip
COLUMNS: Final = 27

# Types of sets that a group requires, and units of ``gather``
TRIPLET, CONCEALED, QUAD, RUN, RYANMEN, TWINS = range(6)
TILES, KINDS = range(2)
EVERY_WIND: Final = 0b1111
MILLIONTHS: Final = 1_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """One way to get a yaku. Masks have bit ``k`` for kind ``k``, and bits of ``rules.own.codes`` for winds.

    ``allowed``: the only tiles that may be in the hand; ``need``: the kinds of which it must have at least
    one, two, three and four; ``runs`` and ``triplets``: the sets formed by these, if they may be called;
    ``sets``: their number; ``group``: the kinds of ``least`` sets of the type ``sort`` and of ``pairs``
    pairs; ``touch``: every set has one of these tiles (0: none); ``some``: tiles of each of these must occur;
    ``gather``: kinds of which the hand needs ``gathered`` tiles or kinds (``counts``); ``seat`` and
    ``round``: the winds that fit; ``melds``: the number of calls it allows; ``pair_free``: kinds that the
    pair must not have; ``chance``: frequency of the required circumstances, which no discard decides.
    """

    allowed: int = ALL_KINDS
    need: tuple[int, int, int, int] = (0, 0, 0, 0)
    runs: int = 0
    triplets: int = 0
    sets: int = 0
    group: int = 0
    sort: int = TRIPLET
    least: int = 0
    pairs: int = 0
    touch: int = 0
    some: tuple[int, ...] = ()
    gather: int = 0
    gathered: int = 0
    counts: int = TILES
    seat: int = EVERY_WIND
    round: int = EVERY_WIND
    melds: int = MAX_MELDS
    pair_free: int = 0
    chance: float = 1.0

    @property
    def depends_on_tiles(self) -> bool:
        """Whether the target depends on any tile."""
        shape = (self.group, self.touch, self.gather, *self.need, *self.some)
        return self.allowed != ALL_KINDS or any(shape)

    @property
    def numbers(self) -> Iterator[int]:
        """Columns of its row except the plan and the chance."""
        yield from (self.allowed, *self.need, self.runs, self.triplets, self.sets)
        yield from (self.group, self.sort, self.least, self.pairs, self.touch)
        yield from (*self.some, *(0,) * (MAX_SOME - len(self.some)))
        yield from (self.gather, self.gathered | self.counts << 4)
        yield from (self.seat, self.round, self.melds, self.pair_free)
        yield int((self.seat, self.round) != (EVERY_WIND, EVERY_WIND))


def rows_of(plans: Iterable[Iterable[Target]]) -> npt.NDArray[np.int64]:
    """Return the rows of all targets, one plan after the other."""
    rows = [
        (*target.numbers, plan, round(target.chance * MILLIONTHS))
        for plan, targets in enumerate(plans)
        for target in targets
    ]
    return np.array(rows, np.int64).reshape(-1, COLUMNS)


@dataclass
class TargetSketch:
    """Requirements of one alternative of a condition, with given values of its letters."""

    allowed: int = ALL_KINDS
    splits: list[tuple[int, ...]] = field(default_factory=list)  # masks, one of which is allowed
    runs: Counter[int] = field(default_factory=Counter)
    sets: dict[str, set[int]] = field(
        default_factory=lambda: {"triplet": set(), "concealed_triplet": set(), "quad": set(), "pair": set()}
    )
    held: Counter[int] = field(default_factory=Counter)  # tiles, whatever they are part of
    groups: list[tuple[str, int, int]] = field(default_factory=list)
    touch: int = 0
    some: list[int] = field(default_factory=list)
    gathers: list[tuple[int, int, int]] = field(default_factory=list)
    seat: int = EVERY_WIND
    round: int = EVERY_WIND
    melds: int = MAX_MELDS
    pair_free: int = 0
    twins: int = 0
    form: str = ""
    without: frozenset[str] = frozenset()  # types of sets that it must not have
    ryanmen: bool = False
    luck: float = 1.0

    def copied(self) -> "TargetSketch":
        """Return a copy to which other requirements can be added."""
        made = copy(self)
        made.splits, made.groups, made.some = [*self.splits], [*self.groups], [*self.some]
        made.gathers, made.runs, made.held = [*self.gathers], Counter(self.runs), Counter(self.held)
        made.sets = {name: set(kinds) for name, kinds in self.sets.items()}
        return made
