"""The lab's answer to "which discard?" with three players and with norths that are set aside."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from jantaku.bots import bot
from jantaku.errors import JantakuError
from jantaku.game import Game
from jantaku.game.fair_walls import tile_set
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.engine.state import GAME
from jantaku.lab.discards import KnownPosition, SeatPosition, known_position, position_in_game
from jantaku.lab.discards.play import DEALS
from jantaku.lab.kernels.turns import sources
from jantaku.tiles import NORTH, RED, Tile
from support.deals import deals

pytestmark = pytest.mark.xdist_group("lab")
HAND = "1199m234p567s112z 4z"
TABLE: dict[str, Any] = {
    "seat": "east",
    "kita": 1,
    "right": "9m kita 1 2p",
    "across": "1p 9s",
    "discards": "2p8s",
}
DEALT = 100 if COMPILED else 2


def position(rules: str = "tenhou-3", **more: Any) -> KnownPosition:
    return known_position(SeatPosition.parse(HAND, **(TABLE | more)), rules)


def record_of(known: KnownPosition) -> Any:
    return np.frombuffer(known.state, GAME)[0]


def test_norths_set_aside_are_replaced_from_the_dead_wall() -> None:
    record = record_of(position())
    assert record.kita.tolist() == [1, 1, 0, 0]
    assert (record.drawn_rinshan, record.kans) == (2, 0)
    assert int(record.drawn_live) == 13 * 3 + 6 + 1
    assert (record.untouched, record.opened) == (0, 1)  # under these rules, a kita interrupts the first turn
    assert "kita" in map(str, position().choices)
    written = known_position(SeatPosition.parse(HAND, seat="east", discards="kita 1"), "tenhou-3")
    assert record_of(written).kita.tolist() == [1, 0, 0, 0]


def test_a_position_without_kita_has_an_unbroken_first_turn() -> None:
    record = record_of(position(kita=0, right="9m 2p"))
    assert record.kita.tolist() == [0] * 4
    assert (record.drawn_rinshan, record.untouched) == (0, 1)


@pytest.mark.parametrize(
    ("given", "rules", "code"),
    [
        ({"right": "kita 3"}, "tenhou-3", "tile_missing"),  # five norths, including the seat's own
        ({"kita": 5}, "tenhou-3", "number_range"),
        ({"right": "kita 5"}, "tenhou-3", "number_range"),
        ({"right": "kita"}, "tenhou-3", "number_range"),
        ({"left": "1p"}, "tenhou-3", "source_not_in_rules"),
        ({"right": "chi 456p@right"}, "tenhou-3", "chi_source"),
        ({}, "tenhou", "kita_off"),
    ],
)
def test_impossible_norths_are_refused(given: dict[str, Any], rules: str, code: str) -> None:
    with pytest.raises(JantakuError) as caught:
        position(rules, **given)
    assert caught.value.code == code
    for language in ("en", "ja", "ko"):
        assert caught.value.message(language)


def tiles_of(record: Any) -> Counter[int]:
    """Count the tiles in the hands, rivers and wall of a record, and the norths that are set aside."""
    counts = Counter({int(NORTH): int(record.kita.sum())})
    for seat in range(3):
        for kind in range(34):
            red = int(record.red[seat, kind])
            counts[kind + RED] += red
            counts[kind] += int(record.hand[seat, kind]) - red
        counts.update(int(tile) for tile in record.river[seat, : record.discards[seat]])
    end = int(record.tiles) - int(record.drawn_rinshan)
    counts.update(int(tile) for tile in record.wall[record.drawn_live : end])
    return +counts


@pytest.mark.slow  # compiles the dealing
def test_every_deal_has_all_tiles_and_no_north_already_set_aside() -> None:
    known = position()
    for record in deals(known, sources(3, DEALS, 0, DEALT)):
        assert tiles_of(record) == Counter(map(int, tile_set(known.rules)))
        north = Tile.parse("4z")
        drawable = record.wall[record.drawn_live : int(record.tiles) - int(record.drawn_rinshan)].tolist()
        assert (
            drawable.count(north) + int(record.hand[1:3, north].sum()) == 1
        )  # of the four norths, two are set aside and one is in the hand


@pytest.mark.slow
def test_a_position_in_a_game_keeps_all_norths_set_aside() -> None:
    game, player = Game("tenhou-3", seed=5), bot("standard", 1)
    while game.record.kita[:3].sum() < 2 or len(game.to_act) > 1 or len(game.legal(game.to_act[0])) < 5:
        seat = game.to_act[0]
        game.play(seat, player.choose(game, seat))
    known = position_in_game(game, game.to_act[0])
    assert record_of(known).kita.tolist() == game.record.kita.tolist()
    for record in deals(known, sources(4, DEALS, 0, DEALT)):
        left = int(record.hand[:, NORTH].sum()) + sum(
            record.wall[record.drawn_live : int(record.tiles) - int(record.drawn_rinshan)] == NORTH
        )
        out = sum(int((record.river[seat, : record.discards[seat]] == NORTH).sum()) for seat in range(3))
        assert left + out + int(game.record.kita.sum()) == 4
