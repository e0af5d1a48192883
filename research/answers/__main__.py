"""``python -m research.answers``: compares the effect of each yaku and option with the expected one.

The games are stored below ``--out`` portion by portion, and repeating the call resumes where it stopped.
``--minutes`` limits its duration. When every game has been played, it writes
``src/jantaku/lab/experiment/answers.json``, which the lab and the site read.
"""

import argparse
import os
import sys
import time
from pathlib import Path

from research.answers.expected import expected
from research.answers.measured import PlayedSums, measured
from research.answers.page import share_moved, write


def main() -> None:
    """Play the missing games and write the table."""
    parser = argparse.ArgumentParser(prog="python -m research.answers", description=__doc__)
    parser.add_argument("--games", type=int, default=2000, help="under each ruleset")
    parser.add_argument("--out", type=Path, default=Path("build/answers"), help="the folder of the games")
    parser.add_argument("--only", default="", help="only rows whose name contains this; write nothing")
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after this time")
    chosen = parser.parse_args()
    os.nice(10)
    end = time.monotonic() + 60 * chosen.minutes

    def stop_in_time() -> None:
        if time.monotonic() > end:
            sys.exit("Run the same command again to resume.")

    played = PlayedSums(chosen.out, chosen.games, stop_in_time)
    rows = []
    for row in expected():
        if chosen.only in row.id:
            rows.append(measured(row, played))
            answer = rows[-1]
            print(
                f"{row.id:40} {answer.verdict:6} {answer.before} {answer.after} {answer.interval}", flush=True
            )
    moved, figures, counts = share_moved(row.verdict for row in rows)
    print(f"{moved} of {figures} moved; {dict(counts)}")
    if not chosen.only:
        write(rows)


if __name__ == "__main__":
    main()
