"""Tries the local yaku of a ruleset, so that what fails in them is found before a game."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np

from jantaku.adjudication.requests import win_from_request
from jantaku.adjudication.win_records import win_records
from jantaku.errors import JantakuError, RulesError
from jantaku.kernels.cuts import cut_tables
from jantaku.kernels.hand import held_counts, reading_of, whole_hand
from jantaku.kernels.local import differs, tried
from jantaku.kernels.reading import MOST_READINGS, ROW, PackedReading
from jantaku.kernels.readings import find_readings
from jantaku.kernels.rules import rules_record
from jantaku.kernels.value import RESULT
from jantaku.kernels.workspace import Workspace
from jantaku.rules import Ruleset, catalogue, load
from jantaku.rules.local_marks import LocalYaku, endless, line_of
from jantaku.rules.local_time_limit import TooSlowError, time_limit


def local_problems(rules: Ruleset) -> Iterator[RulesError]:
    """What is wrong with each local yaku: code that does not compile or fails, an example without it.

    Each is compiled, and asked about the readings of every example hand.
    """
    for yaku in rules.coded:
        yield from _problems(yaku)


def _problems(yaku: LocalYaku) -> Iterator[RulesError]:
    own, problem = _own_readings(yaku)
    if problem is not None:
        yield problem
    readings = (*own, *sample_readings())
    failed = _failure(yaku, readings)
    if failed is not None:
        yield failed
        return
    try:
        if any(differs(yaku, reading) for reading in readings):
            yield RulesError("local_differs", path=f"yaku.{yaku.id}", place=yaku.place)
    except RulesError as error:
        yield error
        return
    if own and not any(yaku.predicate(reading) for reading in own):
        yield RulesError("local_example", path=f"yaku.{yaku.id}.example", place=yaku.place)


def _failure(yaku: LocalYaku, readings: Iterable[PackedReading]) -> RulesError | None:
    """What is wrong with the first answer that cannot be, or that does not come."""
    file = yaku.source[1]
    try:
        with time_limit(file):
            return next(filter(None, (tried(yaku, reading) for reading in readings)), None)
    except TooSlowError as error:
        return endless(f"yaku.{yaku.id}", file, line_of(error, file))


def _own_readings(yaku: LocalYaku) -> tuple[tuple[PackedReading, ...], RulesError | None]:
    """The readings of the yaku's own example, or what is wrong with it."""
    if not yaku.example:
        return (), None
    path = f"yaku.{yaku.id}.example"
    try:
        readings = readings_of(yaku.example)
    except JantakuError as error:
        return (), RulesError("local_example_wrong", path=path, place=yaku.place, reason=error)
    incomplete = RulesError("local_example", path=path, place=yaku.place)
    return readings, None if readings else incomplete


@cache
def sample_readings() -> tuple[PackedReading, ...]:
    """The readings of the examples of all built-in yaku."""
    examples = [entry.example for entry in catalogue().values() if entry.example.get("hand")]
    return tuple(reading for example in examples for reading in readings_of(example))


def _workspace() -> Workspace:
    kept = np.empty((MOST_READINGS, ROW), np.int64)
    return Workspace(kept, cut_tables(), *(np.empty(size, np.int64) for size in (34, RESULT, 8)))


def readings_of(request: Mapping[str, Any]) -> tuple[PackedReading, ...]:
    """The readings of a win, as yaku see them; raises as ``win_from_request``."""
    win = win_from_request({"by": "ron", **request})
    record, space = win_records([win])[0], _workspace()
    held_counts(record, space.held)
    whole = whole_hand(record, space.held, rules_record(load("standard"))[0])
    count = int(find_readings(record, space))
    return tuple(PackedReading(*map(int, reading_of(space.readings, i, whole))) for i in range(count))
