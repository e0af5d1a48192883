"""Playing: a ``Game`` of typed actions and events, the view of each seat, and verifiable walls."""

from jantaku.game.actions import (
    Action,
    Chi,
    Discard,
    EndGame,
    Foul,
    Kan,
    Kita,
    NineTerminals,
    Pass,
    PlayOn,
    Pon,
    Ron,
    Tsumo,
)
from jantaku.game.events import Event, hide
from jantaku.game.game import Game
from jantaku.game.standing import Standing
from jantaku.game.view import View

__all__ = [
    "Action",
    "Chi",
    "Discard",
    "EndGame",
    "Event",
    "Foul",
    "Game",
    "Kan",
    "Kita",
    "NineTerminals",
    "Pass",
    "PlayOn",
    "Pon",
    "Ron",
    "Standing",
    "Tsumo",
    "View",
    "hide",
]
