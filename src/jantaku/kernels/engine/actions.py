"""An action encoded as one integer: its kind in the upper bits, its value in the lower eight.

========================  =====================================================================
kind                      lower eight bits
========================  =====================================================================
``DISCARD``, ``RIICHI``,  the tile, plus ``DRAWN`` if it is the one just drawn
``OPEN_RIICHI``
``CHI``                   position of the called tile in the run (0–2), then which of the two hand
                          tiles are red (bits 2 and 3, lower rank first)
``PON``, ``DAIMINKAN``    how many of the tiles used from the hand are red
``ANKAN``                 the kind
``KAKAN``                 the tile added
``FOUL``                  the act that the player retracts: ``WIN_SHOWN`` …
others                    0
========================  =====================================================================
"""

from typing import Final

from jantaku.kernels._jit import kernel

(
    PASS,
    DISCARD,
    RIICHI,
    OPEN_RIICHI,
    TSUMO,
    RON,
    CHI,
    PON,
    DAIMINKAN,
    ANKAN,
    KAKAN,
    KYUUSHU,
    FOUL,
    END_GAME,
    PLAY_ON,
    KITA,
) = range(16)

# Acts retracted by a ``FOUL``
WIN_SHOWN, WIN_CALLED, MELD_WRONG, CALL_WITHDRAWN, RIICHI_WITHDRAWN = range(5)

DRAWN: Final = 128
MAX_ACTIONS: Final = 96


@kernel
def action(kind, value):
    """Encode an action of the given kind and value."""
    return kind << 8 | value


@kernel
def kind_of(code):
    """Return the kind of an action."""
    return code >> 8


@kernel
def value_of(code):
    """Return the lower eight bits of an action."""
    return code & 255
