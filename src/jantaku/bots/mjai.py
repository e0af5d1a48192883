"""External players: programs that speak mjai over their standard input and output.

For each decision the program receives one line: a JSON array of all messages since its last decision, as its
seat sees them. It answers with one line: a JSON object, the message of its action (``none`` passes). After a
``reach`` it receives that message back and answers with the ``dahai``. The first message is ``start_game``
with the seat as ``id`` and the rules under ``jantaku``. The program is terminated after the last hand.
"""

import contextlib
import json
import queue
import shlex
import subprocess
import threading
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING, Any, Final

from jantaku.errors import JantakuError, RequestError, cause
from jantaku.game import Action, Discard, Game, Pass
from jantaku.game.events import hide
from jantaku.records.mjai import MjaiEncoder, action_from_mjai
from jantaku.records.native.rules_mark import rules_mark

if TYPE_CHECKING:
    from jantaku.game.actions import Riichi

SECONDS: Final = 5.0  # for each decision, unless the caller allows more or less
GRACE: Final = 0.2  # seconds the program has to exit before it is killed
MAX_LINE: Final = 1 << 16  # bytes of a line; a longer one is invalid
Message = dict[str, Any]


class MjaiBot:
    """A program that plays one seat of one game.

    ``seconds`` is its time for each decision. A program that is late or has exited is terminated and no
    longer ``active``: from then on ``fallback`` acts for it. ``fallback`` also replaces a single illegal
    answer. ``faults`` has a line of text for each fault so far.
    """

    def __init__(self, command: str | Sequence[str], seconds: float = SECONDS) -> None:
        words = shlex.split(command) if isinstance(command, str) else list(command)
        self.name = words[0] if words else ""
        self.seconds = seconds
        self.faults: list[str] = []
        self.active = True
        self._sent = 0
        self._encoder: MjaiEncoder | None = None
        self._lines: queue.Queue[str | None] = queue.Queue(maxsize=64)
        try:
            self._process = subprocess.Popen(  # noqa: S603  (the user's own command, without a shell)
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except (OSError, IndexError) as error:
            why = cause(error)
            raise RequestError("mjai_command", field="command", value=self.name, reason=why) from error
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
                return self._lines.put_nowait(line)
            except queue.Full:
                with contextlib.suppress(queue.Empty):
                    self._lines.get_nowait()

    def choose(self, game: Game, seat: int) -> Action:
        """Return the program's action, or ``fallback`` if it has none."""
        messages = self._new_messages(game, seat)
        if not self.active:
            return fallback(game, seat)
        try:
            answer = self._ask(messages)
            riichi: Riichi | None = None
            if answer.get("type") == "reach":
                riichi = "open" if answer.get("open") else "riichi"
                answer = self._ask([{"type": "reach", "actor": seat}])
            return self._checked(action_from_mjai(answer, game, seat, riichi), game, seat)
        except (JantakuError, ValueError, TypeError, AttributeError) as error:
            return self._fault(f"answer: {error}", game, seat)
        except (OSError, TimeoutError) as error:
            self.close()
            return self._fault(f"program: {error}", game, seat)

    def _new_messages(self, game: Game, seat: int) -> list[Message]:
        """Return the messages since the last decision."""
        if self._encoder is None:
            self._encoder = MjaiEncoder(seat, mark=rules_mark(game.rules))
        fresh = game.events[self._sent :]
        self._sent = len(game.events)
        return [message for event in fresh for message in self._encoder.encode(hide(event, seat))]

    def _ask(self, messages: list[Message]) -> Message:
        """Send the messages and wait for the answer; raises ``OSError`` or ``TimeoutError`` if none comes."""
        while not self._lines.empty():  # discard unsolicited lines, unless the program has ended
            if self._lines.get_nowait() is None:
                raise self._exit_error()
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(messages, ensure_ascii=False).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise self._exit_error() from None
        try:
            line = self._lines.get(timeout=self.seconds)
        except queue.Empty:
            raise TimeoutError(f"no answer within {self.seconds:g} s") from None
        if line is None:
            raise self._exit_error()
        message = json.loads(line)
        if not isinstance(message, dict):
            raise TypeError(f"not a message: {line[:80]!r}")
        return message

    def _exit_error(self) -> OSError:
        """Return the error for a program that has exited or stopped reading."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return OSError(f"exited with code {self._process.wait(GRACE)}")
        return OSError("stopped reading its input")

    def _checked(self, action: Action, game: Game, seat: int) -> Action:
        legal = game.legal(seat)
        if action in legal:
            return action
        if isinstance(action, Discard):  # the mark of a tile just drawn may be missing or wrong
            other = Discard(action.tile, not action.drawn, action.riichi)
            if other in legal:
                return other
        raise ValueError(f"{action} is not legal")

    def _fault(self, reason: str, game: Game, seat: int) -> Action:
        self.faults.append(reason)
        return fallback(game, seat)

    def close(self) -> None:
        """Terminate the program; it gets no further requests."""
        self.active = False
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()


def fallback(game: Game, seat: int) -> Action:
    """Return the action of a player who does not act: pass, or discard the drawn tile."""
    legal = game.legal(seat)
    if Pass() in legal:
        return Pass()
    discards = [action for action in legal if isinstance(action, Discard) and not action.riichi]
    drawn = [action for action in discards if action.drawn]
    return (drawn or discards or legal)[-1]
