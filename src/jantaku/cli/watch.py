"""``jantaku watch`` and ``replay``: games in the terminal."""

import os
import secrets
import select
import signal
import sys
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Protocol

import typer
from rich.console import Console, Group, RenderableType
from rich.text import Text

from jantaku.cli.bot_games import USUAL_BOT, USUAL_RULES, bot_names, final_sheet, is_end, result_pages, said
from jantaku.cli.command import RULES
from jantaku.cli.console import heading, is_terminal, out, print_difference, rules_named, words
from jantaku.cli.explanation import event_in_words
from jantaku.cli.table_view import seat_names, table_of
from jantaku.errors import RequestError, file_errors
from jantaku.game import Action, Event, Game
from jantaku.game.engine import Record
from jantaku.game.events import GameEnded, HandStarted, hide
from jantaku.records.script import is_unlogged_hand
from jantaku.terms import listed, signed

DIFFERS = 1


def watch(
    rules: Annotated[str, RULES] = USUAL_RULES,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0)] = None,
    bots: Annotated[str, typer.Option(metavar="NAME[,NAME…]")] = USUAL_BOT,
    speed: Annotated[float | None, typer.Option(metavar="S", min=0)] = None,
    record: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    ascii_tiles: Annotated[bool, typer.Option("--ascii")] = False,
) -> int:
    """Show one game of bots."""
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
    """Show a game of these bots; on a live table if there is a ``speed``."""
    from jantaku.bots import bot
    from jantaku.cli.live_table import LiveTable, Teller

    console = out()
    names = [said("bot", number=number) for number in range(1, len(bots) + 1)]
    players = [bot(name, seed=seat) for seat, name in enumerate(bots)]
    bots_text = listed(f"{name} ({kind})" for name, kind in zip(names, bots, strict=True))
    console.print(heading(said("watch.title", rules=game.rules.id, bots=bots_text)))
    if speed is None:
        Teller(game, players, names, console).run()
    else:
        LiveTable(game, players, names, console, speed).run()
    console.print()
    agrees = check_record(game, record)
    console.print()
    console.print(final_sheet(game, names))
    return 0 if agrees else DIFFERS


def check_record(game: "Game", path: Path | None) -> bool:
    """Write the game to its file, replay the file, compare, and check the walls; whether all agrees."""
    from jantaku.game import fair_walls
    from jantaku.records.native import game_file

    with tempfile.TemporaryDirectory() as folder:
        file = path or Path(folder) / "game.jsonl"
        with file_errors(file, writing=True):
            file.write_text(game_file.dumps(game), "utf-8")
        again, size = game_file.read(file, game.rules), file.stat().st_size
    agrees = again.state == game.state and again.events == game.events
    counts = {"actions": len(again.moves), "events": len(again.events), "bytes": size}
    lines = [(agrees, said("watch.agree", **counts) if agrees else said("watch.differ"))]
    if game.seed is not None:
        fair = fair_walls.check(fair_walls.commitment(game.seed), game.seed, again.walls)
        lines.append((fair, said("watch.fair") if fair else said("watch.unfair")))
    for fine, line in lines:
        out().print(Text(("✓ " if fine else "✗ ") + line, "green" if fine else "bold red"))
    if path is not None:
        out().print(Text(said("after.replay", path=path), "dim"), soft_wrap=True)
    return all(fine for fine, _ in lines)


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


_NAMED: Final = {
    "\r": "enter", "\n": "enter", " ": "space", "\t": "tab", "\x1b": "esc",
    "\x7f": "backspace", "\b": "backspace",
}  # fmt: skip
_AFTER_ESC: Final = {
    "A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end",
    "1~": "home", "4~": "end", "5~": "page_up", "6~": "page_down", "7~": "home", "8~": "end",
}  # fmt: skip
_AFTER_ZERO: Final = {
    "H": "up", "P": "down", "M": "right", "K": "left",
    "G": "home", "O": "end", "I": "page_up", "Q": "page_down",
}  # fmt: skip
_HANGUL: Final = dict(
    zip("ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡ", "qwertyuiopasdfghjklzxcvbnm", strict=True)
)
_MOST_SEQUENCE: Final = 12  # characters of one escape sequence
_ESC_WAIT: Final = 0.05  # seconds after which an Esc counts alone
_POLL: Final = 0.01
_SECOND: Final = "\x00\xe0"  # Windows: the next character names a key


class Keys(Protocol):
    """A source of key presses."""

    def key(self, timeout: float | None = None) -> str | None:
        """The next key; ``None`` when ``timeout`` seconds have passed without one."""


def key_of(character: str) -> str | None:
    """The key of one character; ``None`` if it belongs to no key.

    >>> key_of("R"), key_of("ㄱ"), key_of("ｒ"), key_of(" "), key_of(chr(1))
    ('r', 'r', 'r', 'space', None)
    """
    if character in _NAMED:
        return _NAMED[character]
    plain = unicodedata.normalize("NFKC", character)
    key = _HANGUL.get(character, plain).lower()
    return key if len(key) == 1 and key.isprintable() else None


