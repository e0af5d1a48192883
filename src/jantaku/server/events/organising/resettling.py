"""What a game that was played comes to under other rules."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from jantaku.club.entered_results import GameEnd, check_end
from jantaku.club.event_file_games import ended_result, result_of
from jantaku.club.settlement import settle
from jantaku.errors import JantakuError
from jantaku.rules import Ruleset
from jantaku.server.errors import ServerError


class GameToSettle(NamedTuple):
    """A game as it was entered: its hands, or how it ended; ``counts`` if it is confirmed."""

    id: str
    hands: Sequence[Mapping[str, Any]]
    ended_with: GameEnd | None
    counts: bool


class Resettled(NamedTuple):
    """What it comes to, or why it cannot be."""

    id: str
    result: dict[str, Any] | None
    problem: JantakuError | None


def resettled(game: GameToSettle, rules: Ruleset) -> Resettled:
    """A game under other rules; one that counts must be over by them."""
    try:
        if game.ended_with is not None:
            check_end(game.ended_with, rules)
            result = ended_result(game.ended_with, rules)
        else:
            result = result_of(settle(list(game.hands), rules))
    except JantakuError as error:
        return Resettled(game.id, None, error)
    if game.counts and result["final"] is None:
        return Resettled(game.id, None, ServerError("rules_not_over"))
    return Resettled(game.id, result, None)
