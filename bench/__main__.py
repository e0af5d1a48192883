"""``make bench``: every comparison in one run, pinned to one core if the system supports it.

It fails if a candidate marked ``must_win`` is slower than a peer. ``--short`` takes less than a minute and
asserts nothing.
"""

import argparse
import contextlib
import faulthandler
import os
import sys
from typing import Any

import numpy as np
from rich.console import Console

from bench import installed, peers  # noqa: F401  (must be first: it reports missing packages)
from bench.engine import engine_section
from bench.inputs import WinInput, random_hands, tile_ids, wins
from bench.timing import OURS, TOLERANCE, Bench, Candidate, calls, each, process
from jantaku import Hand, Meld, Win, load, score, shanten
from jantaku.adjudication import batch
from jantaku.adjudication.requests import win_from_request
from jantaku.kernels.cuts import cut_tables
from jantaku.kernels.lookup import shanten_tables
from jantaku.tiles import Tile

HANDS = 40_000
SINGLE = 4_000
TIMEOUT_S = 900  # a run that hangs ends with a traceback


def shanten_section(bench: Bench) -> None:
    """Compare the shanten of many hands and of single hands."""
    hands = random_hands(HANDS)
    few = list(hands[:SINGLE])
    ids = [tile_ids(hand) for hand in few]
    friendly = [Hand(tuple(Tile(number // 4) for number in hand)) for hand in ids]
    bench.compare(
        "Shanten",
        [
            Candidate(OURS, calls(lambda: batch.shanten(hands), HANDS), "batch of arrays", must_win=True),
            each(OURS, shanten, friendly, "Hand", must_win=True),
            each(OURS, shanten, few, "array of counts", must_win=True),
            *peers.shanten(ids),
        ],
    )


def score_section(bench: Bench, inputs: list[WinInput]) -> None:
    """Compare the scores of many wins and of single wins."""
    rules = load("tenhou")
    values = [win.win for win in inputs]
    records = batch.win_records(values)
    wrong = int(np.sum(batch.score(records, rules).points != [win.points for win in inputs]))
    bench.compare(
        f"Scores ({wrong} of {len(values)} wrong)",
        [
            Candidate(
                OURS,
                calls(lambda: batch.score(records, rules), len(values)),
                "batch of records",
                must_win=True,
            ),
            each(OURS, lambda win: score(win, rules), values, "Win built in advance", must_win=True),
            *peers.score(inputs, building=False),
        ],
    )

    def build_and_score(fields: Any) -> Any:
        tiles, melds, tile, circumstances = fields
        return score(Win(Hand(tiles, tuple([Meld(*meld) for meld in melds])), tile, **circumstances), rules)

    requests = [win.request for win in inputs[:1000]]
    bench.compare(
        "Scores including the construction of inputs",
        [
            each(
                OURS,
                build_and_score,
                list(map(_fields, values)),
                "Meld, Hand and Win built and validated",
                must_win=True,
            ),
            each(OURS, lambda request: score(win_from_request(request), rules), requests, "JSON request"),
            *peers.score(inputs, building=True),
        ],
    )


CIRCUMSTANCES = (
    "tsumo", "riichi", "ippatsu", "last_tile", "rinshan", "chankan", "round", "seat", "deposits", "honba",
    "dora", "ura",
)  # fmt: skip
"""The fields of a win that are passed to the peers; all other fields have their default values."""


def _fields(win: Win) -> tuple[Any, ...]:
    """Return the fields of a win as passed to the peers."""
    melds = [(meld.type, meld.tiles) for meld in win.hand.melds]
    return win.hand.tiles, melds, win.tile, {name: getattr(win, name) for name in CIRCUMSTANCES}


IMPORT = "from jantaku import Hand, Meld, Tile, Win, load"
SCORE = "import jantaku; jantaku.score(jantaku.Win.parse('234m567p34567s99p 8s'))"
SHANTEN = "import jantaku; jantaku.shanten(jantaku.Hand.parse('234m567p34567s99p8s'))"


def process_section(bench: Bench) -> None:
    """Compare the startup of a process: imports and first calls."""
    bench.compare(
        "Import of the names that a score needs",
        [
            Candidate(OURS, process(IMPORT), IMPORT, must_win=True),
            Candidate(OURS, process("import jantaku"), "import jantaku"),
            *(
                Candidate(package, process(code), code.split(";")[0])
                for package, code in peers.IMPORTS.items()
            ),
        ],
    )
    bench.compare(
        "First score of a process, import included",
        [
            Candidate(OURS, process(SCORE), "score(Win)"),
            *(
                Candidate(package, process(f"{peers.IMPORTS[package]}; {code}"))
                for package, code in peers.FIRST_SCORE.items()
            ),
        ],
    )
    bench.compare(
        "First shanten of a process, import included",
        [
            Candidate(OURS, process(SHANTEN), "shanten(Hand)"),
            *(Candidate(package, process(code)) for package, code in peers.FIRST_SHANTEN.items()),
        ],
    )
    tables = shanten_tables().nbytes + cut_tables().nbytes
    bench.console.print(f"Tables in memory: {tables / 1e6:.1f} MB (aim: 10 MB)")


def main() -> None:
    """Run every section; exit with 1 if a required candidate is slower than a peer."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--short", action="store_true", help="fewer rounds, and never fail")
    short = parser.parse_args().short
    faulthandler.dump_traceback_later(TIMEOUT_S, exit=True)
    cores: set[int] = set()
    with contextlib.suppress(AttributeError, OSError):
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(cores)})
    bench = Bench(Console(width=120), short)
    rons = wins()
    bench.console.print(
        f"{len(rons)} wins, {HANDS} random hands, one core; CPU time (best of several rounds),"
        " and the ratio of the fastest peer's time to ours (median of the rounds)"
    )
    shanten_section(bench)
    score_section(bench, rons)
    process_section(bench)
    engine_section(bench, cores)
    faulthandler.cancel_dump_traceback_later()
    if short:
        return
    if bench.slower:
        sys.exit("\n".join(["Slower than a peer:", *bench.slower]))
    bench.console.print(f"Nothing is slower than a peer by more than {TOLERANCE:.0%}.")


if __name__ == "__main__":
    main()
