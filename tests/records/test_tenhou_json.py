"""tenhou.net/6 JSON: tile and call codes, round trips, and tampered logs."""

import copy
import json
from random import Random
from typing import Any

import pytest

from jantaku.errors import RecordError
from jantaku.game import Discard
from jantaku.kernels._jit import COMPILED
from jantaku.records.native.compact import expand
from jantaku.records.script import ScriptAct
from jantaku.records.tenhou6 import parse_tenhou, to_tenhou
from jantaku.records.tenhou6.code import number_of, parse_call, place_of, tile_of
from jantaku.records.tenhou6.order import OutOfOrderError, _Walk, orders, steps_in_order
from jantaku.tiles import RED, Tile
from support.golden import rows
from support.record_games import game_of

NUMBERS = [
    ("1m", 11), ("9m", 19), ("5p", 25), ("9s", 39), ("1z", 41), ("7z", 47),
    ("0m", 51), ("0p", 52), ("0s", 53), ("3rm", 63), ("7rp", 77), ("9rs", 89),
]  # fmt: skip


@pytest.mark.parametrize(("name", "number"), NUMBERS)
def test_numbers_of_tiles(name: str, number: int) -> None:
    assert number_of(Tile.parse(name)) == number
    assert tile_of(number) == Tile.parse(name)


def test_every_tile_has_a_unique_number() -> None:
    tiles = [*range(34), *range(RED, RED + 27)]
    assert [tile_of(number_of(tile)) for tile in tiles] == tiles
    for wrong in (0, 10, 20, 48, 50, 54, 60, 70, 90):
        with pytest.raises(ValueError, match=str(wrong)):
            tile_of(wrong)


# A call, how many seats to the right the tile came from, and that tile
CALLS = [
    ("c171618", 3, "7m"), ("p474747", 3, "7z"), ("47p4747", 2, "7z"), ("4747p47", 1, "7z"),
    ("m12121212", 3, "2m"), ("12m121212", 2, "2m"), ("121212m12", 1, "2m"),
    ("k15151515", 3, "5m"), ("15k511515", 2, "0m"), ("1515k1515", 1, "5m"), ("151551a15", 1, "5m"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "away", "tile"), CALLS)
def test_calls(text: str, away: int, tile: str) -> None:
    call = parse_call(text)
    assert (call.away, call.tile, str(call)) == (away, Tile.parse(tile), text)


@pytest.mark.parametrize("text", ["", "c", "1516", "p1", "p15x", "c999999", "1p1515"])
def test_bad_calls_are_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  (the message depends on the invalid number)
        parse_call(text)


def test_index_of_the_letter_in_a_call() -> None:
    assert [place_of(away, 3) for away in (3, 2, 1)] == [0, 1, 2]
    assert [place_of(away, 4) for away in (3, 2, 1)] == [0, 1, 3]


def test_ambiguous_calls_are_resolved() -> None:
    """Seat 2 passes on seat 0's first 5p and calls the second one; only the rest of the hand shows which."""
    takes = [[25, "1212p12"], [12], ["25p2525"], [16]]
    discards = [[60, 25], [60], [14], [60]]
    steps = steps_in_order(0, takes, discards)
    assert [step.what.seat for step in steps if isinstance(step.what, ScriptAct)] == [0, 1, 0, 0, 2, 2, 3]


def random_hand(rng: Random) -> tuple[list[list[Any]], list[list[Any]], list[int]]:
    """Return draws and discards of a hand with few kinds and many pon, and the acting seats in order.

    Each kind is called at most once, as is usual with four copies of a tile.
    """
    takes: list[list[Any]] = [[] for _ in range(4)]
    discards: list[list[Any]] = [[] for _ in range(4)]
    kinds, seats, seat, calling = list(range(11, 15)), [], 0, ""
    for _ in range(rng.randint(4, 24)):
        takes[seat].append(calling or rng.randint(31, 39))
        tile = rng.choice([*kinds, 21])
        discards[seat].append(tile)
        seats.append(seat)
        callers = [other for other in range(4) if other != seat]
        if tile in kinds and rng.random() < 0.4:
            kinds.remove(tile)
            caller, away = (other := rng.choice(callers)), (seat - other) % 4
            calling = ["", f"{tile}{tile}p{tile}", f"{tile}p{tile}{tile}", f"p{tile}{tile}{tile}"][away]
            seat = caller
        else:
            seat, calling = (seat + 1) % 4, ""
    return takes, discards, seats


