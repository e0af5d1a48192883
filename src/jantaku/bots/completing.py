"""Turns a sketch into targets, one for each way to choose its concrete sets, pairs and tiles."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, combinations_with_replacement, islice, product
from math import comb
from typing import Final

from jantaku.bots import targets
from jantaku.bots.targets import MAX_SOME, Target, TargetSketch
from jantaku.rules.own.codes import ALL_KINDS
from jantaku.rules.own.reader import runs_in
from jantaku.rules.own.vocabulary import TILES

MAX_WAYS: Final = 512  # limit on the ways tried for one sketch
_SORTS: Final = {"triplet": targets.TRIPLET, "concealed_triplet": targets.CONCEALED, "quad": targets.QUAD}
_SETS: Final = 4
_PAIRS: Final = 7
_COPIES: Final = 4
_STARTS: Final = [kind for kind in range(27) if kind % 9 < 7]


@dataclass(frozen=True)
class _Way:
    """Concrete sets: the count of each run and the kinds of the others; ``apart`` must not be called."""

    runs: Counter[int]
    apart: frozenset[int]
    triplets: frozenset[int] = frozenset()
    pairs: frozenset[int] = frozenset()
    twins: frozenset[int] = field(default=frozenset())


def completed(sketch: TargetSketch) -> Iterator[Target]:
    """Yield the targets of a sketch."""
    for masks in product(*sketch.splits):
        allowed = sketch.allowed
        for mask in masks:
            allowed &= mask
        yield from islice(_with_allowed(sketch, allowed), MAX_WAYS)


def _with_allowed(sketch: TargetSketch, allowed: int) -> Iterator[Target]:
    some = tuple(dict.fromkeys(mask for mask in sketch.some if allowed & ~mask))[:MAX_SOME]
    if any(not _may_meet(mask, allowed) for mask in some):
        return
    shared = Target(
        allowed=allowed,
        touch=sketch.touch,
        some=some,
        seat=sketch.seat,
        round=sketch.round,
        melds=sketch.melds,
        pair_free=sketch.pair_free,
        chance=sketch.luck,
    )
    for formed in _forms(sketch, shared):
        for way, target in _ways(sketch, formed):
            made = _whole(sketch, way, target)
            if made is not None:
                yield made


def _may_meet(mask: int, allowed: int) -> bool:
    return bool(mask & ~ALL_KINDS) or bool(mask & allowed) or bool(allowed & ~ALL_KINDS)


def _forms(sketch: TargetSketch, shared: Target) -> Iterator[Target]:
    """Yield the targets required by the form of the hand."""
    allowed, form = shared.allowed, sketch.form
    if form == "thirteen_orphans":
        allowed &= TILES["orphans"]
        yield replace(
            shared, allowed=allowed, need=(TILES["orphans"], 0, 0, 0), group=allowed, pairs=1, melds=0
        )
        return
    pairs = replace(shared, group=allowed, pairs=_PAIRS, melds=0)
    no_runs = "run" in sketch.without or (allowed <= ALL_KINDS and not runs_in(allowed))
    if form == "seven_pairs":
        yield pairs
    elif form == "four_kans":
        yield replace(shared, group=allowed, sort=targets.QUAD, least=_SETS)
    elif "triplet" in sketch.without:
        sort = targets.RYANMEN if sketch.ryanmen else targets.RUN
        yield replace(shared, group=allowed, sort=sort, least=_SETS, pairs=1)
    elif no_runs:
        yield replace(shared, group=allowed, least=_SETS, pairs=1)
        if not form and "seven_pairs" not in sketch.without:
            yield pairs
    else:
        yield shared


def _ways(sketch: TargetSketch, shared: Target) -> Iterator[tuple[_Way, Target]]:
    """Yield the required sets, with all groups but one written out kind by kind."""
    first = _Way(
        sketch.runs, frozenset(sketch.sets["concealed_triplet"]), frozenset(sketch.sets["triplet"]),
        frozenset(sketch.sets["pair"]),
    )  # fmt: skip
    group, rest = _chosen(sketch, shared)
    choices = [
        list(_concrete(what, mask & (shared.allowed | ~ALL_KINDS), least)) for what, mask, least in rest
    ]
    if sketch.twins == 1:
        choices.append([("twins", (start,)) for start in _STARTS])
    for chosen in product(*choices):
        way = first
        for what, kinds in chosen:
            way = _joined(way, what, kinds)
        yield way, group


def _chosen(sketch: TargetSketch, shared: Target) -> tuple[Target, list[tuple[str, int, int]]]:
    """Return the target, which keeps the group with the most combinations, and the groups to write out."""
    groups = [(what, mask, least) for what, mask, least in sketch.groups if not _is_idle(what, mask, least)]
    quads = sum(1 << kind for kind in sketch.sets["quad"])
    if quads:
        groups.append(("quad", quads, quads.bit_count()))
    if sketch.twins > 1:
        return replace(shared, group=shared.allowed, sort=targets.TWINS, least=2, melds=0), groups
    if shared.group or not groups:
        return shared, groups
    groups.sort(key=lambda group: (group[0] in _SORTS, comb(max(group[1].bit_count(), group[2]), group[2])))
    what, mask, least = groups.pop()
    if what not in _SORTS:
        return shared, [*groups, (what, mask, least)]
    pairs = [group for group in groups if group[0] == "pair" and group[1] == mask]
    for pair in pairs:
        groups.remove(pair)
    sort = _SORTS[what]
    return replace(shared, group=mask, sort=sort, least=least, pairs=sum(pair[2] for pair in pairs)), groups


def _is_idle(what: str, mask: int, least: int) -> bool:
    """Return whether nearly every hand meets the requirement."""
    return mask == ALL_KINDS and (what == "pair" or (what == "run" and least < _SETS)) and least <= _SETS


def _concrete(what: str, mask: int, least: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield every combination of kinds for the sets of a group; a single empty one if there are too many."""
    kinds = mask & ALL_KINDS
    starts = runs_in(kinds) if what == "run" else kinds
    members = [kind for kind in range(34) if starts >> kind & 1]
    several = combinations_with_replacement if what == "run" else combinations
    if mask & ~ALL_KINDS or comb(len(members) + least, least) > MAX_WAYS:
        yield what, ()
        return
    for chosen in several(members, least):
        yield what, chosen


