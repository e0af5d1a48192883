"""``RecordedGame``: a game shown as a record tells it, where it differs from the rules."""

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
    """A game that follows its record and no rules: nobody may do anything but what was done.

    ``rules`` are those nearest to what was played. ``anew`` gives the game with nothing played, and ``play``
    the next thing that was done, whatever it is asked for.
    """

    follows_rules = False

    def __init__(
        self, rules: Ruleset, events: Sequence[Event], moves: Sequence[Move], played: int = 0
    ) -> None:
        self.rules = rules
        self.seed = None
        self.standing = None
        self.walls = []
        self.played = []
        self.moves = list(moves[:played])
        self.events = []
        self._tape = tuple(events), tuple(moves)
        self._table: Any = Board()
        self._choices = {}
        self._offer = None
        self._show(self._end_of(played))

    def _end_of(self, played: int) -> int:
        """How many events have happened after so many moves."""
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
        """The same game, nothing played yet."""
        return RecordedGame(self.rules, *self._tape)

    def copy(self) -> "RecordedGame":
        """A game of its own that stands where this one does."""
        return RecordedGame(self.rules, *self._tape, played=len(self.moves))

    @property
    def to_act(self) -> list[int]:
        """The seat that acts next, as it was."""
        moves = self._tape[1]
        return [moves[len(self.moves)][1]] if len(self.moves) < len(moves) else []

    def legal(self, seat: int) -> list[Action]:
        """What the seat did next; nothing where another did."""
        return [self._tape[1][len(self.moves)][2]] if seat in self.to_act else []

    def fouls(self, seat: int) -> list[Action]:  # noqa: ARG002
        """Nothing: what the rules punish is not known."""
        return []

    def play(self, seat: int, action: Action) -> list[Event]:
        """Do what was done next; ``IllegalActionError`` for anything else."""
        if action not in self.legal(seat):
            raise IllegalActionError("not_asked", seat=seat, action=str(action), why=("game.why.unknown", {}))
        self.moves.append(self._tape[1][len(self.moves)])
        return self._show(self._end_of(len(self.moves)))
