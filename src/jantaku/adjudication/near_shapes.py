"""Predicates for hands that lack a single condition of a yaku.

Each takes a ``Shape`` and returns a text about the missing condition if exactly one is missing, otherwise
``None``.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from jantaku.adjudication.explanation_words import Words
from jantaku.adjudication.masks import kinds_in
from jantaku.adjudication.reading_view import ReadingView
from jantaku.kernels.masks import DRAGONS, WINDS
from jantaku.kernels.reading import PackedReading
from jantaku.kernels.win import IN_RIICHI, TSUMO
from jantaku.tiles import EAST, HONOURS, WHITE, YAOCHUU

Detail = str | None


@dataclass(frozen=True, slots=True)
class Shape:
    """One reading of a hand, as masks and as sets, with its winning kind and the texts to describe it.

    ``win`` is the kind of the winning tile.
    """

    masks: PackedReading
    view: ReadingView
    win: int
    words: Words

    @property
    def groups(self) -> list[tuple[int, ...]]:
        """The sets and pairs as tuples of kinds."""
        return [*(tuple(s.tiles) for s in self.view.sets), *((p, p) for p in self.view.pairs)]


def pinfu(shape: Shape) -> Detail:
    """Match all but one of: closed, four runs, a pair other than value tiles, a ryanmen wait."""
    masks, view, words = shape.masks, shape.view, shape.words
    if view.form != "standard":
        return None
    others = [s for s in view.sets if s.kind != "run"]
    fails = [words("detail.triplet", tiles=words.tiles(s.tiles)) for s in others]
    if masks.pairs & (masks.seat | masks.round | masks.valued):
        fails.append(words("detail.value_pair", tile=words.tile(view.pairs[0])))
    if view.wait != "ryanmen":
        fails.append(words("detail.wait", wait=words(f"wait.{view.wait}")))
    if not masks.closed:
        fails.append(words("detail.open"))
    return fails[0] if len(fails) == 1 else None


def tanyao(shape: Shape) -> Detail:
    """Match a hand with exactly one kind of terminal or honour."""
    orphans = [kind for kind in YAOCHUU if shape.masks.kinds >> kind & 1]
    if len(orphans) != 1 or shape.view.form == "thirteen_orphans":
        return None
    return shape.words("detail.one_kind", tile=shape.words.tile(orphans[0]))


def twin_runs(shape: Shape, wanted: int) -> Detail:
    """Match iipeikou (``wanted`` 1) or ryanpeikou (2) in an open hand."""
    runs = Counter(s.tiles for s in shape.view.sets if s.kind == "run")
    twins = [tiles for tiles, count in runs.items() for _ in range(count // 2)]
    if shape.masks.closed or len(twins) != wanted:
        return None
    written = " ".join(shape.words.tiles(tiles) for tiles in twins)
    return shape.words("detail.twins_open", tiles=written)


def toitoi(shape: Shape) -> Detail:
    """Match three triplets and one run."""
    runs = [s for s in shape.view.sets if s.kind == "run"]
    if len(runs) != 1:
        return None
    return shape.words("detail.run", tiles=shape.words.tiles(runs[0].tiles))


def broken_by_ron(shape: Shape, wanted: int) -> Detail:
    """Match a hand with one concealed triplet too few because a ron completed the last one."""
    by_ron = shape.view.wait == "shanpon" and not shape.masks.flags & TSUMO
    concealed = sum(s.kind != "run" and s.concealed for s in shape.view.sets)
    if not by_ron or concealed != wanted - 1:
        return None
    return shape.words("detail.ron_triplet", tile=shape.words.tile(shape.win))


def _missing_run(shape: Shape, lines: list[tuple[int, int, int]], near: bool) -> Detail:
    """Match two of the three runs of a line.

    With ``near``, match only hands with a run one step away from the third; otherwise, match all others.
    """
    runs = shape.masks.runs
    for line in lines:
        absent = [start for start in line if not runs >> start & 1]
        if len(absent) != 1:
            continue
        start = absent[0]
        beside = [s for s in (start - 1, start + 1) if s // 9 == start // 9 and s not in line]
        if near == any(s >= 0 and runs >> s & 1 for s in beside):
            tiles = shape.words.tiles((start, start + 1, start + 2))
            return shape.words("detail.missing", tiles=tiles)
    return None


def sanshoku_doujun(shape: Shape, near: bool) -> Detail:
    """Match the same run in only two suits."""
    return _missing_run(shape, [(n, 9 + n, 18 + n) for n in range(7)], near)


def ittsuu(shape: Shape, near: bool) -> Detail:
    """Match two of the runs 123, 456 and 789 of a suit."""
    return _missing_run(shape, [(first, first + 3, first + 6) for first in (0, 9, 18)], near)


def chanta(shape: Shape, pure: bool) -> Detail:
    """Match one group without a terminal or honour; ``pure``: no honours in the hand (junchan)."""
    off = [group for group in shape.groups if not set(group) & set(YAOCHUU)]
    honours = any(kind >= HONOURS for group in shape.groups for kind in group)
    if shape.view.form != "standard" or len(off) != 1 or not shape.masks.runs or honours == pure:
        return None
    return shape.words("detail.one_group", tiles=shape.words.tiles(off[0]))


def one_suit(shape: Shape, pure: bool) -> Detail:
    """Match one group of another suit; ``pure``: no honours in the hand (chinitsu)."""
    suits = Counter(group[0] // 9 for group in shape.groups if group[0] < HONOURS)
    honours = any(group[0] >= HONOURS for group in shape.groups)
    if len(suits) != 2 or min(suits.values()) != 1 or max(suits.values()) < 2 or honours == pure:
        return None
    odd = min(suits, key=lambda suit: suits[suit])
    group = next(group for group in shape.groups if group[0] // 9 == odd)
    return shape.words("detail.one_group", tiles=shape.words.tiles(group))


def little(shape: Shape, honours: int, wanted: int) -> Detail:
    """Match shousangen or shousuushii without the pair: ``wanted`` triplets of ``honours``."""
    triplets = kinds_in(shape.masks.triplets & honours)
    if len(triplets) != wanted or shape.masks.pairs & honours:
        return None
    first, size = (WHITE, 3) if honours == DRAGONS else (EAST, 4)
    rest = [kind for kind in range(first, first + size) if kind not in triplets]
    return shape.words("detail.pair_missing", tile=shape.words.tile(rest[0]))


def big(shape: Shape, honours: int, wanted: int) -> Detail:
    """Match daisangen or daisuushii with a pair in place of the last triplet."""
    if len(kinds_in(shape.masks.triplets & honours)) != wanted or not shape.masks.pairs & honours:
        return None
    return shape.words("detail.pair_only", tile=shape.words.tile(shape.view.pairs[0]))


def riichi(shape: Shape) -> Detail:
    """Match a closed hand that did not declare riichi."""
    if not shape.masks.closed or shape.masks.flags & IN_RIICHI:
        return None
    return shape.words("detail.not_declared")


def menzen_tsumo(shape: Shape) -> Detail:
    """Match a closed hand that won by ron."""
    if not shape.masks.closed or shape.masks.flags & TSUMO:
        return None
    return shape.words("detail.by_ron")


def value_pair(shape: Shape, dragon: int) -> Detail:
    """Match a pair instead of a triplet of ``dragon`` (0: the seat wind, −1: the round wind)."""
    kind = {0: shape.masks.seat, -1: shape.masks.round}.get(dragon) or 1 << dragon
    if not shape.masks.pairs & kind:
        return None
    return shape.words("detail.pair_only", tile=shape.words.tile(kinds_in(kind)[0]))


def guest_wind(shape: Shape) -> Detail:
    """Match a triplet of a wind that is neither the round wind nor the seat wind."""
    masks = shape.masks
    winds = kinds_in(masks.triplets & WINDS & ~(masks.seat | masks.round))
    return shape.words("detail.guest_wind", tile=shape.words.tile(winds[0])) if winds else None


Near = Callable[[Shape], Detail]

# (yaku, rank, predicate); the lowest rank is listed first, since it is the most instructive
ALWAYS: Final[tuple[tuple[str, int, Near], ...]] = (
    ("pinfu", 20, pinfu),
    ("tanyao", 21, tanyao),
    ("ryanpeikou", 22, partial(twin_runs, wanted=2)),
    ("iipeikou", 23, partial(twin_runs, wanted=1)),
    ("suuankou", 24, partial(broken_by_ron, wanted=4)),
    ("sanankou", 25, partial(broken_by_ron, wanted=3)),
    ("daisuushii", 26, partial(big, honours=WINDS, wanted=3)),
    ("shousuushii", 27, partial(little, honours=WINDS, wanted=3)),
    ("daisangen", 28, partial(big, honours=DRAGONS, wanted=2)),
    ("shousangen", 29, partial(little, honours=DRAGONS, wanted=2)),
    ("sanshoku_doujun", 30, partial(sanshoku_doujun, near=True)),
    ("ittsuu", 31, partial(ittsuu, near=True)),
    ("junchan", 32, partial(chanta, pure=True)),
    ("chanta", 33, partial(chanta, pure=False)),
    ("chinitsu", 34, partial(one_suit, pure=True)),
    ("honitsu", 35, partial(one_suit, pure=False)),
    ("toitoi", 36, toitoi),
    ("sanshoku_doujun", 60, partial(sanshoku_doujun, near=False)),
    ("ittsuu", 61, partial(ittsuu, near=False)),
)
# Yaku that would have let a hand without yaku win; not listed for a hand that may win
WITHOUT_YAKU: Final[tuple[tuple[str, int, Near], ...]] = (
    ("riichi", 1, riichi),
    ("menzen_tsumo", 2, menzen_tsumo),
    ("seat_wind", 3, guest_wind),
    ("seat_wind", 11, partial(value_pair, dragon=0)),
    ("round_wind", 12, partial(value_pair, dragon=-1)),
    ("yakuhai_haku", 13, partial(value_pair, dragon=WHITE)),
    ("yakuhai_hatsu", 14, partial(value_pair, dragon=WHITE + 1)),
    ("yakuhai_chun", 15, partial(value_pair, dragon=WHITE + 2)),
)
