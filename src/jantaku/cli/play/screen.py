"""The player's screen: the table, the hand with the cursor, the options, the clock and the keys."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.console import Group, RenderableType
from rich.text import Text

from jantaku import terms
from jantaku.cli.console import ACCENT, bar
from jantaku.cli.play.prompt import Option, Prompt
from jantaku.cli.play.timing import TimeLeft
from jantaku.cli.table_view import board_height, cell, large, meld, row, table_view
from jantaku.game import Game
from jantaku.game.view import View

BAR_WIDTH = 24
SHORT_OF_TIME = 0.34
_LINES_BELOW = 6  # screen lines for the hand, the options, the question and the keys


def said(key: str, **values: object) -> str:
    """The text with that key in the table of ``play`` texts."""
    return terms.text(f"play.{key}", None, **values)


@dataclass(frozen=True)
class Scene:
    """The screen contents besides the game: ``log`` and ``hints`` are lines, the newest log entry last."""

    seat: int
    names: Sequence[str]
    prompt: Prompt | None = None
    log: Sequence[str] = ()
    hints: Sequence[Text] = ()
    note: str = ""
    time: TimeLeft | None = None
    height: int = 24
    keys: str = field(default="")


def table_screen(game: Game, scene: Scene) -> RenderableType:
    """The whole screen."""
    view = scene.prompt.view if scene.prompt else game.view(scene.seat)
    room = max(1, scene.height - board_height(len(view.scores)) - _LINES_BELOW)
    lines = list(scene.hints)[:room]
    log = [Text(line, "dim", no_wrap=True, overflow="ellipsis") for line in scene.log]
    lines += log[len(lines) - room :] if len(lines) < room else []
    return Group(
        table_view(game, scene.seat, scene.names, own=False),
        *hand_lines(view, scene.prompt, game.rules.calls.ankan_display),
        _options(scene.prompt),
        _note(scene, view),
        *lines,
        *[Text()] * (room - len(lines)),
        Text(scene.keys, "dim", no_wrap=True, overflow="ellipsis"),
    )


def hand_lines(view: View, prompt: Prompt | None, display: str = "outer_down") -> list[Text]:
    """The player's hand with the drawn tile apart, the melds to the right, and the cursor below."""
    chosen = prompt.cursor if prompt and prompt.option is None else None
    allowed = prompt.allowed if prompt and prompt.declaring else None
    lines = [Text(" "), Text(" ")]
    marks = Text(" ")
    tiles = view.hand if view.drawn is None else (*view.hand, view.drawn)
    for index, tile in enumerate(tiles):
        gap = "  " if index == len(view.hand) else ""
        halves = large(tile)
        for line, half in zip(lines, halves, strict=True):
            face = half.copy()
            if index == chosen:
                face.stylize("on gold1")
            elif allowed is not None and index not in allowed:
                face.stylize("grey50 on grey70")
            line.append(gap).append_text(face).append(" ")
        mark = "▲▲" if index == chosen else "  "
        marks.append(gap + mark + " ", "bold yellow")
    for called in view.melds[view.seat]:
        lines[1].append("  ").append_text(meld(called, display))
    return [*lines, marks]


def _options(prompt: Prompt | None) -> Text:
    """The options besides a discard, each with its key."""
    text = Text(" ", no_wrap=True, overflow="ellipsis")
    for index, option in enumerate(prompt.options if prompt else ()):
        chosen = prompt is not None and index == prompt.option
        declaring = (
            prompt is not None and prompt.declaring is not None and prompt.declaring == option.declares
        )
        text.append_text(_option(option, chosen or declaring)).append("  ")
    return text


def _option(option: Option, chosen: bool) -> Text:
    text = Text().append(f" {option.key} ", f"bold {ACCENT}")
    text.append(said(f"option.{option.name}"), "bold")
    if chosen:
        text.append(" ")
        text.stylize(f"bold black on {ACCENT}")
    if option.tiles:
        text.append(" ").append_text(row(option.tiles, ""))
    return text


def _note(scene: Scene, view: View) -> Text:
    """The clock, then the question or what was not possible."""
    text = Text(" ", no_wrap=True, overflow="ellipsis")
    if scene.time is not None:
        text.append_text(clock_bar(scene.time)).append(" ")
    if scene.note:
        return text.append(scene.note, "yellow")
    prompt = scene.prompt
    if prompt is None:
        return text.append(said("ask.wait"), "dim")
    if view.offered is not None:
        tile, source = view.offered
        text.append(said("ask.claim", name=scene.names[source]) + " ", "bold")
        return text.append_text(cell(tile))
    key = "riichi" if prompt.declaring else "discard" if prompt.discards else "decide"
    return text.append(said(f"ask.{key}"), "bold")


def clock_bar(left: TimeLeft) -> Text:
    """The remaining time, as a bar and in seconds."""
    share = left.seconds / left.of if left.of else 0.0
    style = "red" if share < SHORT_OF_TIME else "yellow" if left.reserve else "green"
    key = "reserve" if left.reserve else "seconds"
    filled = bar(share, BAR_WIDTH)
    return Text(filled + " " * (BAR_WIDTH - len(filled)), style).append(
        " " + said(f"clock.{key}", seconds=math.ceil(left.seconds))
    )


def keys_line(prompt: Prompt | None) -> str:
    """The keys that apply now."""
    if prompt is None:
        return said("keys.wait")
    if not prompt.discards:
        return said("keys.claim")
    return said("keys.riichi" if prompt.declaring else "keys.turn")
