"""Differences between a log and the rules, and their texts."""

from dataclasses import dataclass
from typing import Final

from jantaku.errors import RecordError
from jantaku.kernels.engine import actions
from jantaku.tiles import format_tiles

NAMES: Final = (
    "pass",
    "discard",
    "riichi",
    "open_riichi",
    "tsumo",
    "ron",
    "chi",
    "pon",
    "daiminkan",
    "ankan",
    "kakan",
    "kyuushu",
    "foul",
    "end_game",
    "play_on",
    "kita",
)


@dataclass(frozen=True, slots=True)
class LogDifference:
    """A difference between log and engine: ``hand`` counts the log's hands from 1, ``what`` names it."""

    hand: int
    what: str
    log: object
    engine: object


class LogMismatchError(RecordError):
    """The log contradicts the rules; ``difference`` has the details."""

    def __init__(self, hand: int, what: str, log: object, engine: object) -> None:
        super().__init__("mjlog_differs", hand=hand, what=what, log=log, engine=engine)
        self.difference = LogDifference(hand, what, log, engine)


def describe(action: int) -> str:
    """An action in words: ``discard 0p``, ``chi``, ``ankan 7z``."""
    kind, value = action >> 8, action & 255
    name = NAMES[kind]
    if kind in (actions.DISCARD, actions.RIICHI, actions.OPEN_RIICHI):
        drawn = " as drawn" if value & actions.DRAWN else ""
        return f"{name} {format_tiles([value & ~actions.DRAWN])}{drawn}"
    return f"{name} {format_tiles([value])}" if kind in (actions.ANKAN, actions.KAKAN) else name
