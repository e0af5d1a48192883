"""Response bodies about single hands: scores, explanations, waits and discards."""

from typing import Literal

from jantaku.adjudication.explanation import Explanation
from jantaku.server.edge.wire import ScoreAnswer, Wire
from jantaku.server.rules.table_types import ShantenNumbers
from jantaku.server.study.hand_bodies import WinRequest


class AnswerProblem(Wire):
    """Why a hand may not win, or what is wrong with the request; then ``field`` says where."""

    code: str
    message: str
    field: str = ""


class RefusedAnswer(Wire):
    """The answer of the JSON-lines contract where there is no score."""

    id: str | int | None
    error: AnswerProblem


HandAnswer = ScoreAnswer | RefusedAnswer
ShantenAnswer = ShantenNumbers | RefusedAnswer


class DrillAnswer(Wire):
    """The score of a hand to count and its explanation, part by part and as one text."""

    score: HandAnswer
    explanation: Explanation
    text: str


class Drill(Wire):
    """A hand to count: the request, and its score with the explanation."""

    seed: int
    request: WinRequest
    answer: DrillAnswer


class Explained(Wire):
    """The score of a win and its explanation, both in parts and as one text."""

    answer: HandAnswer
    explanation: Explanation | None
    text: str


class WaitRow(Wire):
    """A tile kind that completes the hand, the copies left, and the forms it completes."""

    tile: str
    left: int
    forms: list[Literal["ryanmen", "shanpon", "kanchan", "penchan", "tanki"]]


class Waits(Wire):
    """The waits of a hand."""

    shanten: int
    waits: list[WaitRow]


class DiscardRow(Wire):
    """A discard: the shanten after it, the tiles that improve the hand, and how many are left."""

    tile: str
    shanten: int
    tiles: str
    count: int


class Discards(Wire):
    """Every discard, the best first."""

    shanten: int
    discards: list[DiscardRow]
