"""``jantaku watch`` and ``replay``: bot games and recorded games in the terminal."""

import secrets
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from jantaku.cli.bot_games import (
    DEFAULT_BOT,
    DEFAULT_RULES,
    bot_names,
    final_sheet,
    is_end,
    play_text,
    result_pages,
)
from jantaku.cli.command import RULES
from jantaku.cli.console import heading, is_terminal, out, print_difference, rules_named, words
from jantaku.cli.explanation import event_in_words
from jantaku.cli.keys import Keys, keyboard
from jantaku.cli.live_table import GamePrinter, LiveTable, screens
from jantaku.cli.table_view import seat_names, table_view
from jantaku.errors import RequestError, file_errors
from jantaku.game import Action, Event, Game
from jantaku.game.engine import Record
from jantaku.game.events import GameEnded, HandStarted, hide
from jantaku.records.script import is_unlogged_hand
from jantaku.terms import listed, signed

DIFFERS = 1


def watch(
    rules: Annotated[str, RULES] = DEFAULT_RULES,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0)] = None,
    bots: Annotated[str, typer.Option(metavar="NAME[,NAME…]")] = DEFAULT_BOT,
    speed: Annotated[float | None, typer.Option(metavar="S", min=0)] = None,
    record: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    ascii_tiles: Annotated[bool, typer.Option("--ascii")] = False,
) -> int:
    """Show one bot game."""
    from jantaku.cli.hand_drawing import ascii_tiles as plain_tiles
    from jantaku.game import Game

    for given, option in ((speed is not None, "--speed"), (ascii_tiles, "--ascii")):
        if given and not is_terminal():
            raise RequestError("only_in_terminal", field=option)
    ruleset = rules_named(rules)
    names = bot_names(bots, len(ruleset.seats))
    if record is not None and record.exists():
        raise RequestError("file_exists", field="--record", path=record)
    game = Game(ruleset, seed=secrets.token_bytes(32) if seed is None else seed)
    with plain_tiles(ascii_tiles):
        return show(game, names, record, speed if is_terminal() else None)


def show(game: "Game", bots: Sequence[str], record: Path | None, speed: float | None = None) -> int:
    """Show a game of these bots, on a live table if ``speed`` is given."""
    from jantaku.bots import bot

    console = out()
    names = [play_text("bot", number=number) for number in range(1, len(bots) + 1)]
    players = [bot(name, seed=seat) for seat, name in enumerate(bots)]
    bots_text = listed(f"{name} ({kind})" for name, kind in zip(names, bots, strict=True))
    console.print(heading(play_text("watch.title", rules=game.rules.id, bots=bots_text)))
    if speed is None:
        GamePrinter(game, players, names, console).run()
    else:
        LiveTable(game, players, names, console, speed).run()
    console.print()
    agrees = check_record(game, record)
    console.print()
    console.print(final_sheet(game, names))
    return 0 if agrees else DIFFERS


def check_record(game: "Game", path: Path | None) -> bool:
    """Write a game to a file, replay the file and check its walls; return whether everything agrees."""
    from jantaku.game import fair_walls
    from jantaku.records.native import game_file

    with tempfile.TemporaryDirectory() as folder:
        file = path or Path(folder) / "game.jsonl"
        with file_errors(file, writing=True):
            file.write_text(game_file.dumps(game), "utf-8")
        again, size = game_file.read(file, game.rules), file.stat().st_size
    agrees = again.state == game.state and again.events == game.events
    counts = {"actions": len(again.moves), "events": len(again.events), "bytes": size}
    lines = [(agrees, play_text("watch.agree", **counts) if agrees else play_text("watch.differ"))]
    if game.seed is not None:
        fair = fair_walls.check(fair_walls.commitment(game.seed), game.seed, again.walls)
        lines.append((fair, play_text("watch.fair") if fair else play_text("watch.unfair")))
    for fine, line in lines:
        out().print(Text(("✓ " if fine else "✗ ") + line, "green" if fine else "bold red"))
    if path is not None:
        out().print(Text(play_text("after.replay", path=path), "dim"), soft_wrap=True)
    return all(fine for fine, _ in lines)


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
    """Print all frames, or those of one hand."""
    console = out()
    for number, frame in enumerate(film.frames):
        if hand in (None, frame.hand):
            console.rule(Text(_where(film, number), "dim"), style="dim")
            console.print(film.drawn(number, seat))