def _joined(way: _Way, what: str, kinds: Sequence[int]) -> _Way:
    if what == "run":
        return replace(way, runs=way.runs + Counter(kinds))
    if what == "twins":
        return replace(way, twins=way.twins | set(kinds))
    if what == "pair":
        return replace(way, pairs=way.pairs | set(kinds))
    if what == "triplet":
        return replace(way, triplets=way.triplets | set(kinds))
    return replace(way, apart=way.apart | set(kinds))


def _whole(sketch: TargetSketch, way: _Way, target: Target) -> Target | None:
    """Return the target with the tiles of its sets, ``None`` if no hand can have them."""
    tiles: Counter[int] = Counter()
    for start, count in way.runs.items():
        for kind in range(start, start + 3):
            tiles[kind] += count
    for start in way.twins:
        for kind in range(start, start + 3):
            tiles[kind] += 2
    for kinds, count in ((way.triplets | way.apart, 3), (way.pairs, 2)):
        for kind in kinds:
            tiles[kind] += count
    held = tiles | sketch.held
    gathered = _gathered(sketch, target.allowed, held)
    sets = way.runs.total() + len(way.triplets | way.apart) + 2 * len(way.twins)
    outside = target.allowed <= ALL_KINDS and any(target.allowed >> kind & 1 == 0 for kind in held)
    if gathered is None or outside or sets > _SETS or any(count > _COPIES for count in held.values()):
        return None
    need = tuple(
        sum(1 << kind for kind in held if held[kind] >= level) | target.need[level - 1]
        for level in range(1, 5)
    )
    luck = 0.5 if sketch.ryanmen and target.sort != targets.RYANMEN else 1.0
    return replace(
        target,
        need=(need[0], need[1], need[2], need[3]),
        runs=sum(1 << start for start in way.runs),
        triplets=sum(1 << kind for kind in way.triplets),
        sets=sets,
        gather=gathered[0],
        gathered=gathered[1],
        counts=gathered[2],
        chance=target.chance * luck,
    )


def _gathered(sketch: TargetSketch, allowed: int, held: Counter[int]) -> tuple[int, int, int] | None:
    """Return the largest requirement of tiles among certain kinds.

    A requirement that needs all of its kinds goes to ``held`` instead.
    """
    most = (0, 0, targets.TILES)
    for mask, least, counts in sketch.gathers:
        within = mask & allowed if mask <= ALL_KINDS and allowed <= ALL_KINDS else mask
        if counts == targets.KINDS and within.bit_count() <= least:
            if within.bit_count() < least:
                return None
            for kind in range(34):
                if within >> kind & 1:
                    held[kind] = max(held[kind], 1)
        elif least > most[1]:
            most = (within, min(least, 15), counts)
    return most
