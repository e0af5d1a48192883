"""One whole game for each preset, as it must always come out: run as a module, this file plays missing ones.

Remove a row, to play it anew, only for a change of the rules that is meant, and say so in the changelog.
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
    """What a game must come to: hands played, points, a hash of all events."""
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
    """The rows as they are on disk."""
    with FILE.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def again(settings: dict[str, str]) -> dict[str, str]:
    """The row recomputed from its game."""
    return row(settings["rules"], expand(settings["game"]))


def write() -> None:
    """Add a game for each preset that has none."""
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
