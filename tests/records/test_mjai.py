"""mjai logs: round trips, one seat's perspective, answers of programs, and tampered logs."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from conftest import scale
from jantaku import load, terms
from jantaku.cli.explanation import event_in_words
from jantaku.errors import RecordError
from jantaku.game import Chi, Discard, EndGame, Foul, Game, Kan, Pass, Pon, Ron, Tsumo, hide
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from jantaku.records.formats import read
from jantaku.records.mjai import (
    MjaiEncoder,
    action_from_mjai,
    action_to_mjai,
    dumps_mjai,
    parse_mjai,
    to_mjai,
)
from support.playing import choose, played
from support.record_games import comparable_events, game_of

Message = dict[str, Any]
TINY = Path(__file__).parents[1] / "data" / "east-1.mjai"
STEPS = None if COMPILED else 60


@pytest.mark.parametrize("seat", range(4))
def test_a_seat_log_contains_only_visible_tiles(seat: int) -> None:
    """The messages are the same whether or not the events contain hidden tiles, and never show such tiles."""
    game = game_of("tenhou", 3, STEPS)
    seen = to_mjai([hide(event, seat) for event in game.events], seat)
    assert seen == to_mjai(game.events, seat)
    draws = [message for message in seen if message["type"] == "tsumo"]
    assert {message["pai"] == "?" for message in draws if message["actor"] != seat} == {True}
    assert "?" not in {message["pai"] for message in draws if message["actor"] == seat}
    starts = [message for message in seen if message["type"] == "start_kyoku"]
    assert {hand for start in starts for hand in map(tuple, start["tehais"]) if "?" in hand} == {("?",) * 13}


def test_events_can_be_encoded_one_at_a_time() -> None:
    game = game_of("m-league", 2, STEPS)
    encoder = MjaiEncoder(1)
    apart = [message for event in game.events for message in encoder.encode(event)] + encoder.rest()
    assert apart == to_mjai(game.events, 1)
    assert apart[0]["id"] == 1


def test_a_program_can_play_by_messages() -> None:
    """Every action survives conversion to messages and back; riichi takes two messages."""
    rng, game = Random(11), Game("bgm-2025", seed=12)
    kinds = set()
    for _ in range(scale(1500)):
        if game.is_over:
            break
        seat = rng.choice(game.to_act)
        action = choose(game, seat, rng)
        messages = action_to_mjai(action, game, seat)
        riichi = action.riichi if isinstance(action, Discard) else None
        assert len(messages) == 1 + bool(riichi)
        assert action_from_mjai(messages[-1], game, seat, riichi) == action
        assert json.loads(json.dumps(messages)) == messages
        kinds.add(type(action))
        game.play(seat, action)
    assert {Discard, Pass} <= kinds
    assert not COMPILED or {Pon, Chi, Kan, Ron, Tsumo} <= kinds


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"type": "sing"},
        {"type": "dahai"},
        {"type": "chi", "consumed": ["1m"]},
        {"type": "dahai", "pai": "0m"},
    ],
)
def test_invalid_actions_are_refused(message: Message) -> None:
    with pytest.raises(RecordError, match="Seat 0 answered"):
        action_from_mjai(message, Game("tenhou", seed=1), 0)


def test_a_foul_has_no_message_but_every_format_stores_it() -> None:
    rules = load("tenhou").with_changes({"fouls.mode": "penalise"})
    game = Game(rules, seed=4)
    slip = next(act for act in game.fouls(0) if isinstance(act, Foul))
    with pytest.raises(RecordError, match="no message"):
        action_to_mjai(slip, game, 0)
    game.play(0, slip)
    for name in formats.BY_NAME:
        again = formats.parse_record(formats.dumps(game, name).encode()).game
        assert comparable_events(again) == comparable_events(game)
    with terms.using("ko"):
        assert all(event_in_words(event) != event.type for event in game.events)


@pytest.mark.skipif(not COMPILED, reason="a whole game")
def test_a_dealer_may_end_the_game() -> None:
    """If the rules let the dealer choose, a log that ends there means that the dealer ended the game."""
    rules = load("standard").with_changes({"match.length": "east", "end.agari_yame": "optional"})
    game = played(rules, 14)
    assert game.moves[-1][2] == EndGame()
    assert comparable_events(parse_mjai(dumps_mjai(game), rules)[0]) == comparable_events(game)


def first(rows: list[Message], **wanted: object) -> int:
    return next(i for i, row in enumerate(rows) if wanted.items() <= row.items())


def change(kind: str, name: str, value: object) -> Callable[[list[Message]], int]:
    """Change a field of the first message of a type; return its line."""

    def changed(rows: list[Message]) -> int:
        index = first(rows, type=kind)
        rows[index][name] = value
        return index + 1

    return changed


def drop(kind: str) -> Callable[[list[Message]], int]:
    def dropped(rows: list[Message]) -> int:
        index = first(rows, type=kind)
        del rows[index]
        return index + 1

    return dropped


# The change, and within how many lines the reader must report it
TAMPERED: list[tuple[Callable[[list[Message]], int], int]] = [
    (change("tsumo", "actor", 2), 0),
    (change("tsumo", "pai", "0m"), 0),
    (change("dahai", "pai", "?"), 0),
    (change("dahai", "actor", 3), 0),
    (change("start_kyoku", "scores", [1000, 2000, 3000, 4000]), 0),
    (change("start_kyoku", "honba", 3), 0),
    (change("start_kyoku", "tehais", [[], [], [], []]), 0),
    (change("hora", "deltas", [1, 2, 3, 4]), 0),
    (change("hora", "actor", 3), 0),
    (change("pon", "target", 1), 0),
    (change("pon", "consumed", ["1m", "2m"]), 0),
    (change("end_game", "scores", [0, 0, 0, 0]), 0),
    (change("ryukyoku", "deltas", [9000, 0, 0, -9000]), 0),
    (drop("tsumo"), 0),
    (drop("dahai"), 1),
    (drop("reach"), 60),
    (drop("hora"), 60),
]


@pytest.mark.skipif(not COMPILED, reason="a whole game for each row")
@pytest.mark.parametrize(("tamper", "later"), TAMPERED, ids=range(len(TAMPERED)))
def test_a_changed_log_is_reported_with_its_line(tamper: Callable[[list[Message]], int], later: int) -> None:
    rows = to_mjai(game_of("tenhou", 3))
    line = tamper(rows)
    with pytest.raises(RecordError) as caught:
        parse_mjai("\n".join(map(json.dumps, rows)))
    reported = caught.value.details["line"]
    assert isinstance(reported, int)
    assert line <= reported <= line + later
    assert str(reported) in caught.value.message("ko")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "mjai_no_hand"),
        ("[]", "record_line"),
        ("[5]", "record_line"),
        ("{", "record_line"),
        ('{"type":"start_game"}', "mjai_no_hand"),
        ('{"type":"start_game"}\n{"no":"type"}', "record_line"),
        ('{"type":"tsumo","actor":0,"pai":"1m"}', "record_line"),
        (
            '{"type":"start_game","jantaku":{"rules":"house","fingerprint":"0"}}\n{"type":"start_kyoku"}',
            "record_line",
        ),
    ],
)
def test_invalid_logs_are_refused(text: str, code: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_mjai(text)
    assert caught.value.code == code
    assert not isinstance(caught.value.__cause__, RecordError)  # the wording would repeat itself


def test_a_log_of_several_games_is_refused() -> None:
    rows = to_mjai(game_of("tenhou", 3, 20))
    with pytest.raises(RecordError) as caught:
        parse_mjai("\n".join(map(json.dumps, [*rows, *rows])))
    assert (caught.value.code, caught.value.details["count"]) == ("record_several", 2)


def test_rules_that_differ_from_the_log_are_refused() -> None:
    rows = to_mjai(game_of("wrc", 1, 20))
    rows[0]["jantaku"]["fingerprint"] = "0"
    with pytest.raises(RecordError) as caught:
        parse_mjai("\n".join(map(json.dumps, rows)))
    assert caught.value.code == "record_rules"


def test_a_log_of_one_seat_is_refused() -> None:
    rows = to_mjai(game_of("tenhou", 3, 20), 2)
    with pytest.raises(RecordError) as caught:
        parse_mjai("\n".join(map(json.dumps, rows)))
    assert "?" in caught.value.message("en")


def test_a_kan_indicator_may_come_late() -> None:
    """Programs send it before or after the following draw or discard."""
    game = game_of("standard", 3, STEPS)
    rows = to_mjai(game)
    places = [i for i, row in enumerate(rows) if row["type"] == "dora"]
    for spot in places:
        rows[spot], rows[spot + 1] = rows[spot + 1], rows[spot]
    assert comparable_events(parse_mjai("\n".join(map(json.dumps, rows)))[0]) == comparable_events(game)
    assert places or not COMPILED


def test_a_minimal_log_is_read() -> None:
    game = read(TINY)
    assert [event.type for event in game.events].count("hand_started") == 2
    assert game.rules.id == "tenhou"
