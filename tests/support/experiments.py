"""A small experiment for tests: two rulesets that differ in open tanyao and in the uma."""

from typing import Any

from jantaku import load
from jantaku.kernels._jit import COMPILED
from jantaku.lab.experiment.folder import ExperimentFolder
from jantaku.lab.experiment.plan import Experiment, NamedRules

BOTS = ("efficient",) if COMPILED else ("random",)
GAMES, PORTION = (60, 8) if COMPILED else (3, 2)


def experiment(**changes: Any) -> Experiment:
    before = load("tenhou")
    after = before.with_changes({"yaku.tanyao.open": False, "match.uma": (30, 10, -10, -30)})
    settings: dict[str, Any] = {"bots": BOTS, "games": GAMES, "seed": 3, "portion": PORTION}
    return Experiment((NamedRules("plain", before), NamedRules("closed", after)), **(settings | changes))


def of_rows(folder: ExperimentFolder, ruleset: int) -> list[dict[str, Any]]:
    """Return all hands of a ruleset as plain rows."""
    import polars

    files = sorted((folder.path / folder.experiment.rulesets[ruleset].name).glob("hands-*.parquet"))
    return [row for file in files for row in polars.read_parquet(file).to_dicts()]
