"""Custom yaku in games: conditions can use the turn, the points before the win and the discards."""

import pytest

from jantaku import load
from jantaku.kernels import win as layout
from support.table import Table

TANYAO_3S = "234m567m22p24s678s"
CONDITIONS = {
    "turn == 3": True, "turn == 2": False, "score == 24000": True, "score == 25000": False,
    'discarded("9m") == 1 and discarded == 2': True, "discarded(dragons) == 0": False,
}  # fmt: skip


@pytest.mark.parametrize("when", CONDITIONS)
def test_a_win_in_a_game_states_its_turn_points_and_discards(when: str) -> None:
    """South discards a 9m, declares riichi with a red dragon and wins on its third draw."""
    rules = load({"extends": "standard", "yaku": {"own": {"closed": 1, "open": 1, "when": when}}})
    table = Table(rules, {"S": TANYAO_3S}, "8p 9m 8p 8p 8p 7z 9p 9p 9p 3s")
    table.play("-", "S discard 9m", "-", "-", "-", "S riichi 7z", "-", "-", "-", "S tsumo")
    assert bool(table.game.results[0, layout.OWN_YAKU]) is CONDITIONS[when]
