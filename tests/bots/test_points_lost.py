"""The positions at which bots are compared: each is an open decision, and the stored actions are legal."""

from research.points_lost import positions, values

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
        losses = [loss for loss, *_ in row["values"].values()]
        assert max(losses, default=0.0) == 0.0
        checked += bool(losses)
    assert checked == len(by_key)
