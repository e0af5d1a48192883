"""Three-player logs by programs that always write four places, one of them without tiles, points or actions.

Bots for Mahjong Soul and Tenhou pad hands, points and payments this way; the empty place is last.
"""

from collections.abc import Sequence
from typing import Any, Final

from jantaku.records.mjai.write import HIDDEN, Message
from jantaku.records.places import PLACES

Row = tuple[int, Message]  # the line number and its message
BY_PLACE: Final = ("tehais", "scores", "deltas", "names")
PLACE_NAMES: Final = ("actor", "target", "oya", "id")


def without_empty_place(rows: Sequence[Row]) -> list[Row]:
    """Remove the empty place if the first hand has one among four; otherwise return the same messages."""
    start = next((message for _, message in rows if message["type"] == "start_kyoku"), {})
    empty = empty_place(start.get("tehais"), start.get("scores"))
    return list(rows) if empty is None else [(line, without_place(message, empty)) for line, message in rows]


def empty_place(hands: Any, scores: Any) -> int | None:
    """Return which of four places is empty, by the hands and points of a ``start_kyoku``, if any."""
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


def _is_empty(value: Any) -> bool:
    """Whether a value describes an empty place: no tiles or hidden ones, no points, no name."""
    return set(value) <= {HIDDEN} if isinstance(value, list) else value in (0, "", None)


def without_place(message: Message, empty: int) -> Message:
    """Return a message without the empty place."""
    shorter = dict(message)
    for field in BY_PLACE:
        values = shorter.get(field)
        if (
            isinstance(values, list)
            and len(values) == PLACES
            and (field == "names" or _is_empty(values[empty]))
        ):
            shorter[field] = [*values[:empty], *values[empty + 1 :]]
    for field in PLACE_NAMES:
        if type(shorter.get(field)) is int and shorter[field] >= empty:
            shorter[field] = shorter[field] - 1 if shorter[field] > empty else PLACES  # not a seat
    if type(message.get("oya")) is int and message.get("kyoku") == message["oya"] + 1:
        shorter["kyoku"] = shorter["oya"] + 1
    return shorter
