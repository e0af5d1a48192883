"""How long a call takes, how a comparison is shown."""

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape
from rich.table import Table

REPEATS = 7


@dataclass(frozen=True)
class Measure:
    """One package's time for one unit of work, in seconds: the best of several repeats."""

    package: str
    seconds: float
    note: str = ""


def best_of(run: Callable[[], object], units: int, repeats: int = REPEATS) -> float:
    """Seconds a unit of the fastest of several runs: what disturbs a run only ever slows it."""
    run()
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best / units


def process_seconds(code: str, repeats: int = 5) -> float:
    """Seconds that ``code`` measures itself in a fresh interpreter, which prints them; the median."""
    seconds = sorted(
        float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)
        for _ in range(repeats)
    )
    return seconds[len(seconds) // 2]


def show(console: Console, title: str, ours: Measure, peers: list[Measure], aim: str = "") -> None:
    """A table of times and rates, with how many times slower each peer is."""
    table = Table(title=title, caption=aim or None, title_justify="left", caption_justify="left")
    for column in ("package", "time", "rate", "relative time", "note"):
        table.add_column(column, justify="left" if column in ("package", "note") else "right")
    for measure in (ours, *peers):
        ratio = measure.seconds / ours.seconds
        table.add_row(
            measure.package,
            readable(measure.seconds),
            f"{1 / measure.seconds:,.0f}/s",
            "1" if measure is ours else f"{ratio:,.2f}",
            escape(measure.note),
        )
    console.print(table)


def readable(seconds: float) -> str:
    """Seconds in the unit that fits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:,.2f} {unit}"
    return f"{seconds / 1e-9:,.1f} ns"
