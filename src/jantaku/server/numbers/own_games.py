"""The finished games of a person, with what their hands in each count.

That is stored when a game ends. For games from before, or packed by another version, it is worked out once.
Whoever asks has a turn of ``FairWork``, so that neither tables nor other people wait for one person's games.
"""

import asyncio
from typing import Final, NamedTuple

from jantaku.bounded import Newest
from jantaku.club.statistics import HandTally, RuledGame
from jantaku.server.storage.absent_hands import counts_for
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.house_rules import ReadRules
from jantaku.server.storage.replaying import replayed, without_code
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.server.storage.tallies import result_of, tallies_of, tally_in
from jantaku.server.storage.unreadable import UNREADABLE, log_unreadable

MOST_GAMES: Final = 300  # of a person, the newest
KEPT: Final = 3000  # games of which only the points count


class PlayedHere(NamedTuple):
    """Somebody's games, and the names under which people played in them last."""

    games: list[RuledGame]
    names: dict[str, str]


class OwnGames:
    """Reads the games of people; the hands of a finished game never change."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._without = Newest[str, None](KEPT)

    async def of(self, person: str, *, public: bool = False) -> PlayedHere:
        """The newest games of a person, the oldest first; ``public``: only those that others may know."""
        played, now = PlayedHere([], {}), now_ms()
        for own in reversed(await self._services.games.of_person(person, MOST_GAMES)):
            row = own.game
            if public and own.public_at > now:
                continue
            played.names.update(
                {player.person: player.name for player in row.players if player.person is not None}
            )
            seat = next(seat for seat, player in enumerate(row.players) if player.person == person)
            read = await self._services.rulesets.readable(row.rules, row.fingerprint)
            result = result_of(row)
            if read is not None and result is not None and counts_for(row.result, seat, row.hands):
                tally = tally_in(own.tally, row.id) or await self._worked_out(row, read, seat)
                played.games.append(RuledGame(read.rules, result, tally))
        return played

    async def _worked_out(self, row: GameRow, read: ReadRules, seat: int) -> HandTally | None:
        """The tally of a seat, stored for all seats of the game."""
        if row.id in self._without:
            return None
        games = self._services.games
        moves, logs = await games.moves(row.id), await games.hands(row.id)
        reader = without_code if read.missing else replayed

        def work_out() -> dict[int, bytes]:
            try:
                return tallies_of(reader(read.rules, row.beginning, moves, logs), row)
            except UNREADABLE:
                log_unreadable("hands of the game", row.id)
                return {}

        tallies = await asyncio.to_thread(work_out)
        if not tallies:
            self._without[row.id] = None
            return None
        await games.keep_tallies(row.id, tallies)
        return tally_in(tallies[seat], row.id)