def step_through(film: "GameFrames", seat: int | None, number: int) -> None:
    """Step through the frames with keys; content taller than the terminal is split into parts."""
    console = out()
    with keyboard() as keys, console.screen(hide_cursor=True) as screen:
        frame: int | None = number
        part = 0
        while frame is not None:
            foot = f"{_where(film, frame)}   {words('replay.keys')}"
            parts = screens(console, film.drawn(frame, seat), foot)
            screen.update(parts[part])
            pressed = _pressed(keys)
            on = part + (pressed in FORWARD) - (pressed in BACK)
            if 0 <= on < len(parts) and on != part:
                part = on
                continue
            frame, part = _frame_after(film, frame, pressed), 0


def _where(film: "GameFrames", number: int) -> str:
    hands, frame = film.frames[-1].hand, film.frames[number]
    return words("replay.where", hand=frame.hand, hands=hands, step=number + 1, steps=len(film.frames))


def _pressed(keys: "Keys") -> str:
    """Wait for a key; return the quit key if the terminal is gone."""
    try:
        return keys.key() or END[0]
    except EOFError:
        return END[0]


def _frame_after(film: "GameFrames", number: int, pressed: str) -> int | None:
    """Return the frame after a key press; ``None`` quits."""
    if pressed in END:
        return None
    move = MOVES.get(pressed)
    return number if move is None else max(0, min(len(film.frames) - 1, move(film, number)))


def _previous_hand(film: "GameFrames", number: int) -> int:
    """Return the start of this hand, or of the previous hand if already there."""
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


@dataclass(frozen=True)
class Frame:
    """One step of hand ``hand`` (from 1): a table with the preceding events, or a page."""

    hand: int
    record: Record | None = None
    events: tuple[Event, ...] = ()
    page: RenderableType | None = None


class GameFrames:
    """All frames of a game with the engine's records, for stepping back and forth."""

    def __init__(
        self, game: Game, names: Sequence[str] = (), chips: Sequence[Sequence[int] | None] = ()
    ) -> None:
        """``chips``: each seat's chips after each hand, if the log has them."""
        self.names = seat_names(names, len(game.rules.seats))
        self._chips = chips
        self.frames: list[Frame] = []
        self._game = game.restarted()
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
        """Add the table at the end of a hand and its result pages; the last hand has the final result."""
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
        """Return the chips after a hand in words; empty if the log has none."""
        chips = self._chips[hand - 1] if hand <= len(self._chips) else None
        if chips is None:
            return ""
        rows = [
            f"{name} {signed(count)}" if count else f"{name} 0"
            for name, count in zip(self.names, chips, strict=True)
        ]
        return words("replay.chips", chips=" · ".join(rows))

    def drawn(self, number: int, seat: int | None = None) -> RenderableType:
        """Draw a frame as ``seat`` sees it; ``None``: with all hands open."""
        frame = self.frames[number]
        if frame.page is not None:
            return frame.page
        lines = [
            event_in_words(event if seat is None else hide(event, seat), self.names) for event in frame.events
        ]
        words = Text("\n").join(Text(line, "bold" if i == 0 else "") for i, line in enumerate(lines))
        return Group(
            table_view(frame.record, seat, self.names, self._game.rules.calls.ankan_display),
            Text(),
            words,
        )

    def hand_at(self, hand: int) -> int:
        """Return the first frame of a hand; the last frame of the game if there is no such hand."""
        return next((i for i, frame in enumerate(self.frames) if frame.hand >= hand), len(self.frames) - 1)
