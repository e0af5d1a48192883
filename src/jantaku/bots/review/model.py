"""What a review says: the decisions of one seat, compared with better ones, and the course of the game."""

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from jantaku.bots.judge import Unit
from jantaku.bots.place_chances import Chances
from jantaku.game.actions import NotatedAction
from jantaku.reading import Reader, Strict, Within

DecisionKind = Literal["discard", "riichi", "call", "kan", "kita", "win", "other"]
Verdict = Literal["same", "sound", "unclear", "mistake"]
MistakeKind = Literal[
    "efficiency", "value", "defence", "push_fold", "riichi", "calls", "kan", "kita", "win", "placement"
]
ReasonCode = Literal["win_rate", "win_value", "deal_in_rate", "deal_in_cost", "others", "placement"]
FactCode = Literal["shanten", "tiles", "waits", "tenpai", "yaku", "dora", "place", "safe", "dangerous"]


@dataclass(frozen=True, kw_only=True)
class Outcome(Strict):
    """What rollouts of one action say.

    ``win``, ``deal_in``, ``draw``: probabilities for the hand. ``mean_win`` and ``mean_deal_in``: points that
    a win gains and a deal-in costs, 0 if there was none. ``points``: mean change of the score in the hand.
    ``final``: expected final result in points, with uma and oka. ``places``: the chance of each place.
    """

    win: float
    mean_win: float
    deal_in: float
    mean_deal_in: float
    draw: float
    points: float
    final: float
    places: Chances


@dataclass(frozen=True, kw_only=True)
class Comparison(Strict):
    """The played action and the better one on the same ``deals`` of the unseen tiles.

    ``loss``: how much the played action costs in points of the final result, combined with what such losses
    usually are; ``low`` and ``high``: the interval that contains it with 90 % probability.
    """

    deals: int
    loss: float
    low: float
    high: float
    played: Outcome
    best: Outcome


@dataclass(frozen=True, kw_only=True)
class Fact(Strict):
    """A derived fact about both actions that explains a reason. ``values`` fill its sentence.

    ``shanten``: shanten ``played`` and ``best``. ``tiles``: number of improving tiles of both, ``waits`` if
    tenpai. ``tenpai``: how often the hand is tenpai at a draw. ``yaku``: the yaku ``yaku``, in the shares
    ``played`` and ``best`` of the wins. ``dora``: a dora discarded. ``place``: the chance of a place.
    ``dangerous`` and ``safe``: how safe the tiles of the played and the better action are from the player of
    a ``wind``; ``safety`` is that of ``bots.review.safety``.
    """

    code: FactCode
    values: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Reason(Strict):
    """A part of a loss: the loss would not be worth showing without it. ``points``: its size."""

    code: ReasonCode
    points: float
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ReviewedDecision(Strict):
    """A choice at ``step`` of the game, before its event ``event``, in the hand with index ``hand``.

    ``best``: the judge's choice. ``verdict``: ``same`` if both are equal, ``mistake`` if the played action is
    clearly worse, ``sound`` if it is not much worse, and ``unclear`` if the rollouts do not decide.
    ``rating``: the loss on the judge's own scale, ``None`` if it does not rate both actions. ``compared`` is
    ``None`` without rollouts. ``mistake`` and ``reasons``, largest first, are those of a mistake; ``against``
    are parts in which the played action is better.
    """

    step: int
    event: int
    hand: int
    kind: DecisionKind
    played: NotatedAction
    best: NotatedAction
    verdict: Verdict
    rating: float | None = None
    compared: Comparison | None = None
    mistake: MistakeKind | None = None
    reasons: tuple[Reason, ...] = ()
    against: tuple[Reason, ...] = ()

    @property
    def loss(self) -> float:
        """The loss of a mistake in points; 0 for any other decision."""
        return self.compared.loss if self.verdict == "mistake" and self.compared else 0.0


@dataclass(frozen=True, kw_only=True)
class Review(Strict):
    """The review of one seat by ``judge``.

    ``progress`` grows to 1.0; until then decisions can still change. ``unit``: of the ratings. ``chances``:
    before each hand, and at the end, the chance of each place for each seat. ``result``: the final points,
    ``None`` if the game has none. ``expected``: the final points that every seat can expect at the start.
    ``cost``: points lost by mistakes. ``luck``: what tiles and opponents gave or took, the rest of the
    result; ``None`` without one.
    """

    seat: Annotated[int, Within(0, 3)]
    judge: str
    unit: Unit
    progress: float
    decisions: tuple[ReviewedDecision, ...]
    chances: tuple[tuple[Chances, ...], ...]
    result: float | None = None
    expected: float
    cost: float = 0.0
    luck: float | None = None

    @property
    def mistakes(self) -> tuple[ReviewedDecision, ...]:
        """The mistakes, costliest first."""
        found = [one for one in self.decisions if one.verdict == "mistake"]
        return tuple(sorted(found, key=lambda one: -one.loss))


_READER: Final = Reader(Review)


def to_dict(review: Review) -> dict[str, Any]:
    """Return a review as plain data."""
    data: dict[str, Any] = _READER.write(review)
    return data


def from_dict(data: object) -> Review:
    """Read the output of ``to_dict``; raises ``RequestError``."""
    return _READER(data)
