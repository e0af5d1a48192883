"""Game records: Tenhou logs read, replayed on the engine and checked against the rules.

>>> from jantaku.records import verify_log
>>> verify_log("2010081709gm-00a9-0000-fe3371ad.mjlog").agrees  # doctest: +SKIP
True
"""

from jantaku.records.mjlog.difference import LogDifference, LogMismatchError
from jantaku.records.mjlog.log import (
    Call,
    Drawn,
    Log,
    LogDiscard,
    LogDoraTurned,
    LogDraw,
    LogHand,
    LogRiichi,
    LogWon,
    RiichiStands,
    Settlement,
    Step,
)
from jantaku.records.mjlog.meld_code import decode_meld
from jantaku.records.mjlog.read import parse_log, read_log
from jantaku.records.mjlog.replay import (
    Decision,
    LogTable,
    replay,
    rules_of,
)
from jantaku.records.mjlog.verify import LogReport, verify, verify_log
from jantaku.records.mjlog.wins import TENHOU_YAKU, WinValues, win_values

__all__ = [
    "TENHOU_YAKU",
    "Call",
    "Decision",
    "Drawn",
    "Log",
    "LogDifference",
    "LogDiscard",
    "LogDoraTurned",
    "LogDraw",
    "LogHand",
    "LogMismatchError",
    "LogReport",
    "LogRiichi",
    "LogTable",
    "LogWon",
    "RiichiStands",
    "Settlement",
    "Step",
    "WinValues",
    "decode_meld",
    "parse_log",
    "read_log",
    "replay",
    "rules_of",
    "verify",
    "verify_log",
    "win_values",
]
