"""What mistakes cost bots of each level per hand, measured by reviews of their games, for comparison."""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, cast

from jantaku.bots.review.model import MistakeKind
from jantaku.reading import Strict

FILE: Final = Path(__file__).with_name("levels.tsv")
ALL: Final = "all"  # the kind of a row for all mistakes together


@dataclass(frozen=True, kw_only=True)
class LevelCost(Strict):
    """Points that a bot of a level loses per hand, with the standard error.

    The kind of mistake is ``None`` for all mistakes together.
    """

    level: str
    kind: MistakeKind | None
    cost: float
    error: float


@cache
def level_costs(players: int) -> tuple[LevelCost, ...]:
    """Return the costs of the bots at tables of three or four players, in the order of the file."""
    rows = csv.DictReader(FILE.read_text("utf-8").splitlines(), delimiter="\t")
    return tuple(
        LevelCost(
            level=row["level"],
            kind=None if row["kind"] == ALL else cast("MistakeKind", row["kind"]),
            cost=float(row["cost"]),
            error=float(row["error"]),
        )
        for row in rows
        if int(row["players"]) == players
    )
