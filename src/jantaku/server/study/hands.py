"""Single hands: their scores with explanations, waits, discards and shanten.

The browser draws marked tiles in explanations (``⟦123m⟧``) as pictures.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, NamedTuple

from fastapi import Body
from pydantic import BeforeValidator, PlainSerializer

from jantaku import terms
from jantaku.adjudication import requests
from jantaku.adjudication.analysis import best_discards, shanten_forms, waits
from jantaku.adjudication.explain import explain, explain_failure
from jantaku.adjudication.explanation import Explanation
from jantaku.adjudication.jsonl import answer, shanten_answer
from jantaku.adjudication.named_rules import rules_of
from jantaku.adjudication.recorded_score import RecordedScore
from jantaku.adjudication.requests import ShantenRequest, Text, request_id, tiles_of, win_from_request
from jantaku.adjudication.score import score
from jantaku.errors import HandError
from jantaku.hand import Hand
from jantaku.reading import Reader
from jantaku.rules import Ruleset
from jantaku.server.edge.bodies import router_of
from jantaku.server.edge.work import compiled_job
from jantaku.server.people.auth_dependencies import InjectedServices, Requester, RequestLanguage
from jantaku.server.rules.bodies import OptionValue, ShantenNumbers
from jantaku.terms import Language
from jantaku.tiles import Tile, format_tiles
from jantaku.win import Win
from jantaku.wire import Wire


class HandRequest(ShantenRequest):
    """A hand with the dora indicators and other visible tiles."""

    dora: Text = ""
    seen: Text = ""


class WinRequest(requests.WinRequest):
    """A win: the hand without its winning tile, and how it was won."""

    rules: str | dict[str, OptionValue] | None = None


def _unchanged(body: Any) -> Any:
    return body


ShantenBody = Annotated[
    dict[str, Any], Body(), BeforeValidator(_unchanged, json_schema_input_type=ShantenRequest)
]
HandBody = Annotated[dict[str, Any], Body(), BeforeValidator(_unchanged, json_schema_input_type=HandRequest)]
WinBody = Annotated[dict[str, Any], Body(), BeforeValidator(_unchanged, json_schema_input_type=WinRequest)]


class AnswerProblem(Wire):
    """Why a hand may not win, or why the request is invalid; then ``field`` is the invalid field."""

    code: str
    message: str
    field: str = ""


@dataclass(frozen=True, kw_only=True)
class ScoreAnswer(RecordedScore):
    """A score as in the JSON-lines contract; ``not_stated`` lists facts the request omitted."""

    id: str | int | None
    not_stated: tuple[Literal["from"], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Convert the answer to JSON data."""
        open_ = {"not_stated": list(self.not_stated)} if self.not_stated else {}
        return {"id": self.id, **super().to_dict(), **open_}


class RefusedAnswer(Wire):
    """A refusal as in the JSON-lines contract."""

    id: str | int | None
    error: AnswerProblem


# a lambda, since the return type of a method would become the schema
WrittenScore = Annotated[ScoreAnswer, PlainSerializer(lambda score: score.to_dict())]
HandAnswer = WrittenScore | RefusedAnswer
ShantenAnswer = ShantenNumbers | RefusedAnswer


class Explained(Wire):
    """The score of a win, with its explanation in parts and as one text."""

    answer: HandAnswer
    explanation: Explanation | None
    text: str


class WaitRow(Wire):
    """A kind that completes the hand, the copies left, and the forms of the wait."""

    tile: str
    left: int
    forms: list[Literal["ryanmen", "shanpon", "kanchan", "penchan", "tanki"]]


class Waits(Wire):
    """The waits of a hand."""

    shanten: int
    waits: list[WaitRow]


class DiscardRow(Wire):
    """A discard: the shanten after it, the kinds that improve the hand, and how many copies are left."""

    tile: str
    shanten: int
    tiles: str
    count: int


class Discards(Wire):
    """All discards, best first."""

    shanten: int
    discards: list[DiscardRow]


Data = dict[str, Any]


@compiled_job
def score_hand(request: Mapping[str, Any], language: Language) -> Data:
    """Answer a scoring request that contains its rules."""
    with terms.using(language):
        return answer(request)


@compiled_job
def explain_hand(request: Mapping[str, Any], language: Language) -> Data:
    """Explain a request that contains its rules; return ``Explained`` as data."""
    return explained_answer(request, None, language).model_dump()


def explained_answer(
    request: Mapping[str, Any], rules: Ruleset | None, language: terms.Language
) -> Explained:
    """Score and explain a win under ``rules``, or those in the request."""
    with terms.using(language):
        with terms.with_pictures():
            reply: Any = answer(request, rules or "standard")
        if "error" in reply and reply["error"]["code"] == "bad_request":
            return Explained(answer=reply, explanation=None, text=reply["error"]["message"])
        return Explained(answer=reply, **explained(request, rules or rules_of(request), language))


