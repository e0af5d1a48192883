"""Conditions of custom yaku, compiled and interpreted, and the catalogue's yaku written as conditions."""

import json
from pathlib import Path
from random import Random

import pytest

from jantaku import RulesError, Win, load
from jantaku.adjudication.explain import explain
from jantaku.adjudication.requests import win_from_request
from jantaku.adjudication.score import score
from jantaku.adjudication.win_records import win_records
from jantaku.rules import catalogue
from jantaku.rules.own import program, read
from jantaku.rules.own.written import written
from naive.generate import random_wins, table_of
from support.own_conditions import (
    CatalogueCheck,
    disagreements,
    groups,
    random_condition,
    stored_wins,
    with_conditions,
)

NOT_SEEN = {"open_riichi_deal_in", "daisharin", "shousharin"}
"""Yaku that occur in no stored win when every yaku is a yakuman."""


def test_the_catalogue_agrees_with_its_conditions() -> None:
    check = CatalogueCheck()
    assert check.wrong(win_records(stored_wins())) == []
    assert set(catalogue()) - set(written()) == {"nagashi_mangan"}
    assert set(written()) - check.seen <= NOT_SEEN


@pytest.mark.slow
def test_the_catalogue_agrees_with_its_conditions_on_real_wins(shared_data: Path) -> None:
    rows = (shared_data / "wins-tenhou.jsonl").read_text("utf-8").splitlines()
    wins = [win_from_request(json.loads(row)["request"]) for row in rows]
    assert CatalogueCheck().wrong(win_records(wins)) == []


@pytest.mark.long
@pytest.mark.parametrize("preset", ["standard", "tenhou-3"])
def test_the_catalogue_agrees_with_its_conditions_on_a_million_wins(preset: str) -> None:
    """Three quarters are wins of four-player games, the rest of three-player games with norths set aside."""
    check = CatalogueCheck(preset)
    rules = check.rules[0][1]
    four = rules.match.players == 4
    for seed in range(75 if four else 25):
        requests = random_wins(seed, 10_000, rules.tiles.red, table=table_of(rules))
        wins = [win_from_request(request) for request in requests]
        wrong = [(name, [wins[i] for i in indexes]) for name, indexes in check.wrong(win_records(wins))]
        assert wrong == [], seed
    assert not four or set(written()) - check.seen <= NOT_SEEN


def test_daisharin_is_found_in_its_own_reading() -> None:
    """If every yaku were a yakuman, reading the hand as two pairs of identical runs would score more."""
    win = win_from_request({"by": "ron", **catalogue()["daisharin"].example})
    assert "own_00" in score(win, with_conditions([written()["daisharin"]])).yaku


def test_compiled_and_interpreted_catalogue_conditions_agree() -> None:
    for names in groups(list(written())):
        assert disagreements(stored_wins()[::41], [written()[name] for name in names]) == []


REFUSED = (
    "own_too_large",
    "own_too_long",
    "own_expected",
    "own_constant",
    "own_no_number",
    "own_yaku_at_draw",
)


def refused(text: str) -> bool:
    """Return whether a random condition is refused, for instance as too large."""
    try:
        program(read(text))
    except RulesError as error:
        return error.code in REFUSED
    return False


def conditions(seed: int, count: int) -> list[str]:
    """Return random conditions that fit into one ruleset."""
    chance, texts, steps = Random(seed), list[str](), 0
    while len(texts) < count:
        text = random_condition(chance)
        if refused(text):
            continue
        size = program(read(text)).size
        if steps + size <= 500:
            texts.append(text)
            steps += size
        elif len(texts) > 4:
            break
    return texts


EDGES = """
dora >= 15; dora >= 16; dora <= 14; dora <= 15; dora < 0; dora != 0; 0 - dora >= 0 - 1;
tsumo and ron; red == 1; red(pin) >= 1; not seat(winds); round("1m"); seat(round_wind);
seat("12z") and not round("2z")

kinds(seat_wind) >= 1; runs == 0; not runs >= 3; runs != 2; 0 - runs < 0 - 1; kinds == 13;
not only(simples); only(simples, seat_wind); has("11m") and has("22m"); has(seat_wind);
count(honours) >= 1 and count(man) >= 1; count(honours) >= 2; count(honours) == 0; count(honours) <= 0;
kinds(honours) >= 1 and count(honours) >= 1; every_set(simples) and not tsumo

run(n, x) and run(n, y); run(n, x) and run(n + 1, y); run(n, x) and run(n, man); run(n, z); run(k, y);
run(n, x) and run(k, y) and k > n; run(1, man) and run(1, x); triplet(n, x) == 0 and triplet(9, y);
count(n, x) >= 2 and count(n, y) >= 2 and count(n, z) >= 2; run(n, x) >= 2 and run(k, y) >= 2;
pair(n, x) and triplet(n, y) or run(k, z) and run(k, x); concealed_triplet(n, x) and won_on(n, x);
run(n, x) < 1 and run(n, y) >= 1; not (run(n, x) or triplet(n, x)); n > 9 or n < 1; run(n, x) >= 0
"""


@pytest.mark.parametrize("edges", EDGES.strip().split("\n\n"))
def test_a_filter_rejects_no_reading_that_meets_its_condition(edges: str) -> None:
    """Conditions with extreme bounds, constants, tiles that depend on the seat, interchangeable letters."""
    assert disagreements(stored_wins()[::50], " ".join(edges.split()).split("; ")) == []


@pytest.mark.parametrize("seed", range(2))
def test_random_conditions_agree(seed: int) -> None:
    assert disagreements(stored_wins()[seed::160], conditions(seed, 16)) == []


@pytest.mark.slow
def test_many_random_conditions_agree() -> None:
    for seed in range(100, 160):
        assert disagreements(stored_wins()[seed % 20 :: 20], conditions(seed, 16)) == []


def test_explanations_state_the_condition_or_what_is_missing() -> None:
    when = "run(n, x) and run(n + 1, x) and run(n + 2, x)"
    rules = load(
        {"extends": "standard", "yaku": {"stairs": {"closed": 2, "when": when, "name": {"en": "Stairs"}}}}
    )
    won = explain(score(Win.parse("123234345m67p99s 8p", tsumo=True), rules), "en")
    why = "a run from n in suit x, and a run from n + 1 in suit x, and a run from n + 2 in suit x"
    assert ("Stairs", why) in [(row.name, row.why) for row in won.yaku]
    missed = explain(score(Win.parse("123234789m67p99s 8p", tsumo=True), rules), "en")
    reasons = [row.why for row in missed.near_misses if row.id == "stairs"]
    assert reasons == [
        "missing: a run from n + 2 in suit x; met: a run from n in suit x, a run from n + 1 in suit x"
    ]
