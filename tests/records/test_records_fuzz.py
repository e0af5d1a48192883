"""Damaged logs of every format are either read or refused with a ``JantakuError``."""

import gzip
import random

import pytest

from conftest import scale
from jantaku.errors import JantakuError
from jantaku.records import formats
from jantaku.terms import LANGUAGES
from support.spoilt import games, spoilt


def read(data: bytes) -> bool:
    """Return whether the log can be read; an error must have a message in every language."""
    try:
        record = formats.parse_record(data)
    except JantakuError as error:
        for language in LANGUAGES:
            error.message(language).encode()
        return False
    for name in formats.BY_NAME:
        formats.dumps(record.game, name, record.names)
    return True


def fuzz(number: int, seed: int) -> None:
    chance, logs = random.Random(seed), [text for _, text in games()]
    for i in range(number):
        data = spoilt(chance, logs[i % len(logs)]).encode("utf-8", "surrogatepass" if i % 3 else "replace")
        read(gzip.compress(data)[: -1 - i % 3] if i % 10 == 0 else data)


@pytest.mark.slow
def test_damaged_logs_are_read_or_refused() -> None:
    fuzz(scale(400), 1)


@pytest.mark.long
def test_twenty_thousand_damaged_logs_are_read_or_refused() -> None:
    fuzz(20_000, 2)


@pytest.mark.slow
@pytest.mark.parametrize("number", ["1e400", "-1e400", "NaN", "Infinity", "9" * 400])
@pytest.mark.parametrize("name", ["tenhou", "mjai", "jantaku"])
def test_excessive_numbers_are_refused(name: str, number: str) -> None:
    text = dict(games())[name]
    for index in range(0, len(text), max(1, len(text) // 40)):
        start = next((i for i in range(index, len(text)) if text[i].isdigit()), None)
        if start is not None:
            end = next(i for i in range(start, len(text) + 1) if not text[i : i + 1].isdigit())
            read((text[:start] + number + text[end:]).encode())
