"""Redeal the tiles hidden from a seat, to test that nothing the seat sees or does depends on them."""

from random import Random
from typing import Any

import numpy as np

from jantaku.game import Game
from jantaku.game.engine import concealed, shown_tiles
from jantaku.kernels.engine.state import CLAIMS, NO_ANSWER, NO_TILE, YOUR_TURN
from jantaku.tiles import RED


def hidden_tiles(record: Any, seat: int) -> list[int]:
    """Return the concealed tiles of a seat that are hidden from others: all but those of an open riichi."""
    tiles: list[int] = list(concealed(record, seat))
    for tile in shown_tiles(record, seat) or ():
        tiles.remove(tile)
    return tiles


def has_drawn(record: Any, seat: int) -> bool:
    return bool(record.turn == seat and record.phase == YOUR_TURN and record.drawn != NO_TILE)


def deal_hidden(pool: list[int], record: Any, seat: int, number: int) -> list[int]:
    """Take new hidden tiles from the pool: the drawn tile, if any, then kinds that the seat does not show."""
    tiles = [pool.pop() for _ in range(int(has_drawn(record, seat)))]
    kinds = int(record.shown[seat])
    while len(tiles) < number:
        tiles.append(pool.pop(next(i for i, tile in enumerate(pool) if not kinds >> tile % RED & 1)))
    return tiles


def scrambled(game: Game, seat: int, rng: Random) -> Game:
    """Copy the game, with tiles hidden from ``seat`` redealt and other hidden state changed."""
    record = game.record.copy()
    hidden = {other: hidden_tiles(record, other) for other in range(4) if other != seat}
    drawn_live, kans = int(record.drawn_live), int(record.drawn_rinshan)
    turned = {131 - 2 * i for i in range(int(record.indicators))}
    places = [i for i in range(drawn_live, 136 - kans) if i not in turned]
    pool = [int(record.wall[i]) for i in places]
    pool += [tile for tiles in hidden.values() for tile in tiles]
    rng.shuffle(pool)
    dealt = {other: deal_hidden(pool, record, other, len(tiles)) for other, tiles in hidden.items()}
    past = record.wall[:drawn_live].tolist()
    record.wall[:drawn_live] = rng.sample(past, len(past))
    for position in places:
        record.wall[position] = pool.pop()
    for other, new in dealt.items():
        tiles = [*new, *(shown_tiles(game.record, other) or ())]
        record.hand[other] = np.bincount([t % RED for t in tiles], minlength=34)
        record.red[other] = np.bincount([t % RED for t in tiles if t >= RED], minlength=34)
        record.waits[other] = rng.getrandbits(34)
        if has_drawn(record, other):
            record.drawn = tiles[0]
    assert not pool
    for other in {*range(4)} - {seat}:
        record.furiten_passing[other], record.furiten_lasting[other] = rng.choices((0, 1), k=2)
        if record.phase == CLAIMS and other != record.claimed_from:
            record.asked[other], record.answer[other] = rng.choice(((0, NO_ANSWER), (1, NO_ANSWER), (1, 0)))
    other_game = Game(game.rules, seed=rng.getrandbits(64))
    other_game._engine.array[0] = record
    other_game._refresh()
    return other_game
