"""What a review says: the decisions of one seat, compared with better ones, and the course of the game."""

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

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

    ``win``, ``deal_in``, ``draw``: probability that the hand ends so.
    ``mean_win``, ``mean_deal_in``: points that a win gains and a deal-in costs, 0 if there was none.
    ``points``: mean change of the score in the hand.
    ``final``: expected final result in points, with uma and oka.
    ``places``: the chance of each place, from first to last.
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
    """The played action and the better one on the same deals of the unseen tiles.

    ``deals``: number of deals.
    ``loss``: how much the played action costs in points of the final result, combined with what such losses
    usually are.
    ``low``, ``high``: the interval that contains the loss with 90 % probability.
    ``played``, ``best``: outcome of the played and of the better action.
    """

    deals: int
    loss: float
    low: float
    high: float
    played: Outcome
    best: Outcome


@dataclass(frozen=True, kw_only=True)
class Fact(Strict):
    """A derived fact about both actions that explains a reason.

    ``code``: shanten, tiles (number of tiles that improve the hand) or waits (if it is tenpai), tenpai (how
    often it is at a draw), yaku (its share of the wins), dora (a discarded one), place (the chance of one
    place), or dangerous and safe (the tiles of the played and the better action).
    ``values``: numbers and names that fill its sentence; played and best are those of the two actions, wind
    is an opponent's, and safety says why a tile is safe or dangerous.
    """

    code: FactCode
    values: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Reason(Strict):
    """A part of a loss: the loss would not be worth showing without it.

    ``code``: the part: how often the hand wins or deals in, what that is worth, others (hands that end
    without either), or placement (final places alone).
    ``points``: its size in points of the final result.
    ``facts``: what explains it.
    """

    code: ReasonCode
    points: float
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ReviewedDecision(Strict):
    """A choice of the seat.

    ``step``: index of the action among all actions of the game.
    ``event``: index of the first event after it.
    ``hand``: index of the hand.
    ``kind``: what was to be decided.
    ``played``, ``best``: the action of the seat, and the judge's choice.
    ``verdict``: same if both are equal, mistake if the played action is clearly worse, sound if it is not
    much worse, unclear if the rollouts do not decide.
    ``rating``: the loss on the judge's own scale, ``None`` if it does not rate both actions.
    ``compared``: both actions played out, ``None`` without rollouts.
    ``mistake``: kind of a mistake.
    ``reasons``: reasons of a mistake, largest first.
    ``against``: parts of the loss in which the played action is better.
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
    """The review of one seat.

    ``seat``: the seat, 0 is the first dealer.
    ``judge``: name of the bot or program that chose the best actions.
    ``progress``: 1.0 if complete; until then decisions can still change.
    ``decisions``: all choices of the seat, in order.
    ``chances``: before each hand, and at the end of the game, the chance of each place for each seat.
    ``turning``: indices of the hands that changed the expected place most, in order.
    ``result``: the final result in points, ``None`` if the game is not over.
    ``expected``: the final result that every seat can expect at the start.
    ``cost``: points lost by mistakes.
    ``luck``: the rest of the result: what tiles and opponents gave or took; ``None`` without a result.
    """

    seat: Annotated[int, Within(0, 3)]
    judge: str
    progress: float
    decisions: tuple[ReviewedDecision, ...]
    chances: tuple[tuple[Chances, ...], ...]
    turning: tuple[int, ...] = ()
    result: float | None = None
    expected: float
    cost: float = 0.0
    luck: float | None = None

    @property
    def mistakes(self) -> tuple[ReviewedDecision, ...]:
        """The mistakes, costliest first."""
        found = [one for one in self.decisions if one.verdict == "mistake"]
        return tuple(sorted(found, key=lambda one: -one.loss))


@dataclass(frozen=True, kw_only=True)
class RulesOfReview(Strict):
    """The rules of a reviewed game.

    ``id``: name of the ruleset.
    ``fingerprint``: hash of its content.
    """

    id: str
    fingerprint: str


@dataclass(frozen=True, kw_only=True)
class ReviewFile(Strict):
    """Reviews of one game for other programs.

    ``version``: of this format.
    ``rules``: the rules of the game.
    ``names``: the players by seat; empty if the record has no names.
    ``reviews``: one review for each reviewed seat.
    ``error``: why the reviews are incomplete, ``None`` if they are complete.
    """

    version: Literal[1] = 1
    rules: RulesOfReview
    names: tuple[str, ...]
    reviews: tuple[Review, ...]
    error: str | None = None


_READER: Final = Reader(Review, nulls=True)
_FILE_READER: Final = Reader(ReviewFile, nulls=True)


def to_dict(review: Review) -> dict[str, Any]:
    """Return a review as plain data."""
    data: dict[str, Any] = _READER.write(review)
    return data


def from_dict(data: object) -> Review:
    """Read the output of ``to_dict``; raises ``RequestError``."""
    return _READER(data)


def file_to_dict(file: ReviewFile) -> dict[str, Any]:
    """Return reviews as plain data."""
    data: dict[str, Any] = _FILE_READER.write(file)
    return data


def file_from_dict(data: object) -> ReviewFile:
    """Read the output of ``file_to_dict``; raises ``RequestError``."""
    return _FILE_READER(data)
