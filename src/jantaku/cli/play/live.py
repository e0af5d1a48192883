"""A bot game on a table that is redrawn after every move."""

from collections import deque
from collections.abc import Sequence
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.text import Text

from jantaku.bots import Bot
from jantaku.cli.explanation import event_in_words
from jantaku.cli.play.console import Desk, terminal_desk
from jantaku.cli.play.results import is_end, result_pages
from jantaku.cli.play.screen import said
from jantaku.cli.table_view import board_height, table_view
from jantaku.game import Game

PAGE_PAUSES: Final = 8  # a page is shown for as long as so many moves, and at least some seconds
SHORTEST_PAGE: Final = 3.0
_LINES_BELOW: Final = 3


class LiveTable:
    """Plays a game of bots and draws it; ``speed`` is the seconds between two moves."""

    def __init__(
        self, game: Game, bots: Sequence[Bot], names: Sequence[str], console: Console, speed: float
    ) -> None:
        self.game, self._bots, self._names = game, bots, names
        self._console, self._speed = console, speed
        self._log: deque[str] = deque(maxlen=40)
        self._watching = True

    def run(self) -> None:
        """Play to the end; ``q`` plays the rest without drawing."""
        with terminal_desk(self._console) as desk:
            while not self.game.is_over:
                self._move(desk)

    def _move(self, desk: Desk) -> None:
        seat = self.game.to_act[0]
        happened = self.game.play(seat, self._bots[seat].choose(self.game, seat))
        self._log.extend(" " + event_in_words(event, self._names) for event in happened)
        if self._watching and is_end(happened):
            for page in result_pages(happened, self._names):
                screen, _ = desk.page(page, 0, said("keys.watch"))
                self._show(desk, screen, max(SHORTEST_PAGE, PAGE_PAUSES * self._speed))
        elif self._watching and happened:
            self._show(desk, self._screen(desk), self._speed)

    def _screen(self, desk: Desk) -> RenderableType:
        room = max(1, desk.height - board_height(len(self.game.scores)) - _LINES_BELOW)
        lines = [Text(line, "dim", no_wrap=True, overflow="ellipsis") for line in list(self._log)[-room:]]
        fill = [Text()] * (room - len(lines))
        keys = Text(said("keys.watch"), "dim")
        return Group(table_view(self.game, None, self._names), Text(), *lines, *fill, keys)

    def _show(self, desk: Desk, screen: RenderableType, seconds: float) -> None:
        desk.show(screen)
        ends = desk.now() + seconds
        while self._watching and (left := ends - desk.now()) > 0:
            key = desk.keys.key(left)
            self._watching = key != "q"
            if key in ("enter", "space"):
                return
