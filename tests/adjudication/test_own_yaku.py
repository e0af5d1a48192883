"""Own yaku: conditions as data, in compiled code and read plainly, and the catalogue written in them."""

from random import Random

import pytest

from jantaku import RulesError, Win, load
from jantaku.adjudication.explain import explain
from jantaku.adjudication.records import win_records
from jantaku.adjudication.requests import win_from_request
from jantaku.adjudication.score import score, score_records
from jantaku.kernels import bits
from jantaku.kernels import win as layout
from jantaku.rules import catalogue
from jantaku.rules.own import program, read
from support.own_conditions import (
    all_yakuman,
    disagreements,
    groups,
    random_condition,
    stored_wins,
    with_conditions,
    written,
)


def test_the_catalogue_agrees_with_its_conditions() -> None:
    records, order, seen = win_records(stored_wins()), list(catalogue()), set()
    for names in groups(list(written())):
        rules = with_conditions([written()[name] for name in names], all_yakuman())
        rows = score_records(records, rules)
        rows = rows[rows[:, layout.ERROR] == layout.NO_ERROR]
        for i, name in enumerate(names):
            built_in = rows[:, layout.YAKU] >> order.index(name) & 1
            own = rows[:, layout.LOCAL] >> i & 1
            wrong = (built_in != own).nonzero()[0]
            assert not len(wrong), (name, rows[wrong[:3]].tolist())
            seen |= {name} if own.any() else set()
    assert set(order[: bits.YAKU_BITS]) == set(written())
    assert set(written()) - seen <= {"open_riichi_deal_in", "daisharin"}


def test_daisharin_is_found_in_its_own_reading() -> None:
    """Where every yaku is a yakuman, its other reading, as two pairs of twin runs, counts more."""
    win = win_from_request({"by": "ron", **catalogue()["daisharin"].example})
    assert "own_00" in score(win, with_conditions([written()["daisharin"]])).yaku


def test_the_catalogue_agrees_with_the_plain_reading() -> None:
    for names in groups(list(written())):
        assert disagreements(stored_wins()[::41], [written()[name] for name in names]) == []


def refused(text: str) -> bool:
    """Whether a random condition is too large, or names a run of other tiles."""
    try:
        program(read(text))
    except RulesError as error:
        return error.code in ("own_too_large", "own_too_long", "own_expected")
    return False


def conditions(seed: int, count: int) -> list[str]:
    """Random conditions that fit into a ruleset together."""
    chance, found, steps = Random(seed), list[str](), 0
    while len(found) < count:
        text = random_condition(chance)
        if refused(text):
            continue
        size = len(program(read(text)).steps)
        if steps + size <= 500:
            found.append(text)
            steps += size
        elif len(found) > 4:
            break
    return found


@pytest.mark.parametrize("seed", range(2))
def test_random_conditions_agree(seed: int) -> None:
    assert disagreements(stored_wins()[seed::160], conditions(seed, 16)) == []


@pytest.mark.slow
def test_many_random_conditions_agree() -> None:
    for seed in range(100, 160):
        assert disagreements(stored_wins()[seed % 20 :: 20], conditions(seed, 16)) == []


def test_a_win_says_its_condition_and_a_near_miss_what_is_missing() -> None:
    when = "run(n, x) and run(n + 1, x) and run(n + 2, x)"
    rules = load(
        {"extends": "standard", "yaku": {"stairs": {"closed": 2, "when": when, "name": {"en": "Stairs"}}}}
    )
    won = explain(score(Win.parse("123234345m67p99s 8p", tsumo=True), rules), "en")
    assert ("Stairs", when) in [(row.name, row.why) for row in won.yaku]
    missed = explain(score(Win.parse("123234789m67p99s 8p", tsumo=True), rules), "en")
    said = [row.why for row in missed.near_misses if row.id == "stairs"]
    assert said == ["missing: run(n + 2, x); holds: run(n, x), run(n + 1, x)"]
