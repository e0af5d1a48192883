"""What the hands of a finished game count for each seat, kept beside it: see ``HandTally``."""

import zlib
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from jantaku.club import GameResult, settle
from jantaku.club.as_entered import played_hands
from jantaku.club.statistics import HandTally, Sitting, tally, unpacked
from jantaku.game import Game
from jantaku.server.storage.absent_hands import absent_in
from jantaku.server.storage.games import GameRow, Tallies
from jantaku.server.storage.tables import Sitter
from jantaku.server.storage.unreadable import UNREADABLE, log_unreadable

BOT: Final = "bot:"


def player_of(sitter: Sitter) -> str:
    """The id of a player, a bot by its policy, or nobody for whoever has been erased."""
    if sitter.person is not None:
        return sitter.person
    return f"{BOT}{sitter.bot}" if sitter.bot is not None else ""


def result_of(row: GameRow) -> GameResult | None:
    """A stored game as a result without its hands; ``None`` if it has none."""
    result = row.result or {}
    if not result.get("final") or not result.get("places"):
        return None
    at = None if row.ended is None else datetime.fromtimestamp(row.ended / 1000, UTC)
    players = tuple(map(player_of, row.players))
    absent = tuple(absent_in(result, seat) for seat in range(len(players)))
    final, places = tuple(result["final"]), tuple(result["places"])
    return GameResult(row.id, "", at, players, final, places, absent=absent)


def tallies_of(game: Game, row: GameRow) -> Tallies:
    """The tallies of all seats, packed; none if the hands cannot be settled: only the points count then."""
    result = result_of(row)
    if result is None:
        return {}
    try:
        result = replace(result, played=settle(played_hands(game), game.rules))
    except UNREADABLE:
        log_unreadable("hands of the game", row.id)
        return {}
    return {seat: tally(Sitting("", result, seat)).packed() for seat in range(len(result.players))}


def tally_in(kept: bytes | None, game: str) -> HandTally | None:
    """A tally as it is kept; ``None`` if there is none, or none that this version reads."""
    try:
        return None if kept is None else unpacked(kept, game)
    except (zlib.error, *UNREADABLE):
        log_unreadable("tally of the game", game)
        return None
