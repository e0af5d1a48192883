"""``jantaku replay``: steps through a recorded game in the terminal."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Group
from rich.text import Text

from jantaku.cli.completion import RULES
from jantaku.cli.console import out, print_difference, rules_named, words
from jantaku.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console, RenderableType

    from jantaku.cli.frames import GameFrames
    from jantaku.cli.keys import Keys

FOOT: Final = 2  # lines below what is shown
FORWARD: Final = ("enter", "right", "space", "down")
BACK: Final = ("left", "up", "backspace")
END: Final = ("q", "esc")


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    hand: Annotated[int | None, typer.Option(metavar="N", min=1)] = None,
    seat: Annotated[int | None, typer.Option(metavar="N", min=0)] = None,
    everything: Annotated[bool, typer.Option("--all", "--no-pause")] = False,
    rules: Annotated[str | None, RULES] = None,
    as_recorded: Annotated[bool, typer.Option("--as-recorded")] = False,
) -> int:
    """Show a recorded game."""
    from jantaku.cli.frames import GameFrames
    from jantaku.records.formats import read_record

    record = read_record(file, rules_named(rules) if rules else None, as_recorded=as_recorded)
    print_difference(record.difference)
    if seat is not None and seat not in record.game.seats:
        raise RequestError("number_range", field="--seat", value=seat, low=0, high=record.game.seats[-1])
    film = GameFrames(record.game, record.names, record.chips)
    hands = film.frames[-1].hand
    if hand is not None and hand > hands:
        raise RequestError("number_range", field="--hand", value=hand, low=1, high=hands)
    if everything or not (out().is_terminal and sys.stdin.isatty()):
        print_all(film, seat, hand)
    else:
        step_through(film, seat, film.hand_at(hand or 1))
    return 0


def print_all(film: "GameFrames", seat: int | None, hand: int | None) -> None:
    """Print every frame, or those of one hand."""
    console = out()
    for number, frame in enumerate(film.frames):
        if hand in (None, frame.hand):
            console.rule(Text(_where(film, number), "dim"), style="dim")
            console.print(film.drawn(number, seat))


def step_through(film: "GameFrames", seat: int | None, number: int) -> None:
    """Show frame by frame as the keys say; content taller than the terminal is shown in parts."""
    from jantaku.cli.keys import keyboard

    console = out()
    with keyboard() as keys, console.screen(hide_cursor=True) as screen:
        frame: int | None = number
        part = 0
        while frame is not None:
            parts = _parts(console, film.drawn(frame, seat))
            foot = Text(f"{_where(film, frame)}   {words('replay.keys')}", "dim")
            screen.update(Group(parts[part], Text(), foot))
            pressed = _pressed(keys)
            on = part + (pressed in FORWARD) - (pressed in BACK)
            if 0 <= on < len(parts) and on != part:
                part = on
                continue
            frame, part = _after(film, frame, pressed), 0


def _parts(console: "Console", content: "RenderableType") -> list[Text]:
    """The content cut into parts that leave room for two more lines."""
    room = max(1, console.height - FOOT)
    with console.capture() as capture:
        console.print(content)
    lines = Text.from_ansi(capture.get()).split("\n")
    return [Text("\n").join(lines[i : i + room]) for i in range(0, len(lines), room)]


def _where(film: "GameFrames", number: int) -> str:
    hands, frame = film.frames[-1].hand, film.frames[number]
    return words("replay.where", hand=frame.hand, hands=hands, step=number + 1, steps=len(film.frames))


def _pressed(keys: "Keys") -> str:
    """The next key; the one that quits if the terminal is gone."""
    try:
        return keys.key() or END[0]
    except EOFError:
        return END[0]


def _after(film: "GameFrames", number: int, pressed: str) -> int | None:
    """The frame that a key leads to; ``None`` quits."""
    if pressed in END:
        return None
    move = MOVES.get(pressed)
    return number if move is None else max(0, min(len(film.frames) - 1, move(film, number)))


def _previous_hand(film: "GameFrames", number: int) -> int:
    """The start of this hand, or of the previous one if already there."""
    hand = film.frames[number].hand
    start = film.hand_at(hand)
    return start if start < number else film.hand_at(hand - 1)


MOVES: Final[dict[str, "Callable[[GameFrames, int], int]"]] = {
    **dict.fromkeys(FORWARD, lambda _, number: number + 1),
    **dict.fromkeys(BACK, lambda _, number: number - 1),
    **dict.fromkeys(("n", "page_down"), lambda film, number: film.hand_at(film.frames[number].hand + 1)),
    **dict.fromkeys(("p", "page_up"), _previous_hand),
    "home": lambda _film, _number: 0,
    "end": lambda film, _: len(film.frames) - 1,
}
