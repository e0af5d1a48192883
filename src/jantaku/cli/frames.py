"""A game as frames, one per event: tables, and pages with the result of each hand."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.text import Text

from jantaku.cli.console import words
from jantaku.cli.event_words import event_in_words
from jantaku.cli.play.results import final_sheet, is_end, result_pages
from jantaku.cli.table_view import seat_names, table_of
from jantaku.game import Action, Event, Game
from jantaku.game.engine import Record
from jantaku.game.events import GameEnded, HandStarted, hide
from jantaku.records.script import is_unlogged_hand
from jantaku.terms import signed


@dataclass(frozen=True)
class Frame:
    """One step of hand ``hand`` (from 1): a table and the event that led to it, or a page."""

    hand: int
    record: Record | None = None
    events: tuple[Event, ...] = ()
    page: RenderableType | None = None


class GameFrames:
    """All frames of a game with the engine's record of each, so that one can step back and forth."""

    def __init__(
        self, game: Game, names: Sequence[str] = (), chips: Sequence[Sequence[int] | None] = ()
    ) -> None:
        """``chips``: each seat's chips after each hand, if the log has them."""
        self.names = seat_names(names, len(game.rules.seats))
        self._chips = chips
        self.frames: list[Frame] = []
        self._game = game.anew()
        self._table(self._game.events)
        for _, seat, action in game.moves:
            self._move(seat, action)
        if is_unlogged_hand(game):
            self.frames.pop()

    def _move(self, seat: int, action: Action) -> None:
        happened = self._game.play(seat, action)
        if not happened:
            return
        started = [i for i, event in enumerate(happened) if isinstance(event, HandStarted)]
        split = started[0] if started else len(happened)
        if is_end(happened) or any(isinstance(event, GameEnded) for event in happened):
            self._result(happened[:split])
        else:
            self._table(happened[:split])
        if started:
            self._table(happened[split:])

    def _table(self, events: Sequence[Event]) -> None:
        self.frames.append(Frame(len(self._game.walls), self._game.record.copy(), tuple(events)))

    def _result(self, happened: Sequence[Event]) -> None:
        """The table at the end of the hand, and its result pages; the last hand's include the final sheet."""
        last = self.frames[-1]
        events = tuple(happened)
        self.frames.append(Frame(last.hand, last.record, events))
        pages = result_pages(happened, self.names) if is_end(happened) else []
        if any(isinstance(event, GameEnded) for event in happened):
            pages.append(final_sheet(self._game, self.names))
        if pages and (chips := self._chips_after(last.hand)):
            pages[-1] = Group(pages[-1], Text(chips))
        self.frames += [Frame(last.hand, page=page) for page in pages]

    def _chips_after(self, hand: int) -> str:
        """The chips after a hand in words; empty if the log has none."""
        chips = self._chips[hand - 1] if hand <= len(self._chips) else None
        if chips is None:
            return ""
        rows = [
            f"{name} {signed(count)}" if count else f"{name} 0"
            for name, count in zip(self.names, chips, strict=True)
        ]
        return words("replay.chips", chips=" · ".join(rows))

    def drawn(self, number: int, seat: int | None = None) -> RenderableType:
        """One frame as ``seat`` sees it, all hands open for ``None``."""
        frame = self.frames[number]
        if frame.page is not None:
            return frame.page
        said = [
            event_in_words(event if seat is None else hide(event, seat), self.names) for event in frame.events
        ]
        words = Text("\n").join(Text(line, "bold" if i == 0 else "") for i, line in enumerate(said))
        return Group(
            table_of(frame.record, seat, self.names, display=self._game.rules.calls.ankan_display),
            Text(),
            words,
        )

    def hand_at(self, hand: int) -> int:
        """The first frame of a hand; the last frame of all if there is no such hand."""
        return next((i for i, frame in enumerate(self.frames) if frame.hand >= hand), len(self.frames) - 1)
