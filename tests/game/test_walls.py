"""The shuffle is fair, reproducible and verifiable."""

from collections import Counter
from itertools import permutations

import pytest

from jantaku.errors import RequestError
from jantaku.game import Game
from jantaku.game.fair_walls import check, checked, commitment, new_seed, shuffled, tile_set
from jantaku.rules import load, preset_names
from jantaku.tiles import NORTH, RED, Tile, format_tiles, kinds_of, parse_tiles


@pytest.mark.parametrize("preset", preset_names())
def test_the_tile_set_has_the_red_tiles_of_the_rules(preset: str) -> None:
    rules = load(preset)
    tiles = tile_set(rules)
    assert Counter(tile % RED for tile in tiles) == dict.fromkeys(kinds_of(rules.tiles.man), 4)
    assert Counter(format_tiles([t % RED]) for t in tiles if t >= RED) == dict(rules.tiles.red)
    wall = Game(rules, seed=3).walls[0]
    assert Counter(wall) == Counter(tiles)


def test_walls_do_not_change_between_versions() -> None:
    """A game recorded by its seed must replay in every later version."""
    wall = shuffled(tile_set(load("standard")), new_seed(0), 0)
    assert format_tiles(wall[:14], sort=False) == FIRST
    assert commitment(new_seed(0))[:16] == "66687aadf862bd77"


FIRST = "1m9s7p7m1p7z8p3z2s6z0m741p"


def test_hands_and_seeds_differ() -> None:
    tiles = tile_set(load("standard"))
    walls = [tuple(shuffled(tiles, new_seed(seed), hand)) for seed in range(5) for hand in range(5)]
    assert len(set(walls)) == 25


def test_every_order_is_equally_likely() -> None:
    """Chi-square over the 120 orders of five tiles: 119 degrees of freedom, p = 1/10,000 at 184."""
    seed, number = new_seed(5), 12_000
    counts: Counter[tuple[int, ...]] = Counter(tuple(shuffled(range(5), seed, h)) for h in range(number))
    assert chi_square([counts[order] for order in permutations(range(5))]) < 184


def test_every_position_of_a_tile_is_equally_likely() -> None:
    """Chi-square over the 136 positions of one tile: 135 degrees of freedom, p = 1/10,000 at 204."""
    seed = new_seed(6)
    counts = Counter(shuffled([0, *[NORTH] * 135], seed, hand).index(Tile(0)) for hand in range(2_720))
    assert chi_square([counts[position] for position in range(136)]) < 204


def chi_square(counts: list[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


def test_the_opening_is_verified() -> None:
    game = Game("tenhou", seed=11)
    published = game.events[0].to_dict()["commitment"]
    assert game.seed is not None
    assert check(published, game.seed, game.walls)
    assert not check(published, new_seed(12), game.walls)
    assert not check(commitment(new_seed(12)), game.seed, game.walls)
    wall = list(game.walls[0])
    wall[0], wall[1:] = wall[-1], wall[:-1]
    assert not check(published, game.seed, [wall])


def test_seeds() -> None:
    assert new_seed() != new_seed()
    assert len(new_seed()) == 32
    assert new_seed(bytes(32)) == new_seed(0)
    for wrong in (-1, 1 << 256, b"short"):
        with pytest.raises(RequestError):
            new_seed(wrong)


def test_given_walls() -> None:
    rules = load("tenhou")
    wall = tile_set(rules)
    assert checked(wall, rules) == wall
    assert Game(rules, walls=[wall]).walls == [wall]
    with pytest.raises(RequestError, match="136"):
        Game(rules, walls=[tile_set(load("wrc"))])
    with pytest.raises(RequestError):
        Game(rules, walls=[parse_tiles("123m")])
    with pytest.raises(RequestError):
        Game(rules, walls=[])
    with pytest.raises(RequestError):
        Game(rules, seed=1, walls=[wall])


def test_running_out_of_walls_changes_nothing() -> None:
    rules = load("tenhou")
    game = Game(rules, walls=[shuffled(tile_set(rules), new_seed(1), 0)])
    error = None
    while error is None:
        before, events, seat = game.state, len(game.events), game.to_act[0]
        try:
            game.play(seat, game.legal(seat)[0])
        except RequestError as caught:
            error = caught
    assert error.code == "no_more_walls"
    assert (game.state, len(game.events)) == (before, events)
    with pytest.raises(RequestError, match="used up"):
        game.play(seat, game.legal(seat)[0])
