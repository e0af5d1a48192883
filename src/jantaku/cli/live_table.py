"""Bot games as they are played: on a redrawn table, or as text."""

import time
from collections import deque
from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.segment import Segment, Segments
from rich.text import Text

from jantaku.bots import Bot
from jantaku.cli.bot_games import is_end, play_text, result_pages
from jantaku.cli.console import ACCENT
from jantaku.cli.explanation import event_in_words
from jantaku.cli.keys import Keys, keyboard
from jantaku.cli.table_view import board_height, table_view
from jantaku.game import Action, Game
from jantaku.game import events as e
from jantaku.game.engine import concealed, melds
from jantaku.terms import counted
from jantaku.tiles import format_tiles, tile_name

PAGE_PAUSES: Final = 8  # duration of a page, in moves
SHORTEST_PAGE: Final = 3.0  # minimum duration of a page in seconds
FOOT: Final = 2  # lines below the content of a screen


def screens(console: Console, content: RenderableType, foot: str) -> list[Group]:
    """Split content into screens of the terminal's height, each with ``foot`` as its last line."""
    lines = console.render_lines(content, console.options.update(height=None), pad=False)
    room = max(1, console.height - FOOT)
    lines += [[] for _ in range(-len(lines) % room)]
    last = Text(foot, "dim", no_wrap=True, overflow="ellipsis")
    parts = (lines[i : i + room] for i in range(0, len(lines), room))
    return [
        Group(Segments([segment for line in part for segment in (*line, Segment.line())]), Text(), last)
        for part in parts
    ]


class LiveTable:
    """Plays a bot game and draws it, with ``speed`` seconds between moves."""

    def __init__(
        self, game: Game, bots: Sequence[Bot], names: Sequence[str], console: Console, speed: float
    ) -> None:
        self.game, self._bots, self._names = game, bots, names
        self._console, self._speed = console, speed
        self._log: deque[str] = deque(maxlen=40)
        self._watching = True

    def run(self) -> None:
        """Play to the end; after ``q``, without drawing."""
        with keyboard() as keys, Live(console=self._console, screen=True, auto_refresh=False) as live:
            while not self.game.is_over:
                self._move(keys, live)

    def _move(self, keys: Keys, live: Live) -> None:
        seat = self.game.to_act[0]
        happened = self.game.play(seat, self._bots[seat].choose(self.game, seat))
        self._log.extend(" " + event_in_words(event, self._names) for event in happened)
        if self._watching and is_end(happened):
            for page in result_pages(happened, self._names):
                self._show(live, page)
                self._wait(keys, max(SHORTEST_PAGE, PAGE_PAUSES * self._speed))
        elif self._watching and happened:
            self._show(live, self._table())
            self._wait(keys, self._speed)

    def _show(self, live: Live, content: RenderableType) -> None:
        live.update(screens(self._console, content, play_text("keys.watch"))[0], refresh=True)

    def _table(self) -> RenderableType:
        room = max(1, self._console.height - board_height(len(self.game.scores)) - FOOT - 1)
        lines = [Text(line, "dim", no_wrap=True, overflow="ellipsis") for line in list(self._log)[-room:]]
        drawn = table_view(self.game.record, None, self._names, self.game.rules.calls.ankan_display)
        return Group(drawn, Text(), *lines)

    def _wait(self, keys: Keys, seconds: float) -> None:
        ends = time.monotonic() + seconds
        while self._watching and (left := ends - time.monotonic()) > 0:
            key = keys.key(left)
            self._watching = key != "q"
            if key in ("enter", "space"):
                return


_COLOURS: Final = ("cyan", "magenta", "blue", "yellow")
_STYLES: Final[dict[type[e.Event], str]] = {
    e.Called: "bold",
    e.KanDeclared: "bold",
    e.KitaDeclared: "bold",
    e.RiichiAccepted: "yellow",
    e.DoraTurned: "yellow",
}
_ON_PAGES: Final = (e.Won, e.HandDrawn, e.PointsMoved)  # part of the pages at the end of a hand
_ACTION_WIDTH: Final = 42


class GamePrinter:
    """Plays a bot game and prints its events."""

    def __init__(self, game: Game, bots: Sequence[Bot], names: Sequence[str], console: Console) -> None:
        self.game, self._bots, self.names, self._console = game, bots, names, console
        self._drew: e.Drew | None = None
        self._hand = ""

    def run(self) -> None:
        """Play to the end."""
        for event in self.game.events:
            self._event(event)
        while not self.game.is_over:
            self.move()

    def move(self) -> Sequence[e.Event]:
        """Let the next seat act, print the resulting events and return them."""
        game = self.game
        seat = game.to_act[0]
        action = self._bots[seat].choose(game, seat)
        self._hand = self._hand_after(seat, action)
        happened = game.play(seat, action)
        ending = [event for event in happened if isinstance(event, _ON_PAGES)]
        shown = False
        for event in happened:
            if not isinstance(event, _ON_PAGES):
                self._event(event)
            elif not shown:
                shown = True
                self._end_hand(ending)
        return happened

    def _hand_after(self, seat: int, action: Action) -> str:
        """Return a seat's hand after its action, in notation."""
        tiles = concealed(self.game.record, seat)
        tile = getattr(action, "tile", None)
        if tile in tiles:
            tiles.remove(tile)
        called = (f" {meld}" for meld in melds(self.game.record, seat))
        return format_tiles(tiles) + "".join(called)

    def _end_hand(self, ending: Sequence[e.Event]) -> None:
        self._flush()
        for page in result_pages(ending, self.names):
            self._console.print()
            self._console.print(page)

    def _event(self, event: e.Event) -> None:
        """Print an event; a draw shares a line with the following discard."""
        if isinstance(event, e.Drew):
            self._flush()
            self._drew = event
        elif isinstance(event, e.Discarded):
            self._turn(event)
        else:
            self._flush()
            if isinstance(event, e.HandStarted):
                self._hand_started(event)
            else:
                self._console.print(event_in_words(event, self.names), style=_STYLES.get(type(event), ""))

    def _flush(self) -> None:
        if self._drew is not None:
            self._console.print(event_in_words(self._drew, self.names), style=_COLOURS[self._drew.seat])
        self._drew = None

    def _turn(self, event: e.Discarded) -> None:
        drew, self._drew = self._drew, None
        if drew is None or drew.tile is None:
            words = event_in_words(event, self.names)
        else:
            key = "drawn" if event.drawn else "other"
            if event.riichi:
                key = event.riichi
            names = {"drawn": tile_name(drew.tile), "tile": tile_name(event.tile)}
            words = play_text(f"turn.{key}", name=self.names[event.seat], **names)
        line = Text(words, "bold yellow" if event.riichi else _COLOURS[event.seat])
        line.append(" " * max(1, _ACTION_WIDTH - cell_len(words)))
        self._console.print(line.append(self._hand, "dim"), soft_wrap=True)

    def _hand_started(self, event: e.HandStarted) -> None:
        self._console.print()
        self._console.rule(Text(event_in_words(event, self.names), f"bold {ACCENT}"), style=ACCENT)
        indicator = play_text("turn.indicator", tile=tile_name(event.indicator))
        scores = "  ".join(
            f"{name} {counted(points)}" for name, points in zip(self.names, event.scores, strict=True)
        )
        self._console.print(Text(f"{indicator}   {scores}", "dim"), soft_wrap=True)
        for name, hand in zip(self.names, event.hands, strict=True):
            self._console.print(Text(f"  {name}  {format_tiles(hand or ())}", "dim"), soft_wrap=True)
