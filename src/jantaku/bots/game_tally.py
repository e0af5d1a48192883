"""The tally of a ``Game`` from its events, with the same counts as compiled matches."""

import numpy as np
import numpy.typing as npt

from jantaku.bots import match
from jantaku.game import Game
from jantaku.game.events import Called, Discarded, Event, GameEnded, HandDrawn, HandStarted, PointsMoved, Won

Tally = npt.NDArray[np.int64]


def tally_of(game: Game) -> Tally:
    """Return the tally (``bots.match``) of one finished game."""
    tally = np.zeros((len(game.seats), match.TALLY), np.int64)
    hand: list[Event] = []
    for event in game.events:
        if isinstance(event, HandStarted | GameEnded):
            _count_hand(hand, tally)
            hand = []
        hand.append(event)
        if isinstance(event, GameEnded):
            for seat in game.seats:
                tally[seat, [match.GAMES, match.FIRST + event.places[seat] - 1]] += 1
                tally[seat, match.POINTS] = game.scores[seat]
                tally[seat, match.FINAL] = event.final[seat]
    return tally


def _count_hand(hand: list[Event], tally: Tally) -> None:
    if not any(isinstance(event, HandStarted) for event in hand):
        return
    tally[:, match.HANDS] += 1
    callers = {event.seat for event in hand if isinstance(event, Called)}
    declared = {event.seat for event in hand if isinstance(event, Discarded) and event.riichi}
    tally[list(callers), match.CALLED] += 1
    tally[list(declared), match.RIICHI] += 1
    moved = next(
        (e.deltas for e in hand if isinstance(e, PointsMoved) and e.reason == "hand"), (0,) * len(tally)
    )
    wins = [event for event in hand if isinstance(event, Won)]
    for win in wins:
        tally[win.seat, match.WINS] += 1
        tally[win.seat, match.TSUMO] += win.source is None
        tally[win.seat, match.WON_POINTS] += moved[win.seat]
    for source in {win.source for win in wins} - {None}:
        tally[source, match.DEAL_INS] += 1
        tally[source, match.LOST_POINTS] += moved[source or 0]
    for event in hand:
        if isinstance(event, HandDrawn) and event.kind == "exhausted":
            tally[:, match.DRAWS] += 1
            tally[list(event.tenpai), match.TENPAI] += 1
