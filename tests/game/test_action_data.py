"""Actions and events as text and data: parsing and refusals."""

import doctest
from typing import Any, get_args

import pytest

from jantaku.errors import RequestError
from jantaku.game import Action, actions
from jantaku.game import events as event_types
from jantaku.game import fair_walls as walls_module
from jantaku.game import game as game_module
from jantaku.game import why as why_module
from jantaku.game.actions import from_dict, parse
from jantaku.game.why import ACTION_NAMES
from jantaku.kernels.engine.state import CLAIMS, HAND_OVER, YOUR_TURN
from jantaku.tiles import Tile


@pytest.mark.parametrize(
    "data",
    [
        {}, {"type": "fly"}, {"type": "pass", "tile": "1m"}, {"type": "discard"}, {"type": "pon", "red": 3},
        {"type": "kan", "kind": "minkan", "tile": "1m"}, {"type": "discard", "tile": "1m", "riichi": "x"},
    ],
)  # fmt: skip
def test_invalid_actions_are_refused(data: dict[str, Any]) -> None:
    with pytest.raises(RequestError):
        from_dict(data)


@pytest.mark.parametrize("data", [{}, {"type": "drew"}, {"type": "drew", "seat": 1, "x": 1}])
def test_invalid_events_are_refused(data: dict[str, Any]) -> None:
    with pytest.raises(RequestError):
        event_types.from_dict(data)


def test_every_action_has_a_name_for_why() -> None:
    names = {cls.type for cls in get_args(Action)}
    assert names <= set(ACTION_NAMES)
    assert Tile.parse("5m") == parse("5m*").tile  # type: ignore[union-attr]
    assert HAND_OVER not in (YOUR_TURN, CLAIMS)


@pytest.mark.parametrize("module", [game_module, actions, walls_module, why_module])
def test_docstring_examples(module: Any) -> None:
    assert doctest.testmod(module).failed == 0
