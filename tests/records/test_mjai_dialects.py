"""mjai dialects: the original protocol, Mortal's, and logs with omitted parts."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from jantaku import terms
from jantaku.errors import RecordError
from jantaku.game import Game
from jantaku.game import events as e
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from jantaku.records.mjai import parse_mjai, to_mjai
from jantaku.records.sniff import content_of
from support.playing import played
from support.record_games import comparable_events, game_of

Message = dict[str, Any]
Rows = list[Message]
STEPS = None if COMPILED else 60


def _log(rules: str, seed: int, steps: int | None = STEPS) -> tuple[Game, Rows]:
    """Return a game and its messages without Jantaku's mark."""
    game = game_of(rules, seed, steps)
    rows = json.loads(json.dumps(to_mjai(game)))
    return game, [{name: value for name, value in row.items() if name != "jantaku"} for row in rows]


def _text(rows: Rows) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def _without(*names: str, kinds: tuple[str, ...] = ()) -> Callable[[Rows], Rows]:
    """Return a function that removes fields from messages of some types, or of all."""
    return lambda rows: [
        {
            name: value
            for name, value in row.items()
            if name not in names or (kinds and row["type"] not in kinds)
        }
        for row in rows
    ]


def _drop(*kinds: str) -> Callable[[Rows], Rows]:
    return lambda rows: [row for row in rows if row["type"] not in kinds]


def _original(rows: Rows) -> Rows:
    """Write a game like Gimite's server: no points at the start of a hand, but after each payment."""
    messages: Rows = [{"type": "hello", "protocol": "mjsonp", "protocol_version": 1}]
    scores: list[int] = []
    for row in rows:
        new = dict(row)
        if row["type"] == "start_game":
            new = {"type": "start_game", "uri": "http://example.com/", "names": ["A", "B", "C", "D"]}
        elif row["type"] == "start_kyoku":
            scores = new.pop("scores")
        elif row["type"] in ("reach_accepted", "hora", "ryukyoku"):
            paid = [-1000 * (seat == row.get("actor")) for seat in range(len(scores))]
            new["deltas"] = row.get("deltas", paid)
            scores = [a + b for a, b in zip(scores, new["deltas"], strict=True)]
            new["scores"] = scores
            if "ura_markers" in new:
                new["uradora_markers"] = new.pop("ura_markers")
        messages.append(new)
    return messages


def _mortal(rows: Rows) -> Rows:
    """Write a game like Mortal: no tile in a win, no reason of a draw, and ``meta``."""
    rows = _without("pai", kinds=("hora",))(_without("reason", kinds=("ryukyoku",))(rows))
    rows = _without("scores", kinds=("end_game",))(rows)
    return [{**row, "meta": {"q_values": [0.5]}} if row["type"] == "dahai" else row for row in rows]


