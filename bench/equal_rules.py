"""What the lab shows where nothing differs: ``python -m bench.equal_rules``, a quarter of an hour.

A pool of games under one ruleset is played. Each of 200 questions draws games from it for two rulesets that
are the same, so any difference is chance, and is looked at every 16 games. It prints in how many of them some
row looks clear, at the end and at any time: judged each alone, and as the lab judges them.
"""

import argparse
import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jantaku import load
from jantaku.lab.chunks import CHUNK, play_chunk
from jantaku.lab.experiment.estimates import Moments
from jantaku.lab.experiment.plan import Experiment, NamedRules
from jantaku.lab.experiment.rows import compared_rows
from jantaku.lab.experiment.summary import summary_of
from jantaku.lab.experiment.sums import game_sums
from jantaku.lab.parquet import games_table, hands_table

STEP: Final = 16
LEVEL: Final = 0.05


def pool_of(experiment: Experiment, games: int) -> npt.NDArray[np.float64]:
    """The sums of so many games, one row each."""
    ruleset = experiment.rulesets[0]
    plan = experiment.plan(ruleset)
    chunks = (play_chunk(plan, first, min(CHUNK, games - first)) for first in range(0, games, CHUNK))
    rows = [
        game_sums(hands_table(chunk), games_table(chunk, plan), ruleset.rules.seats, experiment.made)
        for chunk in chunks
    ]
    return np.vstack(rows)


def shown(experiment: Experiment, rows: npt.NDArray[np.float64]) -> dict[str, bool]:
    """Whether one question shows anything: at the end or at some time, judged alone or together."""
    moments = Moments(rows.shape[1])
    differs: dict[str, bool] = {"alone, ever": False, "together, ever": False}
    for first in range(0, len(rows), STEP):
        moments.add(rows[first : first + STEP])
        summary = summary_of(experiment, moments)
        compared = compared_rows(summary)
        known = _alone(summary.paired[0])
        differs |= {"alone, at the end": known, "together, at the end": any(row.clear for row in compared)}
        differs["alone, ever"] |= known
        differs["together, ever"] |= differs["together, at the end"]
    return differs


def _alone(change: Any) -> bool:
    """Whether any row leaves out zero when each has a 95 % interval of its own."""
    rows = [*change.rates.values(), *change.means.values(), *change.seat_points, *change.place_points]
    rows += [yaku[name] for yaku in change.yaku.values() for name in ("share", "points") if name in yaku]
    spans = [row.interval() for row in rows if row is not None]
    return any(span.low > 0 or span.high < 0 for span in spans)


def main() -> None:
    """Play, ask and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.equal_rules", description=__doc__)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--games", type=int, default=512, help="under each ruleset of a question")
    parser.add_argument("--pool", type=int, default=16_384, help="games that questions draw from")
    parser.add_argument("--out", type=Path, help="a file for the figures as JSON")
    chosen = parser.parse_args()
    rules = load("standard")
    pair = (NamedRules("before", rules), NamedRules("after", rules))
    experiment = Experiment(pair, ("standard",), chosen.games)
    pool = pool_of(Experiment(pair, ("standard",), chosen.pool, seed=1), chosen.pool)
    rng = np.random.default_rng(0)
    counts: dict[str, int] = {}
    for _ in range(chosen.questions):
        drawn = pool[rng.choice(len(pool), 2 * chosen.games, replace=False)]
        for name, yes in shown(experiment, np.hstack(np.split(drawn, 2))).items():
            counts[name] = counts.get(name, 0) + yes
    figures = {"questions": chosen.questions, "games": chosen.games, "pool": chosen.pool, **counts}
    text = json.dumps(figures, indent=1)
    print(text)
    if chosen.out:
        chosen.out.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
