"""Reading and settling logs for an event, in worker processes."""

from typing import TYPE_CHECKING

from jantaku import terms
from jantaku.rules import Ruleset
from jantaku.server.edge.work import playing_job
from jantaku.terms import Language

if TYPE_CHECKING:
    from jantaku.club.log_games import LogGame


@playing_job
def read_event_log(text: str, rules: Ruleset, language: Language) -> "LogGame":
    """Read the log of a game and settle it by the rules of an event; errors are in ``language``."""
    from jantaku.club.log_games import log_game

    with terms.using(language):
        return log_game(text.encode(), rules, terms.text("server.log.this"))
