"""Game records: Tenhou logs read, replayed on the engine and checked against the rules.

``formats`` reads and writes games of every format, ``mjlog`` gives Tenhou logs as they are written.

>>> from jantaku.records import verify_log
>>> verify_log("2010081709gm-00a9-0000-fe3371ad.mjlog").agrees  # doctest: +SKIP
True
"""

from jantaku.records.mjlog.difference import LogDifference, LogMismatchError
from jantaku.records.mjlog.log import TENHOU_YAKU
from jantaku.records.mjlog.replay import (
    Decision,
    LogTable,
    replay,
    rules_of,
)
from jantaku.records.mjlog.verify import LogReport, verify, verify_log
from jantaku.records.mjlog.wins import WinValues, win_values

__all__ = [
    "TENHOU_YAKU",
    "Decision",
    "LogDifference",
    "LogMismatchError",
    "LogReport",
    "LogTable",
    "WinValues",
    "replay",
    "rules_of",
    "verify",
    "verify_log",
    "win_values",
]
