"""The hands of a recorded game, from everything that was entered: additions, corrections and removals."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from jantaku.errors import RequestError

HandAction = Literal["add", "insert", "replace", "remove"]
MINUTE_MS: Final = 60_000


class HandVersion(NamedTuple):
    """One entry at a table: a hand added at the end or inserted, replaced or removed at ``place``.

    ``follows`` is the version before it, ``revision`` its place in this chain. ``seat`` is that of the
    ``person``, if they play; ``at`` is in milliseconds since 1970.
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
    """A hand as it stands: its newest ``version``, the seat that ``entered`` it, and when it first came."""

    version: str
    hand: Mapping[str, Any]
    entered: int | None
    since: int


def live_hands(versions: Iterable[HandVersion]) -> list[LiveHand]:
    """The hands in their order after all these entries, the oldest first."""
    hands: list[LiveHand] = []
    for version in versions:
        since = hands[version.place].since if version.action == "replace" else version.at
        if version.action in ("replace", "remove"):
            del hands[version.place]
        if version.hand is not None:
            hands.insert(version.place, LiveHand(version.id, version.hand, version.seat, since))
    return hands


def check_place(action: HandAction, place: int | None, hand: object, count: int) -> int:
    """The index at which an entry changes ``count`` hands; raises ``RequestError`` if it fits none."""
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
    """How many hands players can no longer change.

    A hand is locked ``window_min`` minutes after it was first entered, and with it all hands before it, since
    they decide its scores.
    """
    over = [i for i, hand in enumerate(hands) if now >= hand.since + window_min * MINUTE_MS]
    return over[-1] + 1 if over else 0
