"""The engine, the calculator and records agree on the value of wins."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from conftest import scale
from jantaku import Game, Win, score
from jantaku.adjudication.recorded_score import RecordedScore
from jantaku.adjudication.rons_and_nagashi import score_rons
from jantaku.adjudication.score import Score
from jantaku.errors import RequestError
from jantaku.game.events import HandStarted, PointsMoved, Won
from jantaku.game.wins import wins_of
from jantaku.hand import WIND_NAMES
from jantaku.reading import Reader
from support.playing import played
from support.table import Table, ruleset

STEPS = scale(400)
RULES = ("standard", "tenhou", "bgm-2025", "jpml-b", "mahjongsoul")


def ends(game: Game) -> Iterator[tuple[HandStarted, list[Won], PointsMoved]]:
    """Yield the start, the wins and the payments of each hand that was won."""
    start: HandStarted | None = None
    wins: list[Won] = []
    for event in game.events:
        if isinstance(event, HandStarted):
            start, wins = event, []
        elif isinstance(event, Won):
            wins.append(event)
        elif isinstance(event, PointsMoved) and wins and start and event.reason == "hand":
            yield start, wins, event


@pytest.mark.parametrize(("name", "seed"), list(product(RULES, range(2))))
def test_the_engine_and_score_agree(name: str, seed: int) -> None:
    game = played(name, seed, STEPS)
    for start, wins, moved in ends(game):
        paid = [0, 0, 0, 0]
        for won in wins:
            assert isinstance(won.score, Score)
            assert score(won.score.win, game.rules) == won.score
            for turn, wind in enumerate(WIND_NAMES):
                paid[(start.dealer + turn) % 4] += won.score.payments[wind]
        assert tuple(paid) == moved.deltas


@pytest.mark.parametrize(
    ("honba_to", "deposits_to"), list(product(("nearest", "each"), ("nearest", "split", "own_first")))
)
def test_the_engine_and_the_calculator_share_sticks_alike(honba_to: str, deposits_to: str) -> None:
    changes = {"win.honba_to": honba_to, "win.deposits_to": deposits_to}
    rules = ruleset({"win.multiple_ron": "all", "draw.sanchahou": False, **changes})
    hands = {"S": "234m567p34567s99p", "W": "345m456p34567s88p"}
    table = Table(rules, hands, "8s", honba=3, deposits=2)
    table.play("E discard 8s", "S ron", "W ron").facts()
    scores = [score for score, _ in wins_of(table.game, rules)]
    unshared = [replace(value.win, honba=3, deposits=2, laid=0) for value in scores]
    assert [value.win.seat for value in scores] == ["south", "west"]
    assert list(score_rons(unshared, rules).scores) == scores
    assert [value.win.honba for value in scores] == [3, 3 if honba_to == "each" else 0]
    assert [value.win.deposits for value in scores] == ([1, 1] if deposits_to == "split" else [2, 0])


PLAIN = RecordedScore(
    points=2000, payments={"east": 2000, "south": -2000}, han=2, fu=30, yaku={"tanyao": 1, "dora": 1}
)
READ = Reader(RecordedScore)


def test_a_recorded_score_round_trips() -> None:
    assert READ(PLAIN.to_dict()) == PLAIN
    assert PLAIN.to_dict().keys() == score(Win.parse("234m567p34567s99p 8s", source="left")).to_dict().keys()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("points", "2000"), ("points", True), ("han", "2"), ("fu", [30]), ("limit", 1),
        ("yaku", ["tanyao"]), ("yaku", {"tanyao": "1"}), ("fu_items", 20), ("more", 1),
    ],
)  # fmt: skip
def test_a_malformed_recorded_score_is_refused(field: str, value: object) -> None:
    with pytest.raises(RequestError, match=f"score.{field}"):
        READ(PLAIN.to_dict() | {field: value}, "score.")


@pytest.mark.parametrize("field", ["points", "payments"])
def test_an_incomplete_recorded_score_is_refused(field: str) -> None:
    with pytest.raises(RequestError, match=f"score.{field}"):
        READ({name: value for name, value in PLAIN.to_dict().items() if name != field}, "score.")
