"""For other programs' logs, the reader infers whether a leading dealer may end the game by win or tenpai."""

import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random

import pytest

from jantaku.game import Game, Standing
from jantaku.game.actions import EndGame, Tsumo
from jantaku.game.events import HandStarted
from jantaku.kernels.engine.wall import DEALT, dealt_to
from jantaku.records import formats
from jantaku.rules import Ruleset, load
from jantaku.tiles import parse_tiles
from support.majiang_writer import majiang_of
from support.record_games import without_mark
from support.table import tile_set

LAST = 7  # South 4; seat 3 deals
LEADING, BEHIND = (20_000, 20_000, 20_000, 40_000), (60_000, 20_000, 10_000, 10_000)
READY = "123456789m11p11s"
NOT_READY = "147m258p369s1234z"


def wall_of(rules: Ruleset, hand: str) -> list[int]:
    """Return a wall that deals the hand to the dealer, who draws a winning tile in the second turn."""
    left = Counter(tile_set(rules))
    own = parse_tiles(hand)
    left.subtract(own)
    drawn = parse_tiles("1p")[0]
    left[drawn] -= 1
    rest = list(left.elements())
    Random(1).shuffle(rest)
    rest.sort(key=lambda tile: tile == drawn)  # moves the remaining 1p into the dead wall
    dealt = [int(own.pop()) if dealt_to(i, 4) == 0 else int(rest.pop(0)) for i in range(4 * DEALT)]
    return [*dealt, *map(int, rest[:4]), int(drawn), *map(int, rest[4:])]


def walls(rules: Ruleset, first: str) -> Iterator[Iterable[int]]:
    """Yield walls that deal ``first`` to the dealer, then only hands far from tenpai."""
    yield wall_of(rules, first)
    yield from itertools.repeat(wall_of(rules, NOT_READY))


def played_on(rules: Ruleset, scores: tuple[int, ...], *, win: bool) -> Game:
    """Play the last hand, in which the dealer wins or is tenpai; in later hands the dealer does neither."""
    standing = Standing(LAST, 0, 0, scores)
    game = Game(rules, walls=walls(rules, READY), standing=standing)
    while not game.is_over:
        seat = game.to_act[0]
        legal = game.legal(seat)
        ends = [act for act in legal if isinstance(act, EndGame) or (win and isinstance(act, Tsumo))]
        game.play(seat, ends[0] if ends else legal[-1])  # the last one: pass or discard the drawn tile
    return game


NAMES = ("mjlog", "mjai", "tenhou", "majiang")


def read_unmarked(game: Game, name: str) -> Game:
    """Write the game as another program would, and read it back."""
    if name == "majiang":
        text = json.dumps(majiang_of(game, list("ABCD")))
    else:
        text = without_mark(formats.dumps(game, name))
    return formats.parse_record(text.encode()).game


OPTIONS = {True: "end.agari_yame", False: "end.tenpai_yame"}


def hands(game: Game) -> int:
    return sum(isinstance(event, HandStarted) for event in game.events)


@pytest.mark.parametrize("win", [True, False], ids=["win", "tenpai"])
@pytest.mark.parametrize("name", NAMES)
def test_a_leading_dealer_who_continues_could_not_stop(name: str, win: bool) -> None:
    rules = load("tenhou").with_changes({OPTIONS[win]: "off"})
    game = played_on(rules, LEADING, win=win)
    assert hands(game) > 1
    read = read_unmarked(game, name)
    other = OPTIONS[not win]
    assert read.rules.option(OPTIONS[win]) == "off"
    assert read.rules.option(other) == load("tenhou").option(other) != "off"
    assert hands(read) == hands(game)


@pytest.mark.parametrize("win", [True, False], ids=["win", "tenpai"])
@pytest.mark.parametrize("name", NAMES)
def test_a_dealer_who_stops_had_the_option(name: str, win: bool) -> None:
    game = played_on(load("tenhou"), LEADING, win=win)
    assert hands(game) == 1
    read = read_unmarked(game, name)
    for option in OPTIONS.values():
        assert read.rules.option(option) == load("tenhou").option(option)
    assert read.is_over


@pytest.mark.parametrize("win", [True, False], ids=["win", "tenpai"])
@pytest.mark.parametrize("name", NAMES)
def test_a_trailing_dealer_continues_under_either_option(name: str, win: bool) -> None:
    game = played_on(load("tenhou"), BEHIND, win=win)
    assert hands(game) > 1
    read = read_unmarked(game, name)
    for option in OPTIONS.values():
        assert read.rules.option(option) == load("tenhou").option(option)
