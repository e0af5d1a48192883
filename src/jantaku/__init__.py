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

TYPE_CHECKING = False  # true only for type checkers; importing ``typing`` would take longer than all else
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

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
    from jantaku.adjudication.rons_and_nagashi import score_rons
    from jantaku.adjudication.score import Score, score
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
    from jantaku.game import Game
    from jantaku.hand import Hand, Meld, MeldType
    from jantaku.records.formats import read, write
    from jantaku.rules.rules_files import load_file
    from jantaku.rules.ruleset import Ruleset, preset_names
    from jantaku.rules.yaku_names import yaku_name
    from jantaku.tiles import Tile, format_tiles, parse_tiles, tile_name
    from jantaku.win import Win

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
    "Tile",
    "Wait",
    "Win",
    "best_discards",
    "effective_tiles",
    "explain",
    "format_tiles",
    "is_furiten",
    "load",
    "load_file",
    "parse_tiles",
    "preset_names",
    "read",
    "readings",
    "score",
    "score_rons",
    "shanten",
    "tile_name",
    "waits",
    "write",
    "yaku_name",
]

# Each name is imported on first use, which keeps ``import jantaku`` fast.
_MODULES = {
    "adjudication.analysis": (
        "DiscardChoice",
        "Reading",
        "Wait",
        "best_discards",
        "effective_tiles",
        "is_furiten",
        "readings",
        "shanten",
        "waits",
    ),
    "adjudication.explain": ("Explanation", "explain"),
    "adjudication.score": ("Score", "score"),
    "adjudication.rons_and_nagashi": ("score_rons",),
    "errors": (
        "HandError",
        "IllegalActionError",
        "JantakuError",
        "NotationError",
        "RecordError",
        "RequestError",
        "RulesError",
        "RulesFileError",
    ),
    "game": ("Game",),
    "records.formats": ("read", "write"),
    "hand": ("Hand", "Meld", "MeldType"),
    "rules.rules_files": ("load_file",),
    "rules.ruleset": ("Ruleset", "preset_names"),
    "rules.yaku_names": ("yaku_name",),
    "tiles": ("Tile", "format_tiles", "parse_tiles", "tile_name"),
    "win": ("Win",),
}
_LAZY = {name: f"jantaku.{module}" for module, names in _MODULES.items() for name in names}


def load(source: "str | Mapping[str, Any] | Ruleset" = "standard") -> "Ruleset":
    """Return the preset of that name, or the ruleset described by the data.

    Reads no files and runs no code, so it is safe for untrusted data; use ``load_file`` for rules files.
    Raises ``RulesError``; for invalid data a ``RulesFileError``, which lists the problems.
    """
    from jantaku.rules import load  # noqa: PLC0415  (importing the rules takes most of the time)

    return load(source)


def __getattr__(name: str) -> "Any":
    if name not in _LAZY:
        message = f"module 'jantaku' has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module  # noqa: PLC0415  (only on first use)

    value = getattr(import_module(_LAZY[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
