"""Shanten agrees with the naive oracle and a table of known values, and has the expected symmetries."""

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from conftest import random_counts, scale
from jantaku import Hand, Meld, RequestError, shanten
from jantaku.adjudication.analysis import Shanten, shanten_forms
from jantaku.tiles import KINDS, RED, Tile, parse_tiles
from naive import shanten as naive
from support.scoring import table

PON = Meld.parse("pon", "777z")


def hand_of(counts: list[int]) -> Hand:
    return Hand(tuple(Tile(kind) for kind in range(KINDS) for _ in range(counts[kind])))


@pytest.mark.parametrize(
    ("tiles", "melds", "expected"),
    [
        ("123456789m12344p", 0, -1),
        ("123456789m1234p", 0, 0),
        ("19m19p19s1234567z", 0, 0),
        ("19m19p19s12345677z", 0, -1),
        ("1122m3344p5566s7z", 0, 0),
        ("1111m2222m3333m4z", 0, 0),
        ("1111p1111s1111m1z", 0, 2),
        ("147m258p369s1234z", 0, 6),
        ("7z", 4, 0),
        ("77z", 4, -1),
        ("77z77p", 3, 0),
        ("406m340p067s11z77z", 0, 0),
    ],
)
def test_known_hands(tiles: str, melds: int, expected: int) -> None:
    called = [Meld.parse("pon", f"{n}{n}{n}s") for n in (2, 4, 6, 8)][:melds]
    assert shanten(Hand.parse(tiles, called)) == expected


def test_a_fifth_copy_is_not_a_wait() -> None:
    assert shanten(Hand.parse("1111m444p777p123s")) == 1


def test_forms() -> None:
    closed, called = Hand.parse("1458m389p34679s14z"), Hand.parse("1458m389p346s", [PON])
    assert shanten_forms(closed) == Shanten(4, 4, 6, 8)
    assert shanten_forms(called) == Shanten(3, 3, None, None)


def test_shared_table(shared_data: Path) -> None:
    lines = (shared_data / "shanten.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 20_000
    for line in lines[: scale(20_000)]:
        row = json.loads(line)
        hand = Hand.parse(row["hand"])
        forms = shanten_forms(hand)
        assert forms == Shanten(*(row[name] for name in ("shanten", "standard", "chiitoitsu", "kokushi")))
        assert shanten(hand) == row["shanten"], row["hand"]


@pytest.mark.slow
def test_hands_of_bot_games() -> None:
    rows = table("bot-hands.tsv")
    assert len(rows) == 2500
    for row in rows[: scale(len(rows))]:
        if row["melds"] == "0":
            forms = [int(row[name]) for name in ("standard", "chiitoitsu", "kokushi")]
            assert shanten_forms(Hand.parse(row["hand"])) == Shanten(min(forms), *forms), row
        else:
            kinds = [tile % RED for tile in parse_tiles(row["hand"])]
            counts = np.bincount(kinds, minlength=KINDS).astype(np.uint8)
            assert shanten(counts, int(row["melds"])) == int(row["standard"]), row


def check_against_oracle(number: int, seed: int) -> None:
    rng = Random(seed)
    for _ in range(scale(number)):
        melds = rng.choice((0, 0, 0, 1, 2, 3, 4))
        counts = random_counts(rng, melds, rng.random() < 0.5)
        raw = np.array(counts, np.uint8)
        assert shanten(raw, melds) == naive.shanten(counts, melds), (counts, melds)
        if melds == 0:
            assert shanten(hand_of(counts)) == shanten(raw)


@pytest.mark.slow
def test_oracle() -> None:
    check_against_oracle(1_000, seed=1)


@pytest.mark.long
def test_oracle_long() -> None:
    check_against_oracle(50_000, seed=2)


def test_symmetries() -> None:
    rng = Random(3)
    for _ in range(scale(2_000)):
        counts = np.array(random_counts(rng, drawn=rng.random() < 0.5), np.uint8)
        suits, honours = counts[:27].reshape(3, 9), counts[27:]
        expected = shanten(counts)
        mirrored = np.concatenate([suits[:, ::-1].ravel(), honours])
        permuted = np.concatenate([suits[rng.sample(range(3), 3)].ravel(), rng.sample(list(honours), 7)])
        assert shanten(mirrored) == shanten(permuted.astype(np.uint8)) == expected


@pytest.mark.parametrize(
    ("hand", "melds", "field"),
    [
        (np.zeros(33, np.uint8), 0, "hand"),
        (np.zeros((34, 2), np.uint8), 0, "hand"),
        (np.zeros((1, 34), np.uint8), 0, "hand"),
        (np.zeros((), np.uint8), 0, "hand"),
        (np.zeros(34, np.int64), 0, "hand"),
        ([0] * 34, 0, "hand"),
        (np.zeros(34, np.uint8), 5, "melds"),
    ],
)
def test_bad_arrays_are_refused(hand: Any, melds: int, field: str) -> None:
    with pytest.raises(RequestError) as caught:
        shanten(hand, melds)
    assert (caught.value.code, caught.value.field) == ("bad_array", field)
