"""The hands of a recorded game, from its history of additions, corrections and removals."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from jantaku.errors import RequestError

HandAction = Literal["add", "insert", "replace", "remove"]
MINUTE_MS: Final = 60_000


class HandVersion(NamedTuple):
    """One entry in a game's history: a hand added at the end, or inserted, replaced or removed at ``place``.

    ``follows`` is the id of the previous version, ``revision`` its position in this chain. ``seat`` is the
    seat of ``person``, if they play at the table. ``at`` is in milliseconds since 1970.
    """

    id: str
    follows: str
    revision: int
    action: str
    place: int
    hand: Mapping[str, Any] | None
    person: str | None
    seat: int | None
    at: int
    why: str


@dataclass(frozen=True, slots=True)
class LiveHand:
    """A current hand: its newest ``version``, the seat that ``entered`` it, and when it was first entered."""

    version: str
    hand: Mapping[str, Any]
    entered: int | None
    since: int


def live_hands(versions: Iterable[HandVersion]) -> list[LiveHand]:
    """Return the current hands, in order, after all these entries; the oldest entry comes first."""
    hands: list[LiveHand] = []
    for version in versions:
        since = hands[version.place].since if version.action == "replace" else version.at
        if version.action in ("replace", "remove"):
            del hands[version.place]
        if version.hand is not None:
            hands.insert(version.place, LiveHand(version.id, version.hand, version.seat, since))
    return hands


def check_place(action: HandAction, place: int | None, hand: object, count: int) -> int:
    """Return the index at which an entry changes ``count`` hands; raise ``RequestError`` if it is invalid."""
    if (hand is None) != (action == "remove"):
        code = "missing_field" if hand is None else "unknown_field"
        raise RequestError(code, field="hand", known="action, place")
    if action == "add":
        return count
    if place is None:
        raise RequestError("missing_field", field="place")
    if not 0 <= place < count:
        raise RequestError("number_range", field="place", value=place, low=0, high=count - 1)
    return place


def locked_from(hands: Sequence[LiveHand], now: int, window_min: int) -> int:
    """Return the number of hands that players can no longer change.

    A hand locks ``window_min`` minutes after its first entry. All earlier hands lock with it, since its
    scores depend on them.
    """
    over = [i for i, hand in enumerate(hands) if now >= hand.since + window_min * MINUTE_MS]
    return over[-1] + 1 if over else 0
