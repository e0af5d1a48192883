"""The maximum number of actions of a game under its rules; it limits the storage of uploaded records."""

from typing import Final

from jantaku.errors import RecordError
from jantaku.game.fair_walls import live_wall
from jantaku.game.game import MAX_MOVES, Game
from jantaku.rules import Ruleset

ROUNDS: Final = {"east": 1, "hanchan": 2, "full": 4}
CALLS: Final = 4  # of each player in a hand
REPEATED: Final = 8  # extra repeats beyond one per dealership; eight in a row are paarenchan


def max_moves(rules: Ruleset) -> int:
    """Return the maximum number of actions of a game: hands × draws, calls and passes of a long hand.

    Every dealership may be repeated once, plus eight more hands. A hand played to the last tile has three
    actions for every two draws or calls; most hands end long before.

    >>> from jantaku.rules import load
    >>> max_moves(load("standard")), max_moves(load("tenhou"))
    (3096, 4128)
    """
    rounds = ROUNDS[rules.match.length] + (rules.end.extension != "none")
    seats = len(rules.seats)
    hands = 2 * rounds * seats + REPEATED
    return min(MAX_MOVES, hands * (live_wall(rules) + CALLS * seats) * 3 // 2)


def check_move_count(game: Game) -> None:
    """Raise ``RecordError`` for a game with more actions than its rules allow."""
    limit = max_moves(game.rules)
    if len(game.moves) > limit:
        raise RecordError("record_long", most=limit)
