"""Writes a game as a log of mjai messages, one per line."""

import json
from collections.abc import Sequence

from jantaku.game import Game
from jantaku.records.mjai.encode import to_mjai


def dumps_mjai(game: Game, names: Sequence[str] | None = None) -> str:
    """The text of a whole log."""
    rows = to_mjai(game, None, names)
    return "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
