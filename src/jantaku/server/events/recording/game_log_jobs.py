"""Job for worker processes: reading and settling game logs for an event."""

from typing import TYPE_CHECKING

from jantaku import terms
from jantaku.rules import Ruleset
from jantaku.server.edge.work import compiled_job
from jantaku.terms import Language

if TYPE_CHECKING:
    from jantaku.club.log_games import LogGame


@compiled_job
def read_event_log(text: str, rules: Ruleset, language: Language) -> "LogGame":
    """Read a game log and settle it under an event's rules; error messages are in ``language``."""
    from jantaku.club.log_games import log_game

    with terms.using(language):
        return log_game(text.encode(), rules, terms.text("server.log.this"))
