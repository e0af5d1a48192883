"""The value of hands one tile from tenpai equals that counted with the public functions."""

from random import Random

import numpy as np
import pytest

from conftest import scale
from jantaku import Hand, Win, load, score, shanten
from jantaku.bots.chance import new_source
from jantaku.bots.seat_view import SEAT_VIEW
from jantaku.bots.workspace import new_bot_workspace
from jantaku.bots.worth import TSUMO_SHARE, one_away_worth
from jantaku.errors import HandError
from jantaku.kernels._jit import COMPILED
from jantaku.kernels.engine.state import NO_TILE
from jantaku.kernels.rules import rules_record
from jantaku.tiles import KINDS, Tile, counts, parse_tiles
from support.table import context

pytestmark = [pytest.mark.slow] * COMPILED  # compiling takes half a minute, and no command needs this code
RULES = load("tenhou")
SOUTH = 3  # the dealer sits to the left


def hand_of(held: list[int]) -> Hand:
    return Hand(tuple(Tile(kind) for kind in range(KINDS) for _ in range(held[kind])))


def points(held: list[int], kind: int, tsumo: bool) -> int:
    try:
        win = Win(hand_of(held), Tile(kind), tsumo=tsumo, riichi="riichi")
        return score(win, RULES).points
    except HandError:
        return 0


def after(held: list[int], kind: int, more: int) -> list[int]:
    codes = [*held]
    codes[kind] += more
    return codes


def tenpai_worth(held: list[int], seen: list[int], gone: set[int]) -> float:
    """Add up the points of all remaining winning tiles of a tenpai hand; ``gone`` are the discarded kinds."""
    waits = [kind for kind in range(KINDS) if seen[kind] < 4 and shanten(hand_of(after(held, kind, 1))) < 0]
    furiten = any(kind in gone for kind in waits)
    total = 0.0
    for kind in waits:
        value = 0.0 if furiten else float(points(held, kind, tsumo=False))
        total += (4 - seen[kind]) * (value or TSUMO_SHARE * points(held, kind, tsumo=True))
    return total


def plain_worth(held: list[int], discarded: int) -> float:
    """Add up the value of the best tenpai after each tile that leads to tenpai."""
    rest, total = after(held, discarded, -1), 0.0
    for kind in range(KINDS):
        if held[kind] >= 4:
            continue
        drawn, seen = after(rest, kind, 1), after(held, kind, 1)
        best = 0.0
        for other in range(KINDS):
            if drawn[other] and shanten(hand_of(after(drawn, other, -1))) == 0:
                best = max(best, tenpai_worth(after(drawn, other, -1), seen, {discarded, other}))
        total += (4 - held[kind]) * best
    return total


def found_worth(held: list[int], discarded: int) -> float:
    work, view = new_bot_workspace(new_source(0), load("standard")), np.zeros(1, SEAT_VIEW)[0]
    view.hand, view.seen = held, held
    view.seats, view.dealer, view.live_left = 4, SOUTH, 60
    view.indicators[:] = NO_TILE
    improving = sum(
        1 << kind
        for kind in range(KINDS)
        if held[kind] < 4 and shanten(hand_of(after(after(held, discarded, -1), kind, 1))) == 0
    )
    worth = float(one_away_worth(view, discarded, improving, rules_record(RULES)[0], context(), work))
    assert view.seen.tolist() == held  # the function must not change it
    return worth


def nearly_tenpai(rng: Random) -> tuple[list[int], int]:
    """Return 14 tiles and a discard after which they are one tile from tenpai."""
    while True:
        first, last = rng.choice(((0, 9), (9, 18), (18, 34)))
        wall = [kind for kind in range(first, last) for _ in range(4)]
        held = counts(rng.sample(wall, 14))
        for kind in range(KINDS):
            if held[kind] and shanten(hand_of(after(held, kind, -1))) == 1:
                return held, kind


def test_hands_one_tile_from_tenpai() -> None:
    rng = Random(8)
    for _ in range(scale(10)):
        held, discarded = nearly_tenpai(rng)
        assert found_worth(held, discarded) == pytest.approx(plain_worth(held, discarded)), (held, discarded)


@pytest.mark.parametrize("tiles", ["111222333m 456p 5s 9s", "1112223334445m 9s", "5666777888999m 9s"])
def test_a_wait_for_a_fifth_tile_is_worth_nothing(tiles: str) -> None:
    """A hand with three of a kind that draws the fourth has no tile left for a wait on that kind."""
    held = counts(parse_tiles(tiles))
    for kind in range(KINDS):
        if held[kind] and shanten(hand_of(after(held, kind, -1))) == 1:
            assert found_worth(held, kind) == pytest.approx(plain_worth(held, kind))
