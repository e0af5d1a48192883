"""Jantaku (雀卓, the mahjong table): riichi mahjong adjudicated under any house rules.

Tiles are written with the digits before their suit: ``123m406p11z`` is 1 2 3 man, 4, red 5 and 6 pin, and
two East winds. ``z1–7`` are East South West North White Green Red, ``0`` is a red five, ``r`` after a digit
any other red tile (``3rp``).

>>> import jantaku
>>> win = jantaku.Win.parse("345m40677p67s 8s", [jantaku.Meld.parse("chi", "340m")], tsumo=True,
...                         seat="north", dora="4s")
>>> jantaku.score(win, "tenhou").points
4000
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from jantaku.errors import (
    HandError,
    IllegalActionError,
    JantakuError,
    NotationError,
    RecordError,
    RequestError,
    RulesError,
    RulesFileError,
)
from jantaku.hand import Hand, Meld, MeldType, Win
from jantaku.rules.files import load_file
from jantaku.rules.ruleset import Ruleset, load, preset_names
from jantaku.tiles import format_tiles, parse_tile, parse_tiles, tile_name

if TYPE_CHECKING:
    from jantaku.adjudication.analysis import (
        DiscardChoice,
        Reading,
        Wait,
        best_discards,
        effective_tiles,
        is_furiten,
        readings,
        shanten,
        waits,
    )
    from jantaku.adjudication.explain import Explanation, explain
    from jantaku.adjudication.score import Score, score
    from jantaku.game import Game

__version__ = "0.1.0"

__all__ = [
    "DiscardChoice",
    "Explanation",
    "Game",
    "Hand",
    "HandError",
    "IllegalActionError",
    "JantakuError",
    "Meld",
    "MeldType",
    "NotationError",
    "Reading",
    "RecordError",
    "RequestError",
    "RulesError",
    "RulesFileError",
    "Ruleset",
    "Score",
    "Wait",
    "Win",
    "best_discards",
    "effective_tiles",
    "explain",
    "format_tiles",
    "is_furiten",
    "load",
    "load_file",
    "parse_tile",
    "parse_tiles",
    "preset_names",
    "readings",
    "score",
    "shanten",
    "tile_name",
    "waits",
]

# What needs compiled code is imported on first use, so that ``import jantaku`` stays fast.
_ANALYSIS = (
    "DiscardChoice",
    "Reading",
    "Wait",
    "best_discards",
    "effective_tiles",
    "is_furiten",
    "readings",
    "shanten",
    "waits",
)
_LAZY = {
    **dict.fromkeys(_ANALYSIS, "jantaku.adjudication.analysis"),
    **dict.fromkeys(("Explanation", "explain"), "jantaku.adjudication.explain"),
    **dict.fromkeys(("Score", "score"), "jantaku.adjudication.score"),
    "Game": "jantaku.game",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        message = f"module 'jantaku' has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(import_module(_LAZY[name]), name)
    globals()[name] = value
    return value
