"""Steps of a game with the full score of every win, which the event alone does not hold."""

from dataclasses import dataclass

from jantaku.adjudication.score import Score
from jantaku.game import Action, Event, Game
from jantaku.game.engine import Record
from jantaku.game.events import Won
from jantaku.game.wins import value_of, win_record
from jantaku.kernels.engine.state import ADDED, CLAIMS
from jantaku.kernels.rons import honba_taken
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset


@dataclass(frozen=True)
class Happened:
    """An event; with a win what it is worth, as it can be explained."""

    event: Event
    score: Score | None = None


def played(game: Game, seat: int, action: Action) -> list[Happened]:
    """Carry out an action; what happened."""
    before = game.record.copy()
    events = game.play(seat, action)
    first = next((event for event in events if isinstance(event, Won)), None)
    if not game.follows_rules:  # what a win is worth is the record's word alone
        return [Happened(event) for event in events]
    return [
        Happened(
            event, score_of(before, event, event is first, game.rules) if isinstance(event, Won) else None
        )
        for event in events
    ]


def score_of(before: Record, won: Won, first: bool, rules: Ruleset) -> Score:
    """What the event says the win is worth; ``before`` is the record at the action that ended the hand.

    The first of several winners takes the honba, or each of them; what a winner gains beyond the payments
    of the others are deposits.
    """
    robbing = bool(before.phase == CLAIMS and before.claimed_how == ADDED)
    array = win_record(before, won.seat, won.tile, robbing)
    deposits = sum(won.score["payments"].values())
    array[0].deposits = array[0].laid = deposits // max(1, rules.riichi.deposit)
    array[0].honba = honba_taken(int(array[0].honba), first, rules_record(rules)[0])
    return value_of(before, won.seat, won.tile, array, rules)[0]
