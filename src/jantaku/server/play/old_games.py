"""Migrates games stored without their hands: each is replayed once and its hands are stored."""

import asyncio
import logging

from jantaku.errors import JantakuError
from jantaku.records.native.hand_log import hand_logs
from jantaku.server.play.live_game import replayed
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.services import Services

LOG = logging.getLogger("jantaku.server")
AT_ONCE = 50


async def keep_old_hands(services: Services) -> None:
    """Store the hands of every finished game that has none, as this version plays them."""
    after: str | None = ""
    while after is not None:
        rows, after = await services.games.without_hands(after, AT_ONCE)
        for row in rows:
            try:
                await _keep(services, row)
            except Exception as error:  # whatever is wrong with one game, the others are kept
                if isinstance(error, JantakuError) and error.code == "storage_lost":
                    raise
                LOG.warning("the hands of game %s cannot be kept: %s", row.id, error)


async def _keep(services: Services, row: GameRow) -> None:
    rules = await services.rulesets.find(row.rules, row.fingerprint)
    moves = await services.games.moves(row.id)
    game = await asyncio.to_thread(replayed, rules, row.beginning, moves)
    await services.games.keep_hands(row.id, hand_logs(game, ended=True), 0)
