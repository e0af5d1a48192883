"""Game records: read Tenhou logs, replay them on the engine and check them against the rules.

``formats`` reads and writes games in every format; ``mjlog`` exposes the contents of Tenhou logs.

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
