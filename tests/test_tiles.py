"""Tiles in every notation, and positions of errors in invalid text."""

import json
import pickle
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jantaku import Hand, Meld, NotationError, Win, waits
from jantaku.terms import LANGUAGES
from jantaku.tiles import (
    DRAGONS,
    HONOURS,
    RED,
    SUITS,
    TILES,
    WINDS,
    YAOCHUU,
    Tile,
    counts,
    format_tiles,
    from_mjai,
    from_tenhou,
    next_kind,
    parse_tiles,
    sort_tiles,
    tile_name,
    to_mjai,
    to_tenhou,
)

UNICODE = "🀇🀈🀉🀊🀋🀌🀍🀎🀏🀙🀚🀛🀜🀝🀞🀟🀠🀡🀐🀑🀒🀓🀔🀕🀖🀗🀘🀀🀁🀂🀃🀆🀅🀄"  # all kinds
tiles = st.sampled_from(TILES)
hands = st.lists(tiles, max_size=20)


@given(hands)
def test_notation_round_trip(hand: list[Tile]) -> None:
    assert parse_tiles(format_tiles(hand, sort=False)) == hand
    assert parse_tiles(format_tiles(hand)) == sort_tiles(hand)


@given(hands, st.text(" \t\n", max_size=3))
def test_space_is_ignored(hand: list[Tile], space: str) -> None:
    text = space.join(format_tiles([tile]) for tile in hand)
    assert parse_tiles(text) == hand


@given(hands)
def test_sorting_keeps_the_tiles(hand: list[Tile]) -> None:
    ordered = sort_tiles(hand)
    assert sorted(ordered) == sorted(hand)
    assert [tile % RED for tile in ordered] == sorted(tile % RED for tile in hand)
    assert sum(counts(hand)) == len(hand)
    assert all(counts(hand)[tile.kind] for tile in hand)


@pytest.mark.parametrize("tile", TILES)
def test_one_tile_in_every_notation(tile: Tile) -> None:
    assert Tile.parse(format_tiles([tile])) == tile
    assert from_mjai(to_mjai(tile)) == tile
    assert parse_tiles(UNICODE[tile % RED]) == [tile % RED]
    assert tile.is_red == (tile >= RED)
    for copy in range(4):
        assert from_tenhou(to_tenhou(tile, copy)).kind == tile.kind


@pytest.mark.parametrize("tile", TILES)
def test_a_tile_is_a_number_that_prints_in_notation(tile: Tile) -> None:
    assert (str(tile), repr(tile), f"{tile:>3}", f"{tile}") == (f := format_tiles([tile]), f, f.rjust(3), f)
    assert tile == int(tile) == Tile(int(tile))
    assert json.loads(json.dumps([tile])) == [int(tile)]
    assert Tile(int(tile)) is tile is deepcopy(tile) is pickle.loads(pickle.dumps(tile))
    assert all(
        type(other) is Tile for other in (tile.kind, Tile.parse(f), *parse_tiles(f), *sort_tiles([tile]))
    )


LIKE: list[Callable[[list[Tile]], Any]] = [
    list,
    lambda tiles: list(map(int, tiles)),
    lambda tiles: list(map(str, tiles)),
    lambda tiles: format_tiles(tiles, sort=False),
    np.array,
    iter,
]


@pytest.mark.parametrize("like", LIKE)
def test_tiles_are_accepted_in_every_form(like: Callable[[list[Tile]], Any]) -> None:
    tiles = parse_tiles("234m067p34567s99p")
    for held in (Hand(like(tiles)), Hand((*tiles[:5], int(tiles[5]), *tiles[6:]))):
        assert held == Hand(tuple(tiles))
        assert all(type(tile) is Tile for tile in held.tiles)
    win = Win(Hand(like(tiles)), "8s", dora=like(parse_tiles("4s")))
    assert win == Win.parse("234m067p34567s99p 8s", dora="4s")
    assert format_tiles(like(tiles), sort=False) == format_tiles(tiles, sort=False)
    assert waits(held, seen=like(parse_tiles("2s2s"))) == waits(held, "22s") != waits(held)
    assert Meld("chi", like(parse_tiles("0m34m"))) == Meld.parse("chi", "340m")


