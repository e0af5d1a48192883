"""Tiles in the terminal: ankan as the rules display them, and the riichi tile sideways."""

import pytest

from jantaku.cli.table_view import DECLARED, TAKEN, ankan, meld, river
from jantaku.game.view import RiverTile, sideways
from jantaku.hand import Meld
from jantaku.tiles import Tile


def tiles(*marks: str) -> list[RiverTile]:
    """Return discards of 1m: ``r`` marks the riichi tile, ``c`` a called one."""
    return [RiverTile(Tile(0), drawn=False, riichi="r" in mark, called="c" in mark) for mark in marks]


@pytest.mark.parametrize(
    ("marks", "place"),
    [
        (("", "r", ""), 1),
        (("", "rc", "", ""), 2),  # the declared tile was called: the next one lies sideways (inventory 125)
        (("", "rc", "c", ""), 3),
        (("", "rc"), None),
        (("", "c", ""), None),
    ],
)
def test_the_riichi_tile_or_the_next_one_lies_sideways(marks: tuple[str, ...], place: int | None) -> None:
    discards = tiles(*marks)
    assert sideways(discards) == place
    (row,) = river(discards)
    assert [mark for mark in row.plain if mark in (DECLARED, TAKEN)].count(DECLARED) == int(place is not None)


@pytest.mark.parametrize(
    ("display", "seen"),
    [("outer_down", "-0p5p-"), ("inner_down", "0p--5p"), ("all_down", "----")],
)
def test_an_ankan_follows_the_display_rule(display: str, seen: str) -> None:
    cells = ankan(Meld.parse("ankan", "0555p"), display)
    named = {Tile.parse("0p"): "0p", Tile.parse("5p"): "5p"}
    assert "".join("-" if tile is None else named[Tile(tile)] for tile in cells) == seen


def test_an_ankan_without_tiles_has_four_backs() -> None:
    hidden = Meld.parse("ankan", "1111m")
    hidden = type(hidden)(hidden.type, ())
    assert meld(hidden, "outer_down").plain == meld(Meld.parse("ankan", "1111m"), "all_down").plain