DIALECTS: dict[str, Callable[[Rows], Rows]] = {
    "original": _original,
    "mortal": _mortal,
    "no_scores": _without("scores", kinds=("start_kyoku",)),
    "no_scores_no_deltas": _without("scores", "deltas"),
    "no_standing": lambda rows: _without("bakaze", "kyoku", "honba", "kyotaku", kinds=("start_kyoku",))(
        _original(rows)
    ),
    "no_oya": _without("oya"),
    "null_scores": lambda rows: [{**row, "scores": None} if "scores" in row else row for row in rows],
    "no_targets": _without("target"),
    "no_claimed_tile": _without("pai", kinds=("chi", "pon", "daiminkan")),
    "no_reach_accepted": _drop("reach_accepted"),
    "no_ends": _drop("end_kyoku"),
    "no_start": _drop("start_game"),
    "bare_start": lambda rows: [{"type": "start_game"}, *rows[1:]],
    "akochan": lambda rows: [
        {"type": "start_game", "kyoku_first": 0, "aka_flag": True, "names": list("ABCD")},
        *_original(rows)[2:],
    ],
    "answers": lambda rows: [row for it in rows for row in (it, {"type": "none"})],
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_dialect_is_read_as_the_played_game(dialect: str) -> None:
    game, rows = _log("tenhou", 3)
    for text in (_text(DIALECTS[dialect](rows)), json.dumps(DIALECTS[dialect](rows))):
        again = formats.parse_record(text.encode())
        assert again.format == "mjai"
        assert comparable_events(again.game) == comparable_events(game)


@pytest.mark.parametrize("dialect", ["original", "mortal", "no_standing", "no_scores_no_deltas"])
def test_three_players_are_read_in_every_dialect(dialect: str) -> None:
    game, rows = _log("tenhou-3", 4)
    assert comparable_events(parse_mjai(_text(DIALECTS[dialect](rows)))[0]) == comparable_events(game)


@pytest.mark.parametrize("rules", ["m-league", "wrc", "bgm-2025"])
def test_the_original_protocol_under_other_rules(rules: str) -> None:
    game, rows = _log(rules, 6)
    again = parse_mjai(_text(_original(rows)), game.rules)[0]
    assert comparable_events(again) == comparable_events(game)


@pytest.mark.parametrize("end", range(5, 60, 9))
def test_a_stream_may_stop_anywhere(end: int) -> None:
    _, rows = _log("tenhou", 5)
    again = parse_mjai(_text(_original(rows)[: end + 1]))[0]
    messages = to_mjai(again)
    assert [row["type"] for row in messages[1:end]] == [row["type"] for row in rows[1:end]]


def _discards(game: Game) -> list[tuple[int, int]]:
    return [(event.seat, event.tile) for event in game.events if isinstance(event, e.Discarded)]


def test_missing_tsumogiri_is_inferred_from_the_drawn_tile() -> None:
    game, rows = _log("tenhou", 3)
    again = parse_mjai(_text(_without("tsumogiri")(rows)))[0]
    assert _discards(again) == _discards(game)
    assert again.scores == game.scores
    drawn: dict[int, int] = {}
    for event in again.events:
        if isinstance(event, e.Drew) and event.tile is not None:
            drawn = {event.seat: event.tile}
        elif isinstance(event, e.Discarded):
            assert event.drawn == (drawn.get(event.seat) == event.tile)
        elif isinstance(event, e.Called | e.KanDeclared):
            drawn = {}


def test_starting_points_follow_from_the_first_payment() -> None:
    """Nothing else in the log shows that all players start with 30,000."""
    game = played("m-league", 6, STEPS) if not COMPILED else game_of("tenhou", 3)
    rules = game.rules.with_changes(
        {
            "match.start_points": 30000,
            "match.return_points": 30000,
            "match.sticks": {"10000": 2, "5000": 1, "1000": 4, "100": 10},
        }
    )
    game = played(rules, 3, STEPS)
    rows = [{k: v for k, v in row.items() if k != "jantaku"} for row in json.loads(json.dumps(to_mjai(game)))]
    if not any(row["type"] in ("hora", "ryukyoku") for row in rows):
        pytest.skip("no payment")
    again = parse_mjai(_text(_original(rows)))[0]
    assert again.scores == game.scores


def test_the_first_dealer_may_sit_anywhere() -> None:
    game, rows = _log("tenhou", 3)
    rotated: Rows = []
    for row in rows:
        new = dict(row)
        for name in ("tehais", "scores", "deltas", "names"):
            if name in new:
                new[name] = [*new[name][-3:], *new[name][:-3]]
        for name in ("actor", "target", "oya"):
            if name in new:
                new[name] = (new[name] + 3) % 4
        rotated.append(new)
    again, names = parse_mjai(_text(rotated))
    assert comparable_events(again) == comparable_events(game)
    assert names == list("0123")


def _riichi_wins(game: Game) -> int:
    return sum(isinstance(event, e.Won) and bool(event.ura) for event in game.events)


@pytest.mark.skipif(not COMPILED, reason="whole games")
@pytest.mark.parametrize("left_out", [("ura_markers",), ("ura_markers", "scores")])
def test_missing_ura_indicators_follow_from_the_payments(left_out: tuple[str, ...]) -> None:
    wins = 0
    for seed in range(2):
        game, rows = _log("tenhou", seed)
        again = parse_mjai(_text(_without(*left_out)(rows)))[0]
        assert again.scores == game.scores
        wins += _riichi_wins(game)
    assert wins > 1


@pytest.mark.skipif(not COMPILED, reason="whole games")
def test_no_ura_dora_are_assumed_without_payments_and_indicators() -> None:
    """A win whose value is not logged gets only the dora that the log shows."""
    wins = 0
    for seed in range(5):
        _, rows = _log("tenhou", seed)
        first = next((i for i, row in enumerate(rows) if row["type"] == "hora" and row["ura_markers"]), None)
        if first is None:
            continue
        start = max(i for i, row in enumerate(rows[:first]) if row["type"] == "start_kyoku")
        hand = _without("ura_markers", "deltas")(rows[start : first + 1])
        won = [event for event in parse_mjai(_text(hand))[0].events if isinstance(event, e.Won)]
        assert won
        assert all("ura_dora" not in event.score.yaku for event in won)
        wins += 1
    assert wins > 1


@pytest.mark.parametrize("name", ["deltas", "scores"])
@pytest.mark.parametrize("kind", ["hora", "ryukyoku", "reach_accepted"])
def test_wrong_payments_are_reported_with_their_line(kind: str, name: str) -> None:
    for seed in range(3, 20):
        _, rows = _log("tenhou", seed, None if COMPILED else 250)
        rows = _original(rows)
        line = next((i for i, row in enumerate(rows) if row["type"] == kind), None)
        if line is not None:
            break
    else:
        pytest.skip(f"no {kind}")
    rows[line] = {**rows[line], name: [*rows[line][name][1:], rows[line][name][0] + 100]}
    with pytest.raises(RecordError) as caught:
        parse_mjai(_text(rows))
    assert caught.value.details["line"] == line + 1


def test_a_differing_game_has_the_recorded_payments() -> None:
    _, rows = _log("tenhou", 3)
    rows = _original(rows)
    paid = next((row for row in rows if row["type"] in ("hora", "ryukyoku") and any(row["deltas"])), None)
    if paid is None:
        pytest.skip("no payment")
    paid["deltas"] = [delta + 100 * (i == 0) - 100 * (i == 1) for i, delta in enumerate(paid["deltas"])]
    for row in rows:
        row.pop("scores", None)
    content = content_of(_text(rows).encode())
    shown = formats.read_content(content, as_recorded=True)
    assert shown.difference is not None
    moved = next(event for event in shown.game.events if isinstance(event, e.PointsMoved))
    assert list(moved.deltas) == paid["deltas"]


def test_an_error_asks_for_points_that_cannot_be_inferred() -> None:
    _, rows = _log("tenhou", 3)
    start = next(row for row in rows if row["type"] == "start_kyoku")
    with terms.using("en"), pytest.raises(RecordError, match="scores"):
        parse_mjai(_text([{k: v for k, v in start.items() if k != "scores"} | {"bakaze": "S", "honba": 1}]))
