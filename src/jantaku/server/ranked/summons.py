"""Tables of ranked play that wait for their players to say that they are there."""

from dataclasses import dataclass, field
from typing import Final

from jantaku.server.ranked.ladder import RankedLine
from jantaku.server.ranked.queue_entries import Entry

HERE_S: Final = 20.0  # how long one has to say that one is there
HERE_AWAY_S: Final = 60.0  # where somebody has to come back first


@dataclass(eq=False)
class Summons:
    """People for a table, who have until then to say that they are ``here``. Bots take the other seats."""

    line: RankedLine
    entries: list[Entry]
    rated: bool
    until: float
    here: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, line: RankedLine, entries: list[Entry], now: float, *, rated: bool = True) -> "Summons":
        """A table for these people, who are called now."""
        patience = HERE_AWAY_S if any(entry.away or entry.hidden for entry in entries) else HERE_S
        return cls(line, entries, rated, now + patience)

    def waits_for_absent(self, now: float) -> bool:
        """Whether somebody who is not there has not come yet, while others may be there."""
        missing = [entry for entry in self.entries if entry.person not in self.here]
        return any(not entry.present(now) for entry in missing)

    @property
    def ready(self) -> bool:
        """Whether everybody is there."""
        return all(entry.person in self.here for entry in self.entries)
