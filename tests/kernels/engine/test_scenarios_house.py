"""House rules in whole games: a white dragon as any tile, no limits, and a withdrawn riichi."""

from typing import Any

import pytest

from jantaku import Win
from jantaku.adjudication.explain import explain
from jantaku.adjudication.score import Score, score
from jantaku.bots import bot
from jantaku.game import Game
from jantaku.game.events import Fouled, Won
from jantaku.hand import Meld, MeldType
from jantaku.kernels.points import MAX_BASE
from jantaku.records import formats
from jantaku.records.sniff import content_of
from jantaku.rules import Ruleset, load
from jantaku.terms import LANGUAGES
from support.random_games import Checks, RandomGame
from support.table import Table

TANYAO_3S = "234m567m22p24s678s"
PENALISE = {"fouls.mode": "penalise", "draw.nagashi_mangan": "off"}
POCCHI = {"riichi.shiro_pocchi": "always"}
RULES: dict[str, dict[str, Any]] = {
    "pocchi": POCCHI,
    "pocchi-3": {"preset": "standard-3", "riichi.shiro_pocchi": "always", "score.missing_share": "split"},
    "aotenjou": {"score.aotenjou": True, "end.tobi": "off", "score.kan_han": 2},
    "aotenjou-3": {"preset": "tenhou-3", "score.aotenjou": True, "score.wareme": "hand_and_honba"},
    "withdrawn": {**PENALISE, "fouls.riichi_withdrawn": "deposit_1000"},
}


def rules_of(name: str) -> Ruleset:
    changes = dict(RULES[name])
    return load(changes.pop("preset", "standard")).with_changes(changes)


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_random_games_conserve_points_and_round_trip_in_every_format(name: str) -> None:
    """``RandomGame`` checks both, and compares compiled with plain code."""
    for seed in range(3):
        RandomGame(rules_of(name), f"{name}-{seed}", Checks(fouls=0.0)).play()


def fouls_of(game: Any) -> list[Fouled]:
    return [event for event in game.events if isinstance(event, Fouled)]


def test_a_withdrawn_riichi_round_trips_in_every_format() -> None:
    game, player, withdrawn = Game(rules_of("withdrawn"), seed=3), bot("efficient"), 0
    while not game.is_over and len(game.walls) < 6:
        seat = game.to_act[0]
        back = next((foul for foul in game.fouls(seat) if str(foul) == "foul riichi_withdrawn"), None)
        game.play(seat, back or player.choose(game, seat))
        withdrawn += back is not None
    assert withdrawn
    for name in formats.BY_NAME:
        again = formats.read_content(content_of(formats.dumps(game, name).encode(), "")).game
        assert again.scores == game.scores, name
        assert fouls_of(again) == fouls_of(game), name


# A white dragon as any tile ------------------------------------------------------------------------------

LATER = ("8p 7z 9m 9m 9m 5z", "-", "S riichi 7z", "-", "-", "-")


@pytest.mark.parametrize(
    ("changes", "riichi", "offered"),
    [
        (POCCHI, True, True),
        ({}, True, False),
        (POCCHI, False, False),
        ({"riichi.shiro_pocchi": "ippatsu"}, True, True),
    ],
)
def test_only_a_white_dragon_drawn_in_riichi_is_any_tile(
    changes: dict[str, Any], riichi: bool, offered: bool
) -> None:
    draws, first, declared, *rest = LATER
    table = Table(changes, {"S": TANYAO_3S}, draws).play(first, declared if riichi else "S discard 7z", *rest)
    assert ("tsumo" in table.legal("S")) is offered


def test_a_discarded_white_dragon_is_not_any_tile() -> None:
    table = Table(POCCHI, {"S": TANYAO_3S}, "8p 7z 5z").play("-", "S riichi 7z", "W discard 5z")
    assert table.legal("S") == set()


def test_a_noten_riichi_does_not_win_on_a_white_dragon() -> None:
    rules = {**POCCHI, **PENALISE}
    table = Table(rules, {"S": "147m258p369s1122z"}, LATER[0]).play("-", "S riichi 7z", "-", "-", "-")
    assert "tsumo" not in table.legal("S")


def first_win(rules: Ruleset) -> Score:
    """Return the first win in bot games on a white dragon that stands for another tile."""
    for seed in range(400):
        game = Game(rules, seed=seed)
        player = bot("efficient")
        while len(game.walls) < 4 and not game.is_over:
            game.play(game.to_act[0], player.choose(game, game.to_act[0]))
        for event in game.events:
            if (
                isinstance(event, Won)
                and isinstance(event.score, Score)
                and event.score.stands_for is not None
            ):
                return event.score
    raise AssertionError("no win on a white dragon")


@pytest.mark.slow
def test_an_explanation_names_the_tile_the_white_dragon_stands_for() -> None:
    win = first_win(rules_of("pocchi"))
    for language in LANGUAGES:
        explanation = explain(win, language)
        assert len(explanation.notes) == 1
        assert sum(row.points for row in explanation.payments) >= 0
        assert any(group.winning for group in explanation.reading)


# No limits -----------------------------------------------------------------------------------------------


def test_points_are_capped() -> None:
    """Without the cap, four ankans of honours with so many dora would give more base points."""
    rules = {"score.aotenjou": True, "score.kan_han": 2, "yaku.tsuuiisou.closed": "double_yakuman"}
    melds = [Meld.parse(MeldType.ANKAN, tiles) for tiles in ("5555z", "6666z", "7777z", "1111z")]
    win = Win.parse("2z 2z", melds, tsumo=True, seat="east", dora="3z 4z")
    value = score(win, load("standard").with_changes(rules))
    assert value.base == MAX_BASE
    assert value.payments["east"] == 6 * MAX_BASE
    assert all(explain(value, language).arithmetic for language in LANGUAGES)


# A withdrawn riichi ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cost", "offered"), [("none", False), ("deposit_1000", True), ("dead_hand", True)])
def test_a_riichi_may_be_withdrawn_if_that_has_a_cost(cost: str, offered: bool) -> None:
    rules = {**PENALISE, "fouls.riichi_withdrawn": cost}
    table = Table(rules, {"E": "123m456p789s99p24s"}, "7z")
    assert ("foul riichi_withdrawn" in table.fouls("E")) is offered


def test_a_withdrawn_riichi_leaves_a_stick_and_the_turn() -> None:
    rules = {**PENALISE, "fouls.riichi_withdrawn": "deposit_1000"}
    table = Table(rules, {"E": "123m456p789s99p24s"}, "7z").play("E foul riichi_withdrawn")
    assert (int(table.game.match.deposits), int(table.game.match.scores[0])) == (1, 24000)
    assert not table.game.riichi[0]
    assert "foul riichi_withdrawn" not in table.fouls("E")
    table.play("E discard 7z")
    assert not table.game.riichi[0]


@pytest.mark.parametrize("hand", ["147m258p369s1122z", "123m456p789s99p5z7z"])
def test_a_hand_that_may_not_declare_riichi_cannot_withdraw_it(hand: str) -> None:
    rules = {**PENALISE, "fouls.riichi_withdrawn": "dead_hand"}
    assert "foul riichi_withdrawn" not in Table(rules, {"E": hand}, "3m").fouls("E")
