"""Decides for a seat without a person: by a bot or by default."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final

from jantaku.bots import BOTS, LEVELS, Bot, bot
from jantaku.bots.policies import STANDARD
from jantaku.game import Action, Game
from jantaku.game.actions import by_default

LOG = logging.getLogger("jantaku.server")
# a pool of their own, so that bots wait for nothing else
_THREADS: Final = ThreadPoolExecutor(thread_name_prefix="bot")


async def choice(policy: str, game: Game, seat: int) -> Action:
    """A bot's choice. An error inside the bot must not stop the table."""
    legal = game.legal(seat)
    if len(legal) == 1:
        return legal[0]
    try:
        action = await asyncio.get_running_loop().run_in_executor(
            _THREADS, _player(policy).choose, game, seat
        )
    except Exception:
        LOG.exception("bot %s failed", policy)
        return by_default(legal)
    return action if action in legal else by_default(legal)


@cache
def _player(policy: str) -> Bot:
    """The shared player of a policy; it keeps only its random generator between choices.

    A table may name a level that another version knew; ``standard`` then plays.
    """
    return bot(policy if policy in BOTS or policy in LEVELS else BOTS[STANDARD])
