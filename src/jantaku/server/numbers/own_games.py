"""The finished games of a person as results with their hands, read once from what is stored.

Whoever asks has a turn of ``FairWork``, so that neither tables nor other people wait for one person's games.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from jantaku.bounded import Newest
from jantaku.club import GameResult, SettledGame, settle
from jantaku.club.played import played_hands
from jantaku.club.statistics import RuledGame
from jantaku.game import Game
from jantaku.rules import Ruleset
from jantaku.server.storage.absences import absent_in, counts_for
from jantaku.server.storage.beginning import Beginning
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.replaying import replayed, without_code
from jantaku.server.storage.services import Services
from jantaku.server.storage.tables import Sitter
from jantaku.server.storage.unreadable import UNREADABLE, log_unreadable

LOG: Final = logging.getLogger("jantaku.server")
MOST_GAMES: Final = 300  # of a person, the newest; each takes about 15 ms the first time
KEPT: Final = 3000  # settled games in memory, about 10 kB each
BOT: Final = "bot:"
Reader = Callable[[Ruleset, Beginning, Sequence[tuple[int, str]], Sequence[bytes]], Game]


class PlayedHere(NamedTuple):
    """Somebody's games, and the names under which people played in them last."""

    games: list[RuledGame]
    names: dict[str, str]


class OwnGames:
    """Settles stored games; the hands of a finished game never change, so each is read once."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._known = Newest[str, SettledGame | None](KEPT)

    async def of(self, person: str) -> PlayedHere:
        """The newest games of a person, the oldest of them first."""
        rows = await self._services.games.of_person(person, MOST_GAMES)
        found = PlayedHere([], {})
        for row in reversed(rows):
            found.names.update({one.person: one.name for one in row.players if one.person is not None})
            game = await self._game(row) if _is_own(row, person) else None
            if game is not None:
                found.games.append(game)
        return found

    async def _game(self, row: GameRow) -> RuledGame | None:
        """One game; ``None`` if its rules can no longer be read or it has no result."""
        read = await self._services.rulesets.readable(row.rules, row.fingerprint)
        result = row.result or {}
        if read is None or not result.get("final") or not result.get("places"):
            return None
        if row.id not in self._known:
            moves, logs = await self._services.games.moves(row.id), await self._services.games.hands(row.id)
            reader = without_code if read.missing else replayed
            rules = read.rules

            def work_out() -> SettledGame | None:
                return _settled(reader, rules, row, moves, logs)

            self._known[row.id] = await asyncio.to_thread(work_out)
        self._known.move_to_end(row.id)
        at = None if row.ended is None else datetime.fromtimestamp(row.ended / 1000, UTC)
        players = tuple(player_of(one) for one in row.players)
        final, places = tuple(result["final"]), tuple(result["places"])
        absent = tuple(absent_in(result, seat) for seat in range(len(players)))
        known = self._known[row.id]
        return RuledGame(read.rules, GameResult(row.id, "", at, players, final, places, known, absent))


def _is_own(row: GameRow, person: str) -> bool:
    """Whether a person played enough of a game themselves for it to be theirs."""
    mine = [seat for seat, one in enumerate(row.players) if one.person == person]
    return all(counts_for(row.result, seat, row.hands) for seat in mine)


def player_of(sitter: Sitter) -> str:
    """The id of a player, a bot by its policy, or nobody for whoever has been erased."""
    if sitter.person is not None:
        return sitter.person
    return f"{BOT}{sitter.bot}" if sitter.bot is not None else ""


def _settled(
    reader: Reader, rules: Ruleset, row: GameRow, moves: Sequence[tuple[int, str]], logs: Sequence[bytes]
) -> SettledGame | None:
    """The hands of a game; ``None`` if it can be shown but not settled, so that only its points count."""
    try:
        hands = played_hands(reader(rules, row.beginning, moves, logs))
        found = settle(hands, rules)
    except UNREADABLE:
        log_unreadable("hands of the game", row.id)
        return None
    return found
