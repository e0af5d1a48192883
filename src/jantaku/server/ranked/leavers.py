"""Anyone who leaves ranked games, or does not come when called, waits before the next one.

Games that were left are counted in what is stored of them, so neither a restart nor a new session forgets
them. Calls that were not answered are remembered in memory only.
"""

import time
from typing import Final

from jantaku.bounded import Newest
from jantaku.server.storage.absent_hands import counts_for
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms

LOOKED_AT: Final = 20  # of a person's newest ranked games
LEFT_S: Final = (
    300.0,
    1800.0,
    7200.0,
    43_200.0,
    86_400.0,
)  # after one game left, after two …
MISSED_S: Final = (60.0, 300.0, 900.0, 3600.0)
KEPT: Final = 10_000


def held_for_s(rows: list[GameRow], person: str, now: int) -> float:
    """How much longer somebody waits who has left some of these games, the newest first."""
    left = [row for row in rows if not _played(row, person)]
    if not left:
        return 0.0
    rest = LEFT_S[min(len(left), len(LEFT_S)) - 1]
    return max(0.0, rest - (now - (left[0].ended or 0)) / 1000)


def _played(row: GameRow, person: str) -> bool:
    seat = next((seat for seat, player in enumerate(row.players) if player.person == person), None)
    return seat is None or counts_for(row.result, seat, row.hands)


class Leavers:
    """Who must wait, and for how long."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._missed = Newest[str, tuple[int, float]](KEPT)  # how often in a row, and until when

    def missed(self, person: str) -> None:
        """Somebody was called and did not come."""
        times = self._missed.get(person, (0, 0.0))[0]
        rest = MISSED_S[min(times, len(MISSED_S) - 1)]
        self._missed[person] = (times + 1, time.monotonic() + rest)

    def came(self, person: str) -> None:
        """Somebody was called and came."""
        self._missed.pop(person, None)

    async def held_s(self, person: str) -> float:
        """How much longer a person may not wait for ranked play."""
        missed = self._missed.get(person, (0, 0.0))[1] - time.monotonic()
        rows = await self._services.games.ranked_of(person, LOOKED_AT)
        return max(0.0, missed, held_for_s(rows, person, now_ms()))
