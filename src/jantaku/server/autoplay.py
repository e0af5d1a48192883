"""Decides for a seat without a person: by a bot or by default."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final

from jantaku.bots import Bot, bot
from jantaku.game import Action, Discard, Game, Pass

LOG = logging.getLogger("jantaku.server")
# a pool of their own, so that bots wait for nothing else
_THREADS: Final = ThreadPoolExecutor(thread_name_prefix="bot")


def by_default(game: Game, seat: int) -> Action:
    """The action when time runs out: pass, or discard the drawn tile."""
    legal = game.legal(seat)
    if Pass() in legal:
        return Pass()
    plain = [action for action in legal if isinstance(action, Discard) and action.riichi is None]
    drawn = [action for action in plain if action.drawn]
    return (drawn or plain[::-1] or legal)[0]


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
        return by_default(game, seat)
    return action if action in legal else by_default(game, seat)


@cache
def _player(policy: str) -> Bot:
    """The shared player of a policy; it keeps only its random generator between choices."""
    return bot(policy)
