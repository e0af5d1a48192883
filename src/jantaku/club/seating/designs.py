"""Known plans for numbers of players for which a search takes long, read from ``designs.txt``."""

from functools import cache
from importlib import resources

import numpy as np

from jantaku.club.seating.symmetry import Ints


@cache
def _designs() -> dict[int, Ints]:
    """The rounds of the known plan for each number of players, ``int64[rounds, tables, seats]``."""
    text = resources.files(__package__).joinpath("designs.txt").read_text("utf-8")
    by_players: dict[int, list[list[list[int]]]] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            players, _, tables = line.partition(":")
            seats = [[int(player) for player in table.split()] for table in tables.split("|")]
            by_players.setdefault(int(players), []).append(seats)
    return {players: np.array(rounds, np.int64) for players, rounds in by_players.items()}


def known_rounds(players: int, seats: int) -> Ints | None:
    """The rounds of the known plan for so many players at tables of ``seats``, or ``None``."""
    rounds = _designs().get(players)
    return rounds if rounds is not None and rounds.shape[2] == seats else None
