"""Logs of three players by programs that always write four places: one has no tiles, points or actions.

Bots for Mahjong Soul and Tenhou pad hands, points and payments in this way, the empty place last.
"""

from collections.abc import Sequence
from typing import Any, Final

from jantaku.records.mjai.write import HIDDEN, Message
from jantaku.records.places import PLACES

Row = tuple[int, Message]  # the line number and its message
BY_PLACE: Final = ("tehais", "scores", "deltas", "names")
PLACE_NAMES: Final = ("actor", "target", "oya", "id")


def without_empty_place(rows: Sequence[Row]) -> list[Row]:
    """The messages with three places if the first hand leaves one of four empty; otherwise as they are."""
    start = next((message for _, message in rows if message["type"] == "start_kyoku"), {})
    empty = empty_place(start.get("tehais"), start.get("scores"))
    return list(rows) if empty is None else [(line, without_place(message, empty)) for line, message in rows]


def empty_place(hands: Any, scores: Any) -> int | None:
    """The empty one of four places, by the hands and points of a ``start_kyoku``; ``None`` without one."""
    if not isinstance(hands, list):
        return None
    if scores is None:  # the original protocol has no points here
        seats = [seat for seat, hand in enumerate(hands) if hand == []]
        return seats[0] if len(seats) == 1 and len(hands) == PLACES else None
    if not isinstance(scores, list) or len(scores) != PLACES:
        return None
    if len(hands) == PLACES - 1:
        seats = [PLACES - 1]
    else:
        seats = [seat for seat, hand in enumerate(hands) if isinstance(hand, list) and _is_empty(hand)]
    alone = len(seats) == 1 and seats[0] < PLACES and scores[seats[0]] == 0
    return seats[0] if alone else None


def _is_empty(held: Any) -> bool:
    """Whether nothing is said of a place: no tiles or unknown ones, no points, no name."""
    return set(held) <= {HIDDEN} if isinstance(held, list) else held in (0, "", None)


def without_place(message: Message, empty: int) -> Message:
    """A message without the place that nobody plays at."""
    shorter = dict(message)
    for field in BY_PLACE:
        held = shorter.get(field)
        if isinstance(held, list) and len(held) == PLACES and (field == "names" or _is_empty(held[empty])):
            shorter[field] = [*held[:empty], *held[empty + 1 :]]
    for field in PLACE_NAMES:
        if type(shorter.get(field)) is int and shorter[field] >= empty:
            shorter[field] = shorter[field] - 1 if shorter[field] > empty else PLACES  # nobody sits there
    if type(message.get("oya")) is int and message.get("kyoku") == message["oya"] + 1:
        shorter["kyoku"] = shorter["oya"] + 1
    return shorter
