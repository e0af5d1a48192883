"""Tenhou's XML logs: parse them into typed hands and steps, replay and check them, and write them.

``parse`` and ``read`` return the contents of a log without playing it.

>>> log = parse('<GO type="9"/><UN n0="A" n1="B" n2="C" n3="D"/>')
>>> log.names, log.hanchan, log.hands
(('A', 'B', 'C', 'D'), True, ())
"""

from jantaku.records.mjlog.log import (
    Call,
    Drawn,
    Log,
    LogDiscard,
    LogDoraTurned,
    LogDraw,
    LogHand,
    LogKita,
    LogRiichi,
    LogRiichiAccepted,
    LogWon,
    Settlement,
    Step,
)
from jantaku.records.mjlog.meld_code import decode_meld
from jantaku.records.mjlog.parsing import parse, read

__all__ = [
    "Call",
    "Drawn",
    "Log",
    "LogDiscard",
    "LogDoraTurned",
    "LogDraw",
    "LogHand",
    "LogKita",
    "LogRiichi",
    "LogRiichiAccepted",
    "LogWon",
    "Settlement",
    "Step",
    "decode_meld",
    "parse",
    "read",
]
