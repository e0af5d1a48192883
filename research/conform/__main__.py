"""Compare wins and games with other packages: ``python -m research.conform``.

RiichiEnv scores ``--wins`` random and rare wins of four and three players, PyPI's ``mahjong`` scores
``--mahjong`` of them, ``--games`` games are played in lockstep with RiichiEnv under the rules of Tenhou and
Mahjong Soul, and the mjai logs of ``--logs`` more games are read by the other side. Results are appended to
``--into`` portion by portion; repeating a run with the same options resumes it. ``--page`` writes
``build/other-engines.md`` from that file.
"""

import argparse
import json
import multiprocessing
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from research.conform.found_differences import UNKNOWN, Conformance, conformance_from
from research.conform.page import PAGE, page_text, table_lines
from research.conform.parts import PARTS, SIZES, Portion, portions, run

PROGRESS_S: Final = 30.0
Results = dict[Portion, Conformance]


def stored(path: Path) -> Results:
    """Read the results stored in a file; empty if there is none."""
    if not path.is_file():
        return {}
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return {Portion(*row["portion"]): conformance_from(row["found"]) for row in rows}


def compared(wanted: Iterable[Portion], workers: int) -> Iterator[tuple[Portion, Conformance]]:
    """Compare the portions in ``workers`` processes and yield each result when it is ready."""
    if workers == 1:
        for portion in wanted:
            yield portion, run(portion)
        return
    with multiprocessing.Pool(workers) as pool:
        yield from pool.imap_unordered(_run_portion, wanted)


def _run_portion(portion: Portion) -> tuple[Portion, Conformance]:
    return portion, run(portion)


def compare_portions(wanted: list[Portion], workers: int, path: Path | None) -> Results:
    """Return the results of the portions, reusing those stored in the file and appending new ones."""
    before = {} if path is None else stored(path)
    results = {portion: before[portion] for portion in wanted if portion in before}
    remaining = [portion for portion in wanted if portion not in results]
    began = reported = time.monotonic()
    done: Counter[str] = Counter()
    for portion, result in compared(remaining, workers):
        results[portion] = result
        done[portion.part] += portion.size
        if path is not None:
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"portion": portion, "found": result.to_dict()}) + "\n")
        for example in result.unknown:
            print(example, flush=True)
        if time.monotonic() - reported > PROGRESS_S:
            reported = time.monotonic()
            counts = ", ".join(f"{count:,} {part}" for part, count in done.items())
            print(f"{reported - began:.0f} s: {counts}; {len(results)} of {len(wanted)} portions", flush=True)
    return results


def added(results: Results) -> dict[str, Conformance]:
    """Add up the results of each part."""
    total: dict[str, Conformance] = {part: Conformance() for part in PARTS}
    for portion, seen in results.items():
        total[portion.part].add(seen)
    return {part: seen for part, seen in total.items() if seen.seen}


def main() -> int:
    """Parse the options and compare; return 1 if there is an unclassified difference."""
    parser = argparse.ArgumentParser(prog="python -m research.conform", description=__doc__)
    for name, size in SIZES.items():
        parser.add_argument(f"--{name}", type=int, default=size)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--into", type=Path, help="file to store results in and to resume from")
    parser.add_argument(
        "--page", action="store_true", help="write build/other-engines.md from --into without comparing"
    )
    chosen = parser.parse_args()
    if chosen.page:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(page_text(added(stored(chosen.into))), "utf-8")
        return 0
    sizes = {name: getattr(chosen, name) for name in SIZES}
    total = added(compare_portions(portions(sizes, chosen.seed), chosen.workers, chosen.into))
    print("\n".join(table_lines(total)))
    return int(any(seen.differences[UNKNOWN] for seen in total.values()))


if __name__ == "__main__":
    raise SystemExit(main())