@pytest.mark.parametrize("index", range(136))
def test_tenhou_numbers(index: int) -> None:
    tile = from_tenhou(index)
    assert tile.kind == index // 4
    assert tile.is_red == (index in (16, 52, 88))
    assert not from_tenhou(index, red_fives=False).is_red
    assert to_tenhou(tile, index % 4) == index


SAME = [
    ("406p", "40p6p"), ("0m", "5rm"), ("3rs", "3rs"), ("東南西北白發中", "1234567z"),
    ("동남서북백발중", "1234567z"), ("発", "6z"), ("🀇🀙🀐🀀🀆🀅🀄", "1m1p1s1567z"),
    ("123m 東", "123m1z"), ("", ""),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME)
def test_equivalent_notations(one: str, other: str) -> None:
    assert parse_tiles(one) == parse_tiles(other)


WRONG = [
    ("m", "suit_without_digit", 0), ("12mm", "suit_without_digit", 3),
    ("12m3x", "unknown_suit", 4), ("1 2?m", "unknown_suit", 3), ("12東", "unknown_suit", 2),
    ("x", "unknown_tile", 0), ("123m?", "unknown_tile", 4), ("r5m", "unknown_tile", 0),
    ("12m34", "digit_without_suit", 3), ("1", "digit_without_suit", 0),
    ("10z", "red_honour", 1), ("5rz", "red_honour", 0), ("18z", "unknown_honour", 1),
    ("123m19z", "unknown_honour", 5), ("-1m", "unknown_tile", 0),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "position"), WRONG)
def test_errors_give_the_position(text: str, code: str, position: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_tiles(text)
    assert (caught.value.code, caught.value.position) == (code, position)
    for language in LANGUAGES:
        message, source, mark = caught.value.message(language).splitlines()
        assert message
        assert source.removeprefix("  ") == text
        assert mark.index("^") - 2 == position


@given(st.text(max_size=12))
def test_any_text_is_tiles_or_an_error_inside_it(text: str) -> None:
    parsed, index = [], 0
    try:
        parsed = parse_tiles(text)
    except NotationError as error:
        index = error.position
    assert set(parsed) <= set(TILES)
    assert 0 <= index <= max(0, len(text) - 1)


@pytest.mark.parametrize("text", ["", "12m", "5m5m"])
def test_exactly_one_tile(text: str) -> None:
    with pytest.raises(NotationError, match="one tile"):
        Tile.parse(text)


@pytest.mark.parametrize("name", ["", "0m", "5z", "10m", "Er", "5mR", "mr", "X"])
def test_invalid_mjai_names(name: str) -> None:
    with pytest.raises(NotationError, match="mjai"):
        from_mjai(name)


@pytest.mark.parametrize("index", [-1, 136])
def test_invalid_tenhou_numbers(index: int) -> None:
    with pytest.raises(NotationError):
        from_tenhou(index)


@pytest.mark.parametrize("cycle", [range(9), range(9, 18), range(18, 27), WINDS, DRAGONS])
def test_dora_wrap_around(cycle: range | tuple[int, ...]) -> None:
    ring = list(cycle)
    assert [next_kind(kind) for kind in ring] == [*ring[1:], ring[0]]
    assert [next_kind(kind + RED) for kind in ring if kind < HONOURS] == (
        [next_kind(kind) for kind in ring] if ring[0] < HONOURS else []
    )


def test_kinds() -> None:
    assert len(YAOCHUU) == 13
    assert [format_tiles([kind]) for kind in YAOCHUU[:6]] == ["1m", "9m", "1p", "9p", "1s", "9s"]
    assert SUITS == "mpsz"


@pytest.mark.parametrize("language", LANGUAGES)
def test_spoken_names_differ(language: str) -> None:
    names = [tile_name(tile, language) for tile in TILES]  # type: ignore[arg-type]
    assert len(set(names)) == len(TILES)
    assert all(names)
