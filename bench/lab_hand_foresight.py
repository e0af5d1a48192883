"""How well ``jantaku lab hand`` foresees: ``python -m bench.lab_hand_foresight``.

Takes positions before a discard from games between four ``standard``, deals the unseen tiles anew, plays on
from the discard that was made, and compares the shares of wins, deal-ins and draws with how these hands
really ended.
"""

import dataclasses
import sys
from random import Random
from typing import NamedTuple

import numpy as np

from jantaku.bots import bot
from jantaku.game import Discard, Game
from jantaku.game.events import Event, Won
from jantaku.kernels.engine.state import YOUR_TURN
from jantaku.lab.discards import HandQuestion, KnownPosition, position_in_game
from jantaku.lab.discards.play import play_deals
from jantaku.lab.kernels.choices import DEAL_IN, DRAW, WIN

GAMES, DEALS, SHARE, SEED = 150, 24, 0.02, 5
EARLY, LATE = 5, 10


class _Taken(NamedTuple):
    """A position with the discard that was made: its seat, its discards so far, and riichi by others."""

    known: KnownPosition
    seat: int
    discards: int
    riichi: int


def _taken(game: Game, seat: int, action: Discard) -> _Taken:
    known = position_in_game(game, seat)
    code = known.codes[known.choices.index(dataclasses.replace(action, drawn=False))]
    riichi = sum(game.record.riichi[other] != 0 for other in game.seats if other != seat)
    known = dataclasses.replace(known, codes=(code,))
    return _Taken(known, seat, int(game.record.discards[seat]), riichi)


def _row(taken: _Taken, ended: list[Event]) -> list[float]:
    """Discards, riichi by others, then the foreseen and the real win, deal-in and draw."""
    wins = [event for event in ended if isinstance(event, Won)]
    real = [
        any(win.seat == taken.seat for win in wins),
        any(win.source == taken.seat for win in wins),
        not wins,
    ]
    averages = play_deals(HandQuestion(taken.known, DEALS), 0, DEALS)[:, 0, [WIN, DEAL_IN, DRAW]].mean(axis=0)
    return [taken.discards, taken.riichi, *averages, *real]


def rows_of(number: int, chance: Random) -> list[list[float]]:
    """The rows of one game."""
    game, player = Game("standard", seed=10_000 + number), bot("standard", SEED)
    waiting: list[_Taken] = []
    rows: list[list[float]] = []
    while not game.is_over:
        seat = game.to_act[0]
        action = player.choose(game, seat)
        free = game.record.phase == YOUR_TURN and not game.record.riichi[seat]
        if free and isinstance(action, Discard) and chance.random() < SHARE:
            waiting.append(_taken(game, seat, action))
        hands, before = len(game.walls), len(game.events)
        game.play(seat, action)
        if game.is_over or len(game.walls) > hands:
            rows += [_row(taken, game.events[before:]) for taken in waiting]
            waiting = []
    return rows


def main() -> None:
    """Print the shares foreseen and real, of all positions and of parts of them."""
    chance = Random(SEED)
    rows = np.array([row for number in range(GAMES) for row in rows_of(number, chance)])
    discards, riichi = rows[:, 0], rows[:, 1]
    parts = {
        "all": discards >= 0,
        "early": discards < EARLY,
        "middle": (discards >= EARLY) & (discards < LATE),
        "late": discards >= LATE,
        "against riichi": riichi > 0,
    }
    for name, chosen in parts.items():
        averages = rows[chosen, 2:].mean(axis=0)
        said = [f"{100 * averages[i]:.1f} {100 * averages[i + 3]:.1f}" for i in range(3)]
        sys.stdout.write("\t".join([name, str(chosen.sum()), *said]) + "\n")


if __name__ == "__main__":
    main()