@pytest.mark.slow
def test_only_one_order_fits() -> None:
    """So the first order that fits is the right one; in some hands the first order tried does not fit."""
    guesses = 0
    for seed in range(4000):
        takes, discards, seats = random_hand(Random(seed))
        fitting = list(orders(0, takes, discards))
        assert len(fitting) == 1, seed
        acts = [step.what for step in fitting[0] if isinstance(step.what, ScriptAct)]
        assert [act.seat for act in acts if isinstance(act.action, Discard)] == seats, seed
        walk = _Walk(0, takes, discards, [])
        try:
            guesses += not walk.run()
        except OutOfOrderError:
            guesses += 1
    assert guesses > 20


def test_draws_that_fit_in_no_order_are_refused() -> None:
    with pytest.raises(OutOfOrderError):
        steps_in_order(0, [[25], [12], ["25p2525"], [16]], [[11], [60], [14], [60]])


def test_hands_and_dora_are_in_tenhous_order() -> None:
    """Red fives follow plain ones; dora come before red and ura dora, as in recorded games of 2024."""
    row = next(row for row in rows() if row["rules"] == "tenhou-3")
    hands, kinds = list[list[int]](), list[list[str]]()
    for logged_hand in to_tenhou(expand(row["game"]))["log"]:
        hands += [hand for hand in logged_hand[4:16:3] if hand]
        for win in logged_hand[16][2::2]:
            names = [text.split("(")[0] for text in win[4:]]
            kinds.append([name for name in names if name.endswith("ドラ")])
    mark = {51: 15.5, 52: 25.5, 53: 35.5}
    assert all(hand == sorted(hand, key=lambda number: mark.get(number, number)) for hand in hands)
    assert any({25, 52} <= {*hand} or {35, 53} <= {*hand} for hand in hands)
    order = ["ドラ", "赤ドラ", "裏ドラ"]
    assert all(kind == [name for name in order if name in kind] for kind in kinds)
    assert ["ドラ", "裏ドラ"] in kinds or ["ドラ", "赤ドラ"] in kinds


def tampered(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    data = copy.deepcopy(to_tenhou(game_of("tenhou", 3)))
    node = data
    for name in path[:-1]:
        node = node[name]
    node[path[-1]] = value
    return data


# The path to change, the new value, and the hand named by the error
TAMPERED: list[tuple[tuple[Any, ...], Any, int]] = [
    (("log", 0, 1, 0), 24000, 1),
    (("log", 1, 0, 1), 7, 2),
    (("log", 0, 2, 0), 99, 1),
    (("log", 0, 4, 0), 90, 1),
    (("log", 0, 4), [], 1),
    (("log", 0, 5, 0), 60, 1),
    (("log", 0, 6, 0), 47, 1),
    (("log", 2, 6, 0), "x11", 3),
    (("log", 0, 16), ["流局", [0, 0, 0, 0]], 1),
    (("log", 0, 16, 1, 0), 100, 1),
    (("log", 0, 16, 2, 3), "30符4飜7700点", 1),
    (("log", 0, 16, 2, 4), "平和(1飜)", 1),
    (("log", 0), [], 1),
    (("log", 0), 5, 1),
]


@pytest.mark.skipif(not COMPILED, reason="a whole game for each row")
@pytest.mark.parametrize(("path", "value", "hand"), TAMPERED, ids=range(len(TAMPERED)))
def test_a_changed_log_is_reported_with_its_hand(path: tuple[Any, ...], value: Any, hand: int) -> None:
    with pytest.raises(RecordError) as caught:
        parse_tenhou(json.dumps(tampered(path, value)))
    assert caught.value.details["hand"] == hand
    assert caught.value.details["what"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"log":[]}', '{"log":5}'])
def test_invalid_logs_are_refused(text: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_tenhou(text)
    assert caught.value.code == "tenhou_not"


@pytest.mark.skipif(not COMPILED, reason="a whole game")
def test_the_final_points_are_compared() -> None:
    data = to_tenhou(game_of("tenhou", 3))
    data["sc"][1] += 1
    with pytest.raises(RecordError) as caught:
        parse_tenhou(json.dumps(data))
    assert caught.value.details["what"] == "sc"


def test_the_rules_of_an_unmarked_log_follow_from_the_table_name() -> None:
    data = to_tenhou(game_of("tenhou", 5, 30))
    data["rule"] = {"disp": "般南喰赤", "aka": 1}
    assert parse_tenhou(json.dumps(data))[0].rules.id == "tenhou"
