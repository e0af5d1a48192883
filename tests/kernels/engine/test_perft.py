"""The counts of ``perft.tsv``: a different count means that the set of legal actions has changed."""

from collections.abc import Mapping
from typing import Any

import pytest

from jantaku.kernels._jit import COMPILED
from support.engine_options import OPTIONS
from support.perft import DEPTH, PRESETS, RULESETS, WALLS, counts, rules_of
from support.scoring import table

ROWS = {(int(row["wall"]), row["rules"]): row for row in table("perft.tsv")}


QUICK = 2  # rulesets of the short suite
SOME = [pytest.param(number, marks=[pytest.mark.slow] * (number >= QUICK)) for number in range(RULESETS)]
THREE = [pytest.param(name, marks=pytest.mark.slow) for name in PRESETS]


@pytest.mark.parametrize("number", [*SOME, *THREE])
def test_perft(number: int | str) -> None:
    walls, depth = (WALLS, DEPTH) if COMPILED else (2, 1)
    for wall in range(walls):
        expected = [int(ROWS[wall, str(number)][str(plies)]) for plies in range(1, depth + 1)]
        assert counts(wall, number, depth) == expected, wall


def test_every_option_has_both_sides() -> None:
    rulesets = [rules_of(number) for number in range(RULESETS)]
    for path, values in OPTIONS.items():
        section, *rest = path.split(".")
        seen = set()
        for rules in rulesets:
            value: Any = getattr(rules, section)
            for name in rest:
                value = value[name] if isinstance(value, Mapping) else getattr(value, name)
            seen.add(value)
        assert len(seen) >= min(2, len(values)), path
