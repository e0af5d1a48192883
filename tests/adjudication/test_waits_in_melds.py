"""Analysis, hints and engine agree on waits for tiles that the player's own melds use up."""

import pytest

from jantaku.adjudication.analysis import Wait, riichi_ankan_allowed, waits
from jantaku.game import Discard, Game, Kan
from jantaku.game.engine import melds, without_drawn
from jantaku.game.view import waits_of
from jantaku.hand import Hand
from jantaku.rules import Ruleset, load
from jantaku.server.play.hints import hints
from jantaku.tiles import NORTH, Tile, format_tiles
from support.table import Table

EDGE = ("12333m456p789s55z", "3m", ["3m"])  # 12m and a kan of 3m
EDGE_OF_TWO = ("45666m456p789s55z", "6m", ["3m", "6m"])
"""The hand, the fourth tile of the kan, and the waits if tiles in melds do not count."""


def dealt(rules: Ruleset, hand: str, fourth: str) -> Game:
    """Return a game in which East draws the fourth tile."""
    table = Table(rules, {"E": hand}, fourth, rinshan="7z")
    return Game(rules, walls=[table.game.wall[: int(table.game.tiles)].tolist()])


def with_quad(rules: Ruleset, hand: str, fourth: str) -> Game:
    """Return the game after the dealer has declared an ankan."""
    game = dealt(rules, hand, fourth)
    game.play(0, next(action for action in game.legal(0) if isinstance(action, Kan)))
    return game


def waited(game: Game) -> tuple[Hand, list[Wait]]:
    record, rules = game.record, game.rules
    hand = Hand(tuple(without_drawn(record, 0)), melds(record, 0))
    return hand, waits(hand, (), rules.tiles.man, int(record.kita[0]), rules.draw.wait_in_melds)


@pytest.mark.parametrize("in_melds", [False, True])
@pytest.mark.parametrize(("tiles", "fourth", "wanted"), [EDGE, EDGE_OF_TWO])
def test_analysis_hints_and_engine_agree(tiles: str, fourth: str, wanted: list[str], in_melds: bool) -> None:
    game = with_quad(load("standard").with_changes({"draw.wait_in_melds": in_melds}), tiles, fourth)
    _, rows = waited(game)
    drawn = Tile.parse("7z")
    row = next(
        discard for discard in hints(game, 0, "en")["discards"] if discard["tile"] == format_tiles([drawn])
    )
    expected = wanted if in_melds else [tile for tile in wanted if tile != fourth]
    assert [format_tiles([wait.tile]) for wait in rows] == [wait["tile"] for wait in row["waits"]] == expected
    assert {wait.tile: wait.left for wait in rows}.get(Tile.parse(fourth).kind, 0) == 0
    assert all(wait.forms for wait in rows)
    game.play(
        0, next(action for action in game.legal(0) if isinstance(action, Discard) and action.tile == drawn)
    )
    assert list(waits_of(game.record, 0)) == [Tile(wait.tile) for wait in rows]
    assert [wait["tile"] for wait in hints(game, 0, "en")["waits"]] == expected


@pytest.mark.parametrize("in_melds", [False, True])
def test_norths_set_aside_count_under_both_rules(in_melds: bool) -> None:
    hand = Hand.parse("119m19p19s123567z")  # thirteen orphans without a north
    left = [waits(hand, kita=kita, in_melds=in_melds) for kita in range(5)]
    assert [[(wait.tile, wait.left) for wait in rows] for rows in left] == [
        *[[(NORTH, 4 - kita)] for kita in range(4)],
        [],
    ]


@pytest.mark.parametrize("in_melds", [False, True])
def test_ankan_in_riichi_depends_on_waits_in_melds(in_melds: bool) -> None:
    hand, drawn = Hand.parse("789m22234055s77s"), Tile.parse("2s")
    assert riichi_ankan_allowed(hand, drawn, "same_waits", in_melds=in_melds) is in_melds
