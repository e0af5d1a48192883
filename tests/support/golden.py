"""A recorded game for each preset whose result must not change. Run as a module to add missing games.

To replace a row, remove it first; do this only after an intended change of rules, and note it in
the changelog.
"""

import csv
import hashlib
from collections.abc import Iterator
from pathlib import Path

from jantaku.game import Game
from jantaku.records.native.compact import compact, expand
from support.presets import FOUR, THREE

FILE = Path(__file__).parents[1] / "data" / "golden.tsv"
COLUMNS = ("rules", "hands", "scores", "final", "events", "game")


def row(name: str, game: Game) -> dict[str, str]:
    """Return the result of a game: number of hands, points, a hash of all events."""
    events = "\n".join(str(event.to_dict()) for event in game.events)
    return {
        "rules": name,
        "hands": str(len(game.walls)),
        "scores": " ".join(map(str, game.scores)),
        "final": " ".join(map(str, game.record.match.final[: len(game.scores)])),
        "events": hashlib.sha256(events.encode()).hexdigest()[:16],
        "game": compact(game),
    }


def rows() -> Iterator[dict[str, str]]:
    """Yield the stored rows."""
    with FILE.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def again(settings: dict[str, str]) -> dict[str, str]:
    """Replay the game of a row and compute the row again."""
    return row(settings["rules"], expand(settings["game"]))


def write() -> None:
    """Add a game for each preset without one."""
    from support.playing import played

    there = [row["rules"] for row in rows()]
    with FILE.open("a", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(
            file, COLUMNS, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None, lineterminator="\n"
        )
        for name in (*FOUR, *THREE):
            if name not in there:
                out.writerow(row(name, played(name, len(there))))


if __name__ == "__main__":
    write()
