"""An entry of the queue as one process tells another of it."""

import time
from typing import Any, Final

from jantaku.server.people.asking import Visitor
from jantaku.server.ranked.ladder import RankedLine
from jantaku.server.ranked.queue_entries import Entry
from jantaku.server.storage.accounts import PersonRow

PLAIN: Final = ("language", "bots_after_s", "away", "daily", "hidden", "shown")
BY_PLAYERS: Final = ("mu", "steps")


def mark_of(entry: Entry) -> str:
    """What is another one as soon as something changes that matters."""
    return f"{id(entry)} {entry.daily}"


def said_of(entry: Entry) -> dict[str, Any]:
    """The entry as it is told. A moment in time is one of the clock that all processes have."""
    return {
        **{name: getattr(entry, name) for name in PLAIN},
        **{name: sorted(getattr(entry, name).items()) for name in BY_PLAYERS},
        "who": [entry.who.person, entry.who.address, entry.who.browser],
        "lines": sorted(entry.lines),
        "blocked": sorted(entry.blocked),
        "since": time.time() - (time.monotonic() - entry.since),
    }


def entry_of(said: dict[str, Any]) -> Entry:
    """The opposite of ``said_of``; this person was heard of now."""
    values = dict(said)
    person, address, browser = values.pop("who")
    values["since"] = time.monotonic() - max(0.0, time.time() - values["since"])
    values["lines"] = frozenset(RankedLine(*line) for line in values["lines"])
    values["blocked"] = frozenset(values["blocked"])
    values |= {name: dict(map(tuple, values[name])) for name in BY_PLAYERS}
    return Entry(Visitor(PersonRow(*person), address, browser), **values)
