"""Play: a ``Game`` of typed actions and events, the view of each seat, and verifiable walls.

Seats are numbers in ``Game``, actions, events and views; seat 0 is the first dealer. A ``Win`` and its
``Score`` use winds instead; ``Won.payments_by_seat`` converts the payments of a win to seat numbers.

>>> from jantaku.game import Discarded, Drew
>>> game = Game("tenhou", seed=7)
>>> match game.play(game.to_act[0], game.legal(game.to_act[0])[0])[0]:
...     case Discarded(seat=seat, tile=tile):
...         print("discarded by", seat)
...     case Drew(seat=seat):
...         print("drawn by", seat)
discarded by 0
"""

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
from jantaku.game.events import (
    Called,
    Discarded,
    DoraTurned,
    Drew,
    Event,
    Fouled,
    GameEnded,
    GameStarted,
    HandDrawn,
    HandStarted,
    KanDeclared,
    KitaDeclared,
    PointsMoved,
    RiichiAccepted,
    Won,
    hide,
)
from jantaku.game.followed import FollowedGame
from jantaku.game.game import Game
from jantaku.game.mid_game_start import Standing
from jantaku.game.view import RiverTile, View

__all__ = [
    "Action",
    "Called",
    "Chi",
    "Discard",
    "Discarded",
    "DoraTurned",
    "Drew",
    "EndGame",
    "Event",
    "FollowedGame",
    "Foul",
    "Fouled",
    "Game",
    "GameEnded",
    "GameStarted",
    "HandDrawn",
    "HandStarted",
    "Kan",
    "KanDeclared",
    "Kita",
    "KitaDeclared",
    "NineTerminals",
    "Pass",
    "PlayOn",
    "PointsMoved",
    "Pon",
    "RiichiAccepted",
    "RiverTile",
    "Ron",
    "Standing",
    "Tsumo",
    "View",
    "Won",
    "hide",
]
