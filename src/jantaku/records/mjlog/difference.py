"""Where a log and the rules part, and how it is said."""

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
)


@dataclass(frozen=True, slots=True)
class LogDifference:
    """Where a log and the engine part: ``hand`` counts the log's hands from 1, ``what`` says in what."""

    hand: int
    what: str
    log: object
    engine: object


class LogMismatchError(RecordError):
    """The log tells what the rules do not give; ``difference`` says what."""

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
