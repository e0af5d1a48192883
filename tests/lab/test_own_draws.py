"""The option ``own_draws`` of a plan: each seat draws the same tiles, whatever calls are made."""

import numpy as np
import pytest

from jantaku import load
from jantaku.bots.search.kernels.own_draws import arrange_draw, begin_draws, new_draws
from jantaku.game.engine import context
from jantaku.game.fair_walls import tile_set
from jantaku.kernels.engine import entries
from jantaku.kernels.engine.claims import next_seat
from jantaku.kernels.engine.dealing import start_match
from jantaku.kernels.engine.hands import after, dealer
from jantaku.kernels.engine.state import CLAIMS
from jantaku.lab.kernels.turns import deal, new_batch

pytestmark = pytest.mark.xdist_group("lab")
RULES = load("tenhou")
TILES = np.array(tile_set(RULES), np.uint8)
DEAD = 14
CALLS_FIRST = 0.7


def play_hand(seed: int) -> tuple[list[int], list[int], list[tuple[int, int]], int]:
    """Play a hand with many calls.

    Return the wall before and after the hand, the draws in order (seat and tile), and the first seat to draw.
    """
    batch, draws = new_batch(RULES, TILES, seed, 0, 1), new_draws(len(TILES))
    game, rng = batch.games[0], np.random.default_rng(seed)
    start_match(game, batch.rules[0])
    deal(batch, 0, context())
    begin_draws(game, draws)
    before, drawn, first = game.wall.tolist(), [], int(after(game, dealer(game), 1))
    while game.phase <= CLAIMS:
        arrange_draw(game, draws)
        seat = int(next_seat(game))
        count = int(entries.legal(batch.games, seat, batch.rules, context(), batch.codes[0]))
        choice = count - 1 if game.phase == CLAIMS and rng.random() < CALLS_FIRST else rng.integers(count)
        front = int(game.drawn_live)
        entries.step(batch.games, seat, int(batch.codes[0, choice]), batch.rules, context())
        if game.drawn_live > front:
            drawn.append((int(game.turn), int(game.wall[front])))
    return before, game.wall.tolist(), drawn, first


@pytest.mark.parametrize("seed", range(12))
def test_each_seat_draws_its_own_tiles_in_order(seed: int) -> None:
    """A seat that has drawn all its tiles takes the next tile of another seat, which then skips it."""
    before, behind, drawn, first = play_hand(seed)
    assert sorted(before) == sorted(behind)
    assert before[-DEAD:] == behind[-DEAD:]
    begin, end = 13 * 4 + 1, len(before) - DEAD
    own = {(first + turn) % 4: list(range(begin + turn, end, 4)) for turn in range(4)}
    taken: set[int] = set()
    for seat, tile in drawn:
        mine = [item for item in own[seat] if item not in taken]
        if mine:
            assert tile == before[mine[0]]
            taken.add(mine[0])
        else:
            others = [item for items in own.values() for item in items if item not in taken]
            taken.add(next(item for item in others if before[item] == tile))
