"""How long a call takes, side by side with what others take for the same; which of ours are slower."""

import gc
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

OURS: Final = "jantaku"
TOLERANCE: Final = 0.03
"""By how much a way may look slower than a peer: two runs of the same differ by less."""
LEAST_SECONDS: Final = 0.01
"""What is measured takes longer than it takes to fill the processor's caches again."""

Measured = Callable[[], float]
"""Runs once and says the CPU seconds of a unit of work."""


@dataclass
class Way:
    """One way to do some work: ours, which may promise to be as fast as every peer, or that of a peer."""

    package: str
    run: Measured
    note: str = ""
    promised: bool = False
    seconds: list[float] = field(default_factory=list)  # one entry a round, the same rounds for all ways

    def ratio(self, other: "Way") -> float:
        """How many times longer the other takes.

        It is the median over the rounds, each of which took both, or the ratio of the best times, if that
        is more: on a busy machine either may be off.
        """
        rounds = median(theirs / mine for mine, theirs in zip(self.seconds, other.seconds, strict=True))
        return max(rounds, min(other.seconds) / min(self.seconds))


def calls(run: Callable[[], object], units: int) -> Measured:
    """The CPU seconds of each of so many units of ``run``."""

    def measured() -> float:
        start, done, seconds = time.process_time(), 0, 0.0
        while seconds < LEAST_SECONDS:
            run()
            done += units
            seconds = time.process_time() - start
        return seconds / done

    return measured


def each(package: str, call: Callable[[Any], object], inputs: list[Any], note: str, **kept: Any) -> Way:
    """The way of one ``call`` for each input."""
    return Way(package, calls(lambda: [call(one) for one in inputs], len(inputs)), note, **kept)


def process(code: str) -> Measured:
    """The CPU seconds of ``code`` in a fresh interpreter, without those of the interpreter's own start."""
    timed = f"import time; start = time.process_time(); {code}; print(time.process_time() - start)"

    def measured() -> float:
        command = [sys.executable, "-c", timed]
        return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    return measured


@dataclass
class Bench:
    """Runs comparisons, shows them, and keeps what is slower than promised."""

    console: Console
    short: bool = False
    slower: list[str] = field(default_factory=list)

    def compare(self, title: str, ways: Sequence[Way], *, rounds: int = 9, aim: str = "") -> None:
        """Run the ways in turn, after one round to warm up, and show a table.

        Ways are compared round by round, since what disturbs the machine for a while disturbs all of them.
        """
        gc.collect()
        gc.freeze()  # what other sections have left behind costs nobody time here
        for number in range(1 + (3 if self.short else rounds)):
            for way in ways:
                seconds = way.run()
                if number:
                    way.seconds.append(seconds)
        peers = [way for way in ways if way.package != OURS]
        table = Table(title=title, caption=aim or None, title_justify="left", caption_justify="left")
        for column in ("package", "way", "time", "rate", "peer ÷ ours"):
            table.add_column(column, justify="left" if column in ("package", "way") else "right")
        for way in ways:
            best = min(way.seconds)
            said = self._against(title, way, peers) if way.package == OURS and peers else ""
            table.add_row(way.package, escape(way.note), readable(best), f"{1 / best:,.0f}/s", said)
        self.console.print(table)

    def _against(self, title: str, way: Way, peers: list[Way]) -> str:
        ratio, nearest = min((way.ratio(peer), peer.package) for peer in peers)
        said = f"{ratio:,.2f} ({nearest})"
        if not way.promised or ratio >= 1 - TOLERANCE:
            return said
        self.slower.append(f"{title}, {way.note}: {nearest} takes {ratio:.2f} of our time")
        return f"[bold red]{said}[/]"


def readable(seconds: float) -> str:
    """Seconds in the unit that fits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:,.2f} {unit}"
    return f"{seconds / 1e-9:,.1f} ns"
