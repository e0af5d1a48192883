"""The standings in an exported workbook equal those that ``naive.exported`` computes from the games in it."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from jantaku.club import event_from
from jantaku.club.export import EventTables
from jantaku.club.export.event_tables import sheets
from jantaku.club.export.files import xlsx_bytes
from naive.exported import RuleText, StageText, differences

NAMES = [f"p{i}" for i in range(9)]


def games(rng: Random, stage: str, names: list[str], count: int) -> list[dict[str, Any]]:
    """Return games with random points, some of which are equal; some games have a penalty."""
    made = []
    for i in range(count):
        moved = [1000 * rng.randrange(-9, 10) for _ in range(3)]
        scores = [25000 + points for points in (*moved, -sum(moved))]
        fined = [{"seat": rng.randrange(4), "points": -3000}] if rng.random() < 0.3 else []
        game = {"id": f"{stage}{i}", "stage": stage, "players": rng.sample(names, 4), "scores": scores}
        made.append(game | {"penalties": fined})
    return made


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("tie", ["share", "seat_order"])
def test_standings_match_the_games(tie: str, seed: int) -> None:
    rng = Random(seed)
    data: dict[str, Any] = {
        "jantaku_event": 1,
        "rules": {"extends": "standard", "match": {"tie": tie}},
        "players": [{"id": name, "name": name.upper()} for name in NAMES],
        "stages": [
            {"id": "s", "name": "League"},
            {"id": "f", "name": "Final", "from": "s", "cut": 9, "carry": 0.5},
        ],
        "games": [*games(rng, "s", NAMES, 12), *games(rng, "f", NAMES, 4)],
        "penalties": [{"stage": "s", "player": "p1", "points": -5000}],
    }
    tables = EventTables(event_from(data))
    match = tables.event.rules.match
    oka = 4 * (match.return_points - match.start_points)
    rules = RuleText(match.return_points, match.uma, oka, shares=tie == "share")
    stages = [StageText("League"), StageText("Final", Fraction(1, 2), "League")]
    assert differences(xlsx_bytes(sheets(tables, "en"), "en"), rules, stages) == []
