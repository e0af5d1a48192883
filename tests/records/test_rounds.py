"""Games of every length, with and without sudden death: records identify each hand."""

import itertools
from typing import Any

import pytest

from jantaku.game import Game
from jantaku.game.events import HandStarted
from jantaku.game.mid_game_start import Standing
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from jantaku.rules import Ruleset, load
from jantaku.seats import hand_name, round_wind
from support.playing import played
from support.record_games import comparable_events

LAST = {"east": 1, "hanchan": 2, "full": 4}  # number of rounds


def rules_of(players: int, **changes: Any) -> Ruleset:
    """Return rules without renchan and with sudden death that no score can end."""
    paths = {name.replace("_", ".", 1): value for name, value in changes.items()}
    return load("standard" if players == 4 else "standard-3").with_changes(
        {"end.extension_target": 1_000_000, "end.tobi": "off", "deal.renchan": "none", **paths}
    )


def passed_on(rules: Ruleset, number: int) -> Game:
    """Play a game from hand ``number`` onwards, in which every player discards the drawn tile."""
    scores = (rules.match.start_points,) * rules.match.players
    game = Game(rules, seed=number, standing=Standing(number, 0, 0, scores))
    while not game.is_over:
        seat = game.to_act[0]
        game.play(seat, game.legal(seat)[-1])
    return game


def numbers(game: Game) -> list[int]:
    return [event.number for event in game.events if isinstance(event, HandStarted)]


def read_back(game: Game) -> None:
    for name in formats.BY_NAME:
        record = formats.parse_record(formats.dumps(game, name).encode())
        assert comparable_events(record.game) == comparable_events(game), name
        assert numbers(record.game) == numbers(game)


@pytest.mark.parametrize("players", [4, 3])
def test_sudden_death_after_the_north_round_returns_to_east(players: int) -> None:
    """Inventory d27. The game starts with the last hand of North to keep the test short."""
    rules = rules_of(players, match_length="full", end_extension="sudden_death")
    last = 4 * players - 1
    game = passed_on(rules, last)
    assert sorted(set(numbers(game))) == list(range(last, last + players + 1))
    assert round_wind(last + 1, players) == "east"
    assert hand_name(last + 1, 0, players, "en") == "East 1 again"
    read_back(game)


@pytest.mark.parametrize("players", [4, 3])
@pytest.mark.parametrize("length", LAST)
def test_without_sudden_death_the_game_ends_with_the_last_round(length: str, players: int) -> None:
    last = LAST[length] * players - 1
    game = passed_on(rules_of(players, match_length=length, end_extension="none"), last)
    assert set(numbers(game)) == {last}
    read_back(game)


@pytest.mark.skipif(not COMPILED, reason="whole games")
@pytest.mark.slow
@pytest.mark.parametrize(("players", "length", "extension"), [
    *itertools.product((4, 3), LAST, ("none", "sudden_death")),
])  # fmt: skip
def test_whole_games_of_every_length_are_read_back(players: int, length: str, extension: str) -> None:
    game = played(rules_of(players, match_length=length, end_extension=extension), 7)
    rounds = LAST[length] + (extension == "sudden_death")
    assert max(numbers(game)) == rounds * players - 1
    read_back(game)
