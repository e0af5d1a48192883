"""Replay of a game exactly as recorded, for records that disagree with the rules."""

from collections.abc import Sequence
from typing import Any

from jantaku.errors import IllegalActionError
from jantaku.game.actions import Action
from jantaku.game.board import Board
from jantaku.game.events import Event, HandStarted
from jantaku.game.game import Game
from jantaku.game.log import GameLog, Move
from jantaku.game.mid_game_start import beginning, standing_of
from jantaku.rules import Ruleset


class RecordedGame(Game):
    """A game that follows its record instead of the rules.

    ``rules`` is the ruleset closest to the one it was played under. ``play`` accepts only the next recorded
    action; ``restarted`` returns the game before its first action.
    """

    follows_rules = False

    def __init__(
        self,
        rules: Ruleset,
        events: Sequence[Event],
        moves: Sequence[Move],
        played: int = 0,
        names: tuple[str, ...] = (),
    ) -> None:
        self.rules, self.seats = rules, rules.seats
        self.names = names
        self.seed = None
        first = next((event for event in events if isinstance(event, HandStarted)), None)
        standing = None if first is None else standing_of(first)
        self.standing = None if standing == beginning(rules) else standing
        self.walls = []
        self.played = []
        self._log = GameLog(moves=moves[:played])
        self._recorded = tuple(events), tuple(moves)
        self._choices = {}
        self._offer = None
        self._show(self._end_of(played))

    def __getattr__(self, name: str) -> Any:
        """Build the board on first use: a game that is only converted needs none."""
        if name not in ("_engine", "_now"):
            raise AttributeError(name)
        self._engine: Any = Board(self.rules)
        for event in self.events:
            self._engine.apply(event)
        self._refresh()
        return self.__dict__[name]

    def _end_of(self, played: int) -> int:
        """Return the number of events after ``played`` moves."""
        events, moves = self._recorded
        return moves[played][0] if played < len(moves) else len(events)

    def _show(self, end: int) -> list[Event]:
        events = list(self._recorded[0][len(self.events) : end])
        self.events.extend(events)
        self.walls += [[] for event in events if event.type == "hand_started"]
        if "_engine" in self.__dict__:
            for event in events:
                self._engine.apply(event)
            self._refresh()
        return events

    def restarted(self) -> "RecordedGame":
        """Return the same game before its first action."""
        return RecordedGame(self.rules, *self._recorded, names=self.names)

    def copy(self) -> "RecordedGame":
        """Return an independent copy of the game at this point."""
        return RecordedGame(self.rules, *self._recorded, len(self.moves), self.names)

    def __reduce__(self) -> tuple[Any, ...]:
        return RecordedGame, (self.rules, *self._recorded, len(self.moves), self.names)

    @property
    def to_act(self) -> list[int]:
        """The seat that acts next in the record; empty at the end."""
        moves = self._recorded[1]
        return [moves[len(self.moves)][1]] if len(self.moves) < len(moves) else []

    def legal(self, seat: int) -> list[Action]:
        """Return the next recorded action if it belongs to this seat, otherwise an empty list."""
        return [self._recorded[1][len(self.moves)][2]] if seat in self.to_act else []

    def fouls(self, seat: int) -> list[Action]:  # noqa: ARG002
        """Return an empty list: the record does not state which fouls the rules penalise."""
        return []

    def play(self, seat: int, action: Action) -> list[Event]:
        """Execute the next recorded action; raises ``IllegalActionError`` for any other."""
        if action not in self.legal(seat):
            raise IllegalActionError("not_asked", seat=seat, action=str(action), why=("game.why.unknown", {}))
        self.moves.append(self._recorded[1][len(self.moves)])
        return self._show(self._end_of(len(self.moves)))
