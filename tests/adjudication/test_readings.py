"""Readings compared with every way to cut a suit into sets, and their order by value."""

from collections import defaultdict
from functools import cache
from itertools import combinations_with_replacement
from random import Random

import pytest

from conftest import scale
from jantaku import Hand, Meld, Win, format_tiles, load, readings, score
from jantaku.adjudication.reading_view import SetView, reading_view
from jantaku.adjudication.wait_forms import wait_rows
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.cuts import CUTS, FOLLOWS, cut_tables
from jantaku.kernels.reading import MAX_READINGS
from jantaku.kernels.shanten import suit_key
from jantaku.tiles import Tile

Set = tuple[int, ...]
Cut = tuple[tuple[Set, ...], int]  # the sets, and the rank of the pair (−1 for none)
Cuts = dict[tuple[int, ...], set[Cut]]
MAX_CUTS = 4  # ways to cut one suit (kernels.cuts)

SETS: list[Set] = [
    *((rank, rank + 1, rank + 2) for rank in range(7)),
    *((rank, rank, rank) for rank in range(9)),
]
compiled_only = pytest.mark.skipif(not COMPILED, reason="too many hands for uncompiled code")


@cache
def cuts_of_a_suit() -> Cuts:
    """Return all counts of one suit that can be cut, each with its cuts, built from every choice of sets."""
    cuts: Cuts = defaultdict(set)
    for number in range(5):
        for sets in combinations_with_replacement(SETS, number):
            for pair in range(-1, 9):
                counts = [sum(set_.count(rank) for set_ in sets) + 2 * (rank == pair) for rank in range(9)]
                if max(counts) <= 4:
                    cuts[tuple(counts)].add((tuple(sorted(sets)), pair))
    return cuts


def whole_hands() -> list[tuple[int, ...]]:
    return [counts for counts in cuts_of_a_suit() if sum(counts) == 14]


def win_of(counts: tuple[int, ...], rank: int, first: int = 0) -> Win:
    tiles = [Tile(first + i) for i, count in enumerate(counts) for _ in range(count)]
    tiles.remove(Tile(first + rank))
    return Win(Hand(tuple(tiles)), Tile(first + rank), tsumo=True)


@compiled_only
def test_every_suit_is_split_in_every_way() -> None:
    table = cut_tables()
    assert len(cuts_of_a_suit()) == 21_743
    for counts, cuts in cuts_of_a_suit().items():
        at = int(table[suit_key(counts, 0, 9)])
        assert at
        ways = 1
        while table[CUTS + at + 1] >> FOLLOWS:
            at += 2
            ways += 1
        assert ways == len(cuts) <= MAX_CUTS


def expected_waits(cuts: set[Cut], rank: int) -> int:
    """Return the number of readings: one for each set or pair that the winning tile may complete."""
    return sum(len({set_ for set_ in sets if rank in set_}) + (pair == rank) for sets, pair in cuts)


@pytest.mark.slow
@compiled_only
def test_every_reading_of_one_suit_hands_is_found() -> None:
    most = 0
    for counts in whole_hands():
        seven = sum(count == 2 for count in counts) == 7
        for rank in (rank for rank in range(9) if counts[rank]):
            win = win_of(counts, rank)
            expected = expected_waits(cuts_of_a_suit()[counts], rank) + seven
            assert len(wait_rows(win.hand, 1 << rank)) == expected, counts
            most = max(most, expected)
    assert most <= MAX_READINGS


NO_REDS = load("standard").with_changes({"tiles.red": {}})


def test_readings_are_the_cuts() -> None:
    rng = Random(1)
    for counts in rng.sample(whole_hands(), scale(400)):
        first = 9 * rng.randrange(3)
        rank = rng.choice([rank for rank in range(9) if counts[rank]])
        cuts: set[Cut] = set()
        for reading in readings(win_of(counts, rank, first), NO_REDS):
            if reading.form == "standard":
                sets = sorted(tuple(kind - first for kind in set_.tiles) for set_ in reading.sets)
                cuts.add((tuple(sets), reading.pairs[0] - first))
        assert cuts == {cut for cut in cuts_of_a_suit()[counts] if is_in(cut, rank)}


