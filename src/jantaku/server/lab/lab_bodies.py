"""Request and response bodies of the lab."""

from typing import Annotated, Literal

from pydantic import Field

from jantaku.adjudication.requests import MOST_MELDS
from jantaku.fields import MOST_TEXT
from jantaku.hand import Wind
from jantaku.kernels.win import MOST_SEATS
from jantaku.lab.experiment.rows import Kind
from jantaku.server.edge.shared_bodies import Problem, RulesName
from jantaku.server.edge.wire import MeldWire, Wire
from jantaku.server.rules.rules_bodies import Toml
from jantaku.tiles import COPIES

Text = Annotated[str, Field(max_length=MOST_TEXT)]
Games = Annotated[int, Field(ge=2, le=1_000_000)]
Triple = Annotated[
    list[float], Field(min_length=3, max_length=3, description="Estimate, low and high of 95 %")
]
Order = Literal["place", "points", "final", "win", "deal_in"]


class RulesQuestionBody(Wire):
    """A question what a rules file changes against a ruleset; ``games`` are played under each.

    ``luck``: as many again with one better bot, to see how often it wins.
    """

    toml: Toml
    against: RulesName
    games: Games
    luck: bool = False


class HandQuestionBody(Wire):
    """A question which discard is best. What is left out is unknown; docs/lab.md explains the rivers."""

    hand: Text
    melds: Annotated[list[MeldWire], Field(default_factory=list, max_length=MOST_MELDS)]
    rules: RulesName = "standard"
    games: Games
    by: Order = "place"
    round: Wind = "east"
    number: Annotated[int, Field(ge=1, le=MOST_SEATS)] = 1
    seat: Wind = "south"
    dora: Text = ""
    honba: Annotated[int, Field(ge=0, le=100)] = 0
    deposits: Annotated[int | None, Field(ge=0, le=100)] = None
    kita: Annotated[int, Field(ge=0, le=COPIES)] = 0
    scores: Annotated[list[int] | None, Field(max_length=MOST_SEATS)] = None
    turn: Annotated[int | None, Field(ge=1, le=24)] = None
    discards: Text = ""
    right: Text = ""
    across: Text = ""
    left: Text = ""


class MomentQuestionBody(Wire):
    """The same question for the seat that acts at step ``step`` of a finished or uploaded game."""

    source: Literal["games", "uploads"]
    game: Annotated[str, Field(max_length=64)]
    step: Annotated[int, Field(ge=0, le=100_000)]
    games: Games
    by: Order = "place"


class ChangedOption(Wire):
    """One option that the rules differ in, in words."""

    label: str
    before: str
    after: str


class LabRow(Wire):
    """One quantity before and after; ``clear``: the interval of the change leaves out zero.

    ``whole``: it is about a game as a whole, as organisers ask. ``decision_s`` of the answer turned its
    decisions into minutes.
    The intervals of all rows' changes hold together, and while games are played.
    """

    group: str
    label: str
    kind: Kind
    before: Triple | None
    after: Triple | None
    change: Triple | None
    clear: bool
    whole: bool


class RulesAnswer(Wire):
    """What is known so far of what a change of the rules does."""

    names: list[str]
    changes: list[ChangedOption]
    findings: Annotated[list[str], Field(description="What the rows say, in sentences")]
    hands: int
    decision_s: float
    rows: list[LabRow]


class ChoiceRow(Wire):
    """One choice of a hand and its estimates (docs/lab.md).

    ``how``: discard, riichi, open, tsumo, ankan, kakan, kita or nine_terminals.
    """

    how: str
    tile: str | None
    win: Triple
    tsumo: Triple
    deal_in: Triple
    draw: Triple
    points: Triple
    place: Triple
    final: Triple
    against_best: dict[str, Triple] | None


class ChoicesAnswer(Wire):
    """What is known so far of the choices of a hand, the best first."""

    rules_name: str
    by: Order
    choices: list[ChoiceRow]


class LabQuestion(Wire):
    """A question: how far it is, and what is known.

    ``ahead``: how many questions are worked on before it. ``stopped``: somebody cancelled it. ``failed``:
    ``error`` says why. ``games`` of ``wanted`` have been played.
    """

    id: str
    kind: Literal["rules", "hand"]
    state: Literal["waiting", "working", "done", "stopped", "failed"]
    ahead: int
    games: int
    wanted: int
    error: Problem | None
    rules: RulesAnswer | None
    hand: ChoicesAnswer | None


class LabQuestionRow(Wire):
    """A question in a list."""

    id: str
    kind: Literal["rules", "hand"]
    state: Literal["waiting", "working", "done", "stopped", "failed"]
    names: list[str]


class LabInfo(Wire):
    """What this server allows: the most games of each kind of question, 0 for none; and my own questions."""

    rules_games: int
    hand_games: int
    questions: list[LabQuestionRow]
