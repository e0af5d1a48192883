"""``python -m bench.same_walls``: how many games the same walls, and draws of a seat's own, are worth."""

import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from jantaku import load
from jantaku.lab.chunks import cores
from jantaku.lab.experiment.estimates import Estimate, RatioDifference
from jantaku.lab.experiment.folder import ExperimentFolder
from jantaku.lab.experiment.plan import Experiment, NamedRules
from jantaku.lab.experiment.play import on_threads, play_missing
from jantaku.lab.experiment.summary import Differences, ExperimentSummary, RulesetEstimates, summarise

YAKU = ("riichi", "tanyao", "pinfu", "honitsu")


def played(games: int, *, own_draws: bool) -> ExperimentSummary:
    """Tenhou's rules with and without open tanyao."""
    before = load("tenhou")
    after = before.with_changes({"yaku.tanyao.open": False})
    pair = (NamedRules("open", before), NamedRules("closed", after))
    with tempfile.TemporaryDirectory() as folder:
        plan = Experiment(pair, ("standard",), games, 7, own_draws=own_draws)
        stored = ExperimentFolder.begin(Path(folder), plan)
        play_missing(stored, on_threads(cores()))
        return summarise(stored)


def half(estimate: Estimate) -> float:
    """Half the width of an interval."""
    return (estimate.high - estimate.low) / 2


def estimates(own: RulesetEstimates | Differences) -> dict[str, Estimate]:
    """What is compared: rates, the average win, and the shares of some yaku."""
    figures: dict[str, Estimate | RatioDifference | None] = {**own.rates, "mean_win": own.means["mean_win"]}
    for name in YAKU:
        yaku = own.yaku[name]
        figures[f"share of {name}"] = yaku["share"] if isinstance(yaku, dict) else yaku.share
    return {
        name: known.interval() if isinstance(known, RatioDifference) else known
        for name, known in figures.items()
        if known is not None
    }


def main() -> None:
    """Print how many times as many games the same interval would take."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 3_000
    plain, own = played(games, own_draws=False), played(games, own_draws=True)
    sides = [estimates(ruleset) for ruleset in plain.rulesets]
    table = Table(title=f"{games} games; squares of half widths, own draws = 1")
    for column in ("difference in", "walls of their own", "the same walls", "own draws"):
        table.add_column(column)
    paired, better = estimates(plain.paired[0]), estimates(own.paired[0])
    for name, least in better.items():
        apart = sum(half(side[name]) ** 2 for side in sides)
        square = half(least) ** 2
        table.add_row(name, f"{apart / square:.1f}", f"{half(paired[name]) ** 2 / square:.2f}", "1")
    Console().print(table)


if __name__ == "__main__":
    main()
