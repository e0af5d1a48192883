"""The rules of a foreign log: those of our mark, those passed, or those inferred from it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from jantaku.errors import RecordError
from jantaku.game import Game
from jantaku.game.events import HandStarted
from jantaku.records.native import rules_mark
from jantaku.records.native.rules_mark import KEY
from jantaku.records.unlogged import FOULS, unlogged_acts
from jantaku.rules import Ruleset

MIDDLE = "from_the_middle"


def mark_of(game: Game) -> dict[str, Any]:
    """The mark of our logs: the rules, whether the game begins in the middle, and acts without a word."""
    mark = rules_mark.rules_mark(game.rules)
    if game.standing is not None:
        mark[MIDDLE] = True
    if acts := unlogged_acts(game):
        mark[FOULS] = acts
    return mark


def log_rules(head: Mapping[str, Any], given: Ruleset | None, otherwise: Callable[[], Ruleset]) -> Ruleset:
    """The rules that a log describes under ``jantaku``; without a mark ``given``, else ``otherwise``.

    Raises ``RecordError`` if the rules are missing, or decide differently than when the log was written.
    """
    mark = head.get(KEY)
    if isinstance(mark, Mapping):
        return rules_mark.marked_rules(mark, given)
    return given or otherwise()


def require_seats(rules: Ruleset, format_name: str, most: int) -> None:
    """Raise ``RecordError`` if a format with so many seats cannot carry a game under the rules."""
    if len(rules.seats) > most:
        raise RecordError("record_seats", format=format_name, count=len(rules.seats), wanted=most)


def check_players(rules: Ruleset, starts: Iterable[HandStarted]) -> None:
    """Raise ``RecordError`` if a hand of the log has another number of players than the rules."""
    for start in starts:
        if len(start.scores) != len(rules.seats):
            raise RecordError("record_other_players", count=len(start.scores), wanted=len(rules.seats))


def may_begin_anywhere(head: Mapping[str, Any]) -> bool:
    """Whether the log may begin in the middle of a game."""
    mark = head.get(KEY)
    return not isinstance(mark, Mapping) or mark.get(MIDDLE) is True
