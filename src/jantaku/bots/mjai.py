"""External programs that speak mjai over their standard input and output, as players and as judges.

For each decision the program receives all messages since the last one, as its seat sees them, and answers
with a JSON object, the message of its action (``none`` passes). The first message is ``start_game`` with the
seat as ``id`` and the rules under ``jantaku``. There are two dialects:

- ``mjai:COMMAND``: one line with an array of messages, answered with one line.
- ``mjai:lines:COMMAND``: one line per message, of which only the last one asks for an action; the others have
  ``"can_act": false``. The program answers every line, or only those at which it can act; a ``none`` without
  ``meta.q_values`` before the last line is no answer. This is what Mortal does (``libriichi/src/mjai/bot.rs``
  and ``mortal/mortal.py`` in Equim-chan/Mortal).

``{seat}`` in a command stands for the seat, 0 to 3.
"""

import contextlib
import json
import math
import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any, Final, Self

from jantaku.bots.judge import Judgement
from jantaku.errors import JantakuError, RequestError, cause, phrase
from jantaku.game import Action, Chi, Discard, EndGame, Game, Kan
from jantaku.game.actions import default_action
from jantaku.game.events import hide
from jantaku.records.mjai import MjaiEncoder, action_from_mjai
from jantaku.records.native.rules_mark import rules_mark
from jantaku.tiles import Tile

if TYPE_CHECKING:
    from jantaku.game.actions import Riichi

GRACE: Final = 0.2  # seconds the program has to exit before it is killed
SECONDS: Final = 5.0  # for each decision, unless the caller allows more or less
FIRST_SECONDS: Final = 60.0  # for the first decision: many programs load a network first
MAX_LINE: Final = 1 << 16  # bytes of a line; a longer one is invalid
MAX_LINES: Final = 512  # unread lines, besides one for each line sent at once
SEAT: Final = "{seat}"
MJAI: Final = "mjai:"
LINES: Final = "lines:"
ANNOUNCEMENTS: Final = ("dora", "reach_accepted")  # after these the seat may still have to act
Message = dict[str, Any]


def _parsed(command: str | Sequence[str]) -> tuple[list[str], bool]:
    """Return the words of a command, and whether it starts with ``lines:``; raise ``RequestError``."""
    if not isinstance(command, str):
        return list(command), False
    try:
        return shlex.split(command.removeprefix(LINES)), command.startswith(LINES)
    except ValueError as error:
        raise RequestError("mjai_command", field="command", value=command, reason=cause(error)) from error


