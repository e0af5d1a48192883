"""Stores everything that an imported event file brings, in the transaction that opens the event."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from jantaku.club.doubts import Doubt
from jantaku.server.storage.entries import EntryRow
from jantaku.server.storage.event_schema import (
    event_calls,
    event_entries,
    event_nicknames,
    event_penalties,
    event_staff,
    hand_marks,
)
from jantaku.server.storage.events import Change
from jantaku.server.storage.penalties_and_calls import PenaltyRow, ask_to_look_at_all
from jantaku.server.storage.recorded_games import RecordedGameRow, add_games, add_imported_hands
from jantaku.server.storage.round_schema import event_absences, event_rounds, event_stages


class ImportedRows(NamedTuple):
    """Entries, games, the hands of games as JSON, and penalties; ``doubts`` are games to look at, and why."""

    entries: Sequence[EntryRow]
    games: Sequence[RecordedGameRow]
    hands: Sequence[tuple[str, Sequence[str]]]
    penalties: Sequence[PenaltyRow]
    doubts: Sequence[tuple[str, Sequence[Doubt]]] = ()
    rounds: Sequence[Mapping[str, Any]] = ()
    absences: Sequence[Mapping[str, Any]] = ()
    settings: Sequence[Mapping[str, Any]] = ()
    calls: Sequence[Mapping[str, Any]] = ()
    nicknames: Sequence[Mapping[str, Any]] = ()
    staff: Sequence[Mapping[str, Any]] = ()
    marks: Sequence[Mapping[str, Any]] = ()

    async def write(self, change: Change) -> None:
        """Store them all, and note how many there are."""
        await change.add(event_entries, (entry._asdict() for entry in self.entries))
        await change.add(event_penalties, (penalty._asdict() for penalty in self.penalties))
        await add_games(change, self.games)
        await add_imported_hands(change, self.hands)
        for table, rows in (
            (event_rounds, self.rounds),
            (event_absences, self.absences),
            (event_stages, self.settings),
            (event_calls, self.calls),
            (event_nicknames, self.nicknames),
            (event_staff, self.staff),
            (hand_marks, self.marks),
        ):
            await change.add(table, rows)
        await ask_to_look_at_all(change, self.doubts)
        counts = {name: len(getattr(self, name)) for name in self._fields}
        change.note("import", after=counts | {"hands": sum(len(hands) for _, hands in self.hands)})
