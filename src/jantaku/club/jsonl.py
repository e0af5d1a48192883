"""Settle recorded games from JSON lines: one game per input line, one answer or error per output line."""

from collections.abc import Mapping
from typing import Any, Final

from jantaku.adjudication.jsonl import Answer
from jantaku.adjudication.named_rules import Find, rules_of
from jantaku.adjudication.requests import request_id
from jantaku.club.entered_results import END_FIELDS, check_hands_or_end, end_from, ended_game
from jantaku.club.event import SeatPenalty
from jantaku.club.settlement import SettledGame, settle
from jantaku.errors import JantakuError
from jantaku.fields import Fields, whole
from jantaku.rules import Ruleset
from jantaku.rules.options import POINTS

GAME_FIELDS: Final = ("id", "rules", "hands", *END_FIELDS, "penalties")
MAX_PENALTIES: Final = 100


def settle_answer(
    request: object, default_rules: Ruleset | str = "standard", find: Find | None = None
) -> Answer:
    """Settle the game of one request: the points, or ``{"id": …, "error": …}`` if a hand is impossible.

    ``default_rules`` apply if the request names none; ``find`` looks up a name that is not a preset. No
    request raises an exception.
    """
    try:
        fields = Fields(request, GAME_FIELDS)
        game = game_from(fields, rules_of(fields, default_rules, find))
    except JantakuError as error:
        return {"id": request_id(request), "error": refusal(error)}
    return {"id": request_id(request), **game.to_dict()}


def game_from(fields: Fields, rules: Ruleset) -> SettledGame:
    """Settle the ``hands`` or final ``scores`` of a JSON object, with its ``penalties``."""
    penalties = [(penalty.seat, penalty.points) for penalty in penalties_from(fields, rules.match.players)]
    check_hands_or_end(fields)
    if fields.get("scores") is not None:
        return ended_game(end_from(fields, rules), rules, penalties)
    return settle(fields.typed("hands", list), rules, penalties=penalties)


def penalties_from(fields: Fields, seats: int) -> list[SeatPenalty]:
    """Read the list ``penalties`` of a JSON object."""
    penalties = []
    for data, within in fields.entries("penalties", MAX_PENALTIES):
        penalty = Fields(data, ("seat", "points", "why"), within)
        seat = whole(penalty.typed("seat", int), f"{within}seat", 0, seats - 1)
        points = whole(penalty.typed("points", int), f"{within}points", -POINTS, POINTS)
        penalties.append(SeatPenalty(seat, points, penalty.text("why", "")))
    return penalties


def refusal(error: JantakuError) -> Mapping[str, Any]:
    """Return the error as JSON; ``hand`` is the index of the hand, or ``None`` for the whole game."""
    fields = {"code": error.code, "hand": error.details.get("hand"), "message": error.message()}
    return {**fields, "field": str(error.details["field"])} if "field" in error.details else fields
