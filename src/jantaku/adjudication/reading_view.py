"""One reading of a winning hand as sets, pairs and a wait, unpacked from the kernels' masks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from jantaku.adjudication.masks import kinds_in
from jantaku.hand import Meld, MeldType
from jantaku.kernels import reading
from jantaku.tiles import KINDS, TILES, Tile, counts
from jantaku.win import Win

SetKind = Literal["run", "triplet", "quad"]
Form = Literal["standard", "seven_pairs", "thirteen_orphans", "unconnected", "four_kans"]
WaitForm = Literal["ryanmen", "shanpon", "kanchan", "penchan", "tanki", ""]

FORMS: Final[tuple[Form, ...]] = ("standard", "seven_pairs", "thirteen_orphans", "unconnected", "four_kans")
WAIT_FORMS: Final[tuple[WaitForm, ...]] = ("ryanmen", "shanpon", "kanchan", "penchan", "tanki", "")


@dataclass(frozen=True, slots=True)
class SetView:
    """One set of a reading; ``tiles`` are its kinds, lowest first.

    A ``melded`` set was declared. A ``concealed`` set was formed without a call and, if a triplet, without a
    ron. An ankan is both.
    """

    kind: SetKind
    tiles: tuple[Tile, ...]
    concealed: bool = True
    melded: bool = False


@dataclass(frozen=True, slots=True)
class ReadingView:
    """A reading of a hand: its form, its sets (melds last), its pairs and the wait.

    ``wait`` is the form of wait that the winning tile completed; it is ``""`` for the unconnected hand and
    for four kans. Four kans have sets and no pair. The other special forms have no sets: seven pairs have
    seven ``pairs``, thirteen orphans and the unconnected hand have one.
    """

    form: Form
    sets: tuple[SetView, ...]
    pairs: tuple[Tile, ...]
    wait: WaitForm


def reading_view(row: Sequence[int], win: Win) -> ReadingView:
    """Unpack a reading of ``win``; ``row`` has the columns of ``jantaku.kernels.reading``.

    ``Score.reading`` is such a row.
    """
    pairs = kinds_in(row[reading.ROW_PAIRS])
    form, wait = FORMS[row[reading.ROW_FORM]], WAIT_FORMS[row[reading.ROW_WAIT]]
    if row[reading.ROW_FORM] == reading.FOUR_KANS:
        return ReadingView(form, tuple(map(_melded, win.hand.melds)), (), wait)
    if row[reading.ROW_FORM] != reading.STANDARD:
        return ReadingView(form, (), pairs, wait)
    sets = (*_in_hand(row, win), *map(_melded, win.hand.melds))
    return ReadingView(form, sets, pairs, wait)


def _in_hand(row: Sequence[int], win: Win) -> list[SetView]:
    """Return the sets that were not declared: the row names the triplets, the remaining tiles form runs."""
    left = counts((*win.hand.tiles, win.tile))
    for pair in kinds_in(row[reading.ROW_PAIRS]):
        left[pair] -= 2
    triplets = row[reading.ROW_TRIPLETS]
    for meld in win.hand.melds:
        if meld.type is not MeldType.CHI:
            triplets &= ~(1 << meld.first)
    sets = []
    for kind in range(KINDS):
        if triplets >> kind & 1:
            concealed = bool(row[reading.ROW_CONCEALED] >> kind & 1)
            sets.append(SetView("triplet", (TILES[kind],) * 3, concealed))
            left[kind] -= 3
        for _ in range(left[kind]):
            run = TILES[kind : kind + 3]
            sets.append(SetView("run", run))
            for step in (1, 2):
                left[kind + step] -= 1
    return sets


def _melded(meld: Meld) -> SetView:
    kinds = tuple(tile.kind for tile in meld.tiles)
    shape: SetKind = "triplet" if len(kinds) == 3 else "quad"
    if meld.type is MeldType.CHI:
        shape = "run"
    return SetView(shape, kinds, not meld.is_open, True)
