"""Bots use only information visible to their seat, act legally under any rules, and play like humans."""

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import jantaku
from conftest import scale
from jantaku.bots import (
    BOTS,
    advice,
    bot,
    danger,
    new_match,
    play,
    play_match,
)
from jantaku.bots.chance import below, new_source, shuffle
from jantaku.bots.danger import find_risks
from jantaku.bots.match import (
    CALLED,
    DEAL_INS,
    FINAL,
    FIRST,
    GAMES,
    HANDS,
    POINTS,
    RIICHI,
    SEAT_SHIFT,
    WINS,
)
from jantaku.bots.policies import EFFICIENT, RANDOM, STANDARD, decide_in
from jantaku.bots.seat_view import SEAT_VIEW, write_seat_view
from jantaku.bots.workspace import new_bot_workspace
from jantaku.errors import RequestError
from jantaku.game import Game
from jantaku.game.events import Discarded
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.engine.state import GAME
from jantaku.kernels.rules import rules_record
from jantaku.rules import load
from jantaku.tiles import Tile
from support.hiding import scrambled
from support.random_rules import random_rules
from support.table import Table, context

if TYPE_CHECKING:
    from jantaku.rules import Ruleset

MOVES = 300 if COMPILED else 40


def view_of(record: Any, seat: int) -> Any:
    views = np.zeros(1, SEAT_VIEW)
    write_seat_view(record, seat, views[0])
    return views[0]


def played(rules: "str | Ruleset", names: tuple[str, ...], seed: int, moves: int) -> Iterator[Game]:
    """Play a game of bots and yield it before every move."""
    game, players = Game(rules, seed=seed), [bot(name, seed) for name in names]
    while not game.is_over and len(game.moves) < moves:
        yield game
        seat = game.to_act[-1]
        action = players[seat].choose(game, seat)
        assert action in game.legal(seat)
        game.play(seat, action)


# Visible information -------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["tenhou", "bgm-2025"])
@pytest.mark.slow
def test_views_do_not_depend_on_hidden_tiles(preset: str) -> None:
    rng, compared = Random(5), 0
    for seed in range(scale(3)):
        for game in played(preset, ("standard", "efficient", "random", "efficient"), seed, MOVES):
            seat = rng.randrange(4)
            changed = scrambled(game, seat, rng)
            compared += changed.state != game.state
            assert view_of(game.record, seat).tobytes() == view_of(changed.record, seat).tobytes()
    assert compared > MOVES // 2


def passed_by_events(game: Game, seat: int) -> tuple[list[int], list[int]]:
    """Derive ``passed`` and ``passed_riichi`` of each player from the events of the hand."""
    passed, in_riichi, declared = [0] * 4, [0] * 4, [False] * 4
    start = max(i for i, event in enumerate(game.events) if event.type == "hand_started")
    for event in game.events[start:]:
        if not isinstance(event, Discarded):
            continue
        declared[event.seat] |= bool(event.riichi)
        for other in range(4):
            bit = 1 << event.tile % 34
            passed[other] = 0 if other == event.seat else passed[other] | bit
            in_riichi[other] |= bit if declared[other] else 0
    turned = [(seat + other) % 4 for other in range(4)]
    return [passed[other] for other in turned], [in_riichi[other] for other in turned]


def test_discard_order_is_derived_from_rivers_and_melds() -> None:
    checked = 0
    for seed in range(scale(4)):
        for game in played("tenhou", ("random", "efficient", "standard", "efficient"), seed, MOVES):
            seat = game.to_act[0]
            view = view_of(game.record, seat)
            passed = passed_by_events(game, seat)
            assert ([int(x) for x in view.passed], [int(x) for x in view.passed_riichi]) == passed
            checked += any(passed[0])
    assert checked > MOVES // 2


def test_a_view_counts_visible_tiles() -> None:
    for game in played("bgm-2025", ("standard",) * 4, 3, MOVES):
        expected = game.view(0)
        seen = [tile % 34 for tile in (*expected.hand, *expected.indicators)]
        seen += [expected.drawn % 34] if expected.drawn is not None else []
        seen += [discard.tile % 34 for river in expected.rivers for discard in river if not discard.called]
        seen += [tile % 34 for row in expected.melds for meld in row for tile in meld.tiles]
        view = view_of(game.record, 0)
        assert [int(count) for count in view.seen] == np.bincount(seen, minlength=34).tolist()
        assert (int(view.live_left), int(view.dealer)) == (expected.wall_left, expected.dealer)


# Decisions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(scale(12)))
def test_bots_act_legally_under_any_rules(number: int) -> None:
    chance = Random(number)
    rules = random_rules(chance)
    games = list(played(rules, tuple(chance.choices(BOTS, k=4)), number, MOVES))
    deposits = int(games[0].record.match.deposits) * rules.riichi.deposit
    assert sum(games[0].scores) + deposits == len(rules.seats) * rules.match.start_points


