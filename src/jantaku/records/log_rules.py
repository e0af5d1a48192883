"""Determine the rules of a log: from Jantaku's mark (``rules_mark``), from the caller, or by inference."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from jantaku.errors import RecordError
from jantaku.game import Game
from jantaku.game.events import HandStarted
from jantaku.records.native import rules_mark
from jantaku.records.native.rules_mark import KEY
from jantaku.records.unlogged import FOULS, unlogged_acts
from jantaku.rules import Ruleset

MIDDLE = "from_the_middle"
T = TypeVar("T")


def mark_of(game: Game) -> dict[str, Any]:
    """Return the mark to write into a log: rules, mid-game start, and acts the format cannot express."""
    mark = rules_mark.rules_mark(game.rules)
    if game.standing is not None:
        mark[MIDDLE] = True
    if acts := unlogged_acts(game):
        mark[FOULS] = acts
    return mark


def log_rules(
    head: Mapping[str, Any], given: Ruleset | None, otherwise: Callable[[], Sequence[Ruleset]]
) -> Sequence[Ruleset]:
    """Return the rules that a log may have been played under, likely ones first.

    They are those marked under ``jantaku``; for a log without a mark, ``given`` or else ``otherwise()``.

    Raises ``RecordError`` if the rules are missing, or their effect has changed since the time of writing.
    """
    mark = head.get(KEY)
    if isinstance(mark, Mapping):
        return [rules_mark.marked_rules(mark, given)]
    return [given] if given else otherwise()


def play_under(rules: Sequence[Ruleset], play: Callable[[Ruleset], T]) -> T:
    """Return ``play`` under the first rules that agree with the log; otherwise raise the first error."""
    errors: list[RecordError] = []
    for each in rules:
        try:
            return play(each)
        except RecordError as error:
            errors.append(error)
            if "engine" not in error.details:  # not a difference between log and rules
                break
    raise errors[0]


def require_seats(rules: Ruleset, format_name: str, limit: int) -> None:
    """Raise ``RecordError`` if the rules have more seats than the format supports."""
    if len(rules.seats) > limit:
        raise RecordError("record_seats", format=format_name, count=len(rules.seats), wanted=limit)


def check_players(rules: Ruleset, starts: Iterable[HandStarted]) -> None:
    """Raise ``RecordError`` if a hand of the log has a different number of players than the rules."""
    for start in starts:
        if len(start.scores) != len(rules.seats):
            raise RecordError("record_other_players", count=len(start.scores), wanted=len(rules.seats))


def may_start_mid_game(head: Mapping[str, Any]) -> bool:
    """Whether the log may start in the middle of a game."""
    mark = head.get(KEY)
    return not isinstance(mark, Mapping) or mark.get(MIDDLE) is True
