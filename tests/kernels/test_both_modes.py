"""Compiled and plain code give the same results; kernels in which they could differ do not compile."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jantaku.game import Foul, Game
from jantaku.kernels._integers import NarrowIntegerError
from jantaku.kernels._jit import COMPILED, allocating
from jantaku.kernels.engine.state import MATCH
from jantaku.rules import load
from support import plain
from support.plain import differences

compiled_only = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
NARROW = (np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.uint64)


@compiled_only
@pytest.mark.parametrize("kind", NARROW)
def test_int_makes_every_number_a_signed_one(kind: type) -> None:
    def less(numbers):  # type: ignore[no-untyped-def]
        return int(numbers[0]) - int(numbers[1]), (int(numbers[0]) - int(numbers[1])) % 3

    numbers: Any = np.array([1, 2], kind)
    plain: Any = less
    assert allocating(plain)(numbers) == plain(numbers) == (-1, 2)


def minus(numbers):  # type: ignore[no-untyped-def]
    return numbers[0] - numbers[1]


def kept(numbers):  # type: ignore[no-untyped-def]
    number = numbers[0] if numbers[1] else 0
    return number * 300


def negative(numbers):  # type: ignore[no-untyped-def]
    return -numbers[0]


def shifted(numbers):  # type: ignore[no-untyped-def]
    return 1 << numbers[0]


def largest(numbers):  # type: ignore[no-untyped-def]
    return max(numbers[0], 3)


def returned(numbers):  # type: ignore[no-untyped-def]
    return numbers[0]


def in_turn(numbers):  # type: ignore[no-untyped-def]
    total = 0
    for number in numbers:
        total += number * 2
    return total


def counted_truths(numbers):  # type: ignore[no-untyped-def]
    return (numbers[0] > 0) + (numbers[1] > 0)


UNSURE = (minus, kept, negative, shifted, largest, returned, in_turn, counted_truths)


@compiled_only
@pytest.mark.parametrize("function", UNSURE, ids=lambda entry: entry.__name__)
def test_calculations_that_could_differ_do_not_compile(function: Callable[..., Any]) -> None:
    made: Any = allocating(function)
    with pytest.raises(NarrowIntegerError, match=rf"{function.__name__}.*use int\(\)"):
        made(np.array([1, 2], np.uint8))


@compiled_only
def test_narrow_numbers_may_be_compared_stored_and_counted_up_in_place() -> None:
    def counted(numbers):  # type: ignore[no-untyped-def]
        numbers[0] += 3
        numbers[1] = numbers[0]
        numbers[2] |= 1 << 4
        return numbers[0] > numbers[1] or numbers[2] == 16

    ours, its = np.array([1, 2, 0], np.uint8), np.array([1, 2, 0], np.uint8)
    plain: Any = counted
    assert allocating(plain)(ours) == plain(its)
    assert ours.tolist() == its.tolist() == [4, 4, 16]


@compiled_only
@pytest.mark.parametrize("points", [100, 2000, 3000, 3100, 99_900])
@pytest.mark.parametrize("players", ["standard", "standard-3"])
def test_a_flat_chombo_costs_the_same_in_both_modes(players: str, points: int) -> None:
    """The offender pays exactly the flat amount, and the other players' shares add up to it."""
    rules = load(players).with_changes({"fouls.chombo": "flat", "fouls.chombo_points": points})
    for seat in rules.seats:
        game = Game(rules.with_changes({"fouls.mode": "penalise"}), seed=5)
        while game.to_act[0] != seat:
            game.play(game.to_act[0], game.legal(game.to_act[0])[-1])
        before, scores = game.state, game.scores
        game.play(seat, Foul("win_shown"))
        plain.compare_step(before, *game.played[-1], game.rules)
        assert scores[seat] - game.scores[seat] == points
        assert sum(game.scores) == sum(scores)


def test_a_difference_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every ``Game`` of the suite compares both modes at the end of each hand."""
    if not COMPILED:
        pytest.skip("nothing is compiled")
    rules = load("standard").with_changes({"fouls.mode": "penalise"})
    step = plain.plain_step()

    def other(games: Any, *rest: Any) -> int:
        number: int = step(games, *rest)
        games[0].match.honba += 1
        return number

    monkeypatch.setattr(plain, "plain_step", lambda: other)
    game = Game(rules, seed=5)
    with pytest.raises(AssertionError, match=r"match\.honba"):
        game.play(0, Foul("win_shown"))


def test_differences_of_records_are_named() -> None:
    one, other = np.zeros(1, MATCH), np.zeros(1, MATCH)
    other[0].scores[2] = 5
    assert differences(one[0], other[0]) == {"scores": ([0, 0, 0, 0], [0, 0, 5, 0])}


@compiled_only
@pytest.mark.parametrize(
    ("group", "parts", "least"),
    [
        pytest.param("engine", {"kernels"}, 20, marks=pytest.mark.slow),
        pytest.param("players", {"kernels", "bots", "lab", "club"}, 15, marks=pytest.mark.long),
    ],
)
def test_every_compiled_function_agrees_with_its_plain_python(
    group: str, parts: set[str], least: int
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "support.entries", group], cwd=Path(__file__).parents[1],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    data = json.loads(done.stdout.splitlines()[-1])
    assert {name.partition(".")[0] for name in data} >= parts
    assert len(data) >= least, data