class Program:
    """A running program and the messages that its seat has yet to receive.

    ``seconds`` is the time for each answer, ``first_seconds`` for the first one.
    """

    def __init__(
        self, words: Sequence[str], name: str, lines: bool, seconds: float, first_seconds: float, seat: int
    ) -> None:
        self._lines_each, self._seconds, self._next_seconds = lines, seconds, first_seconds
        self._unanswered = 0  # lines sent, less the answers
        self._sent = 0
        self._encoder: MjaiEncoder | None = None
        self._answers: queue.Queue[str | None] = queue.Queue(maxsize=MAX_LINES)
        try:
            self._process = subprocess.Popen(  # noqa: S603  (the operator's own command, without a shell)
                [word.replace(SEAT, str(seat)) for word in words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # a group of its own, for ``_kill``
            )
        except (OSError, IndexError, ValueError) as error:
            raise RequestError("mjai_command", field="command", value=name, reason=cause(error)) from error
        assert self._process.stdout is not None
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reader.start()

    def _read(self, stream: IO[bytes]) -> None:
        """Queue the program's lines, each cut after ``MAX_LINE`` bytes, and then ``None``."""
        whole = True
        with stream:
            while line := stream.readline(MAX_LINE):
                if whole:
                    self._queue_line(line.decode("utf-8", "replace"))
                whole = line.endswith(b"\n")
        self._queue_line(None)

    def _queue_line(self, line: str | None) -> None:
        """Queue the line; if the queue is full, drop the oldest."""
        while True:
            try:
                return self._answers.put_nowait(line)
            except queue.Full:
                with contextlib.suppress(queue.Empty):
                    self._answers.get_nowait()

    def new_messages(self, game: Game, seat: int) -> list[Message]:
        """Return the messages since the last call."""
        if self._encoder is None:
            self._encoder = MjaiEncoder(seat, mark=rules_mark(game.rules))
        fresh = game.events[self._sent :]
        self._sent = len(game.events)
        return [message for event in fresh for message in self._encoder.encode(hide(event, seat))]

    def ask(self, messages: list[Message]) -> Message:
        """Send the messages and return the answer.

        Raises ``OSError`` or ``TimeoutError`` if there is none, ``ValueError`` or ``TypeError`` if it is not
        a message.
        """
        if not self._lines_each:
            while not self._answers.empty():  # discard unsolicited lines, unless the program has ended
                if self._answers.get_nowait() is None:
                    raise self._exit_error()
        until = time.monotonic() + self._next_seconds
        self._send(self._texts(messages))
        while True:
            message = self._answer(until)
            self._unanswered -= 1
            if not self._lines_each or self._unanswered <= 0 or not _is_filler(message):
                self._next_seconds = self._seconds
                return message

    def _texts(self, messages: list[Message]) -> list[str]:
        if not self._lines_each:
            return [json.dumps(messages, ensure_ascii=False)]
        acting = max((i for i, it in enumerate(messages) if it["type"] not in ANNOUNCEMENTS), default=-1)
        return [
            json.dumps(it if i == acting else it | {"can_act": False}, ensure_ascii=False)
            for i, it in enumerate(messages)
        ]

    def _send(self, texts: list[str]) -> None:
        """Write the lines; a program that does not read them in time is killed."""
        self._unanswered = (self._unanswered if self._lines_each else 0) + len(texts)
        self._answers.maxsize = MAX_LINES + len(texts)  # many lines if it joins a game in progress
        assert self._process.stdin is not None
        blocked = threading.Timer(self._next_seconds, self._kill)
        blocked.daemon = True
        blocked.start()
        try:
            self._process.stdin.write("".join(f"{text}\n" for text in texts).encode())
            self._process.stdin.flush()
        except OSError:
            raise self._exit_error() from None
        finally:
            blocked.cancel()

    def _answer(self, until: float) -> Message:
        try:
            line = self._answers.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            raise TimeoutError(f"no answer within {self._next_seconds:g} s") from None
        if line is None:
            raise self._exit_error()
        try:
            message = json.loads(line)
        except RecursionError:
            raise ValueError("nested too deeply") from None
        if not isinstance(message, dict):
            raise TypeError(f"not a message: {line[:80]!r}")
        return message

    def _exit_error(self) -> OSError:
        """Return the error for a program that has exited or stopped reading."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return OSError(f"exited with code {self._process.wait(GRACE)}")
        return OSError("stopped reading its input")

    def _kill(self) -> None:
        """Kill the program and the processes that it started."""
        if sys.platform == "win32":
            self._process.kill()
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Terminate the program and what it started; it gets no further requests."""
        late = threading.Timer(GRACE, self._kill)
        late.daemon = True
        late.start()
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()  # waits for a write by another thread
        self._process.wait()
        late.cancel()
        self._reader.join(GRACE)
        if self._reader.is_alive():  # a process that it started still has its output
            self._kill()
            self._reader.join(GRACE)
            self._queue_line(None)


def _is_filler(message: Message) -> bool:
    """Whether a message only acknowledges a line at which the program cannot act."""
    meta = message.get("meta")
    return message.get("type") == "none" and not (isinstance(meta, dict) and meta.get("q_values"))


class MjaiBot:
    """A program that plays one seat of one game.

    ``seconds`` is its time for each decision; the first one may take ``FIRST_SECONDS``, unless ``seconds`` is
    less than usual. A program that is late or has exited is terminated and no longer ``active``: from then on
    ``fallback`` acts for it. ``fallback`` also replaces a single illegal answer. ``faults`` has a line of
    text for each fault so far. A command as text may start with ``lines:``, like ``lines=True``.
    """

    def __init__(
        self, command: str | Sequence[str], seconds: float = SECONDS, *, lines: bool = False
    ) -> None:
        words, named = _parsed(command)
        self.name = words[0] if words else ""
        self.faults: list[str] = []
        self.active = True
        first = max(seconds, FIRST_SECONDS) if seconds >= SECONDS else seconds
        self._start = lambda seat: Program(words, self.name, lines or named, seconds, first, seat)
        self._program = None if any(SEAT in word for word in words) else self._start(0)

    def choose(self, game: Game, seat: int) -> Action:
        """Return the program's action, or ``fallback`` if it has none."""
        if not self.active:
            return fallback(game, seat)
        program = self._program = self._program or self._start(seat)
        try:
            answer = program.ask(program.new_messages(game, seat))
            riichi = _declared(answer)
            if riichi:
                answer = program.ask([{"type": "reach", "actor": seat}])
            return _checked(action_from_mjai(answer, game, seat, riichi), game, seat)
        except (JantakuError, ValueError, TypeError, AttributeError) as error:
            return self._fault(f"answer: {error}", game, seat)
        except (OSError, TimeoutError) as error:
            self.close()
            return self._fault(f"program: {error}", game, seat)

    def _fault(self, reason: str, game: Game, seat: int) -> Action:
        self.faults.append(reason)
        return fallback(game, seat)

    def close(self) -> None:
        """Terminate the program; it gets no further requests."""
        self.active = False
        if self._program is not None:
            self._program.close()


def _declared(answer: Message) -> "Riichi | None":
    if answer.get("type") != "reach":
        return None
    return "open" if answer.get("open") else "riichi"


def _checked(action: Action, game: Game, seat: int) -> Action:
    legal = game.legal(seat)
    if action in legal:
        return action
    if isinstance(action, Discard):  # the mark of a tile just drawn may be missing or wrong
        other = Discard(action.tile, not action.drawn, action.riichi)
        if other in legal:
            return other
    raise ValueError(f"{action} is not legal")


def fallback(game: Game, seat: int) -> Action:
    """Return the action of a player who does not act: pass, or discard the drawn tile."""
    return default_action(game.legal(seat))


# Judges ----------------------------------------------------------------------------------------------------

# Mortal's numbers of actions (``ACTION_SPACE`` in libriichi/src/consts.rs and ``gen_meta`` in
# libriichi/src/agent/mortal.rs): 0-33 discard the kind, 34-36 the red fives, then these.
REDS: Final = {4: 34, 13: 35, 22: 36}
RIICHI, CHI_LOW, CHI_MIDDLE, CHI_HIGH, PON, KAN, WIN, NINE_TERMINALS, PASS = range(37, 46)
NUMBERS: Final = 46
MAX_VALUE: Final = 1e9
WHOLE: Final = {
    "pon": PON,
    "kan": KAN,
    "tsumo": WIN,
    "ron": WIN,
    "nine_terminals": NINE_TERMINALS,
    "pass": PASS,
}
Values = dict[int, float]


class ProgramJudge:
    """Rates decisions by a program's answers, and by the values in their ``meta`` as Mortal writes them.

    One process per seat serves one game; the first decision of a seat starts it. ``name`` stands for the
    program in errors, by default the first word of the command. The values are Mortal's ``q_values``. Several
    actions share one of them: a riichi with any tile, calls with and without a red five. If the program
    prefers such an action, only the one that it names has a value. The tile of a riichi, which programs name
    later, is the one whose discard it rates highest. Without ``meta``, the answers have no values.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        lines: bool = False,
        seconds: float = SECONDS,
        first_seconds: float = FIRST_SECONDS,
        name: str = "",
    ) -> None:
        words, named = _parsed(command)
        self.name = name or (words[0] if words else "")
        self._start = lambda seat: Program(words, self.name, lines or named, seconds, first_seconds, seat)
        self._programs: dict[int, Program] = {}

    def judge(self, game: Game, seat: int) -> Judgement | None:
        """Return the ratings for a seat; ``None`` for a dealer's choice to end the game: mjai has none.

        Raises ``RequestError`` (``judge_failed``) if the program cannot be started, dies, is late, or answers
        with an illegal action or with invalid values.
        """
        legal = game.legal(seat)
        if EndGame() in legal:
            return None
        try:
            if seat not in self._programs:
                self._programs[seat] = self._start(seat)
            program = self._programs[seat]
            return _judgement(program.ask(program.new_messages(game, seat)), game, seat)
        except (JantakuError, OSError, ValueError, TypeError, AttributeError) as error:
            self.close()
            details = {"name": self.name, "seat": seat, "hand": len(game.walls), "reason": _why(error)}
            raise RequestError("judge_failed", field="judge", **details) from error

    def close(self) -> None:
        """Terminate the processes."""
        for program in self._programs.values():
            program.close()
        self._programs.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _judgement(answer: Message, game: Game, seat: int) -> Judgement:
    """Return the judgement in an answer; raises ``ValueError``, ``TypeError`` or ``RecordError``."""
    meta = answer.get("meta") or {}
    if not isinstance(meta, dict):
        raise TypeError("meta is not an object")
    values = _read_values(meta)
    select = meta.get("kan_select") or {}
    if not isinstance(select, dict):
        raise TypeError("kan_select is not an object")
    kans = _read_values(select)
    legal = game.legal(seat)
    if riichi := _declared(answer):
        ways = [action for action in legal if isinstance(action, Discard) and action.riichi == riichi]
        if not ways:
            raise ValueError("riichi is not legal")
        best: Action = max(ways, key=lambda way: values.get(_tile_number(way.tile), -math.inf))
    else:
        best = _checked(action_from_mjai(answer, game, seat), game, seat)
    rated = {action: value for action in legal if (value := _value(action, game, values, kans)) is not None}
    number = _number(best, game)
    if values and number is not None and best not in rated:
        raise ValueError(f"mask_bits lack the answer {best}")
    own = {action: rated[action] for action in rated if _has_own_value(action, best, game, kans)}
    return Judgement(best, own)


def _read_values(meta: Mapping[str, Any]) -> Values:
    """Return ``q_values`` by the number of their action; one for each bit of ``mask_bits``, lowest first."""
    mask, given = meta.get("mask_bits"), meta.get("q_values")
    if given is None and not mask:
        return {}
    if not isinstance(mask, int) or isinstance(mask, bool) or not 0 <= mask < 1 << NUMBERS:
        raise ValueError("mask_bits is not a number below 2^46")
    numbers = [number for number in range(NUMBERS) if mask >> number & 1]
    if not isinstance(given, list) or len(given) != len(numbers):
        raise ValueError(f"q_values are not {len(numbers)} numbers, one for each bit of mask_bits")
    if not all(isinstance(value, int | float) and -MAX_VALUE < value < MAX_VALUE for value in given):
        raise ValueError("q_values are not numbers of ordinary size")
    return dict(zip(numbers, map(float, given), strict=True))


def _tile_number(tile: Tile) -> int:
    return REDS.get(tile.kind, int(tile.kind)) if tile.is_red else int(tile)


def _number(action: Action, game: Game) -> int | None:
    """Return Mortal's number of an action; ``None`` for those that it does not know."""
    match action:
        case Discard(tile, _, riichi):
            return RIICHI if riichi else _tile_number(tile)
        case Chi((low, high)):
            called = Tile(game.claimed).kind
            return CHI_LOW if called < low.kind else CHI_MIDDLE if called < high.kind else CHI_HIGH
        case _:
            return WHOLE.get(action.type)


def _value(action: Action, game: Game, values: Values, kans: Values) -> float | None:
    """Return the value of an action; ``kans`` rate the tiles of several kans against each other."""
    number = _number(action, game)
    value = None if number is None else values.get(number)
    if value is None or len(kans) < 2 or not isinstance(action, Kan) or action.kind == "daiminkan":
        return value
    chosen = kans.get(int(action.tile.kind))
    return None if chosen is None else value + chosen - max(kans.values())


def _has_own_value(action: Action, best: Action, game: Game, kans: Values) -> bool:
    """Whether the value of an action is its own, and not that of the best action with the same number."""
    if action == best or _number(action, game) != _number(best, game):
        return True
    if isinstance(action, Kan):
        return len(kans) > 1
    return isinstance(action, Discard) and action.riichi is None


def _why(error: Exception) -> object:
    """Return the reason of a failure as part of a message."""
    if isinstance(error, TimeoutError):
        return phrase("errors.causes.program_late")
    if isinstance(error, OSError):
        return phrase("errors.causes.program_ended")
    return (
        cause(error) if isinstance(error, JantakuError) else phrase("errors.causes.answer", said=str(error))
    )
