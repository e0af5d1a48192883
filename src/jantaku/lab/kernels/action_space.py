"""The action space of the environments: each action of a seat is one index below ``ACTIONS``.

==============  =======  ==========================================================================
index           count    action
==============  =======  ==========================================================================
``PASS``        1        pass
``TSUMO``       1        win on the drawn tile
``RON``         1        win on another player's tile
``KYUUSHU``     1        end the hand on nine kinds of terminals and honours
``END_GAME``    1        end the game, as the leading dealer after the last hand
``PLAY_ON``     1        play another hand instead of ending the game
``KAN_CALL``    1        call the discard for an open kan
``PON`` …       3        call it for a triplet, with 0–2 red tiles from the hand
``CHI`` …       12       call it for a run: its position in the run (0–2) + 3 × (1 if the lower tile of the
                         hand is red + 2 if the higher one is)
``KAN`` …       34       declare or extend a quad of that kind
``DISCARD`` …   68       discard that tile: a kind, or 34 + kind for a red one
``RIICHI`` …    68       the same, declaring riichi
``OPEN`` …      68       the same, declaring open riichi
``KITA``        1        set a north aside as a dora
==============  =======  ==========================================================================

If a tile can be discarded both from the hand and as drawn, the index means the drawn one. Fouls have no
index. The engine's own integers are those of ``kernels.engine.actions``.
"""

from typing import Final

from jantaku.game.actions import Action, encode
from jantaku.kernels._jit import kernel
from jantaku.kernels.engine import actions
from jantaku.tiles import KINDS, RED, TILES

TILE_ACTIONS: Final = KINDS + RED
PASS, TSUMO, RON, KYUUSHU, END_GAME, PLAY_ON, KAN_CALL, PON = range(8)
CHI: Final = PON + 3
KAN: Final = CHI + 12
DISCARD: Final = KAN + KINDS
RIICHI: Final = DISCARD + TILE_ACTIONS
OPEN: Final = RIICHI + TILE_ACTIONS
KITA: Final = OPEN + TILE_ACTIONS
ACTIONS: Final = KITA + 1

_SINGLE: Final = (
    PASS, -1, -1, -1, TSUMO, RON, -1, -1, KAN_CALL, -1, -1, KYUUSHU, -1, END_GAME, PLAY_ON, KITA
)  # fmt: skip


@kernel
def index_of(code):
    """Return the index of an action, given as the engine's integer."""
    kind, value = actions.kind_of(code), actions.value_of(code)
    tile = value & ~actions.DRAWN
    if kind == actions.DISCARD:
        return DISCARD + tile
    if kind == actions.RIICHI:
        return RIICHI + tile
    if kind == actions.OPEN_RIICHI:
        return OPEN + tile
    if kind == actions.CHI:
        return CHI + (value & 3) + 3 * (value >> 2)
    if kind == actions.PON:
        return PON + value
    if kind == actions.ANKAN or kind == actions.KAKAN:
        return KAN + tile % RED
    return _SINGLE[kind]


@kernel
def code_of(index, codes, count):
    """Return the first of ``count`` legal integers with this index, −1 for none; drawn tiles come first."""
    for i in range(count):
        if index_of(int(codes[i])) == index:
            return int(codes[i])
    return -1


def index_of_action(action: Action, called: int = 0) -> int:
    """Return the index of a typed action; for a chi, ``called`` is the offered tile."""
    return int(index_of(encode(action, called)))


def describe(index: int) -> str:
    """Describe an index in words.

    >>> describe(PASS), describe(RIICHI + 4), describe(CHI + 2)
    ('pass', 'riichi 5m', 'chi as highest')
    """
    if index == KITA:
        return "kita"
    for first, word in ((OPEN, "open"), (RIICHI, "riichi"), (DISCARD, "discard"), (KAN, "kan")):
        if index >= first:
            tile = index - first
            # ``TILES`` has no red honours, since no tile set contains any
            name = str(TILES[tile]) if tile < len(TILES) else f"red {TILES[tile - RED]}"
            return f"{word} {name}"
    if index >= CHI:
        position, reds = (index - CHI) % 3, (index - CHI) // 3
        red = ("", ", lower red", ", higher red", ", both red")[reds]
        return f"chi as {('lowest', 'middle', 'highest')[position]}{red}"
    if index >= PON:
        return f"pon{' r' * (index > PON)}{'r' * (index - PON - 1)}"
    return ("pass", "tsumo", "ron", "kyuushu", "end game", "play on", "daiminkan")[index]