def is_in(cut: Cut, rank: int) -> bool:
    return cut[1] == rank or any(rank in group for group in cut[0])


def written(sets: tuple[SetView, ...]) -> list[str]:
    return [set_.kind + " " + format_tiles(set_.tiles) + " open" * (not set_.concealed) for set_ in sets]


@pytest.mark.parametrize(
    ("text", "melds", "tsumo", "expected"),
    [
        ("111123m444p555s6z 6z", [], True,
         ["triplet 111m", "run 123m", "triplet 444p", "triplet 555s"]),
        ("123m111p99s55z 5z", [("chi", "123m")], False,
         ["run 123m", "triplet 111p", "triplet 555z open", "run 123m open"]),
        ("22m55p 2m", [("ankan", "1111z"), ("kakan", "3333z"), ("pon", "777s")], False,
         ["triplet 222m open", "quad 1111z", "quad 3333z open", "triplet 777s open"]),
        ("1122m3344p5566s7z 7z", [], True, []),
        ("19m19p19s1234567z 1z", [], True, []),
    ],
)  # fmt: skip
def test_sets(text: str, melds: list[tuple[str, str]], tsumo: bool, expected: list[str]) -> None:
    called = [Meld.parse(*meld) for meld in melds]
    win = Win.parse(text, called, tsumo=tsumo)
    assert written(readings(win)[0].sets) == expected


def test_melds_are_distinguished_from_concealed_sets() -> None:
    win = Win.parse("123m111p99s55z 5z", [Meld.parse("chi", "123m")])
    assert [set_.melded for set_ in readings(win)[0].sets] == [False, False, False, True]


def test_runs_are_returned_with_multiplicity() -> None:
    win = Win.parse("1111222233334m 4m")
    views = {tuple(written(reading.sets)) for reading in readings(win)}
    assert ("run 123m",) * 4 in views


@pytest.mark.parametrize(
    ("text", "form", "wait", "pairs"),
    [
        ("1122m3344p5566s7z 7z", "seven_pairs", "tanki", 7),
        ("19m19p19s1234567z 1z", "thirteen_orphans", "tanki", 1),
        ("147m258p369s1234z 4z", "unconnected", "", 1),
        ("56m111z222z333z44z 4m", "standard", "ryanmen", 1),
    ],
)
def test_forms(text: str, form: str, wait: str, pairs: int) -> None:
    rules = "bgm-2025" if form == "unconnected" else "standard"
    (reading,) = readings(Win.parse(text, tsumo=True, first_turn=True), rules)
    assert (reading.form, reading.wait, len(reading.pairs)) == (form, wait, pairs)


@pytest.mark.parametrize(
    "text", ["111222333m44p99s 9s", "22334455667m77s 7m", "2233445566778p 8p", "1123m222333444z 1m"]
)
@pytest.mark.parametrize("rules", ["standard", "tenhou"])
def test_the_first_reading_is_the_scored_one(text: str, rules: str) -> None:
    win = Win.parse(text, tsumo=True)
    ways, scored = readings(win, rules), score(win, rules)
    best = ways[0]
    assert (best.han, best.fu, best.yakuman, best.base) == (
        scored.han, scored.fu, scored.yakuman, scored.base)  # fmt: skip
    assert best.yaku == scored.yaku
    view = reading_view(scored.reading, win)
    assert (best.form, best.sets, best.pairs, best.wait) == (
        view.form,
        view.sets,
        view.pairs,
        view.wait,
    )
    bases = [reading.base for reading in ways if reading.error is None]
    assert bases == sorted(bases, reverse=True)


def test_readings_that_may_not_win_have_an_error() -> None:
    ways = readings(Win.parse("1123m567p345678s 1m"))
    assert [(reading.wait, reading.error) for reading in ways] == [
        ("ryanmen", None),
        ("tanki", "no_yaku"),
    ]
    assert readings(Win.parse("234m567p345678s9p 8p")) == []


def test_readings_contain_kinds_without_red_tiles() -> None:
    reading = readings(Win.parse("340m067p678s1122z 2z", tsumo=True))[0]
    assert reading.sets[0].tiles == (Tile(2), Tile(3), Tile(4))
