"""Whole games under every preset come out as they always did."""

import pytest

from jantaku.kernels._jit import COMPILED
from jantaku.rules import preset_names
from support.golden import again, rows

ROWS = list(rows())


@pytest.mark.parametrize("row", ROWS if COMPILED else ROWS[:1], ids=lambda row: row["rules"])
def test_a_golden_game_comes_out_the_same(row: dict[str, str]) -> None:
    assert again(row) == row


def test_every_preset_has_one() -> None:
    assert [row["rules"] for row in ROWS] == list(preset_names())
