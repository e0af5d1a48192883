"""Shanten, waits, effective tiles and discards agree when melds and norths use up tiles."""

from collections.abc import Sequence
from functools import cache
from random import Random

import pytest

from conftest import scale
from jantaku.adjudication.analysis import (
    best_discards,
    effective_tiles,
    shanten,
    shanten_forms,
    waits,
)
from jantaku.adjudication.attainable import attainable
from jantaku.hand import Hand, Meld
from jantaku.kernels._jit import COMPILED
from jantaku.tiles import NORTH, Tile, format_tiles

HANDS = 100
YAOCHUU = [k for k in range(34) if k >= 27 or k % 9 in {0, 8}]
Counts = tuple[int, ...]


def parts() -> list[tuple[int, ...]]:
    runs = [(k, k + 1, k + 2) for k in range(27) if k % 9 < 7]
    return [*runs, *((k, k, k) for k in range(34))]


@cache
def is_complete(counts: Counts, sets: int) -> bool:
    """Return whether the tiles form ``sets`` sets and a pair, seven pairs or thirteen orphans."""
    if sets == 4 and sorted(counts)[-7:] == [2] * 7:
        return True
    if sets == 4 and all(counts[k] for k in YAOCHUU) and sum(counts[k] for k in YAOCHUU) == 14:
        return True
    return any(count >= 2 and is_sets(changed(counts, {k: -2})) for k, count in enumerate(counts))


@cache
def is_sets(counts: Counts) -> bool:
    first = next((k for k, count in enumerate(counts) if count), None)
    if first is None:
        return True
    if counts[first] >= 3 and is_sets(changed(counts, {first: -3})):
        return True
    run = first < 27 and first % 9 < 7 and counts[first + 1] and counts[first + 2]
    return bool(run) and is_sets(changed(counts, dict.fromkeys(range(first, first + 3), -1)))


def changed(counts: Counts, changes: dict[int, int]) -> Counts:
    return tuple(count + changes.get(k, 0) for k, count in enumerate(counts))


def drawable(counts: Counts, limits: Sequence[int]) -> list[int]:
    return [k for k in range(34) if counts[k] < limits[k]]


def waits_of(counts: Counts, limits: Sequence[int], sets: int) -> list[int]:
    return [k for k in drawable(counts, limits) if is_complete(changed(counts, {k: 1}), sets)]


def draws_to_tenpai(counts: Counts, limits: Sequence[int], sets: int) -> list[int]:
    """Return the draws of a noten hand after which some discard leaves a wait."""
    return [
        k
        for k in drawable(counts, limits)
        if any(
            waits_of(changed(changed(counts, {k: 1}), {d: -1}), limits, sets)
            for d in range(34)
            if counts[d] and d != k
        )
    ]


def near_tenpai(rng: Random) -> tuple[Hand, int]:
    """Return a nearly complete hand of 13 tiles, with melds and norths that may use up the tiles it needs."""
    while True:
        number, kita = rng.choice((0, 1, 1, 2, 2, 3)), rng.choice((0, 0, 0, 2, 3, 4))
        suit = rng.choice((0, 9, 18))
        every = [p for p in parts() if suit <= p[0] < suit + 9 or (p[0] >= 27 and rng.random() < 0.3)]
        sets = rng.choices(every, k=4)
        melds, tiles = [], [Tile(k) for part in sets[number:] for k in part]
        for part in sets[:number]:
            quad = part[0] == part[1] and rng.random() < 0.7
            kind = "ankan" if quad else "pon" if part[0] == part[1] else "chi"
            melds.append((kind, [Tile(k) for k in ([part[0]] * 4 if quad else part)]))
        pair = Tile(rng.choice([*range(suit, suit + 9), *range(27, 34)]))
        tiles += [pair, pair]
        for _ in range(rng.choice((0, 1, 1, 2))):
            tiles[rng.randrange(len(tiles))] = Tile(rng.choice([*range(suit, suit + 9), NORTH]))
        used = [
            tile for tile in tiles if tile in {t for _, meld in melds for t in meld} or int(tile) == NORTH
        ]
        tiles.remove(rng.choice(used if used and rng.random() < 0.7 else tiles))
        held = [*tiles, *(tile for _, meld in melds for tile in meld), *[Tile(NORTH)] * kita]
        if max(map(held.count, held)) <= 4:
            return Hand(tuple(tiles), tuple(Meld.parse(kind, format_tiles(t)) for kind, t in melds)), kita


