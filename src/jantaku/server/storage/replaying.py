"""Rebuilds a stored game from its actions, or from its hands as they were played."""

import hashlib
import logging
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from jantaku.errors import JantakuError
from jantaku.game import Game
from jantaku.game.notation import parse
from jantaku.game.recorded import RecordedGame
from jantaku.records.native.hand_log import as_played, differing_hand
from jantaku.rules import Ruleset
from jantaku.server.storage.beginning import Beginning

LOG = logging.getLogger("jantaku.server")
ENGINE: Final = ("kernels/**/*.py", "game/*.py", "rules/**/*.py", "rules/**/*.toml", "*.py")


@cache
def engine_mark() -> str:
    """What tells this version's engine from every other: a hash of its sources."""
    package, digest = Path(__file__).parents[2], hashlib.sha256()
    for path in sorted({path for pattern in ENGINE for path in package.glob(pattern)}):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def replayed(
    rules: Ruleset, begun: Beginning, moves: Sequence[tuple[int, str]], logs: Sequence[bytes] = ()
) -> Game:
    """Rebuild a game from its stored actions; ``logs`` are its finished hands as they were played.

    If this version replays the actions differently, the result is a ``RecordedGame`` of the logs, which shows
    what was played and cannot go on.
    """
    game = begun.game(rules)
    try:
        for seat, action in moves:
            game.play(seat, parse(action))
        differing = differing_hand(game, logs)
    except JantakuError as error:
        if not logs:
            raise
        LOG.error("this version cannot continue a stored game (%s)", error)
        return as_played(rules, logs, moves)
    if differing is None:
        return game
    LOG.error("this version replays hand %s of a stored game differently", differing + 1)
    return as_played(rules, logs, moves)


def without_code(
    rules: Ruleset, begun: Beginning, moves: Sequence[tuple[int, str]], logs: Sequence[bytes]
) -> RecordedGame:
    """A game whose local yaku have no code now: its finished hands as they were played, or the first hand.

    ``rules`` are the rules without these yaku, so that only actions before the first win can be replayed. The
    game can be shown but cannot go on.
    """
    if logs:
        return as_played(rules, logs, moves)
    game = begun.game(rules)
    with suppress(JantakuError):
        for seat, action in moves:
            game.play(seat, parse(action))
    return RecordedGame(rules, game.events, game.moves, len(game.moves))
