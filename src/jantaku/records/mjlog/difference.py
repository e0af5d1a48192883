"""Differences between a log and the rules, with their texts."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from jantaku.errors import Phrase, RecordError, phrase
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
    """A difference between log and engine: ``hand`` counts from 1, ``what`` is the kind of difference."""

    hand: int
    what: str
    log: object
    engine: object


class LogMismatchError(RecordError):
    """The log contradicts the rules; see ``difference``."""

    def __init__(self, hand: int, what: str, log: object, engine: object) -> None:
        part = phrase(f"errors.in_log.{what}")
        super().__init__("mjlog_differs", hand=hand, what=part, log=_text(log), engine=_text(engine))
        self.difference = LogDifference(hand, what, log, engine)


def _text(value: object) -> object:
    """Return a value for a message; booleans and ``None`` become words."""
    if isinstance(value, bool | np.bool_):
        return state("yes" if value else "no")
    return state("nothing") if value is None else value


def describe(action: int) -> Phrase:
    """Describe an action: ``discard 0p``, ``chi``, ``closed kan 7z``."""
    kind, value = action >> 8, action & 255
    name = phrase(f"errors.log_act.{NAMES[kind]}")
    if kind in (actions.DISCARD, actions.RIICHI, actions.OPEN_RIICHI):
        how = "drawn" if value & actions.DRAWN else "act"
        return phrase(f"errors.log_act.{how}", act=name, tile=format_tiles([value & ~actions.DRAWN]))
    if kind in (actions.ANKAN, actions.KAKAN):
        return phrase("errors.log_act.act", act=name, tile=format_tiles([value]))
    return name


def describe_with_seat(seat: int, action: int) -> Phrase:
    """Describe an action together with its seat."""
    return phrase("errors.log_act.by", seat=seat, act=describe(action))


def state(name: str) -> Phrase:
    """Describe the state of a game."""
    return phrase(f"errors.log_state.{name}")
