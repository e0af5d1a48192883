"""What processes send each other is read once, in time, and only with the signature of the site."""

import random

import pytest

from jantaku.server.processes.wire import FRESH_NS, Signer

KEY = b"k" * 32


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 10**18

    def __call__(self) -> int:
        return self.now


def test_what_was_signed_is_read_once() -> None:
    clock = Clock()
    first, second, reader = (Signer(KEY, clock) for _ in range(3))
    messages = [signer.sign("a", bytes([i])) for i in range(50) for signer in (first, second)]
    assert [reader.read("a", message) for message in messages] == [
        bytes([i]) for i in range(50) for _ in "ab"
    ]
    random.Random(1).shuffle(messages)
    assert not any(reader.read("a", message) for message in messages)


@pytest.mark.parametrize("data", [b"", b"x", b"x" * 1000])
def test_no_changed_message_is_read(data: bytes) -> None:
    message = Signer(KEY).sign("a", data)
    for at in range(len(message)):
        for bit in (1, 128):
            changed = bytearray(message)
            changed[at] ^= bit
            assert Signer(KEY).read("a", bytes(changed)) is None
        assert Signer(KEY).read("a", message[:at]) is None
    assert Signer(KEY).read("a", message + b"x") is None
    assert Signer(KEY).read("b", message) is None  # at another process
    assert Signer(b"j" * 32).read("a", message) is None
    assert Signer(KEY).read("a", message) == data


@pytest.mark.parametrize("late", [-2, -1, 1, 2])
def test_an_old_message_is_not_read_by_a_process_that_has_just_begun(late: int) -> None:
    clock = Clock()
    message = Signer(KEY, clock).sign("jantaku.news", b"x")
    clock.now += late * FRESH_NS + (1 if late > 0 else -1)
    assert Signer(KEY, clock).read("jantaku.news", message) is None
