"""Key codes of real terminals, and restoring the terminal afterwards."""

import os
import signal
import sys
from types import SimpleNamespace

import pytest

from jantaku.cli import keys as terminal_keys


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        (b"\x1b[A\x1b[B\x1b[C\x1b[D", ["up", "down", "right", "left"]),
        (b"\x1bOA\x1bOH\x1b[F\x1b[5~\x1b[6~", ["up", "home", "end", "page_up", "page_down"]),
        (b"\x1b[1;5C\r\n \x7f\tR", ["enter", "enter", "space", "backspace", "tab", "r"]),
        ("ㄱㅂ가ｒ？".encode(), ["r", "q", "가", "r", "?"]),
        (b"\x01\x02x", ["x"]),
        (b"\xff\xffq", ["q"]),
        (b"\x1b", ["esc"]),
        (b"\x1b[99999999999999999999qq", ["q"]),
    ],
)
def test_terminal_keys(typed: bytes, wanted: list[str]) -> None:
    if sys.platform == "win32":
        pytest.skip("no such terminals here")
    out, into = os.pipe()
    try:
        os.write(into, typed)
        keys = terminal_keys.Keys(out)
        pressed = list(iter(lambda: keys.key(0.01), None))
        os.close(into)
        assert [key for key in pressed if key != "�"][-len(wanted) :] == wanted
        with pytest.raises(EOFError):
            keys.key(1.0)
    finally:
        os.close(out)


def test_windows_keys() -> None:
    typed = list("\xe0H\x00K\xe0?aR\r\x03")
    console = SimpleNamespace(kbhit=lambda: bool(typed), getwch=lambda: typed.pop(0))
    keys = terminal_keys.WindowsKeys(console)
    assert [keys.key(0.0) for _ in range(5)] == ["up", "left", "a", "r", "enter"]
    with pytest.raises(KeyboardInterrupt):
        keys.key(0.0)
    assert keys.key(0.0) is None


def test_the_terminal_is_always_restored() -> None:
    if sys.platform == "win32":
        pytest.skip("no such terminals here")
    import pty
    import termios

    main, terminal = pty.openpty()
    try:
        before = termios.tcgetattr(terminal)

        def ended() -> None:
            with terminal_keys.exit_on_signals(), terminal_keys.raw(terminal) as keys:
                assert termios.tcgetattr(terminal)[3] & termios.ECHO == 0
                os.write(main, b"\x1b[A")
                assert keys.key(1.0) == "up"
                os.kill(os.getpid(), signal.SIGTERM)
                keys.key(5.0)

        with pytest.raises(SystemExit) as left:
            ended()
        assert left.value.code == 128 + signal.SIGTERM
        assert termios.tcgetattr(terminal) == before
        assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    finally:
        os.close(main)
        os.close(terminal)
