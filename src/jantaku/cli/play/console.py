"""The player's terminal: keys, screens and time; tests provide their own."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.segment import Segment, Segments
from rich.text import Text

from jantaku.cli.watch import Keys, keyboard

Show = Callable[[RenderableType], None]


@dataclass
class Desk:
    """``show`` displays a whole screen, ``now`` is the time in seconds, ``wait`` lets seconds pass."""

    keys: Keys
    console: Console
    show: Show
    now: Callable[[], float] = time.monotonic
    wait: Callable[[float], None] = time.sleep

    @property
    def height(self) -> int:
        """Lines of the screen."""
        return self.console.size.height

    def page(self, content: RenderableType, first: int, keys: str) -> tuple[Group, int]:
        """A screenful of the content from line ``first``, and the line where it actually begins."""
        lines = self.console.render_lines(content, self.console.options.update(height=None), pad=False)
        room = max(1, self.height - 2)
        first = max(0, min(first, len(lines) - room))
        shown = lines[first : first + room]
        segments = [segment for line in shown for segment in (*line, Segment.line())]
        fill = [Text()] * (room - len(shown) + 1)
        footer = Text(keys, "dim", no_wrap=True, overflow="ellipsis")
        return Group(Segments(segments), *fill, footer), first


@contextmanager
def terminal_desk(console: Console) -> Iterator[Desk]:
    """A desk on a real terminal; leaving it restores both screen and keyboard."""
    with keyboard() as keys, Live(console=console, screen=True, auto_refresh=False) as live:

        def wait(seconds: float) -> None:
            """Let time pass; keys pressed meanwhile are discarded."""
            ends = time.monotonic() + seconds
            while (left := ends - time.monotonic()) > 0:
                keys.key(left)

        yield Desk(keys, console, lambda screen: live.update(screen, refresh=True), wait=wait)
