"""A face-down ankan (``calls.ankan_display = "all_down"``): only its owner knows its tiles."""

import json
from typing import Any

import numpy as np
import pytest

from jantaku.bots.seat_view import SEAT_VIEW, write_seat_view
from jantaku.game import Game, Pass, hide
from jantaku.game import events as event_types
from jantaku.game.actions import parse
from jantaku.game.why import why
from jantaku.kernels.engine.state import CLAIMS
from jantaku.records.mjai import to_mjai
from jantaku.tiles import Tile
from support.table import Table

HANDS = {"E": "111m456p789s99p24s", "S": "7z"}
DRAWS = "1m 7z 8m 8m 3s"
OTHERS = (1, 2, 3)
TILE = Tile.parse("1m")


def game_with(display: str, after: str = "") -> Game:
    """Let East declare an ankan of 1m and discard 5m, its replacement tile."""
    rules = {"calls.ankan_display": display}
    table = Table(rules, HANDS, DRAWS, rinshan="5z", indicators="2p2p")
    wall = table.game.wall.tolist()
    game = Game(table.rules, walls=[wall, wall])
    for text in ["ankan 1m", "5z*", *filter(None, after.split("|"))]:
        while game.record.phase == CLAIMS:
            game.play(game.to_act[0], Pass())
        game.play(game.to_act[0], parse(text))
    while game.record.phase == CLAIMS:
        game.play(game.to_act[0], Pass())
    return game


def declared(game: Game) -> event_types.KanDeclared:
    return next(event for event in game.events if isinstance(event, event_types.KanDeclared))


@pytest.mark.parametrize("display", ["outer_down", "inner_down"])
def test_an_ankan_with_visible_tiles_is_known(display: str) -> None:
    game = game_with(display)
    for seat in (*OTHERS, None):
        assert hide(declared(game), seat) == declared(game)
    assert all(game.view(seat).melds[0][0].tiles for seat in range(4))


def test_a_face_down_ankan_hides_its_tile_from_others() -> None:
    game = game_with("all_down")
    assert declared(game).tile == TILE
    assert hide(declared(game), 0) == declared(game)
    assert game.view(0).melds[0][0].tiles
    for seat in (*OTHERS, None):
        hidden = hide(declared(game), seat)
        assert isinstance(hidden, event_types.KanDeclared)
        assert (hidden.tile, hidden.meld.tiles, hidden.face_down) == (None, (), True)
        assert event_types.from_dict(json.loads(json.dumps(hidden.to_dict()))) == hidden


def with_another_kan(game: Game, tile: str) -> Game:
    """Return the same table with an ankan of a different kind."""
    record = game.record.copy()
    record.meld_first[0, 0] = Tile.parse(tile)
    other = Game(game.rules, walls=[game.walls[0]])
    other._engine.array[0] = record
    other._refresh()
    return other


@pytest.mark.parametrize("seat", OTHERS)
def test_no_view_depends_on_a_face_down_ankan(seat: int) -> None:
    game = game_with("all_down")
    other = with_another_kan(game, "6z")
    assert json.dumps(other.view(seat).to_dict()) == json.dumps(game.view(seat).to_dict())
    views = [np.zeros(1, SEAT_VIEW) for _ in range(2)]
    for deal, view in zip((game, other), views, strict=True):
        write_seat_view(deal.record, seat, view[0])
    assert views[0].tobytes() == views[1].tobytes()


def test_mjai_of_another_seat_hides_a_face_down_ankan() -> None:
    game = game_with("all_down")
    for seat, seen in ((0, ["1m"] * 4), (1, ["?"] * 4)):
        (message,) = [message for message in to_mjai(game, seat) if message["type"] == "ankan"]
        assert message["consumed"] == seen


def test_why_does_not_name_a_face_down_ankan() -> None:
    """The reason does not reveal either that the tile completes no hand."""
    rules = {"calls.ankan_display": "all_down"}
    table = Table(rules, HANDS, DRAWS, rinshan="5z", indicators="2p2p")
    game = Game(table.rules, walls=[table.game.wall.tolist()])
    game.play(0, parse("ankan 1m"))
    for seat in OTHERS:
        assert "1" not in why(game, seat, "ron", "en")


def end(game: Game) -> dict[str, Any]:
    outcome = next(
        event for event in game.events if isinstance(event, event_types.Won | event_types.HandDrawn)
    )
    return hide(outcome, 2).to_dict()


def test_a_face_down_ankan_is_shown_when_the_hand_wins() -> None:
    game = game_with("all_down", "7z*|8m*|8m*|tsumo")
    assert end(game)["kans"] == "1111m"
    assert "kans" not in end(game_with("outer_down", "7z*|8m*|8m*|tsumo"))


def test_a_face_down_ankan_is_shown_with_a_tenpai_hand() -> None:
    game = game_with("all_down")
    while not any(isinstance(event, event_types.HandDrawn) for event in game.events):
        seat = game.to_act[0]
        legal = game.legal(seat)
        game.play(seat, Pass() if Pass() in legal else next(a for a in legal if str(a).endswith("*")))
    drawn = end(game)
    assert (drawn["kans"][0] == "1111m") == (0 in drawn["tenpai"])
    assert 0 in drawn["tenpai"]
