"""The state of a match before a hand, for games that begin in the middle."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from jantaku.errors import RequestError, expect, phrase
from jantaku.game.engine import Record
from jantaku.game.events import HandStarted
from jantaku.rules import Ruleset
from jantaku.tally import MAX_POINTS

MAX_HANDS: Final = 20  # East 1 to North 4 and a round of sudden death
MAX_STICKS: Final = 10_000


@dataclass(frozen=True)
class Standing:
    """The state of a match before a hand.

    ``number`` counts hands from 0 for East 1, ``deposits`` riichi sticks on the table; ``scores`` are the
    points of each seat. Raises ``RequestError`` for impossible numbers.
    """

    number: int
    honba: int
    deposits: int
    scores: tuple[int, ...]

    def __post_init__(self) -> None:
        expect(self.scores, Sequence, "scores")
        for name, value, low, high in (
            ("number", self.number, 0, MAX_HANDS - 1),
            ("honba", self.honba, 0, MAX_STICKS),
            ("deposits", self.deposits, 0, MAX_STICKS),
            *(("scores", score, -MAX_POINTS, MAX_POINTS) for score in self.scores),
        ):
            if not isinstance(value, int) or not low <= value <= high:
                raise RequestError("number_range", field=name, value=value, low=low, high=high)

    def to_dict(self) -> dict[str, Any]:
        """Return the standing as plain data."""
        return asdict(self) | {"scores": list(self.scores)}

    def put(self, record: Record) -> None:
        """Write the standing to a record before its first deal; the owners of deposits remain unknown.

        Raises ``RequestError`` unless there is a score for each seat of the record.
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
    """Return the standing at the start of a game under the rules."""
    return Standing(0, 0, 0, (rules.match.start_points,) * len(rules.seats))


def standing_of(start: HandStarted) -> Standing:
    """Return the standing before a hand; raises ``RequestError`` for impossible numbers."""
    return Standing(start.number, start.honba, start.deposits, start.scores)


def standing_from(data: Mapping[str, Any]) -> Standing:
    """Read the output of ``Standing.to_dict``; raises ``RequestError``, ``LookupError`` or ``TypeError``."""
    return Standing(data["number"], data["honba"], data["deposits"], tuple(data["scores"]))
