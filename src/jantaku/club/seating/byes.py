"""Who sits at the tables of each round: byes where the players do not fill them, or substitutes."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np

Tables = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Wishes:
    """``reserves`` are substitutes who fill the tables; pairs in ``apart`` meet only if they have to."""

    reserves: Sequence[str] = ()
    apart: Sequence[tuple[str, str]] = ()


NO_WISHES: Final = Wishes()


@dataclass(frozen=True, slots=True)
class Seated:
    """A round as it was seated: its tables, and who had a bye."""

    tables: Tables
    byes: Sequence[str] = ()


def who_plays(
    played: Sequence[Seated],
    present: Sequence[Collection[str]],
    reserves: Sequence[str],
    seats: int,
    random: np.random.Generator,
) -> list[tuple[list[str], list[str]]]:
    """For each round to come those who play and those who have a bye, in the order given.

    ``present`` are the players who are there. Where they do not fill the tables, ``reserves`` come in, those
    with the fewest games first. If there are too few of them, byes go to those who have had the fewest, then
    to those who have played most, then by lot.
    """
    games = Counter(chain.from_iterable(table for round_ in played for table in round_.tables))
    had = Counter(chain.from_iterable(round_.byes for round_ in played))
    rounds = []
    for players in present:
        names = list(players)
        empty = -len(names) % seats
        spare = sorted(
            (player for player in reserves if player not in players), key=lambda player: games[player]
        )
        if empty <= len(spare):
            playing, byes = names + spare[:empty], list[str]()
        else:
            lots = dict(zip(names, random.permutation(len(names)).tolist(), strict=True))
            ranked = sorted(names, key=lambda player: (had[player], -games[player], lots[player]))
            out = set(ranked[: len(names) % seats])
            playing, byes = (
                [name for name in names if name not in out],
                [name for name in names if name in out],
            )
        games.update(playing)
        had.update(byes)
        rounds.append((playing, byes))
    return rounds
