"""``GameLog``: what happened in a game. The events of an action are made when somebody reads them."""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import overload

from jantaku.game.actions import Action
from jantaku.game.events import Event
from jantaku.game.step_events import Step

Move = tuple[int, int, Action]  # (number of events before it, seat, action)


class GameLog:
    """The events and moves of a game in order.

    Making events takes as long as the rest of an action, and a program that only plays never reads them. So
    the log keeps the records of an action, about two kilobytes, until somebody asks for events or moves.
    """

    def __init__(self, events: Sequence[Event] = (), moves: Sequence[Move] = ()) -> None:
        self._events = list(events)
        self._moves = list(moves)
        self._unread: deque[Step] = deque()

    @property
    def events(self) -> list[Event]:
        """Every event so far."""
        if self._unread:
            self._read()
        return self._events

    @property
    def moves(self) -> list[Move]:
        """Every action so far with the number of events before it."""
        if self._unread:
            self._read()
        return self._moves

    def add(self, played: Step) -> "EventsOfMove":
        """Add an action; the answer makes its events when it is read."""
        self._unread.append(played)
        return EventsOfMove(self, len(self._moves) + len(self._unread) - 1)

    def events_of(self, index: int) -> list[Event]:
        """The events of one action."""
        if self._unread:
            self._read()
        events, moves = self._events, self._moves
        end = moves[index + 1][0] if index + 1 < len(moves) else len(events)
        return events[moves[index][0] : end]

    def _read(self) -> None:
        unread, known = self._unread, self._events
        while unread:
            played = unread[0]
            events = played.events()
            self._moves.append((len(known), played.seat, played.action))
            known += events
            unread.popleft()

    def copy(self) -> "GameLog":
        """An independent copy."""
        return GameLog(self.events, self.moves)


class EventsOfMove(Sequence[Event]):
    """The events of one action, as a sequence that makes them when it is first read."""

    __slots__ = ("_index", "_kept", "_log")

    def __init__(self, log: GameLog, index: int) -> None:
        self._log, self._index = log, index
        self._kept: list[Event] | None = None

    def _events(self) -> list[Event]:
        if self._kept is None:
            self._kept = self._log.events_of(self._index)
        return self._kept

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        return self._events()[index]

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events())  # that of ``Sequence`` asks for one place after the other

    def __len__(self) -> int:
        return len(self._events() if self._kept is None else self._kept)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EventsOfMove | list):
            return NotImplemented
        return self._events() == list(other)

    __hash__ = None  # type: ignore[assignment]  # like a list, it cannot be a key

    def __repr__(self) -> str:
        return repr(self._events())
