"""``make bench``: every comparison in one run, pinned to one core where the system can."""

import contextlib
import faulthandler
import os
from typing import Any

import numpy as np
from rich.console import Console

from bench import installed, peers  # noqa: F401  (installed first: it says what is missing)
from bench.engine import engine_section
from bench.inputs import WinInput, random_hands, tile_ids, wins
from bench.timing import Measure, best_of, process_seconds, readable, show
from jantaku import Hand, Win, load, score, shanten
from jantaku.adjudication import batch
from jantaku.adjudication.requests import win_from_request
from jantaku.kernels.cuts import cut_tables
from jantaku.kernels.lookup import shanten_tables
from jantaku.tiles import Tile

HANDS = 40_000
SINGLE = 4_000
MOST_SECONDS = 900  # a run that hangs ends with a traceback


def shanten_section(console: Console) -> None:
    """Batch and single shanten."""
    hands = random_hands(HANDS)
    few = hands[:SINGLE]
    ids, lists = [tile_ids(hand) for hand in few], [hand.tolist() for hand in few]
    others = [
        Measure("riichienv", best_of(peers.riichienv_shanten(ids), SINGLE), "tile numbers"),
        Measure("xiangting", best_of(peers.xiangting_shanten(lists), SINGLE), "list of counts"),
        Measure("mahjong", best_of(peers.mahjong_shanten(lists[:500]), 500, 3), "list of counts"),
    ]
    ours = Measure("jantaku", best_of(lambda: batch.shanten(hands), HANDS), "uint8[n, 34]")
    show(console, "Shanten, many hands", ours, others, "aim: 10 million hands/s")
    arrays = list(few)
    friendly = [Hand(tuple(Tile(number // 4) for number in hand)) for hand in ids]
    raw = Measure("jantaku", best_of(lambda: [shanten(hand) for hand in arrays], SINGLE), "array of counts")
    hand = Measure("jantaku", best_of(lambda: [shanten(hand) for hand in friendly], SINGLE), "Hand")
    show(console, "Shanten, one hand a call", hand, [raw, *others], "aim: at least riichienv's rate")


def score_section(console: Console, inputs: list[WinInput]) -> None:
    """Batch and single scoring."""
    rules = load("tenhou")
    values = [win.win for win in inputs]
    records = batch.win_records(values)
    number = len(inputs)
    points = batch.score(records, rules).points
    wrong = int(np.sum(points != [win.points for win in inputs]))
    others = [
        Measure(
            "riichienv",
            best_of(peers.riichienv_score(inputs, building=False), number),
            "inputs made before",
        ),
        Measure(
            "mahjong",
            best_of(peers.mahjong_score(inputs[:1000]), min(number, 1000), 3),
            "inputs made before",
        ),
    ]
    ours = Measure(
        "jantaku",
        best_of(lambda: batch.score(records, rules), number),
        f"{wrong} of {number} wrong",
    )
    show(console, "Scoring, many wins", ours, others, "aim: 2 million wins/s")
    single = Measure(
        "jantaku",
        best_of(lambda: [score(win, rules).points for win in values], number),
        "Win made before",
    )
    show(
        console,
        "Scoring, one win a call",
        single,
        others,
        "aim: at least riichienv's rate, ten times mahjong's",
    )
    parts = [_parts(win) for win in values]
    building = Measure(
        "jantaku",
        best_of(
            lambda: [score(Win(Hand(*hand), **win), rules) for hand, win in parts],
            number,
        ),
        "Hand and Win made and checked",
    )
    theirs = Measure(
        "riichienv",
        best_of(peers.riichienv_score(inputs, building=True), number),
        "from tile numbers",
    )
    text = best_of(lambda: [score(win_from_request(win.request), rules) for win in inputs], number)
    show(
        console,
        "Scoring, one win a call, its inputs made anew",
        building,
        [theirs, Measure("jantaku", text, "from the JSON request")],
    )


TOLD = (
    "tile", "tsumo", "riichi", "ippatsu", "last_tile", "rinshan", "chankan", "round", "seat", "deposits",
    "honba", "dora", "ura",
)  # fmt: skip
"""What riichienv is told of a win: the other fields have their defaults."""


def _parts(win: Win) -> tuple[tuple[Any, Any], dict[str, Any]]:
    """What a ``Hand`` and a ``Win`` are made of, said as to riichienv."""
    return (win.hand.tiles, win.hand.melds), {name: getattr(win, name) for name in TOLD}


_TIMED = "import time; start = time.perf_counter(); {}; print(time.perf_counter() - start)"
_SHANTEN = "jantaku.shanten(jantaku.Hand.parse('1458m389p34679s14z'))"
_SCORE = "jantaku.score(jantaku.Win.parse('234m567p34567s99p 8s'))"


def process_section(console: Console) -> None:
    """Import, first calls and memory."""
    imports = [
        Measure(name, process_seconds(_TIMED.format(f"import {name}")))
        for name in ("jantaku", "riichienv", "mahjong")
    ]
    names = Measure("jantaku", process_seconds(_TIMED.format("from jantaku import Hand, Win, load")), "names")
    show(console, "Import", imports[0], [names, *imports[1:]], "aim: no peer is faster")
    for title, call in (("shanten", _SHANTEN), ("score", _SCORE)):
        first = Measure(
            "jantaku", process_seconds(_TIMED.format(f"import jantaku; {call}")), "import included"
        )
        show(console, f"First {title} of a process", first, [], "aim: 1 s after installation")
    tables = shanten_tables().nbytes + cut_tables().nbytes
    console.print(f"Tables in memory: {tables / 1e6:.1f} MB (aim: 10 MB)")


def main() -> None:
    """Run every section."""
    faulthandler.dump_traceback_later(MOST_SECONDS, exit=True)
    cores: set[int] = set()
    with contextlib.suppress(AttributeError, OSError):
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(cores)})
    console = Console(width=110)
    rons = wins()
    console.print(f"{len(rons)} wins, {HANDS} random hands, one core; the best of {7} runs each")
    shanten_section(console)
    score_section(console, rons)
    process_section(console)
    engine_section(console, cores)
    console.print(
        f"One loop turn of Python: {readable(best_of(lambda: [None for _ in range(10**6)], 10**6))}"
    )
    faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    main()
