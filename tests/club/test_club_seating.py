"""Seating plans: quality, invariants, teams, byes and refusals."""

from collections import Counter
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import scale
from jantaku.club import SeatingPlan, seat
from jantaku.club.kernels.anneal import anneal
from jantaku.club.seating import search, winds
from jantaku.club.seating.quality import meetings, min_repeats, repeats_of
from jantaku.club.seating.search import Symmetry, known_rounds
from jantaku.club.seating.winds import with_winds
from jantaku.errors import RequestError
from jantaku.kernels._jit import COMPILED

compiled = pytest.mark.skipif(not COMPILED, reason="the search needs compiled code")


@pytest.fixture(autouse=True)
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the search for uncompiled code; the invariants still hold, but the plans are worse."""
    if not COMPILED:
        monkeypatch.setattr(winds, "STEPS", 200)
        for name in ("STEPS_PER_ROUND", "STEPS_PER_PLAN"):
            monkeypatch.setattr(search, name, 200)
        monkeypatch.setattr(search, "TRIES", 1)


def check_invariants(plan: SeatingPlan, names: list[str], rounds: int) -> None:
    """Check that each player has a seat or a bye, the balance of byes and winds, and the measures."""
    assert len(plan.rounds) == rounds == len(plan.byes)
    met: Counter[tuple[str, ...]] = Counter()
    winds: Counter[tuple[str, int]] = Counter()
    for tables, byes in zip(plan.rounds, plan.byes, strict=True):
        assert sorted([*byes, *(name for table in tables for name in table)]) == sorted(names)
        assert {len(table) for table in tables} == {4}
        assert len(byes) == len(names) % 4
        for table in tables:
            met.update(combinations(sorted(table), 2))
            winds.update((name, wind) for wind, name in enumerate(table))
    assert plan.repeats == sum(met.values()) - len(met) >= plan.bound
    counts = [[winds[name, wind] for wind in range(4)] for name in names]
    assert plan.seat_spread == max(max(count) - min(count) for count in counts) <= 1
    games = [sum(count) for count in counts]
    assert max(games) - min(games) <= 1
    if not len(names) % 4 and rounds % 4 == 0:
        assert plan.seat_spread == 0


@pytest.mark.slow
@compiled
@pytest.mark.parametrize(
    ("players", "rounds", "repeats"),
    [
        (16, 5, 0), (16, 7, 48), (16, 8, 72), (20, 7, 20), (20, 8, 50), (24, 7, 0), (28, 7, 0),
        (28, 8, 0), (28, 9, 0), (32, 8, 0), (36, 8, 0), (40, 8, 0), (44, 8, 0), (48, 12, 0),
        (64, 8, 0), (100, 7, 0), (100, 25, 0), (27, 8, 0), (30, 8, 0),
        pytest.param(24, 8, 18, marks=pytest.mark.long),
    ],
)  # fmt: skip
def test_few_opponents_repeat(players: int, rounds: int, repeats: int) -> None:
    plan = seat(players, rounds)
    assert plan.repeats <= repeats
    check_invariants(plan, [str(i + 1) for i in range(players)], rounds)


@pytest.mark.slow
@compiled
@pytest.mark.parametrize("seed", range(3))
def test_other_seeds_are_as_good(seed: int) -> None:
    plans = {size: seat(*size, seed=seed) for size in ((20, 7), (28, 8), (40, 10))}
    assert [plan.repeats for plan in plans.values()] == [20, 0, 0]
    assert seat(28, 8, seed=seed).rounds == plans[28, 8].rounds
    assert seat(28, 8, seed=seed + 50).rounds != plans[28, 8].rounds


SEARCHED = (
    (3, 9),
    (3, 13),
    (8, 22),
    (8, 23),
)  # the bound cannot be reached, so the search makes all its tries


@pytest.mark.slow
@pytest.mark.parametrize(("rounds", "players"), [
    pytest.param(*size, marks=pytest.mark.long if size in SEARCHED else ())
    for size in product((1, 3, 8), (4, 5, 7, 8, 9, 13, 18, 22, 23, 29))
])  # fmt: skip
def test_any_number_of_players(rounds: int, players: int) -> None:
    check_invariants(seat(players, rounds), [str(i + 1) for i in range(players)], rounds)


@st.composite
def random_rounds(draw: st.DrawFn) -> list[list[list[int]]]:
    players, rounds = draw(st.integers(4, 30)), draw(st.integers(1, 11))
    tables = players // 4
    orders = [draw(st.permutations(range(players)))[: 4 * tables] for _ in range(rounds)]
    return [[list(order[4 * t : 4 * t + 4]) for t in range(tables)] for order in orders]


@settings(max_examples=scale(300), deadline=None)
@given(random_rounds())
@pytest.mark.slow
def test_winds_are_balanced_in_every_four_games_of_a_player(rounds: list[list[list[int]]]) -> None:
    seated = with_winds(rounds)
    assert [[sorted(table) for table in tables] for tables in seated] == [
        [sorted(table) for table in tables] for tables in rounds
    ]
    sat: dict[int, list[int]] = {}
    for tables in seated:
        for table in tables:
            for wind, player in enumerate(table):
                sat.setdefault(player, []).append(wind)
    for had in sat.values():
        for start in range(0, len(had), 4):
            block = had[start : start + 4]
            assert len(set(block)) == len(block)


def test_the_bound() -> None:
    sizes = ((16, 5), (16, 7), (20, 8), (24, 8))
    assert [min_repeats([rounds] * players, 4) for players, rounds in sizes] == [0, 48, 50, 12]
    assert min_repeats([2] * 8, 4) == 0
    assert min_repeats([2] * 8, 4, [(0, 1), (0, 2)]) == 1
    assert min_repeats([1, 1, 1, 1, 0], 4) == 0


@pytest.mark.parametrize(
    "symmetry", [Symmetry(16, 5, 3), Symmetry(12, 4, 3), Symmetry(14, 6, 2), Symmetry(9, 9, 1)]
)
def test_orbits_of_pairs(symmetry: Symmetry) -> None:
    kind, size = symmetry.pairs
    seen: dict[int, set[frozenset[int]]] = {}
    for one, other in combinations(range(symmetry.players), 2):
        seen.setdefault(int(kind[one, other]), set()).add(frozenset((one, other)))
    assert {name: len(pairs) for name, pairs in seen.items()} == dict(enumerate(size.tolist()))
    for pairs in seen.values():
        for pair in pairs:
            assert frozenset(int(symmetry.moved(player, 1)) for player in pair) in pairs


def test_the_cost_of_the_search_equals_the_repeats() -> None:
    symmetry, random = Symmetry(24, 8, 3), np.random.default_rng(2)
    base = random.permutation(24).reshape(1, 6, 4)
    kind, size = symmetry.pairs
    pairs = (size, symmetry.order, np.zeros(len(size), np.int64))
    before = base.copy()
    cost = anneal(base, kind, pairs, (3000, 0.6, 0, 0), random)
    repeats = repeats_of(meetings(symmetry.rounds(base[0], 8).tolist()))
    assert cost == repeats < repeats_of(meetings(symmetry.rounds(before[0], 8).tolist()))


def test_known_plans_are_valid() -> None:
    rounds = known_rounds(20, 4)
    assert rounds is not None
    assert all(sorted(tables.flatten().tolist()) == list(range(20)) for tables in rounds)
    assert repeats_of(meetings(rounds.tolist())) == 20
    assert known_rounds(21, 4) is None


@pytest.mark.slow
@compiled
def test_team_mates_are_kept_apart() -> None:
    names = [f"{team}{i}" for team in "abcd" for i in range(5)]
    plan = seat(names, 4, teams={name: name[0] for name in names}, apart=[("a0", "b0"), ("d4", "c4")])
    check_invariants(plan, names, 4)
    assert plan.together == 0
    for tables in plan.rounds:
        for table in tables:
            assert len({name[0] for name in table}) == 4
            assert not {"a0", "b0"} <= set(table)
    assert plan.repeats <= 20


def test_unavoidable_meetings_are_counted() -> None:
    plan = seat(["a", "b", "c", "d"], 3, apart=[("a", "b")])
    assert plan.together == 3


@pytest.mark.parametrize(
    ("arguments", "settings", "code"),
    [
        ((3, 1), {}, "too_few_to_seat"),
        ((0, 1), {}, "too_few_to_seat"),
        ((401, 1), {}, "number_range"),
        ((8, 0), {}, "number_range"),
        ((8, 61), {}, "number_range"),
        ((["a", "b", "c", "a"], 1), {}, "id_twice"),
        ((4, 1), {"apart": [("1", "9")]}, "unknown_id"),
        ((4, 1), {"apart": [("1", "1")]}, "id_twice"),
    ],
)
def test_impossible_plans_are_refused(arguments: Any, settings: Any, code: str) -> None:
    with pytest.raises(RequestError) as error:
        seat(*arguments, **settings)
    assert error.value.code == code
