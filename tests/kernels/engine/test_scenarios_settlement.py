"""Every option about points has the described effect in played hands."""

from typing import Any

import numpy as np
import pytest

from jantaku.adjudication.rons_and_nagashi import score_nagashi
from jantaku.adjudication.score import score
from jantaku.game import Discard, Game, Pass
from jantaku.game.events import GameEnded
from jantaku.kernels.engine.exhaustive_draw import end_exhausted, share_noten, sticks_of_nagashi
from jantaku.kernels.engine.state import MATCH, OUTCOME
from jantaku.win import Win
from support.table import Table, context, ruleset

NO_DORA = {"indicators": "6z6z", "ura": "2z2z"}
TANYAO_3S = "234m567m22p24s678s"  # waits for 3s alone
ORPHANS = "19m19p19s1234567z"


# Sticks from earlier hands and from this hand -------------------------------------------------------------


def in_riichi_and_ron(rules: dict[str, Any], **setting: Any) -> Table:
    """Let West declare riichi, then South win by ron without riichi."""
    hands = {"S": TANYAO_3S, "W": "345p678p33m24s567m"}
    table = Table(rules, hands, "7z 7z 5z 9m 3s", **setting, **NO_DORA)
    return table.play("-", "-", "W riichi 5z", "-", "E discard 3s", "S ron")


@pytest.mark.parametrize(
    ("rule", "number", "paid", "left"),
    [
        ("any_winner", 0, 3, 0),
        ("riichi_winner", 0, 1, 2),  # two sticks were on the table
        ("riichi_winner", 7, 3, 0),  # in the last hand any winner gets the sticks
    ],
)
def test_sticks_of_this_hand_go_to_any_winner(rule: str, number: int, paid: int, left: int) -> None:
    rules = {"riichi.sticks_to": rule, "win.multiple_ron": "head_bump", "draw.sanchahou": False}
    table = in_riichi_and_ron(rules, deposits=2, number=number)
    table.expect(delta=(-1300, 1300 + 1000 * paid, 0, 0), deposits=left)
    owners = [int(count) for count in table.game.match.deposits_of]
    assert owners == [left, 0, 0, 0]


def test_a_win_distinguishes_sticks_of_this_hand() -> None:
    rules = ruleset({"riichi.sticks_to": "riichi_winner"})
    win = Win.parse("234m56p345678s99p 7p", source="left", deposits=3, laid=1)
    assert score(win, rules).payments["south"] == 1000 + 1000
    assert score(win, "standard").payments["south"] == 1000 + 3000


def test_nagashi_that_counts_as_a_win_leaves_sticks_to_riichi() -> None:
    rules = {"riichi.sticks_to": "riichi_winner", "draw.nagashi_mangan": "as_win", "riichi.deposit": 500}
    table = Table(rules, {"S": ORPHANS}, deposits=2)
    outcome, match = table.game.outcome, table.game.match
    paid = sticks_of_nagashi(table.game, 1, table.record, context())
    assert (paid, int(outcome.took_deposits), int(match.deposits)) == (0, 0, 2)


# Sums ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "share"), [(100, 100), (200, 100), (300, 100), (1000, 400), (1500, 500)])
def test_honba_is_paid_in_hundreds(value: int, share: int) -> None:
    hand = {"S": "123m456p789s99p24s"}
    table = Table({"score.honba_value": value}, hand, "7z 3s", honba=1, **NO_DORA)
    table.play("E discard 7z", "S tsumo")
    plain = (-16000, 32000, -8000, -8000)  # chiihou
    table.expect(delta=(plain[0] - share, plain[1] + 3 * share, plain[2] - share, plain[3] - share))
    nagashi = score_nagashi(
        "south", ruleset({"draw.nagashi_mangan": "as_win", "score.honba_value": value}), honba=1
    )
    assert nagashi == {
        "east": -4000 - share,
        "south": 8000 + 3 * share,
        "west": -2000 - share,
        "north": -2000 - share,
    }


@pytest.mark.parametrize("total", [100, 1000, 1500, 3000, 4000])
@pytest.mark.parametrize("tenpai", range(1, 15))
def test_noten_payments_are_made_in_whole_hundreds(total: int, tenpai: int) -> None:
    outcome = np.zeros(1, OUTCOME)
    outcome[0].tenpai = tenpai
    match = np.zeros(1, MATCH)
    match[0].seats = 4
    share_noten(match[0], outcome[0], total)
    delta = [int(points) for points in outcome[0].delta]
    assert all((points > 0) == bool(tenpai >> seat & 1) for seat, points in enumerate(delta) if points)
    assert sum(points for points in delta if points > 0) == total == -sum(p for p in delta if p < 0)
    assert all(points % 100 == 0 for points in delta)


@pytest.mark.parametrize(("deposit", "sticks"), [(100, 10), (200, 5), (500, 2), (1000, 1)])
def test_a_slip_costs_a_thousand_points_for_any_value_of_a_stick(deposit: int, sticks: int) -> None:
    table = Table({"fouls.mode": "penalise", "riichi.deposit": deposit}, {"W": TANYAO_3S}, "5z")
    table.play("E discard 5z", "W foul call_slip")
    table.expect(scores=(25000, 25000, 24000, 25000), deposits=sticks, ended="running")


@pytest.mark.parametrize("points", [2000, 2500, 3000])
def test_a_flat_chombo_costs_exactly_its_amount(points: int) -> None:
    rules = {"fouls.mode": "penalise", "fouls.chombo": "flat", "fouls.chombo_points": points}
    table = Table(rules, {"W": TANYAO_3S}, "5z").play("E discard 5z", "W foul win_shown")
    delta = table.facts()["delta"]
    assert delta[2] == -points
    assert sum(delta) == 0
    assert max(delta) - min(d for d in delta if d > 0) <= 100
    assert all(part % 100 == 0 for part in delta)


# Nagashi mangan that is worth nothing --------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("worth", "nagashi", "delta"),
    [("mangan", "ESWN", (0, 0, 0, 0)), (False, "", (1500, 1500, -1500, -1500))],
)
def test_worthless_nagashi_mangan_is_an_ordinary_draw(
    worth: Any, nagashi: str, delta: tuple[int, ...]
) -> None:
    hands = {"E": ORPHANS, "S": TANYAO_3S, "W": "159m159p159s1122z", "N": "258m258p258s3344z"}
    table = Table({"yaku.nagashi_mangan.closed": worth}, hands)
    end_exhausted(table.game, table.record, context())  # all discards are yaochuu tiles
    table.expect(ended="exhausted", nagashi=nagashi, tenpai="ES", delta=delta)


# Shared places -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tie", "places"), [("share", (1, 1, 1, 1)), ("seat_order", (1, 2, 3, 4))])
def test_a_game_reports_shared_places(tie: str, places: tuple[int, ...]) -> None:
    """The last hand is a draw without payments, so all players are tied."""
    changes = {"match.tie": tie, "draw.noten_payment": 0, "deal.renchan": "none", "match.length": "east"}
    game = Game(ruleset(changes), seed=3)
    while not game.is_over:
        seat = game.to_act[0]
        quiet = [
            action
            for action in game.legal(seat)
            if action == Pass() or (isinstance(action, Discard) and not action.riichi)
        ]
        game.play(seat, quiet[-1])
    ended = game.events[-1]
    assert isinstance(ended, GameEnded)
    assert (len(set(game.scores)) == 1, ended.places) == (True, places)
