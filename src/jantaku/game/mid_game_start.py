"""The state of a game before a hand, for games that begin in the middle."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from jantaku.errors import RequestError, expect, phrase
from jantaku.game.engine import Record
from jantaku.game.events import HandStarted
from jantaku.rules import Ruleset
from jantaku.tally import MOST_POINTS

MOST_HANDS: Final = 20  # East 1 to North 4, and a round of sudden death
MOST_STICKS: Final = 10_000


@dataclass(frozen=True)
class Standing:
    """A hand's ``number`` since East 1, honba, riichi sticks on the table, and the points of each seat."""

    number: int
    honba: int
    deposits: int
    scores: tuple[int, ...]

    def __post_init__(self) -> None:
        """Raise ``RequestError`` for impossible numbers."""
        expect(self.scores, Sequence, "scores")
        for name, value, low, high in (
            ("number", self.number, 0, MOST_HANDS - 1),
            ("honba", self.honba, 0, MOST_STICKS),
            ("deposits", self.deposits, 0, MOST_STICKS),
            *(("scores", score, -MOST_POINTS, MOST_POINTS) for score in self.scores),
        ):
            if not isinstance(value, int) or not low <= value <= high:
                raise RequestError("number_range", field=name, value=value, low=low, high=high)

    def to_dict(self) -> dict[str, Any]:
        """The standing as plain data."""
        return asdict(self) | {"scores": list(self.scores)}

    def put(self, record: Record) -> None:
        """Write the standing to a record before its first deal. The owners of the deposits stay unknown.

        Raises ``RequestError`` unless there are points for each seat of the record.
        """
        match = record.match
        if len(self.scores) != int(match.seats):
            raise RequestError(
                "wrong_type", field="scores", wanted=phrase("errors.kinds.numbers", count=int(match.seats))
            )
        match.number, match.honba, match.deposits = self.number, self.honba, self.deposits
        for seat, score in enumerate(self.scores):
            match.scores[seat] = score


def beginning(rules: Ruleset) -> Standing:
    """The standing at the start of a game under the rules."""
    return Standing(0, 0, 0, (rules.match.start_points,) * len(rules.seats))


def standing_of(start: HandStarted) -> Standing:
    """The standing before a hand; raises ``RequestError`` if it is impossible."""
    return Standing(start.number, start.honba, start.deposits, start.scores)


def standing_from(data: Mapping[str, Any]) -> Standing:
    """Read the output of ``Standing.to_dict``; raises ``RequestError``, ``LookupError`` or ``TypeError``."""
    return Standing(data["number"], data["honba"], data["deposits"], tuple(data["scores"]))
