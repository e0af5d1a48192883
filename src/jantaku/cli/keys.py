"""Single key presses from the terminal, whose settings are restored afterwards.

A key has a name (``up``, ``enter``, ``esc`` …) or is its letter in lower case. Letters of a Korean or
full-width keyboard count as the Latin ones on the same keys, so that players need not switch the input
method.
"""

import os
import select
import signal
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, Protocol

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
