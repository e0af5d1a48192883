"""Deal the unseen tiles of a position, as the search and the lab do."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from jantaku.bots.match import by_seat
from jantaku.bots.policies import STANDARD
from jantaku.bots.search import KnownPosition
from jantaku.bots.search.kernels.own_draws import Players, new_draws
from jantaku.bots.search.kernels.past import recall
from jantaku.bots.search.kernels.unseen import HiddenTiles, deal_unseen, new_unseen
from jantaku.bots.workspace import new_bot_workspace
from jantaku.game.engine import context
from jantaku.game.fair_walls import tile_set
from jantaku.kernels.engine.state import GAME, NO_SEAT
from jantaku.kernels.rules import rules_record


def hidden_tiles(known: KnownPosition, hands: int = 1) -> HiddenTiles:
    """Return a ``HiddenTiles`` for the position."""
    tiles = np.array(tile_set(known.rules), np.uint8)
    return new_unseen(tiles, known.rivers, known.safe, known.own, known.indicators, hands)


def deals(known: KnownPosition, sources: npt.NDArray[np.int64], hands: int = 1) -> Iterator[Any]:
    """Yield the record after the deal of each source (``int64[n, 2]``)."""
    unseen, tiles = hidden_tiles(known, hands), int(rules_record(known.rules)[0].tiles_in_wall)
    policies = by_seat([STANDARD] * len(known.rules.seats)).reshape(1, -1)
    work = new_bot_workspace(np.zeros(2, np.int64), known.rules)
    players = Players(policies, np.zeros((1, 2), np.int64), work, new_draws(tiles))
    rules, room = rules_record(known.rules)[0], context(known.rules.tiles.man)
    for source in sources:
        games = np.frombuffer(known.state, GAME).copy()
        if hands > 1:
            recall(games[0], known.seat, unseen.past, policies[0])
        unseen.source[:] = source
        assert deal_unseen(games[0], known.seat, unseen, players, rules, room) == NO_SEAT
        yield games[0]
