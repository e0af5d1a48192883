"""Whether a player in riichi may declare an ankan of the tile just drawn."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from jantaku.adjudication.wait_forms import wait_mask
from jantaku.errors import no_choice
from jantaku.hand import Hand
from jantaku.kernels.cuts import cut_tables
from jantaku.kernels.engine.context import new_context
from jantaku.kernels.engine.turn import keeps_riichi
from jantaku.kernels.lookup import shanten_tables
from jantaku.kernels.rules import choice
from jantaku.tiles import KINDS, NORTH, RED, Tile

RULES = ("never", "same_waits", "same_structure")


def riichi_ankan_allowed(
    hand: Hand, drawn: Tile, rule: str = "same_structure", kita: int = 0, in_melds: bool = False
) -> bool:
    """Whether ``drawn`` may become a quad in riichi under ``rule`` (a value of ``riichi.ankan``).

    ``hand`` has 13 tiles (less 3 per meld). The answer is false unless it is tenpai and holds three concealed
    tiles of the kind. ``same_waits`` requires the same waits after the kan; ``same_structure`` also requires
    that the three form a triplet in every reading of every wait (inventory 130-132). ``kita`` norths set
    aside and ``in_melds`` (``draw.wait_in_melds``) decide which kinds are waits. Raises ``NotationError``
    (``thirteen_tiles_wanted``), and ``RequestError`` (``wrong_choice``) for another ``rule``.

    >>> hand = Hand.parse("11122333s11133z")
    >>> [riichi_ankan_allowed(hand, Tile(18), rule) for rule in RULES]
    [False, True, False]
    """
    if rule not in RULES:
        raise no_choice("rule", rule, RULES)
    before = wait_mask(hand, kita=kita, in_melds=in_melds)
    kind, counts = drawn % RED, _counts((*hand.tiles, drawn))
    if not before or counts[kind] != 4:
        return False
    context = new_context(shanten_tables(), cut_tables())
    context.held[:] = counts if in_melds else _counts((*hand.all_tiles, drawn))
    context.held[kind] *= not in_melds  # the quad leaves the tiles that count
    context.held[NORTH] += kita
    number = choice("riichi.ankan", rule)
    return bool(keeps_riichi(counts, len(hand.melds), kind, before, number, context))


def _counts(tiles: Iterable[int]) -> npt.NDArray[np.uint8]:
    """How many of each kind there are."""
    return np.bincount([tile % RED for tile in tiles], minlength=KINDS).astype(np.uint8)
