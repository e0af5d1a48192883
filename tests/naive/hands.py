"""Random complete hands in which rare shapes are common."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from naive.readings import DRAGONS, WINDS
from naive.shanten import YAOCHUU

Set = tuple[int, ...]
RUNS: list[Set] = [(k, k + 1, k + 2) for s in (0, 9, 18) for k in range(s, s + 7)]
TERMINALS = [0, 8, 9, 17, 18, 26]
GREENS = [19, 20, 21, 23, 25, 32]


@dataclass
class Pool:
    """The kinds for a random hand, the probability of triplets, and the sets that it must have."""

    kinds: list[int]
    triplets: float = 0.35
    fixed: list[Set] = field(default_factory=list)
    pairs: list[int] | None = None
    outside: bool = False  # every set and the pair contains a terminal or an honour

    def runs(self) -> list[Set]:
        allowed = set(self.kinds)
        return [run for run in RUNS if set(run) <= allowed and (not self.outside or _edge(run))]


def _edge(run: Set) -> bool:
    return run[0] % 9 in (0, 6)


def _suit(rng: Random) -> list[int]:
    start = 9 * rng.randrange(3)
    return list(range(start, start + 9))


def _anything(rng: Random) -> Pool:
    return Pool(list(range(34)), rng.choice((0.0, 0.1, 0.3, 0.5)))


def _simples(rng: Random) -> Pool:
    return Pool([k for k in range(34) if k not in YAOCHUU], rng.choice((0.0, 0.2, 0.6)))


def _one_suit(rng: Random) -> Pool:
    return Pool(_suit(rng), rng.choice((0.0, 0.2, 0.5, 0.9)))


def _half_flush(rng: Random) -> Pool:
    return Pool([*_suit(rng), *range(27, 34)], rng.choice((0.3, 0.6)))


def _honours(rng: Random) -> Pool:
    suited = rng.sample(range(27), rng.choice((0, 0, 1, 3)))
    return Pool([*range(27, 34), *suited], 1.0)


def _outside(rng: Random) -> Pool:
    kinds = [*range(27), *(range(27, 34) if rng.random() < 0.5 else ())]
    ends = [k for k in YAOCHUU if k in kinds]
    return Pool(kinds, rng.choice((0.1, 0.4)), pairs=ends, outside=True)


def _terminals(rng: Random) -> Pool:
    return Pool(TERMINALS if rng.random() < 0.4 else list(YAOCHUU), 1.0)


def _greens(rng: Random) -> Pool:
    return Pool(GREENS, 0.6)


def _triplets(rng: Random) -> Pool:
    return Pool(list(range(34)), 1.0)


def _dragons_and_winds(rng: Random) -> Pool:
    """Return a pool for little or big dragons, or little or big winds."""
    family = list(DRAGONS) if rng.random() < 0.5 else list(WINDS)
    rng.shuffle(family)
    big = rng.random() < 0.5
    fixed: list[Set] = [(k,) * 3 for k in (family if big else family[1:])]
    return Pool(list(range(34)), 0.5, fixed, None if big else family[:1])


def _three_suits(rng: Random) -> Pool:
    """Return a pool with the same run or triplet in three suits, or runs 123, 456 and 789."""
    low, suits = rng.randrange(7), rng.sample((0, 9, 18), 3)
    shapes: tuple[list[Set], ...] = (
        [(s + low, s + low + 1, s + low + 2) for s in suits],
        [(s + low,) * 3 for s in suits],
        [(s + i, s + i + 1, s + i + 2) for s, i in zip(suits, (0, 3, 6), strict=True)],
        [(suits[0] + i, suits[0] + i + 1, suits[0] + i + 2) for i in (0, 3, 6)],
    )
    return Pool(list(range(34)), 0.3, rng.choice(shapes))


def _in_a_row(rng: Random) -> Pool:
    """Return a pool with three or four consecutive triplets."""
    suit, length = _suit(rng), rng.choice((3, 4))
    low = rng.randrange(10 - length)
    return Pool(list(range(34)), 0.4, [(k,) * 3 for k in suit[low : low + length]])


def _twins(rng: Random) -> Pool:
    """Return a pool with one or two pairs of identical runs."""
    runs = [rng.choice(RUNS) for _ in range(rng.choice((1, 2, 2)))]
    return Pool(list(range(34)), 0.2, [run for run in runs for _ in range(2)])


def _five_kinds(rng: Random) -> Pool:
    """Return a pool with every suit, a wind and a dragon."""
    fixed = [rng.choice([r for r in RUNS if r[0] // 9 == s]) for s in range(3)]
    wind, dragon = rng.choice(list(WINDS)), rng.choice(list(DRAGONS))
    triplet, pair = rng.choice(((wind, dragon), (dragon, wind)))
    return Pool(list(range(34)), 0.3, [*fixed, (triplet,) * 3], [pair])


POOLS: dict[Callable[[Random], Pool], int] = {
    _anything: 20, _simples: 8, _one_suit: 10, _half_flush: 8, _honours: 4, _outside: 6,
    _terminals: 4, _greens: 3, _triplets: 8, _dragons_and_winds: 6, _three_suits: 8, _in_a_row: 4,
    _twins: 6, _five_kinds: 3,
}  # fmt: skip


def random_sets(rng: Random) -> tuple[list[Set], int]:
    """Return four sets and the kind of the pair, with no kind more than four times."""
    while True:
        pool = rng.choices(list(POOLS), list(POOLS.values()))[0](rng)
        runs = pool.runs()
        wanted = [k for k in pool.kinds if not pool.outside or k in YAOCHUU]
        sets = list(pool.fixed)
        while len(sets) < 4:
            if runs and rng.random() >= pool.triplets:
                sets.append(rng.choice(runs))
            else:
                sets.append((rng.choice([k for k in wanted if (k,) * 3 not in sets]),) * 3)
        pair = rng.choice(pool.pairs or pool.kinds)
        used = Counter(k for s in sets for k in s) + Counter([pair, pair])
        if max(used.values()) <= 4:
            rng.shuffle(sets)
            return sets, pair


def random_special(rng: Random) -> list[int]:
    """Return the fourteen tiles of a hand without sets, or of chuuren poutou."""
    return rng.choice((_seven_pairs, _seven_pairs, _seven_pairs, _kokushi, _gates, _unconnected))(rng)


def _seven_pairs(rng: Random) -> list[int]:
    suit = _suit(rng)
    low = rng.randrange(3)
    choices = (
        range(34), range(34), YAOCHUU, [k for k in range(34) if k not in YAOCHUU],
        [*suit, *range(27, 34)], suit, suit[low : low + 7], range(27, 34),
    )  # fmt: skip
    return [k for k in rng.sample(list(rng.choice(choices)), 7) for _ in range(2)]


def _kokushi(rng: Random) -> list[int]:
    return [*YAOCHUU, rng.choice(YAOCHUU)]


def _gates(rng: Random) -> list[int]:
    suit = _suit(rng)
    return [*suit, suit[0], suit[0], suit[8], suit[8], rng.choice(suit)]


def _unconnected(rng: Random) -> list[int]:
    """Return seven honours and six suit tiles at least three ranks apart, with one kind twice."""
    while True:
        spread = [s + k for s in (0, 9, 18) for k in rng.choice(((0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8)))]
        kinds = [*range(27, 34), *rng.sample(spread, 6)]
        return [*kinds, rng.choice(kinds)]
