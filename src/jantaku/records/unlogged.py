"""Acts that foreign formats cannot express: fouls that were taken back, and the kans of a dead hand.

Jantaku's mark in such a log lists them (``FOULS``) as ``[3, 41, 2, "foul win_shown"]``: index of the hand,
number of draws, discards, calls and kans before it in that hand, seat, and act. Costs follow from the rules.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from jantaku.errors import JantakuError, RecordError
from jantaku.game import Game
from jantaku.game import events as e
from jantaku.game.actions import Action, Foul, Kan, Kita, Ron, Tsumo, parse
from jantaku.game.game import check_length
from jantaku.records import script

FOULS: Final = "fouls"
_COUNTED: Final = (e.Called, e.Discarded, e.Drew, e.KanDeclared, e.KitaDeclared)
Row = list[Any]  # hand, steps before, seat, act


def unlogged_acts(game: Game) -> list[Row]:
    """Return the acts of a game that have no event, in order."""
    rows: list[Row] = []
    events = game.events
    at, hand, steps = 0, -1, 0
    for before, seat, action in game.moves:
        for event in events[at:before]:
            if isinstance(event, e.HandStarted):
                hand, steps = hand + 1, 0
            steps += isinstance(event, _COUNTED)
        at = before
        if _is_unlogged(action, events[before : before + 1]):
            rows.append([hand, steps, seat, str(action)])
    return rows


def _is_unlogged(action: Action, following: Sequence[e.Event]) -> bool:
    if isinstance(action, Foul):
        return True
    own = isinstance(action, Kita) or (isinstance(action, Kan) and action.kind != "daiminkan")
    return own and not isinstance(next(iter(following), None), e.KanDeclared | e.KitaDeclared)


def with_unlogged(hands: Sequence[script.ScriptHand], mark: object) -> list[script.ScriptHand]:
    """Insert the acts listed by the mark into the hands of a log; raise ``RecordError`` if they don't fit."""
    rows = mark.get(FOULS) if isinstance(mark, Mapping) else None
    if not isinstance(rows, list):
        return list(hands)
    check_length(len(rows))
    acts: dict[int, list[tuple[int, script.UnloggedAct]]] = {}
    try:
        for hand, before, seat, act in rows:
            if type(seat) is not int or seat not in range(len(hands[hand].start.scores)) or hand < 0:
                raise ValueError(seat)
            acts.setdefault(hand, []).append((before, script.UnloggedAct(seat, parse(act))))
        return [_merged(hand, acts.get(number, ())) for number, hand in enumerate(hands)]
    except (JantakuError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise RecordError("record_line", line=1, reason=f"{FOULS}: {error}") from error


def _merged(hand: script.ScriptHand, acts: Iterable[tuple[int, script.UnloggedAct]]) -> script.ScriptHand:
    """Insert acts into the steps of a hand."""
    due = sorted(acts, key=lambda row: row[0])
    steps: list[script.ScriptStep] = []
    counted, position = 0, hand.position
    for step in hand.steps:
        if not isinstance(step.what, e.DoraTurned | script.UraIndicators):
            steps += _pop_due(due, counted, position)
            position = step.position
        counted += _is_counted(step.what)
        steps.append(step)
    steps += _pop_due(due, counted, position)
    if due:
        raise ValueError(due[0][0])
    return replace(hand, steps=tuple(steps))


def _pop_due(
    due: list[tuple[int, script.UnloggedAct]], counted: int, position: script.LogPosition
) -> list[script.ScriptStep]:
    """Remove and return the acts that follow after ``counted`` steps."""
    steps: list[script.ScriptStep] = []
    while due and due[0][0] == counted:
        steps.append(script.ScriptStep(position, due.pop(0)[1]))
    return steps


def _is_counted(what: script.StepContent) -> bool:
    return isinstance(what, e.Drew) or (
        isinstance(what, script.ScriptAct) and not isinstance(what.action, Ron | Tsumo)
    )
