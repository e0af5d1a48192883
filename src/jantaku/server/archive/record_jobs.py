"""Reading records of games, in worker processes."""

from jantaku.rules import Ruleset
from jantaku.server.edge.limited_work import playing_job


@playing_job
def read_log(name: str, text: str, rules: Ruleset | None) -> str:
    """Check a log by playing it; return what is stored (``KeptLog``).

    ``rules``: the ruleset that the log names. Its local yaku come with it from the server's memory.
    """
    from jantaku.records import formats
    from jantaku.records.most_moves import check_needed
    from jantaku.server.archive.kept_log import KeptLog

    recorded = formats.parse_record(text.encode(), rules, name)
    check_needed(recorded.game)
    return KeptLog.of(recorded).text
