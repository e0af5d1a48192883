"""What the steward has in memory, as the process knows it that will take its place.

Whoever may become the steward asks it again and again for what is new. What it is told is in memory alone,
and nothing that is confirmed depends on it.
"""

import json
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from jantaku.server.errors import ServerError
from jantaku.server.processes.links import Links
from jantaku.server.storage.lease import Lease

LOG = logging.getLogger("jantaku.server")
LOOKS_S: Final = 1.0
ANSWER_S: Final = 0.5
FRESH_S: Final = 20.0  # what was known longer ago is not so any more
MOST_BYTES: Final = 256 * 1024  # of an answer; the rest comes with the next one
Values = dict[str, Any]


class Inheritance:
    """Values by key, under a ``name``; a value with another mark is another value."""

    def __init__(
        self,
        lease: Lease,
        links: Links,
        name: str,
        marks: Callable[[], Mapping[str, str]],
        value: Callable[[str], Any],
    ) -> None:
        self._lease, self._links, self._name = lease, links, name
        self._marks, self._value = marks, value
        self._known: dict[str, tuple[str, Any]] = {}
        self._of, self._at = "", 0.0  # which steward said that, and when
        links.questions[name] = self._tell

    async def _tell(self, known: Mapping[str, str]) -> tuple[list[str], dict[str, tuple[str, Any]]]:
        """Which keys there are, and those values that whoever asks does not know."""
        if not self._lease.serves_all:
            raise ServerError("table_moved")
        marks, new, size = self._marks(), dict[str, tuple[str, Any]](), 0
        for key, mark in marks.items():
            if known.get(key) != mark and size < MOST_BYTES:
                value = self._value(key)
                length = len(json.dumps(value))
                if length < MOST_BYTES:
                    new[key], size = (mark, value), size + length
        return list(marks), new

    async def look(self) -> None:
        """Ask the steward, unless this process is the steward."""
        steward = self._lease.steward
        if steward in ("", self._lease.process):
            return
        known = self._known if steward == self._of else {}
        marks = {key: mark for key, (mark, _) in known.items()}
        try:
            keys, new = await self._links.ask(steward, self._name, marks, ANSWER_S)
        except ServerError:
            return  # it is gone, or about to go
        self._known = {key: known[key] for key in keys if key in known} | new
        self._of, self._at = steward, time.monotonic()

    def take(self) -> Values:
        """What is known, once, when this process has become the steward."""
        known, self._known = self._known, {}
        fresh = time.monotonic() - self._at < FRESH_S
        return {key: value for key, (_, value) in known.items()} if fresh else {}
