"""How many actions a game can need under its rules, which bounds what is kept of other people's records."""

from typing import Final

from jantaku.errors import RecordError
from jantaku.game.fair_walls import live_wall
from jantaku.game.game import MAX_MOVES, Game
from jantaku.rules import Ruleset

ROUNDS: Final = {"east": 1, "hanchan": 2, "full": 4}
CALLS: Final = 4  # of each player in a hand
REPEATED: Final = 8  # hands that dealers repeat beyond one for each dealership: eight are a yakuman of old


def most_moves(rules: Ruleset) -> int:
    """The most actions of a whole game: its hands, times the draws, calls and passes of a hand played out.

    Every dealership may be repeated once, and eight more hands besides. A hand that is played to the last
    tile has three actions for every two draws and calls; most end long before.

    >>> from jantaku.rules import load
    >>> most_moves(load("standard")), most_moves(load("tenhou"))
    (3096, 4128)
    """
    rounds = ROUNDS[rules.match.length] + (rules.end.extension != "none")
    seats = len(rules.seats)
    hands = 2 * rounds * seats + REPEATED
    return min(MAX_MOVES, hands * (live_wall(rules) + CALLS * seats) * 3 // 2)


def check_needed(game: Game) -> None:
    """Raise ``RecordError`` for a game with more actions than its rules can need."""
    most = most_moves(game.rules)
    if len(game.moves) > most:
        raise RecordError("record_long", most=most)
