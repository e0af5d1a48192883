"""Rounds that are seated again after a change: invariants, and the number of repeats."""

import json
from collections import Counter
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import scale
from jantaku.cli.app import app
from jantaku.club import seat
from jantaku.club.seating import Seated, SeatingPlan, Wishes, quality_of, reporting, reseat, search, winds
from jantaku.club.seating.plan import seated_rounds
from jantaku.club.seating.quality import min_repeats
from jantaku.club.seating.winds import winds_after
from jantaku.errors import RequestError
from jantaku.kernels._jit import COMPILED

compiled = pytest.mark.skipif(not COMPILED, reason="the search needs compiled code")


@pytest.fixture(autouse=True)
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the search; the invariants hold after any number of steps."""
    shorten(monkeypatch, 2_000 if COMPILED else 200)


def shorten(monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    monkeypatch.setattr(winds, "STEPS", steps)
    for name in ("STEPS_PER_ROUND", "STEPS_PER_PLAN"):
        monkeypatch.setattr(search, name, steps)
    monkeypatch.setattr(search, "TRIES", 2)


def named(count: int) -> list[str]:
    return [f"p{i:02}" for i in range(count)]


def check_invariants(
    played: list[Seated], present: list[list[str]], plan: SeatingPlan, wishes: Wishes
) -> None:
    """Check that everyone present has a seat or a bye, who substitutes, and the measures of the plan."""
    assert len(plan.rounds) == len(plan.byes) == len(present)
    for tables, byes, players in zip(plan.rounds, plan.byes, present, strict=True):
        sitting = [*chain(*tables)]
        assert {len(table) for table in tables} == {4}
        extra = set(sitting) - set(players)
        assert sorted([*sitting, *byes]) == sorted([*players, *extra])
        assert extra <= set(wishes.reserves)
        assert not (extra and byes)
        wanted = -len(players) % 4
        assert len(extra) == (wanted if wanted <= len(wishes.reserves) else 0)
    every = [*(seated.tables for seated in played), *plan.rounds]
    met = Counter(pair for tables in every for table in tables for pair in combinations(sorted(table), 2))
    assert plan.repeats == sum(met.values()) - len(met) >= plan.bound
    assert plan.together == sum(met[min(pair), max(pair)] for pair in wishes.apart)


@pytest.mark.slow
@settings(max_examples=scale(20), deadline=None)
@given(data=st.data())
def test_invariants(data: st.DataObject) -> None:
    names = named(data.draw(st.integers(8, 21)))
    rounds, cut = data.draw(st.integers(2, 6)), data.draw(st.integers(0, 3))
    first = seat(names, rounds + cut, seed=1)
    played = [Seated(*parts) for parts in zip(first.rounds[:cut], first.byes[:cut], strict=True)]
    late = [f"late{i}" for i in range(data.draw(st.integers(0, 3)))]
    away = st.sets(st.sampled_from(names), max_size=len(names) - 6)
    present = [[name for name in names + late if name not in gone] for gone in data.draw(many(away, rounds))]
    pair = tuple(data.draw(st.permutations(names))[:2])
    known = {*chain(*present), *chain(*chain(*(seated.tables for seated in played)))}
    apart = [pair] if set(pair) <= known else []
    wishes = Wishes(["z1", "z2"][: data.draw(st.integers(0, 2))], apart)  # type: ignore[arg-type]
    planned = first.rounds[cut:] if data.draw(st.booleans()) else ()
    seating = reseat(played, present, planned=planned, wishes=wishes, seed=3)
    check_invariants(played, present, seating, wishes)
    again = reseat(played, present, planned=planned, wishes=wishes, seed=3)
    assert (again.rounds, again.byes) == (seating.rounds, seating.byes)


def many(one: Any, count: int) -> Any:
    return st.lists(one, min_size=count, max_size=count)


@pytest.mark.slow
@settings(max_examples=scale(15), deadline=None)
@given(st.integers(2, 6), st.integers(2, 7), st.integers(0, 2**31 - 1))
def test_reseating_is_never_worse_than_the_previous_plan(tables: int, rounds: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    names = named(4 * tables)
    plan = [random.permutation(names).reshape(tables, 4).tolist() for _ in range(rounds)]
    cut = int(random.integers(rounds))
    seating = reseat(
        [Seated(round_) for round_ in plan[:cut]], [names] * (rounds - cut), planned=plan[cut:], seed=seed
    )
    before = quality_of(plan, 4, (), cut)
    assert before.bound == seating.bound <= seating.repeats <= before.repeats


@settings(max_examples=scale(100), deadline=None)
@given(st.integers(2, 8), st.integers(1, 8), st.integers(0, 4), st.integers(0, 2**31 - 1))
def test_the_bound_never_exceeds_the_repeats_of_a_seating(
    tables: int, rounds: int, played: int, seed: int
) -> None:
    random = np.random.default_rng(seed)
    names = named(4 * tables + int(random.integers(4)))
    plan = [random.permutation(names)[: 4 * tables].reshape(tables, 4).tolist() for _ in range(rounds)]
    quality = quality_of(plan, 4, (), min(played, rounds))
    assert quality.bound <= quality.repeats
    assert quality_of(plan, 4).bound <= quality.bound
    assert quality_of(plan, 4, (), rounds).bound == quality.repeats


def test_the_bound_counts_rounds_already_played() -> None:
    assert min_repeats([1, 1, 1, 1], 4) == 0
    assert min_repeats([1, 1, 1, 1], 4, (), {(0, 1): 1, (0, 2): 1, (1, 2): 1}) == 3
    assert min_repeats([0, 0], 2, (), {(0, 1): 3}) == 2
    assert min_repeats([1, 1, 1], 2, [(0, 1)]) == 0


@pytest.mark.slow
@settings(max_examples=scale(8), deadline=None)
@given(st.integers(1, 6), st.integers(0, 6), st.integers(1, 6), st.integers(0, 2**31 - 1))
def test_reordering_winds_keeps_the_tables(tables: int, played: int, rounds: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    plan = [random.permutation(4 * tables).reshape(tables, 4).tolist() for _ in range(played + rounds)]
    winds = winds_after(plan[:played], plan[played:], 4, random)
    assert [[sorted(table) for table in wind] for wind in winds] == [
        [sorted(table) for table in round_] for round_ in plan[played:]
    ]


CHANGED = ((16, 5, 2, 0), (28, 7, 3, 4), (32, 8, 4, 6), (40, 8, 4, 2))


@pytest.mark.slow
@compiled
@pytest.mark.parametrize(("players", "rounds", "cut", "most"), CHANGED)
def test_few_opponents_repeat_after_a_swap(
    players: int, rounds: int, cut: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    names = named(players)
    plan = [[list(table) for table in tables] for tables in seat(names, rounds).rounds]
    one, other = plan[cut - 1][:2]
    one[0], other[2] = other[2], one[0]
    played = [Seated(tables) for tables in plan[:cut]]
    parts: list[float] = []
    with reporting(parts.append):
        seating = reseat(played, [names] * (rounds - cut), planned=plan[cut:])
    check_invariants(played, [names] * (rounds - cut), seating, Wishes())
    assert seating.repeats <= most
    assert seating.seat_spread <= 1
    assert seating.seconds < 60
    assert parts == sorted(parts)
    assert all(0 <= part < 1 for part in parts)


def test_substitutes_take_turns() -> None:
    names = named(11)
    seating = reseat([], [names] * 4, wishes=Wishes(["x", "y"]))
    games = Counter(chain(*chain(*seating.rounds)))
    assert (games["x"], games["y"]) == (2, 2)


def test_byes_rotate() -> None:
    names = named(10)
    played = [Seated([names[:4], names[4:8]], names[8:])]
    seating = reseat(played, [names] * 4)
    had = Counter(chain(*seating.byes, names[8:]))
    assert set(had.values()) == {1}


@pytest.mark.parametrize(
    ("played", "present", "wishes", "code"),
    [
        ([], [["a", "b", "c"]], {}, "too_few_to_seat"),
        ([], [], {}, "number_range"),
        ([], [named(8)] * 61, {}, "number_range"),
        ([], [named(404)], {}, "number_range"),
        ([], [named(8)], {"apart": [("p01", "p01")]}, "id_twice"),
    ],
)
def test_impossible_rounds_are_refused(played: Any, present: Any, wishes: Any, code: str) -> None:
    with pytest.raises(RequestError) as error:
        reseat(played, present, wishes=Wishes(**wishes))
    assert error.value.code == code


def run(capsys: pytest.CaptureFixture[str], *command: str) -> tuple[Any, str]:
    with pytest.raises(SystemExit) as stopped:
        app(["event", *command])
    output = capsys.readouterr()
    return stopped.value.code, output.out + output.err


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(seat(16, 5).to_dict()), "utf-8")
    options = ["reseat", str(file), "--played", "2", "--out", "3", "--out", "5:4", "--substitute", "X"]
    code, text = run(capsys, *options, "--json")
    plan = json.loads(text)
    assert code == 0
    assert plan["rounds"][:2] == json.loads(file.read_text("utf-8"))["rounds"][:2]
    sitting = [sorted(chain(*tables)) for tables in plan["rounds"]]
    assert ["3" in person for person in sitting] == [True, True, False, False, False]
    assert ["X" in person for person in sitting] == [False, False, True, False, True]
    assert [len(bye) for bye in plan["byes"]] == [0, 0, 0, 2, 0]
    for language in ("en", "ja", "ko"):
        code, shown = run(capsys, *options, "--lang", language)
        assert code == 0
        assert "X" in shown
    for wrong in (["--played", "5"], ["--played", "2", "--out", "99"], ["--played", "2", "--out", "3:1"]):
        assert run(capsys, "reseat", str(file), *wrong)[0] == 2


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        ({}, "missing_field"),
        ([], "wrong_type"),
        ({"rounds": [[["a", "b", "c", "d"], ["a", "e", "f", "g"]]]}, "id_twice"),
        ({"rounds": [[["a", "b", "c", "d"]]], "byes": [["a"]]}, "id_twice"),
        ({"rounds": [[["a", "b", "c", "d"], ["e", "f", "g"]]]}, "number_range"),
        ({"rounds": [[["a"]]]}, "number_range"),
        ({"rounds": [[["a", "b", "c", None]]]}, "wrong_type"),
        ({"rounds": [[["a", "b", "c", {}]]]}, "wrong_type"),
        ({"rounds": [["abcd"]]}, "wrong_type"),
        ({"rounds": [[[1, 2, 3, 4]]] * 61}, "too_many"),
        ({"seats": []}, "unknown_field"),
    ],
)
def test_invalid_plans_are_refused(plan: Any, code: str) -> None:
    with pytest.raises(RequestError) as error:
        seated_rounds(plan)
    assert error.value.code.startswith(code)


def test_a_pair_that_meets_anyway_does_not_raise_the_bound() -> None:
    """The same four people play three rounds, so it is impossible to keep two of them apart."""
    plan = [[["a", "b", "c", "d"]]] * 3
    apart = quality_of(plan, 4, [("a", "b")])
    assert apart.together == 3
    assert apart.bound == quality_of(plan, 4).bound == apart.repeats == 12
