"""Recorded games under every preset replay with the same results, and a naive referee agrees with them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from jantaku.bots import bot
from jantaku.game import Game
from jantaku.game.events import Called, Discarded, Event, GameEnded, KitaDeclared, PointsMoved, Won
from jantaku.kernels._jit import COMPILED
from jantaku.records.native.compact import expand
from jantaku.rules import load, preset_names
from support.golden import again, rows
from support.referee import Referee

ROWS = list(rows())
WITH_KITA = [row["rules"] for row in ROWS].index("tenhou-3")
FEW = ROWS if COMPILED else ROWS[:1]


@pytest.mark.parametrize("row", FEW, ids=lambda row: row["rules"])
def test_a_golden_game_is_reproduced(row: dict[str, str]) -> None:
    assert again(row) == row


def test_every_preset_has_a_golden_game() -> None:
    assert sorted(row["rules"] for row in ROWS) == sorted(preset_names())


def refereed(game: Game) -> Referee:
    referee = Referee(game.rules)
    for event in game.events:
        referee.read(event)
    return referee


REFEREED = [
    pytest.param(row, marks=() if i < 3 else pytest.mark.slow, id=row["rules"]) for i, row in enumerate(FEW)
]


@pytest.mark.parametrize("row", REFEREED)
def test_the_referee_accepts_a_golden_game(row: dict[str, str]) -> None:
    referee = refereed(expand(row["game"]))
    assert referee.wins + referee.draws > 4
    assert referee.scores == [int(points) for points in row["scores"].split()]


WRONG: dict[str, tuple[type[Event], Callable[[Any], dict[str, Any]]]] = {
    "a tile that is not in the hand": (Discarded, lambda event: {"tile": (event.tile + 5) % 34}),
    "a call of another tile": (
        Called,
        lambda event: {"meld": replace(event.meld, tiles=(33,) * 3, called=33, type="pon")},
    ),
    "another seat's north": (KitaDeclared, lambda event: {"seat": (event.seat + 1) % 3}),
    "a win on another tile": (Won, lambda event: {"tile": (event.tile + 1) % 34}),
    "points from nowhere": (PointsMoved, lambda event: {"scores": (0, *event.scores[1:])}),
    "wrong places": (GameEnded, lambda event: {"places": event.places[::-1]}),
}


@pytest.mark.parametrize("name", WRONG)
def test_the_referee_rejects_wrong_events(name: str) -> None:
    kind, change = WRONG[name]
    game = expand(ROWS[0 if kind is not KitaDeclared else WITH_KITA]["game"])
    index = next(i for i, event in enumerate(game.events) if isinstance(event, kind))
    referee = Referee(game.rules)
    for event in game.events[:index]:
        referee.read(event)
    with pytest.raises(AssertionError):
        referee.read(replace(game.events[index], **change(game.events[index])))


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="whole games of bots")
@pytest.mark.parametrize("rules", preset_names())
def test_the_referee_accepts_games_of_bots(rules: str) -> None:
    player = bot("standard")
    wins = 0
    for seed in range(100, 104):
        game = Game(load(rules), seed=seed)
        while not game.is_over:
            seat = game.to_act[0]
            game.play(seat, player.choose(game, seat))
        wins += refereed(game).wins
    assert wins > 10
