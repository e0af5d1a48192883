"""The events and actions of a game; events are created when they are first read."""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import overload

from jantaku.game.actions import Action
from jantaku.game.events import Event
from jantaku.game.step_events import Step

Move = tuple[int, int, Action]  # (number of events before the action, seat, action)


class GameLog:
    """The events and moves of a game in order.

    Creating events takes as long as the rest of an action, and programs that only play never read them. The
    log therefore stores the records of an action, about two kilobytes, until events or moves are requested.
    """

    def __init__(self, events: Sequence[Event] = (), moves: Sequence[Move] = ()) -> None:
        self._events = list(events)
        self._moves = list(moves)
        self._pending: deque[Step] = deque()

    @property
    def events(self) -> list[Event]:
        """All events so far."""
        if self._pending:
            self._create_events()
        return self._events

    @property
    def moves(self) -> list[Move]:
        """All actions so far, as (number of events before it, seat, action)."""
        if self._pending:
            self._create_events()
        return self._moves

    def add(self, played: Step) -> "LazyEvents":
        """Add an action; return its events, which are created on first access."""
        self._pending.append(played)
        return LazyEvents(self, len(self._moves) + len(self._pending) - 1)

    def events_of(self, index: int) -> list[Event]:
        """Return the events of one action."""
        if self._pending:
            self._create_events()
        events, moves = self._events, self._moves
        end = moves[index + 1][0] if index + 1 < len(moves) else len(events)
        return events[moves[index][0] : end]

    def _create_events(self) -> None:
        pending, known = self._pending, self._events
        while pending:
            played = pending[0]
            events = played.events()
            self._moves.append((len(known), played.seat, played.action))
            known += events
            pending.popleft()

    def copy(self) -> "GameLog":
        """Return an independent copy."""
        return GameLog(self.events, self.moves)


class LazyEvents(Sequence[Event]):
    """The events of one action, created on first access."""

    __slots__ = ("_cached", "_index", "_log")

    def __init__(self, log: GameLog, index: int) -> None:
        self._log, self._index = log, index
        self._cached: list[Event] | None = None

    def _events(self) -> list[Event]:
        if self._cached is None:
            self._cached = self._log.events_of(self._index)
        return self._cached

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        return self._events()[index]

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events())  # faster than ``Sequence.__iter__``, which indexes every item

    def __len__(self) -> int:
        return len(self._events() if self._cached is None else self._cached)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LazyEvents | list):
            return NotImplemented
        return self._events() == list(other)

    __hash__ = None  # type: ignore[assignment]  # unhashable, like a list

    def __repr__(self) -> str:
        return repr(self._events())
