"""Single key presses from a terminal, without Enter or echo."""

import os
import re
import select
import signal
import sys
import time
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

_CURSOR: Final = {
    "A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end",
    "1~": "home", "4~": "end", "5~": "page_up", "6~": "page_down", "7~": "home", "8~": "end",
}  # fmt: skip
_NAMED: Final = {
    "\r": "enter", "\n": "enter", " ": "space", "\t": "tab", "\x1b": "esc",
    "\x7f": "backspace", "\b": "backspace",
}  # fmt: skip
# Second character of a two-character key code of a Windows console
_WINDOWS: Final = {
    "H": "up", "P": "down", "M": "right", "K": "left",
    "G": "home", "O": "end", "I": "page_up", "Q": "page_down",
}  # fmt: skip
_HANGUL: Final = dict(
    zip("ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡ", "qwertyuiopasdfghjklzxcvbnm", strict=True)
)
_SEQUENCE: Final = re.compile(r"\x1b[\[O]([\d;]*[A-Za-z~])|\x1b|.", re.DOTALL)
_POLL: Final = 0.01


class Keys:
    """The keys of a POSIX terminal in ``raw`` mode."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._pressed: list[str] = []

    def key(self, timeout: float | None = None) -> str | None:
        """Wait for a key; ``None`` after ``timeout`` seconds. Raises ``EOFError`` if the terminal is gone."""
        ends = None if timeout is None else time.monotonic() + timeout
        while not self._pressed:
            left = None if ends is None else max(0.0, ends - time.monotonic())
            if not select.select([self._descriptor], [], [], left)[0]:
                return None
            typed = os.read(self._descriptor, 1024)
            if not typed:
                raise EOFError
            self._pressed = keys_in(typed.decode(errors="replace"))
        return self._pressed.pop(0)


class WindowsKeys(Keys):
    """The keys of a Windows console."""

    def __init__(self, console: Any) -> None:
        """``console``: the module ``msvcrt``."""
        self._console = console

    def key(self, timeout: float | None = None) -> str | None:
        """Wait for a key; ``None`` after ``timeout`` seconds. Raises ``KeyboardInterrupt`` for Ctrl-C."""
        ends = None if timeout is None else time.monotonic() + timeout
        while True:
            while not self._console.kbhit():
                if ends is not None and time.monotonic() >= ends:
                    return None
                time.sleep(_POLL)
            character = self._console.getwch()
            if character == "\x03":
                raise KeyboardInterrupt
            key = _WINDOWS.get(self._console.getwch()) if character in "\x00\xe0" else key_of(character)
            if key:
                return key


def keys_in(typed: str) -> list[str]:
    """Split characters from a terminal into keys."""
    found = (_CURSOR.get(match[1]) if match[1] else key_of(match[0]) for match in _SEQUENCE.finditer(typed))
    return [key for key in found if key]


def key_of(character: str) -> str | None:
    """Return the key for a character; ``None`` if it has none. Hangul letters map to their Latin keys."""
    if character in _NAMED:
        return _NAMED[character]
    key = _HANGUL.get(character, unicodedata.normalize("NFKC", character)).lower()
    return key if len(key) == 1 and key.isprintable() else None


@contextmanager
def keyboard() -> Iterator[Keys]:
    """Read keys from standard input inside the ``with`` block."""
    with exit_on_signals():
        if sys.platform == "win32":
            import msvcrt  # exists only on Windows

            yield WindowsKeys(msvcrt)
        else:
            with raw(sys.stdin.fileno()) as keys:
                yield keys


@contextmanager
def raw(descriptor: int) -> Iterator[Keys]:
    """Switch a POSIX terminal to reading keys inside the ``with`` block; Ctrl-C works, Ctrl-Z is disabled."""
    import termios  # does not exist on Windows
    import tty

    before = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor)
    settings = termios.tcgetattr(descriptor)
    settings[6][termios.VSUSP] = b"\0"
    termios.tcsetattr(descriptor, termios.TCSADRAIN, settings)
    try:
        yield Keys(descriptor)
    finally:
        with suppress(termios.error):  # the terminal may be gone
            termios.tcsetattr(descriptor, termios.TCSAFLUSH, before)


@contextmanager
def exit_on_signals() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP into ``SystemExit``, so that the terminal is restored."""
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