def explained(request: Mapping[str, Any], rules: Ruleset, language: terms.Language) -> dict[str, Any]:
    """Explain a valid request, in parts and as one plain ``text``."""
    win = win_from_request(request)
    with terms.with_pictures():
        parts = _explanation(win, rules, language)
    return {"explanation": parts, "text": _explanation(win, rules, language).text()}


def _explanation(win: Win, rules: Ruleset, language: terms.Language) -> Explanation:
    """Explain the score of a win, or why the hand may not win."""
    try:
        return explain(score(win, rules), language)
    except HandError as error:
        return explain_failure(win, rules, error, language)


router = router_of("/api", "hands")
_HANDS: Final = Reader(HandRequest)


async def _named_rules(services: InjectedServices, request: Mapping[str, Any]) -> Ruleset | None:
    """Return the house rules or saved rules that a request refers to by id, if any."""
    name, rulesets = request.get("rules"), services.rulesets
    if isinstance(name, str) and (rulesets.house_rules(name) or (len(name) == 16 and name.isalnum())):
        return await rulesets.find(name)
    return None


def _brings_rules(request: Mapping[str, Any]) -> bool:
    """Whether a request contains a whole ruleset, which is slow to parse."""
    return isinstance(request.get("rules"), Mapping)


def _without_rules(request: Mapping[str, Any], rules: Ruleset | None) -> dict[str, Any]:
    return {key: value for key, value in request.items() if key != "rules" or rules is None}


@router.post("/score", response_model=HandAnswer, response_model_exclude_unset=True)
async def hand_score(
    services: InjectedServices, language: RequestLanguage, asker: Requester, request: WinBody
) -> dict[str, Any]:
    """Score a win (a JSON-lines request); a refusal is also a normal response."""
    if _brings_rules(request):
        reply: dict[str, Any] = await services.workers.run(asker, score_hand, request, language)
        return reply
    rules = await _named_rules(services, request)
    with terms.using(language):
        return answer(_without_rules(request, rules), rules or "standard")


@router.post("/explain", response_model_exclude_unset=True)
async def hand_explained(
    services: InjectedServices, language: RequestLanguage, asker: Requester, request: WinBody
) -> Explained:
    """Score and explain a win."""
    if _brings_rules(request):
        return Explained(**await services.workers.run(asker, explain_hand, request, language))
    rules = await _named_rules(services, request)
    return explained_answer(_without_rules(request, rules), rules, language)


class _HandQuestion(NamedTuple):
    """The hand of a request, the visible tiles, and its options for waits."""

    hand: Hand
    seen: tuple[Tile, ...]
    man: str
    kita: int
    in_melds: bool


def _hand(request: Mapping[str, Any]) -> _HandQuestion:
    parsed = _HANDS(request)
    hand, seen = parsed.read(), (*tiles_of(parsed, "dora"), *tiles_of(parsed, "seen"))
    return _HandQuestion(hand, seen, parsed.man, parsed.kita, parsed.wait_in_melds)


def _shanten(question: _HandQuestion) -> int:
    return shanten_forms(question.hand, question.man, question.kita, question.in_melds).shanten


@router.post("/waits")
def hand_waits(language: RequestLanguage, request: HandBody) -> Waits:
    """Return the waits of a hand of 13 tiles."""
    with terms.using(language):
        question = _hand(request)
        rows = waits(*question)
        shown = [
            WaitRow(tile=format_tiles([wait.tile]), left=wait.left, forms=[f for f in wait.forms if f])
            for wait in rows
        ]
        return Waits(shanten=_shanten(question), waits=shown)


@router.post("/discards")
def hand_discards(language: RequestLanguage, request: HandBody) -> Discards:
    """Return the discards of a hand of 14 tiles, best first."""
    with terms.using(language):
        question = _hand(request)
        rows = [
            DiscardRow(
                tile=format_tiles([discard.tile]),
                shanten=discard.shanten,
                tiles=format_tiles(Tile(kind) for kind in discard.tiles),
                count=discard.copies,
            )
            for discard in best_discards(*question)
        ]
        return Discards(shanten=_shanten(question), discards=rows)


@router.post("/shanten", response_model=ShantenAnswer, response_model_exclude_unset=True)
def hand_shanten(language: RequestLanguage, request: ShantenBody) -> dict[str, Any]:
    """Return the shanten of a hand for each form."""
    request_id(request)
    with terms.using(language):
        return shanten_answer(request)
