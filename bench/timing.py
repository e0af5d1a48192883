"""Times our calls side by side with those of other packages, and reports which of ours are slower."""

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
"""How much slower than a peer a candidate may appear; repeated runs differ by less."""
MIN_SECONDS: Final = 0.01
"""Minimum duration of a measurement, so that refilling the processor's caches does not matter."""

Measured = Callable[[], float]
"""A function that runs once and returns the CPU seconds per unit of work."""


@dataclass
class Candidate:
    """One implementation of some work, ours or a peer's; with ``must_win`` no peer may be faster."""

    package: str
    run: Measured
    note: str = ""
    must_win: bool = False
    seconds: list[float] = field(default_factory=list)  # one entry per round, in the order of the rounds

    def ratio(self, other: "Candidate") -> float:
        """Return the other candidate's time divided by this one's.

        This is the median ratio over the rounds, or the ratio of the best times if that is larger: on a busy
        machine either may be off.
        """
        rounds = median(theirs / mine for mine, theirs in zip(self.seconds, other.seconds, strict=True))
        return max(rounds, min(other.seconds) / min(self.seconds))


def calls(run: Callable[[], object], units: int) -> Measured:
    """Measure the CPU seconds per unit of ``run``, which does ``units`` of work."""

    def measured() -> float:
        start, done, seconds = time.process_time(), 0, 0.0
        while seconds < MIN_SECONDS:
            run()
            done += units
            seconds = time.process_time() - start
        return seconds / done

    return measured


def each(
    package: str, call: Callable[[Any], object], inputs: list[Any], note: str, *, must_win: bool = False
) -> Candidate:
    """Return the candidate that makes one ``call`` per input."""
    return Candidate(package, calls(lambda: [call(one) for one in inputs], len(inputs)), note, must_win)


def process(code: str) -> Measured:
    """Measure the CPU seconds of ``code`` in a fresh interpreter, excluding the interpreter's startup."""
    timed = f"import time; start = time.process_time(); {code}; print(time.process_time() - start)"

    def measured() -> float:
        command = [sys.executable, "-c", timed]
        return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    return measured


@dataclass
class Bench:
    """Runs comparisons, prints them, and collects the candidates slower than required."""

    console: Console
    short: bool = False
    slower: list[str] = field(default_factory=list)

    def compare(self, title: str, candidates: Sequence[Candidate], *, rounds: int = 9, aim: str = "") -> None:
        """Run the candidates in turn, after one warm-up round, and print a table.

        They are compared round by round, so that a temporary disturbance of the machine affects all of them.
        """
        gc.collect()
        gc.freeze()  # objects left by other sections add no garbage-collection time here
        for number in range(1 + (3 if self.short else rounds)):
            for candidate in candidates:
                seconds = candidate.run()
                if number:
                    candidate.seconds.append(seconds)
        peers = [candidate for candidate in candidates if candidate.package != OURS]
        table = Table(title=title, caption=aim or None, title_justify="left", caption_justify="left")
        for column in ("package", "call", "time", "rate", "peer ÷ ours"):
            table.add_column(column, justify="left" if column in ("package", "call") else "right")
        for candidate in candidates:
            best = min(candidate.seconds)
            ratio = self._against(title, candidate, peers) if candidate.package == OURS and peers else ""
            table.add_row(
                candidate.package, escape(candidate.note), readable(best), f"{1 / best:,.0f}/s", ratio
            )
        self.console.print(table)

    def _against(self, title: str, candidate: Candidate, peers: list[Candidate]) -> str:
        ratio, nearest = min((candidate.ratio(peer), peer.package) for peer in peers)
        cell = f"{ratio:,.2f} ({nearest})"
        if not candidate.must_win or ratio >= 1 - TOLERANCE:
            return cell
        self.slower.append(f"{title}, {candidate.note}: {nearest} takes {ratio:.2f} of our time")
        return f"[bold red]{cell}[/]"


def readable(seconds: float) -> str:
    """Format seconds in a suitable unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:,.2f} {unit}"
    return f"{seconds / 1e-9:,.1f} ns"
