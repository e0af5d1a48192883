"""Fouls in records: formats that cannot express fouls store them in Jantaku's mark, which may be damaged."""

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest

from jantaku.errors import RecordError
from jantaku.game import Game
from jantaku.game.events import Fouled, PointsMoved
from jantaku.game.game import MAX_MOVES
from jantaku.records.formats import dumps, parse_record, read_content
from jantaku.records.native import hand_log
from jantaku.records.sniff import content_of
from jantaku.records.unlogged import FOULS, unlogged_acts
from jantaku.rules import load
from jantaku.rules.ruleset import load_stored
from support.record_games import comparable_events, with_mark

FOREIGN = ("mjai", "tenhou", "mjlog")


@cache
def fouled() -> Game:
    """Return two hands with several fouls, which tests must not modify."""
    rules = load("standard").with_changes({"fouls.mode": "penalise", "fouls.wrong_meld": "none"})
    chance, game = Random(6), Game(rules, seed=6)
    while len(game.walls) < 3:
        seat = chance.choice(game.to_act)
        fouls = [foul for foul in game.fouls(seat) if str(foul) != "foul win_shown"]
        game.play(seat, chance.choice(fouls if fouls and chance.random() < 0.1 else game.legal(seat)))
    return game


def marked(name: str, change: Callable[[dict[str, Any]], object]) -> bytes:
    """Return the record with its mark changed."""
    return with_mark(dumps(fouled(), name), change).encode()


@pytest.mark.parametrize("name", FOREIGN)
def test_the_mark_of_a_foreign_format_lists_the_fouls(name: str) -> None:
    game = fouled()
    assert {event.foul for event in game.events if isinstance(event, Fouled)} >= {"wrong_meld", "call_slip"}
    marks: list[dict[str, Any]] = []
    assert comparable_events(parse_record(marked(name, marks.append)).game) == comparable_events(game)
    assert marks[0][FOULS] == unlogged_acts(game)


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize(
    "rows",
    [
        [[0, 1]], [7], ["x"], [[99, 1, 0, "foul call_slip"]], [[-1, 1, 0, "foul call_slip"]],
        [[0, 10**9, 0, "foul call_slip"]], [[0, -1, 0, "foul call_slip"]], [[0, 1, 4, "foul call_slip"]],
        [[0, 1, 0, "foul"]], [[0, 1, 0, 5]], [[0, "1", 0, "foul call_slip"]], [[0, 1, 0, "tsumo"]],
        [[0, 1, True, "foul win_called"]], [[0, 1, 0, "foul call_slip"]] * (MAX_MOVES + 1),
    ],
)  # fmt: skip
def test_a_damaged_mark_is_refused(name: str, rows: list[Any]) -> None:
    with pytest.raises(RecordError):
        parse_record(marked(name, lambda mark: mark.update({FOULS: rows})))


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize("rows", [None, {}, "x", 5])
def test_a_record_without_its_fouls_differs_from_the_rules(name: str, rows: object) -> None:
    with pytest.raises(RecordError):
        parse_record(marked(name, lambda mark: mark.update({FOULS: rows})))


def test_stored_hands_with_fouls_can_be_replayed_and_written() -> None:
    game = fouled()
    moves = [(seat, str(action)) for _, seat, action in game.moves]
    stored = hand_log.as_played(game.rules, hand_log.hand_logs(game), moves)
    assert stored.scores == game.scores
    for name in FOREIGN:
        assert parse_record(dumps(stored, name).encode()).game.events[-1].type


COSTS = (
    {"call_slip": "chombo"},
    {"wrong_meld": "chombo"},
    {"false_win_called": "none"},
    {"noten_riichi": "none"},
)


def paid(game: Game) -> list[tuple[int, ...]]:
    """Return the payments of each hand."""
    return [
        event.deltas for event in game.events if isinstance(event, PointsMoved) and event.reason == "hand"
    ]


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize("costs", COSTS, ids=str)
def test_a_game_under_other_foul_costs_keeps_its_difference(name: str, costs: dict[str, str]) -> None:
    """The points remain those of the record, even after conversion, and the difference is reported."""

    def change(mark: dict[str, Any]) -> None:
        mark["ruleset"]["fouls"] |= costs
        mark["fingerprint"] = load_stored(mark["ruleset"]).fingerprint

    recorded = read_content(content_of(marked(name, change)), as_recorded=True)
    assert recorded.difference is not None
    assert (recorded.game.scores, paid(recorded.game)) == (fouled().scores, paid(fouled()))
    for other in FOREIGN:
        again = read_content(content_of(dumps(recorded.game, other).encode()), as_recorded=True)
        assert again.difference is not None
        assert (again.game.scores, paid(again.game)) == (fouled().scores, paid(fouled()))


@pytest.mark.parametrize("name", FOREIGN)
def test_a_marked_game_is_not_read_under_other_rules(name: str) -> None:
    """The mark states the costs of fouls, so other rules are refused instead of reported as a difference."""
    other = fouled().rules.with_changes({"fouls.call_slip": "chombo"})
    with pytest.raises(RecordError, match="differ from the given rules"):
        read_content(content_of(dumps(fouled(), name).encode()), other, as_recorded=True)
