"""Since when somebody has been called what in an event: older texts do not speak of them.

A name that people have given themselves is taken only out of what was written since. Otherwise anybody could
wipe words out of an event by bearing them for a moment. Names that others have given count for all texts.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import func, select

from jantaku.server.storage.entries import EntryRow
from jantaku.server.storage.events import Change
from jantaku.server.storage.schema import event_audit, event_calls, event_claims, event_nicknames
from jantaku.server.storage.scrubbing import Scrubber

ALWAYS: Final = 0
WORDS: Final = ("name", "about", "stages")  # of an event, in the log of its changes


class BorneNames:
    """The names and teams of somebody, each with the moment since which it is theirs."""

    def __init__(self, names: Mapping[str, int], teams: Mapping[str, int], instead: str) -> None:
        self._names, self._teams, self._instead = names, teams, instead
        self._known: dict[tuple[frozenset[str], frozenset[str]], Scrubber] = {}

    def scrubber(self, written: int | None, *, teams: bool = True) -> Scrubber:
        """What takes them out of a text that was written then; ``None``: nobody knows when."""
        names, those = (
            frozenset(name for name, since in all_.items() if since <= (written or ALWAYS))
            for all_ in (self._names, self._teams if teams else {})
        )
        if (names, those) not in self._known:
            self._known[names, those] = Scrubber(names, self._instead, those)
        return self._known[names, those]


class _Heard:
    """Reads the log of an event for what a ``person``, and their ``entries``, have been called in it."""

    def __init__(self, person: str, entries: Sequence[EntryRow]) -> None:
        self.since: dict[str, int] = {}
        self.renamed = ALWAYS  # since when the real name and the nicknames are what they are
        self._person = person
        self._given = {entry.id: entry for entry in entries}  # those that others have entered
        self._noted = frozenset(self._given)

    def hear(self, name: object, at: int) -> None:
        if isinstance(name, str) and name:
            self.since[name] = min(at, self.since.get(name, at))

    def read(self, row: Any) -> None:
        """Read a row of the log."""
        mine, after = row.person == self._person, json.loads(row.after or "null")
        at = row.at if mine else ALWAYS
        if mine:
            self.hear(row.name, row.at)
        if row.action == "staff":  # whoever has a role is known to those who run the event
            self.hear(after.get("person"), ALWAYS)
        elif row.entry in self._noted and row.action == "names":
            self.renamed = at
        elif row.entry in self._noted and row.action == "entry":
            self.hear(after.get("name"), at)
            self.hear(after.get("team"), at)
            if mine and row.before is None:
                self._given.pop(row.entry, None)

    def end(self) -> None:
        """What the log does not tell: it never has real names, nor what came with an imported event."""
        for entry in self._given.values():
            self.hear(entry.name, ALWAYS)
            self.hear(entry.team, ALWAYS)


async def heard_since(change: Change, entries: Sequence[EntryRow], person: str) -> dict[str, int]:
    """Since when the names and teams of a person, and of their entries, have been heard in the event."""
    heard, log = _Heard(person, entries), event_audit.c
    for row in await change.rows(
        select(event_audit).where(change.of(event_audit)).order_by(log.revision, log.part)
    ):
        heard.read(row)
    heard.end()
    for table in (event_calls, event_claims):
        query = select(table.c.name, table.c.at).where(change.of(table), table.c.person == person)
        for row in await change.rows(query):
            heard.hear(row.name, row.at)
    nicknames = event_nicknames.c.entry.in_([entry.id for entry in entries])
    query = select(event_nicknames.c.name).where(change.of(event_nicknames), nicknames)
    for name in (*(row.name for row in await change.rows(query)), *(entry.real_name for entry in entries)):
        heard.hear(name, heard.renamed)
    return heard.since


async def words_written(change: Change) -> int:
    """When the name, the description or a stage of the event was written last."""
    log = change.of(event_audit) & (event_audit.c.action == "change")
    times = [
        int(row.at)
        for row in await change.rows(select(event_audit.c.at, event_audit.c.after).where(log))
        if json.loads(row.after or "{}").keys() & {*WORDS}
    ]
    return max([int(change.event.created), *times])


async def teams_written(change: Change) -> dict[Any, int]:
    """When each entry was noted last, and with it the name of its team."""
    query = select(event_audit.c.entry, func.max(event_audit.c.at)).where(
        change.of(event_audit), event_audit.c.action == "entry"
    )
    return {row[0]: row[1] for row in await change.rows(query.group_by(event_audit.c.entry))}
