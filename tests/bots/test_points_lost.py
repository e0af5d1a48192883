"""The positions at which bots are compared: each is an open decision, and the stored actions are legal."""

import numpy as np
import pytest
from research.points_lost import SETS, lost, positions, values

from jantaku.bots.search.position import choice_of
from jantaku.game.actions import encode
from jantaku.tiles import RED


def test_stored_positions_are_decisions_and_stored_values_belong_to_legal_actions() -> None:
    by_key, checked = {row["position"]: row for row in values()}, 0
    for position in positions():
        game, seat = position.game, position.seat
        assert seat in game.to_act
        legal = game.legal(seat)
        assert len(legal) > 1
        reds = int(game.record.red[seat, game.claimed % RED])
        names = {str(choice_of(encode(action, game.claimed, reds), game.claimed)) for action in legal}
        row = by_key.get(position.key, {"policy": "", "values": {}})
        assert set(row["values"]) <= names
        assert {len(known) for known in row["values"].values()} <= {2 * SETS}
        if row["values"]:
            assert row["values"][row["policy"]] == [0.0] * 2 * SETS
            checked += 1
    assert checked == len(by_key)


@pytest.mark.parametrize(
    ("true", "chosen", "loses"), [(0.0, "b", 0.0), (300.0, "b", 300.0), (300.0, "a", 0.0)]
)
def test_chance_alone_costs_nothing(true: float, chosen: str, loses: float) -> None:
    """``a`` gains ``true`` over ``b``, the policy's choice; both sets of deals add noise."""
    source, found = np.random.default_rng(7), []
    for _ in range(4000):
        values = {"b": [0.0] * 2 * SETS, "a": [], "c": []}
        for _ in range(SETS):
            values["a"] += [true + source.normal(0, 200), 200.0]
            values["c"] += [source.normal(0, 200), 200.0]
        found.append(np.mean([lost(values, chosen, number) for number in range(SETS)]))
    assert np.mean(found) == pytest.approx(loses, abs=0.15 * true + 10)
