"""Who decides for a seat without a person: a bot, or the clock."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final

from jantaku.bots import Bot, bot
from jantaku.game import Action, Discard, Game, Pass

LOG = logging.getLogger("jantaku.server")
_THREADS: Final = ThreadPoolExecutor(thread_name_prefix="bot")  # their own: bots wait for nothing else


def by_default(game: Game, seat: int) -> Action:
    """What happens when nobody decides: let the tile go by, or discard what was drawn."""
    legal = game.legal(seat)
    if Pass() in legal:
        return Pass()
    plain = [action for action in legal if isinstance(action, Discard) and action.riichi is None]
    drawn = [action for action in plain if action.drawn]
    return (drawn or plain[::-1] or legal)[0]


async def choice(policy: str, game: Game, seat: int) -> Action:
    """What a bot does; whatever goes wrong in it must not stop the table."""
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
    """The one player of a policy: it keeps nothing from one choice to the next but its chances."""
    return bot(policy)