@pytest.mark.parametrize("preset", jantaku.preset_names())
def test_bots_play_every_preset(preset: str) -> None:
    for game in played(preset, ("standard", "efficient", "standard", "random"), 2, MOVES // 3):
        assert game.to_act


def test_unknown_bots_and_seats_not_on_turn_are_refused() -> None:
    with pytest.raises(RequestError, match="standard"):
        bot("strongest")
    game = Game("tenhou", seed=1)
    with pytest.raises(RequestError, match="to_act"):
        bot("standard").choose(game, (game.to_act[0] + 1) % 4)


def test_random_bots_differ_by_seed() -> None:
    games = [Game("tenhou", seed=1) for _ in range(2)]
    chosen = [{str(bot("random", seed).choose(game, 0)) for seed in range(20)} for game in games]
    assert chosen[0] == chosen[1]
    assert len(chosen[0]) > 3


def decision(table: Table, wind: str, policy: int = STANDARD) -> str:
    """Return the action that a policy chooses for a player of a scenario, as text."""
    seat, legal = table.winds["ESWN".index(wind)], table.legal(wind)
    work = new_bot_workspace(new_source(1), table.rules)
    code = int(decide_in(table.games, seat, policy, table.records, context(), work))
    words = [word for word, offered in table._offers(seat) if offered == code]
    assert words[0] in legal
    return words[0]


TENPAI = "123m456m789m23p99s"


@pytest.mark.parametrize("policy", [EFFICIENT, STANDARD])
def test_bots_declare_a_win(policy: int) -> None:
    table = Table(hands={"E": TENPAI, "S": "19m19p19s1234567z"}, draws="4p")
    assert decision(table, "E", policy) == "tsumo"


@pytest.mark.parametrize("policy", [EFFICIENT, STANDARD])
def test_bots_declare_riichi_on_a_wide_wait(policy: int) -> None:
    table = Table(hands={"E": "234m456m678p23s99s"}, draws="1z")
    assert decision(table, "E", policy) == "riichi 1z"


def test_gentle_never_declares_riichi() -> None:
    chances = 0
    for game in played("tenhou", ("gentle",) * 4, 1, 600):
        chances += any(is_riichi(action) for action in game.legal(game.to_act[-1]))
        assert not any(game.record.riichi)
    assert chances > 2


def is_riichi(action: object) -> bool:
    return bool(getattr(action, "riichi", None))


def test_the_risk_against_riichi_is_zero_for_a_safe_tile_and_high_for_others() -> None:
    hands = {"E": "258m147p369s1237z", "S": "234m456m678p23s99s"}
    table = Table(hands=hands, draws="1p 1z 9m 9m 5s")
    table.play("E discard 1p", "S riichi 1z").until(67)
    table.game.river[1, 0] = 27
    seat_risk = risks(table, "W")
    assert seat_risk[27] == 0
    assert max(seat_risk[kind] for kind in range(27)) > 200


def risks(table: Table, wind: str) -> list[float]:
    work = new_bot_workspace(new_source(1), table.rules)
    view = work.views[0]
    write_seat_view(table.game, table.winds["ESWN".index(wind)], view)
    find_risks(view, table.record, context(), work)
    return [float(risk) for risk in work.risk[0]]


def test_danger_considers_genbutsu_suji_and_walls() -> None:
    hands = {"E": "234m456m678p23s99s", "S": "5550p19m19s12345z"}
    table = Table(hands=hands, draws="4m 1z").play("E riichi 4m")
    dangers = risks(table, "S")
    kind = {name: dangers[Tile.parse(name)] for name in ("4m", "1m", "7m", "5m", "6m", "4p", "5s", "1z")}
    assert kind["4m"] == 0  # genbutsu
    assert 0 < kind["1m"] < kind["5m"]  # suji
    assert 0 < kind["7m"] < kind["6m"]
    assert kind["4p"] < kind["5s"]  # behind a wall of 5p
    assert kind["1z"] < kind["5s"]


def test_only_the_waits_of_an_open_riichi_hand_are_dangerous() -> None:
    rules = {"preset": "bgm-2025", "riichi.open": True}
    table = Table(rules, hands={"E": "234m456m678p23s99s"}, draws="1z").play("E open_riichi 1z")
    dangers = risks(table, "S")
    assert {kind for kind, risk in enumerate(dangers) if risk > 0} == {Tile.parse("1s"), Tile.parse("4s")}


def test_hints_cover_the_tiles_of_the_hand() -> None:
    game = list(played("tenhou", ("standard",) * 4, 6, 30))[-1]
    seat = game.to_act[0]
    assert {tile % 34 for tile in game.view(seat).hand} <= set(danger(game, seat))
    assert advice(game, seat) in game.legal(seat)


# Whole matches -------------------------------------------------------------------------------------------


def run(names: tuple[int, ...], seed: int, games: int, preset: str = "tenhou") -> Any:
    rules = jantaku.load(preset)
    match = new_match(rules, names, seed)
    record = np.zeros(1, GAME)[0]
    for _ in range(games):
        play_match(record, match, rules_record(rules)[0], context())
    return match.tally


@pytest.mark.skipif(not COMPILED, reason="plays hundreds of hands")
def test_four_standard_bots_have_human_rates() -> None:
    tally = run((STANDARD,) * 4, 1, 60)
    hands = tally[:, HANDS].sum()
    rates = [tally[:, column].sum() / hands for column in (WINS, DEAL_INS, CALLED, RIICHI)]
    lows, highs = (0.17, 0.08, 0.2, 0.13), (0.26, 0.17, 0.42, 0.25)
    assert all(low < rate < high for low, rate, high in zip(lows, rates, highs, strict=True)), rates


@pytest.mark.skipif(not COMPILED, reason="plays hundreds of hands")
def test_stronger_bots_place_higher() -> None:
    tally = run((STANDARD, RANDOM, EFFICIENT, RANDOM), 2, 40)
    places = [sum((i + 1) * int(row[FIRST + i]) for i in range(4)) / int(row[GAMES]) for row in tally]
    assert places[0] < 2 < places[1]
    assert places[2] < 2.2 < places[3]


def test_a_match_is_the_same_for_the_same_seed_and_keeps_all_points() -> None:
    rules = jantaku.load("tenhou").with_changes({"match.length": "east"})
    games, first = np.zeros((2, 1), GAME), (STANDARD, EFFICIENT, EFFICIENT, STANDARD)
    if not COMPILED:
        poor = {"match.start_points": 1000, "match.sticks": {"1000": 1}, "end.tobi": "zero_or_below"}
        rules = rules.with_changes(poor)  # the first win ends the game
    tallies = []
    for game in games:
        match = new_match(rules, first, 9, 3000)
        moves = play_match(game[0], match, rules_record(rules)[0], context())
        tallies.append(match.tally)
        assert 0 < moves < 3000
        assert set(match.moves[:moves] >> SEAT_SHIFT) == {0, 1, 2, 3}
    assert games[0].tobytes() == games[1].tobytes()
    assert (tallies[0] == tallies[1]).all()
    assert tallies[0][:, POINTS].sum() == 4 * rules.match.start_points
    assert tallies[0][:, FIRST : FIRST + 4].sum(axis=0).tolist() == [1, 1, 1, 1]
    assert tallies[0][:, FINAL].sum() == sum(int(x) for x in games[0][0].match.final)


@pytest.mark.slow
def test_walls_are_shuffled_evenly() -> None:
    source, tiles, wall = new_source(3), np.arange(136, dtype=np.uint8), np.zeros(136, np.uint8)
    counts = np.zeros((8, 8), int)
    rounds = scale(4000)
    for _ in range(rounds):
        shuffle(tiles, source, wall)
        assert sorted(wall.tolist()) == tiles.tolist()
        for index in range(8):
            counts[index, int(wall[17 * index]) // 17] += 1
    expected = rounds / 8
    assert ((counts - expected) ** 2 / expected).sum() < 110  # chi-square test, 49 degrees of freedom
    assert {int(below(source, 3)) for _ in range(50)} == {0, 1, 2}


# Whole games -----------------------------------------------------------------------------------------------


class FirstAction:
    """Chooses the first legal action; if ``fails``, raises or returns nonsense after 20 moves."""

    def __init__(self, fails: bool = False) -> None:
        self.fails = fails

    def choose(self, game: Game, seat: int) -> Any:
        if self.fails and len(game.played) > 20:
            return 1 // 0 if seat == 1 else "nothing"
        return game.legal(seat)[0]


@pytest.mark.parametrize("rules", ["tenhou", "tenhou-3"])
def test_play_accepts_one_player_per_seat_or_one_for_all(rules: str) -> None:
    game = Game(load(rules).with_changes({"match.length": "east"}), seed=3)
    players: Any = ["random", FirstAction(), bot("random", 1), "gentle"][: len(game.seats)]
    assert play(game, players) is game
    assert game.is_over
    assert game.events[-1].type == "game_ended"
    assert play(game, "standard") is game  # the game is already over
    assert play(game.restarted(), FirstAction()).is_over


@pytest.mark.parametrize(
    ("players", "message"),
    [
        (["random"] * 3, "3 players are named; these rules need 4"),
        ([], "0 players"),
        (["random", "random", "random", "stronger"], "strong"),
        ("mjai:cat", "mjai:cat"),
        ([FirstAction(), FirstAction(fails=True), FirstAction(), FirstAction()], "FirstAction"),
        (FirstAction(fails=True), "FirstAction"),
        (None, "NoneType"),
        ([5] * 4, "int"),
    ],
)
def test_invalid_players_are_named(players: Any, message: str) -> None:
    with pytest.raises(RequestError) as refused:
        play(Game("tenhou", seed=1), players)
    assert refused.value.field in ("players", "bot")
    assert message in str(refused.value)
