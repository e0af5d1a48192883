"""Game records: Tenhou's logs read, played again on the engine and checked against the rules.

>>> from jantaku.records import verify_log
>>> verify_log("2010081709gm-00a9-0000-fe3371ad.mjlog").agrees  # doctest: +SKIP
True
"""

from jantaku.records.difference import LogDifference, LogMismatchError
from jantaku.records.log import (
    Call,
    Discard,
    DoraTurned,
    Draw,
    Drawn,
    Log,
    LogHand,
    Riichi,
    RiichiStands,
    Settlement,
    Step,
    Won,
)
from jantaku.records.meld_code import decode_meld
from jantaku.records.mjlog import parse_log, read_log
from jantaku.records.replay import (
    Decision,
    LogTable,
    replay,
    rules_of,
)
from jantaku.records.verify import LogReport, verify, verify_log
from jantaku.records.wins import TENHOU_YAKU, WinValues, win_values

__all__ = [
    "TENHOU_YAKU",
    "Call",
    "Decision",
    "Discard",
    "DoraTurned",
    "Draw",
    "Drawn",
    "Log",
    "LogDifference",
    "LogHand",
    "LogMismatchError",
    "LogReport",
    "LogTable",
    "Riichi",
    "RiichiStands",
    "Settlement",
    "Step",
    "WinValues",
    "Won",
    "decode_meld",
    "parse_log",
    "read_log",
    "replay",
    "rules_of",
    "verify",
    "verify_log",
    "win_values",
]