def key_of_sequence(sequence: str) -> str | None:
    """The key of the sequence after an Esc, ``[A`` or ``OA``; ``None`` if unknown."""
    return _AFTER_ESC.get(sequence[1:])


def is_whole(sequence: str) -> bool:
    """Whether the sequence after an Esc is complete: ``[`` or ``O``, parameters, a final letter or tilde."""
    if sequence[:1] not in ("[", "O"):
        return True
    last = sequence[-1]
    return len(sequence) > 1 and (last.isalpha() or last == "~")


class _Characters:
    """Decodes the characters of a file descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def next(self, timeout: float | None) -> str | None:
        """The next character; empty at the end of the input, ``None`` after ``timeout`` seconds."""
        byte = self._byte(timeout)
        if byte is None:
            return None
        for _ in range(_following(byte)):
            byte += self._byte(_ESC_WAIT) or b""
        return byte.decode(errors="replace")

    def _byte(self, timeout: float | None) -> bytes | None:
        ready, _, _ = select.select([self._descriptor], [], [], timeout)
        return os.read(self._descriptor, 1) if ready else None


def _following(first: bytes) -> int:
    """How many bytes follow the first byte of a UTF-8 character."""
    return sum(first >= lowest for lowest in (b"\xc2", b"\xe0", b"\xf0")) if first < b"\xf5" else 0


class PosixKeys:
    """Keys of a terminal in ``raw`` mode."""

    def __init__(self, descriptor: int) -> None:
        self._characters = _Characters(descriptor)

    def key(self, timeout: float | None = None) -> str | None:
        """The next key; raises ``EOFError`` if the terminal is gone."""
        ends = None if timeout is None else time.monotonic() + timeout
        while True:
            left = None if ends is None else max(0.0, ends - time.monotonic())
            character = self._characters.next(left)
            if character is None:
                return None
            if not character:
                raise EOFError
            key = self._escaped() if character == "\x1b" else key_of(character)
            if key:
                return key

    def _escaped(self) -> str | None:
        sequence = ""
        while len(sequence) < _MOST_SEQUENCE:
            character = self._characters.next(_ESC_WAIT)
            if not character:
                return "esc" if not sequence else None
            sequence += character
            if is_whole(sequence):
                return key_of_sequence(sequence)
        return None


class WindowsKeys:
    """Keys of a Windows console: ``pressed`` says whether one is waiting, ``read`` takes a character."""

    def __init__(self, pressed: Callable[[], bool], read: Callable[[], str]) -> None:
        self._pressed, self._read = pressed, read

    def key(self, timeout: float | None = None) -> str | None:
        """The next key; raises ``KeyboardInterrupt`` for Ctrl-C."""
        ends = None if timeout is None else time.monotonic() + timeout
        while True:
            while not self._pressed():
                if ends is not None and time.monotonic() >= ends:
                    return None
                time.sleep(_POLL)
            character = self._read()
            if character == "\x03":
                raise KeyboardInterrupt
            key = _AFTER_ZERO.get(self._read()) if character in _SECOND else key_of(character)
            if key:
                return key


@contextmanager
def keyboard() -> Iterator[Keys]:
    """The keys of standard input, without Enter and echo, until the ``with`` block ends."""
    with _ended_by_signals():
        if sys.platform == "win32":
            import msvcrt  # there only on Windows

            yield WindowsKeys(msvcrt.kbhit, msvcrt.getwch)
        else:
            with _raw(sys.stdin.fileno()) as keys:
                yield keys


@contextmanager
def _raw(descriptor: int) -> Iterator[Keys]:
    """A POSIX terminal without line editing and echo; Ctrl-C works, Ctrl-Z waits for the end."""
    import termios  # not there on Windows

    before = termios.tcgetattr(descriptor)
    settings = termios.tcgetattr(descriptor)
    settings[3] &= ~(termios.ECHO | termios.ICANON)
    controls: list[Any] = list(settings[6])
    controls[termios.VMIN], controls[termios.VTIME] = 1, 0
    controls[termios.VSUSP] = b"\0"
    settings[6] = controls
    termios.tcsetattr(descriptor, termios.TCSADRAIN, settings)
    try:
        yield PosixKeys(descriptor)
    finally:
        with suppress(termios.error):  # the terminal itself may be gone
            termios.tcsetattr(descriptor, termios.TCSAFLUSH, before)


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Turn fatal signals into an exception, so that the terminal is restored and the game saved."""
    names: Sequence[str] = ("SIGTERM", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}

    def leave(number: int, _frame: object) -> None:
        for other in numbers:  # a second signal must not interrupt the cleanup
            signal.signal(other, signal.SIG_IGN)
        raise SystemExit(128 + number)

    for number in numbers:
        signal.signal(number, leave)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
