"""Wareme: which wall the dice break, double payments, and records of such games."""

import dataclasses
from collections import Counter

import pytest

from jantaku import score
from jantaku.adjudication.score import Score
from jantaku.bots import bot
from jantaku.game import Game
from jantaku.game.events import HandStarted, Won, hide
from jantaku.hand import Wind
from jantaku.records import formats
from jantaku.records.sniff import content_of
from jantaku.rules import Ruleset, load
from jantaku.seats import seat_wind

SHARES = {4: (8, 9, 10, 9), 3: (12, 11, 13)}  # of 36 throws: how many break the dealer's wall, the next …


def rules_of(players: int, wareme: str = "hand_and_honba") -> Ruleset:
    return load("standard" if players == 4 else "tenhou-3").with_changes({"score.wareme": wareme})


def played(rules: Ruleset, seed: int) -> Game:
    game, player = Game(rules, seed=seed), bot("efficient")
    while not game.is_over:
        seat = game.to_act[0]
        game.play(seat, player.choose(game, seat))
    return game


def broken(game: Game) -> list[int | None]:
    return [event.wareme for event in game.events if isinstance(event, HandStarted)]


@pytest.mark.parametrize("players", SHARES)
def test_two_dice_break_a_wall(players: int) -> None:
    throws = 720
    seen = Counter(broken(Game(rules_of(players), seed=seed))[0] for seed in range(throws))
    for seat, share in enumerate(SHARES[players]):
        wanted = throws * share / 36
        assert abs(seen[seat] - wanted) < 4 * wanted**0.5


def test_rules_without_wareme_have_the_same_walls_and_no_wareme() -> None:
    plain, with_wareme = Game("standard", seed=5), Game(rules_of(4), seed=5)
    assert plain.walls == with_wareme.walls
    assert broken(plain) == [None]
    assert plain.view(0).wareme is None
    assert "wareme" not in plain.events[1].to_dict()


def test_the_broken_wall_is_visible_to_all() -> None:
    game = Game(rules_of(4), seed=5)
    (seat,) = broken(game)
    assert seat is not None
    assert {game.view(other).wareme for other in game.seats} == {seat}
    started = game.events[1]
    assert {hide(started, other).to_dict()["wareme"] for other in (*game.seats, None)} == {seat}


@pytest.mark.slow
@pytest.mark.parametrize("players", SHARES)
def test_games_conserve_points_and_round_trip_in_every_format(players: int) -> None:
    rules, game, doubled = rules_of(players), Game("standard", seed=0), 0
    for seed in range(4):
        game = played(rules, seed)
        dealer, wareme, wall = 0, None, sum(game.scores)
        for event in game.events:
            if isinstance(event, HandStarted):
                dealer, wareme = event.dealer, event.wareme
                assert sum(event.scores) + event.deposits * rules.riichi.deposit == wall
            if isinstance(event, Won) and isinstance(event.score, Score):
                assert event.score.win.wareme == seat_wind(wareme or 0, dealer, players)
                plain = rules.with_changes({"score.wareme": "off"})
                doubled += event.score.payments != without(event.score, plain)
        assert sum(game.scores) == wall
        for name in formats.BY_NAME:
            text = formats.dumps(game, name)
            again = formats.read_content(content_of(text.encode(), "")).game
            assert broken(again)[: len(broken(game))] == broken(game), name
            assert again.scores == game.scores, name
    assert doubled


def without(value: Score, rules: Ruleset) -> dict[Wind, int]:
    """Return the payments of the same win without wareme."""
    return score(dataclasses.replace(value.win, wareme=None), rules).payments
