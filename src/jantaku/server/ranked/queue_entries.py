"""Who waits for ranked play."""

import time
from dataclasses import dataclass, field
from typing import Final

from jantaku.server.people.asking import Visitor
from jantaku.server.ranked.ladder import START_MU, RankedLine
from jantaku.server.ranked.pairing import Waiter
from jantaku.terms import Language

# People whose page has not asked for so long no longer wait; browsers let hidden pages ask once a minute
SEEN_S: Final = 75.0
QUIET_S: Final = 15.0  # who is not heard of for so long keeps the place, but is not called
AWAY_S: Final = 1800.0  # unless they have gone away and wait for a notification


@dataclass(eq=False)
class Entry:
    """Somebody who waits. ``bots_after_s``: then bots may fill the table, and nothing is rated.

    ``away``: the page is not open, a notification calls. ``hidden``: the page is behind others, and may ask
    but once a minute. ``daily``: for the daily table. ``shown``: others see who it is.
    """

    who: Visitor
    language: Language
    lines: frozenset[RankedLine]
    bots_after_s: float | None = None
    away: bool = False
    daily: bool = False
    hidden: bool = False
    mu: dict[int, float] = field(default_factory=dict)  # by how many play
    steps: dict[int, int] = field(default_factory=dict)
    blocked: frozenset[str] = frozenset()
    shown: bool = True
    since: float = field(default_factory=time.monotonic)
    seen: float = field(default_factory=time.monotonic)

    @property
    def person(self) -> str:
        """The id of the person."""
        return self.who.person.id

    @property
    def marks(self) -> frozenset[str]:
        """By what two accounts of one person are known, and whom this one does not want to meet.

        This machine itself is no mark: everybody comes from there behind some proxies.
        """
        address = "" if is_here(self.who.address) else self.who.address
        return self.blocked | {mark for mark in (address, self.who.browser) if mark}

    def waiter(self, players: int, now: float) -> Waiter:
        """The same for pairing."""
        return Waiter(self.person, self.mu.get(players, START_MU), now - self.since, self.marks)

    def quiet(self, now: float) -> bool:
        """Whether nothing has been heard for so long that the page is probably closed."""
        return not (self.away or self.hidden or self.daily) and now - self.seen > QUIET_S

    def present(self, now: float) -> bool:
        """Whether the page is open and in sight, so that a call is seen at once."""
        return not (self.away or self.hidden) and now - self.seen <= QUIET_S

    def stale(self, now: float) -> bool:
        """Whether nothing has been heard of this person for too long; for the daily table one may be away."""
        if self.away:
            return not self.daily and now - self.seen > AWAY_S
        return now - self.seen > SEEN_S


def is_here(address: str) -> bool:
    """Whether a key of ``network_of`` is this machine.

    >>> [is_here(one) for one in ("127.0.0.1", "::", "198.51.100.7", "2001:db8::")]
    [True, True, False, False]
    """
    return address == "::" or address.startswith("127.")
