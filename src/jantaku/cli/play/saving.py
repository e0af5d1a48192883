"""The file of a running game, written after every move of the player.

It is a game file (``game.record``) whose first line also names the seats, which ``--resume`` reads.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import platformdirs

from jantaku.errors import file_errors
from jantaku.game import Game
from jantaku.records.native import game_file
from jantaku.rules import Ruleset

_KEY: Final = "play"


@dataclass(frozen=True)
class SavedSeats:
    """The player's seat and the bots by seat; the player's own entry is ignored."""

    seat: int
    bots: tuple[str, ...]


def games_folder() -> Path:
    """The default folder for games."""
    return platformdirs.user_data_path("jantaku", appauthor=False) / "games"


def new_path(rules: str, folder: Path | None = None) -> Path:
    """A new file name from the time and the ruleset."""
    name = f"{datetime.now().astimezone():%Y-%m-%d-%H%M%S}-{Path(rules).stem}"
    path, number = (folder or games_folder()) / f"{name}.jsonl", 2
    while path.exists():
        path, number = path.with_name(f"{name}-{number}.jsonl"), number + 1
    return path


class GameFile:
    """Writes a game to its file, which is complete at every moment."""

    def __init__(self, path: Path, seating: SavedSeats | None = None) -> None:
        self.path, self._seating = path, seating

    def save(self, game: Game) -> None:
        """Write the current game; raises ``RecordError`` on failure."""
        text = game_file.dumps(game)
        if self._seating is not None:
            text = _with_seating(text, self._seating)
        beside = self.path.with_name(self.path.name + ".part")
        with file_errors(self.path, writing=True):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            beside.write_text(text, "utf-8")
            beside.replace(self.path)


def _with_seating(text: str, seating: SavedSeats) -> str:
    first, rest = text.split("\n", 1)
    header: dict[str, Any] = json.loads(first)
    header[_KEY] = {"seat": seating.seat, "bots": list(seating.bots)}
    return json.dumps(header, ensure_ascii=False, separators=(",", ":")) + "\n" + rest


def resume(path: Path, rules: Ruleset | None = None) -> tuple[Game, SavedSeats | None]:
    """Replay the game of a file, and return its seats if the file has them."""
    game = game_file.read(path, rules)
    header = json.loads(path.read_text("utf-8").split("\n", 1)[0])
    return game, _seating(header.get(_KEY), game.seats)


def _seating(data: Any, seats: range) -> SavedSeats | None:
    if not isinstance(data, dict):
        return None
    seat, bots = data.get("seat"), data.get("bots")
    if not isinstance(seat, int) or seat not in seats:
        return None
    if not isinstance(bots, Sequence) or len(bots) != len(seats):
        return None
    return SavedSeats(seat, tuple(map(str, bots)))
