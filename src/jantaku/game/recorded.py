"""``RecordedGame``: shows a game as recorded when it differs from the rules."""

from collections.abc import Sequence
from typing import Any

from jantaku.errors import IllegalActionError
from jantaku.game.actions import Action
from jantaku.game.board import Board
from jantaku.game.events import Event
from jantaku.game.game import Game
from jantaku.rules import Ruleset

Move = tuple[int, int, Action]  # events before it, seat, action


class RecordedGame(Game):
    """A game that follows its record instead of rules: only the recorded actions are possible.

    ``rules`` are the nearest to what was played. ``anew`` returns the game with nothing played, and ``play``
    accepts only the next recorded action.
    """

    follows_rules = False

    def __init__(
        self, rules: Ruleset, events: Sequence[Event], moves: Sequence[Move], played: int = 0
    ) -> None:
        self.rules, self.seats = rules, rules.seats
        self.seed = None
        self.standing = None
        self.walls = []
        self.played = []
        self.moves = list(moves[:played])
        self.events = []
        self._tape = tuple(events), tuple(moves)
        self._table: Any = Board(rules)
        self._choices = {}
        self._offer = None
        self._show(self._end_of(played))

    def _end_of(self, played: int) -> int:
        """The number of events after so many moves."""
        events, moves = self._tape
        return moves[played][0] if played < len(moves) else len(events)

    def _show(self, end: int) -> list[Event]:
        found = list(self._tape[0][len(self.events) : end])
        for event in found:
            self._table.apply(event)
        self.events += found
        self.walls += [[] for event in found if event.type == "hand_started"]
        self._look()
        return found

    def anew(self) -> "RecordedGame":
        """The same game with nothing played yet."""
        return RecordedGame(self.rules, *self._tape)

    def copy(self) -> "RecordedGame":
        """An independent copy of the game at this point."""
        return RecordedGame(self.rules, *self._tape, played=len(self.moves))

    @property
    def to_act(self) -> list[int]:
        """The seat that acted next."""
        moves = self._tape[1]
        return [moves[len(self.moves)][1]] if len(self.moves) < len(moves) else []

    def legal(self, seat: int) -> list[Action]:
        """What the seat did next; empty if another seat acted."""
        return [self._tape[1][len(self.moves)][2]] if seat in self.to_act else []

    def fouls(self, seat: int) -> list[Action]:  # noqa: ARG002
        """Always empty: which fouls the rules penalise is unknown."""
        return []

    def play(self, seat: int, action: Action) -> list[Event]:
        """Carry out the next recorded action; raises ``IllegalActionError`` for any other."""
        if action not in self.legal(seat):
            raise IllegalActionError("not_asked", seat=seat, action=str(action), why=("game.why.unknown", {}))
        self.moves.append(self._tape[1][len(self.moves)])
        return self._show(self._end_of(len(self.moves)))
