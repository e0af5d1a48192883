"""Records of Majiang (電脳麻将): valid, invalid and incomplete ones."""

import json
from typing import Any

import pytest

from jantaku.errors import RecordError
from jantaku.kernels._jit import COMPILED
from jantaku.records import formats
from jantaku.records.sniff import content_of
from support.majiang_writer import majiang_of
from support.record_games import comparable_events, game_of

NAMES = ["東家", "B", "C", "D"]
STEPS = None if COMPILED else 60


def _read(data: Any) -> formats.Recorded:
    return formats.parse_record(json.dumps(data, ensure_ascii=False).encode())


@pytest.mark.parametrize("seed", [3, 5] if COMPILED else [3])
@pytest.mark.parametrize("first", [0, 3])
def test_a_record_is_read_as_the_played_game(seed: int, first: int) -> None:
    game = game_of("tenhou", seed, STEPS)
    read = _read(majiang_of(game, NAMES, first))
    assert read.format == "majiang"
    assert list(read.names) == NAMES
    assert comparable_events(read.game) == comparable_events(game)


@pytest.mark.parametrize("preset", ["m-league", "wrc"])
def test_a_record_under_other_rules_is_read(preset: str) -> None:
    game = game_of(preset, 6, STEPS)
    text = json.dumps(majiang_of(game, NAMES))
    assert comparable_events(formats.parse_record(text.encode(), game.rules).game) == comparable_events(game)


@pytest.mark.skipif(not COMPILED, reason="a whole game")
def test_a_single_hand_is_read() -> None:
    """Majiang's viewer saves single hands together with the result of the whole game."""
    data = majiang_of(game_of("tenhou", 3), NAMES)
    for number in range(len(data["log"]) - 1):
        read = _read({**data, "log": [data["log"][number]]})
        assert len(read.game.walls) in (1, 2)


def test_one_game_in_an_array_is_read_and_several_are_refused() -> None:
    data = majiang_of(game_of("tenhou", 3, 60), NAMES)
    assert comparable_events(_read([data]).game) == comparable_events(game_of("tenhou", 3, 60))
    with pytest.raises(RecordError) as caught:
        _read([data, data])
    assert caught.value.code == "record_several"


def _broken(data: dict[str, Any], step: int, value: Any) -> dict[str, Any]:
    changed: dict[str, Any] = json.loads(json.dumps(data))
    changed["log"][0][step] = value
    return changed


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ({"zimo": {"l": 0, "p": "m1"}}, "tenhou_differs"),
        ({"zimo": {"l": 4, "p": "m1"}}, "majiang_bad"),
        ({"zimo": {"l": 0, "p": "x1"}}, "majiang_bad"),
        ({"zimo": {"l": 0, "p": "_"}}, "majiang_bad"),
        ({"zimo": None}, "majiang_bad"),
        ({"fulou": {"l": 1, "m": "m1-2x"}}, "majiang_bad"),
        ({"dapai": {"l": 0}}, "majiang_bad"),
        ({}, "majiang_bad"),
        (7, "majiang_bad"),
    ],
)
def test_an_invalid_step_is_reported_with_its_hand(value: Any, code: str) -> None:
    data = majiang_of(game_of("tenhou", 3, 60), NAMES)
    with pytest.raises(RecordError) as caught:
        _read(_broken(data, 1, value))
    assert (caught.value.code, caught.value.details["hand"]) == (code, 1)
    assert caught.value.message()


@pytest.mark.skipif(not COMPILED, reason="a whole game")
def test_wrong_payments_are_reported_and_readable_as_recorded() -> None:
    data = majiang_of(game_of("tenhou", 3), NAMES)
    number, end = next(
        (i, next(iter(hand[-1].values())))
        for i, hand in enumerate(data["log"], 1)
        if any(next(iter(hand[-1].values()))["fenpei"])
    )
    end["fenpei"][0] += 100
    with pytest.raises(RecordError) as caught:
        _read(data)
    assert caught.value.details["hand"] in (number, number + 1)
    shown = formats.read_content(content_of(json.dumps(data).encode()), as_recorded=True)
    assert shown.difference is not None
