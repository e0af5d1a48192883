"""Limits that hold for a site: each process tells the others what people and addresses have used with it.

That takes a moment, so whoever asks several processes at once has a little more. Nobody waits for an answer.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection
from functools import partial
from typing import Any, Final

from jantaku.server.edge.limits import Rates, UseLimit
from jantaku.server.processes.links import Links
from jantaku.server.tasks import Background

TELLS_S: Final = 0.25
NAME: Final = "limits"


class SiteLimits(Background):
    """The limits of this process that are shared, by name."""

    def __init__(self, links: Links, others: Callable[[], Collection[str]]) -> None:
        self._links, self._others = links, others
        self._rates: dict[str, Rates] = {}
        self._uses: dict[str, UseLimit] = {}
        self._taken: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
        self._changed: set[tuple[str, str]] = set()
        links.hear(NAME, self._hear)

    def share(self, **limits: Rates | UseLimit) -> None:
        """Share these limits."""
        for name, limit in limits.items():
            if isinstance(limit, Rates):
                self._rates[name], limit.noted = limit, partial(self._note_rate, name)
            else:
                self._uses[name], limit.noted = limit, partial(self._note_use, name)

    def meet(self) -> None:
        """Processes have come or gone: the new ones know nothing yet, and what the others held is free."""
        for name, limit in self._uses.items():
            limit.keep(self._others())
            self._changed |= {(name, key) for key in limit.taken}

    def _note_rate(self, name: str, key: str, amount: float) -> None:
        if self._others():
            self._taken[name][key] += amount

    def _note_use(self, name: str, key: str) -> None:
        if self._others():
            self._changed.add((name, key))

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(TELLS_S)
            if self._taken or self._changed:
                held = [(name, key, self._uses[name].taken[key]) for name, key in self._changed]
                self._links.tell(NAME, [self._links.process, self._taken, held])
                self._taken.clear()
                self._changed.clear()

    def _hear(self, said: Any) -> None:
        process, taken, held = said
        for name, amounts in taken.items():
            for key, amount in amounts.items() if name in self._rates else ():
                self._rates[name].taken_elsewhere(key, amount)
        for name, key, number in held:
            if name in self._uses:
                self._uses[name].taken_elsewhere(process, key, number)
