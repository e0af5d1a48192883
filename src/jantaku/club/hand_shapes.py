"""The shapes of winning hands by fu, with the yaku that each shape forces or permits.

Fu and yaku are computed by the engine's own functions, on readings whose melds add no yaku beyond those the
shape forces.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import Final, NamedTuple

from jantaku.kernels.fu import FU_ITEMS
from jantaku.kernels.fu import fu as count_fu
from jantaku.kernels.masks import EAST_WIND
from jantaku.kernels.reading import (
    RYANMEN,
    SEVEN_PAIRS,
    SHANPON,
    TANKI,
    THIRTEEN_ORPHANS,
    UNCONNECTED,
    PackedReading,
)
from jantaku.kernels.win import AFTER_KAN, TSUMO
from jantaku.kernels.yaku.hand import pinfu, sanankou, sankantsu, toitoi
from jantaku.kernels.yaku.yakuman import suuankou, suuankou_tanki, suukantsu
from jantaku.rules import Ruleset
from jantaku.rules.worths import worth_in

# First tiles of the runs, kinds of the triplets, and a pair that touches none of the triplets
RUNS: Final = (1, 3, 12, 21)
SIMPLES: Final = (4, 10, 15, 24)
ENDS: Final = (0, 8, 9, 17)
PAIR: Final = 1 << 19
SOUTH_WIND: Final = EAST_WIND << 1
SINGLE_WIND_FU: Final = 2
NOTHING: Final = PackedReading(*(0 for _ in PackedReading._fields))
FORMS: Final = {
    SEVEN_PAIRS: "chiitoitsu",
    THIRTEEN_ORPHANS: "kokushi_musou",
    UNCONNECTED: "shiisan_puutaa",
}
"""Forms other than four sets and a pair, each with its yaku."""
FORCED: Final[Mapping[str, Callable[[PackedReading], bool]]] = {
    "pinfu": pinfu,
    "toitoi": toitoi,
    "sanankou": sanankou,
    "sankantsu": sankantsu,
    "suuankou": suuankou,
    "suuankou_tanki": suuankou_tanki,
    "suukantsu": suukantsu,
}


class MeldKind(NamedTuple):
    """A kind of set; ``won`` marks a triplet completed by ron, which is therefore not concealed."""

    run: bool = False
    quad: bool = False
    called: bool = False
    simple: bool = True
    won: bool = False


class HandShape(NamedTuple):
    """Properties shared by a group of hands; ``forced`` are the yaku that all of them have.

    ``simple``: the hand can consist of simples alone; ``valued``: it can contain a triplet of honours.
    """

    fu: int
    tsumo: bool
    closed: bool
    forced: frozenset[str]
    runs: int
    simple: bool
    valued: bool
    quad: bool


class ScoreOfFu(NamedTuple):
    """The options of ``[score]`` that the engine reads to count fu."""

    fixed_fu: int
    double_wind_pair_fu: int
    rinshan_tsumo_fu: bool


class FuRules(NamedTuple):
    """The options that decide which shapes exist."""

    score: ScoreOfFu
    chi: bool
    pinfu: bool
    kita: bool


def hand_shapes(rules: Ruleset) -> frozenset[HandShape]:
    """Return the shapes of four sets and a pair, and of the other forms."""
    has_pinfu = worth_in(rules, "pinfu", closed=True) is not False
    score = ScoreOfFu(*(getattr(rules.score, name) for name in ScoreOfFu._fields))
    return _shapes(FuRules(score, rules.calls.chi, has_pinfu, rules.kita.nukidora))


@lru_cache(maxsize=16)
def _shapes(rules: FuRules) -> frozenset[HandShape]:
    other = _reading((), PAIR, TANKI, 0)
    shapes = {
        _shape(other._replace(flags=flags, form=form), (), rules)
        for flags, form in product((0, TSUMO), FORMS)
        if flags or form != UNCONNECTED
    }
    kinds = (
        *(MeldKind(*kind) for kind in _KINDS),
        *((MeldKind(run=True, called=True),) if rules.chi else ()),
    )
    for melds in combinations_with_replacement(kinds, 4):
        if sum(meld.won for meld in melds) < 2:
            shapes.update(_shape(reading, melds, rules) for reading in _readings(melds, rules))
    return frozenset(shapes)


_KINDS: Final = (
    (True,),
    *((False, quad, called, simple) for quad, called, simple in product((False, True), repeat=3)),
    *((False, False, False, simple, True) for simple in (False, True)),
)


def _readings(melds: tuple[MeldKind, ...], rules: FuRules) -> Iterator[PackedReading]:
    """Yield the readings of these sets with every pair and wait, for ron, tsumo and a win after a kan."""
    flags, pairs = [0, TSUMO], [PAIR, SOUTH_WIND]
    if not rules.score.rinshan_tsumo_fu and (rules.kita or any(meld.quad for meld in melds)):
        flags.append(TSUMO | AFTER_KAN)
    if rules.score.double_wind_pair_fu > SINGLE_WIND_FU:
        pairs.append(EAST_WIND)
    for pair, flag in product(pairs, flags):
        for wait in _waits(melds, bool(flag)):
            yield _reading(melds, pair, wait, flag)


def _waits(melds: tuple[MeldKind, ...], tsumo: bool) -> Iterator[int]:
    """Yield one wait with fu and one without, where the hand allows them."""
    if any(meld.won for meld in melds):
        if not tsumo:
            yield SHANPON
        return
    yield TANKI
    if any(meld.run and not meld.called for meld in melds):
        yield RYANMEN
    elif tsumo and any(not (meld.run or meld.quad or meld.called) for meld in melds):
        yield SHANPON


def _reading(melds: tuple[MeldKind, ...], pair: int, wait: int, flags: int) -> PackedReading:
    runs, triplets, concealed, quads = 0, 0, 0, 0
    for i, meld in enumerate(melds):
        kind = 1 << (RUNS if meld.run else SIMPLES if meld.simple else ENDS)[i]
        runs |= kind * meld.run
        triplets |= kind * (not meld.run)
        concealed |= kind * (not (meld.run or meld.called or meld.won))
        quads |= kind * meld.quad
    return NOTHING._replace(
        runs=runs,
        triplets=triplets,
        concealed=concealed,
        quads=quads,
        pairs=pair,
        seat=EAST_WIND,
        round=EAST_WIND if pair == EAST_WIND else SOUTH_WIND,
        wait=wait,
        closed=int(not any(meld.called for meld in melds)),
        flags=flags,
    )


def _shape(reading: PackedReading, melds: tuple[MeldKind, ...], rules: FuRules) -> HandShape:
    tsumo, closed = bool(reading.flags & TSUMO), bool(reading.closed)
    forced = {name for name, has in FORCED.items() if has(reading)}
    without_fu = rules.pinfu and closed and "pinfu" in forced
    forced |= {FORMS[reading.form]} if reading.form in FORMS else set()
    forced |= {"menzen_tsumo"} if tsumo and closed else set()
    forced |= {"rinshan_kaihou"} if reading.flags & AFTER_KAN else set()
    simples = [meld.run or meld.simple for meld in melds]
    return HandShape(
        int(count_fu(reading, without_fu, rules, [0] * len(FU_ITEMS))),
        *(tsumo, closed, frozenset(forced), sum(meld.run for meld in melds)),
        reading.pairs == PAIR and all(simples),
        not all(simples),
        any(meld.quad for meld in melds),
    )