def limits_of(hand: Hand, kita: int, in_melds: bool) -> list[int]:
    limits = [4] * 34
    for meld in hand.melds:
        for tile in meld.tiles:
            limits[tile % 34] -= not in_melds
    limits[NORTH] -= kita
    return limits


@pytest.mark.parametrize("in_melds", [False, True])
def test_all_functions_agree_with_plain_counting(in_melds: bool) -> None:
    rng, tenpai, blocked = Random(1), 0, 0
    for _ in range(scale(HANDS)):
        hand, kita = near_tenpai(rng)
        counts = tuple(hand.concealed_counts)
        limits, sets = limits_of(hand, kita, in_melds), 4 - len(hand.melds)
        waited = waits_of(counts, limits, sets)
        wanted = waited or draws_to_tenpai(counts, limits, sets)
        away = 0 if waited else 1 if wanted else 2
        table = ("all", kita, in_melds)
        assert [wait.tile for wait in waits(hand, (), *table)] == waited, hand
        assert min(2, shanten_forms(hand, *table).shanten) == away, (hand, kita)
        if away < 2:
            known = [*hand.all_tiles, *[Tile(NORTH)] * kita]
            visible = [sum(tile % 34 == k for tile in known) for k in range(34)]
            expected = {k: 4 - visible[k] for k in wanted if visible[k] < 4}
            assert effective_tiles(hand, (), *table) == expected, (hand, kita)
        if not kita and not in_melds:
            assert shanten(hand) == shanten_forms(hand).shanten
        tenpai += away == 0
        blocked += bool(away) and bool(waits_of(counts, [4] * 34, sets))
    assert tenpai
    assert blocked or in_melds or not COMPILED  # without compiled code the test uses too few hands


@pytest.mark.parametrize("in_melds", [False, True])
def test_discards_agree_with_the_hand_they_leave(in_melds: bool) -> None:
    rng = Random(7)
    for _ in range(scale(20)):
        hand, kita = near_tenpai(rng)
        limits = limits_of(hand, kita, in_melds)
        drawn = rng.choice(drawable(tuple(hand.concealed_counts), limits))
        known = [tile % 34 for tile in hand.all_tiles] + [NORTH] * kita
        if known.count(drawn) == 4:
            continue
        table = ("all", kita, in_melds)
        for choice in best_discards(Hand((*hand.tiles, Tile(drawn)), hand.melds), (), *table):
            rest = [*hand.tiles, Tile(drawn)]
            rest.remove(Tile(choice.tile))
            left = Hand(tuple(rest), hand.melds)
            assert choice.shanten == shanten_forms(left, *table).shanten
            assert choice.tiles == effective_tiles(left, (Tile(choice.tile),), *table)
            assert (choice.shanten == 0) == bool(waits(left, (), *table))


def test_without_limits_it_agrees_with_the_lookup_tables() -> None:
    rng = Random(3)
    for _ in range(scale(60)):
        tiles = tuple(Tile(k) for k in rng.sample([*range(34)] * 4, 13))
        hand = Hand(tiles)
        found, forms = attainable(list(hand.concealed_counts), [4] * 34, 0), shanten_forms(hand)
        assert found[:3] == (forms.standard, forms.chiitoitsu, forms.kokushi)
        assert found.lower == tuple(effective_tiles(hand))


def test_kokushi_is_out_of_reach_with_all_norths_set_aside() -> None:
    hand = Hand.parse("119m19p19s123567z")
    assert shanten_forms(hand).kokushi == 0
    assert shanten_forms(hand, kita=4).kokushi is None
