"""Routes of hands. The browser draws marked tiles in explanations (``⟦123m⟧``) as pictures."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from jantaku import terms
from jantaku.adjudication.analysis import best_discards, shanten_forms, waits
from jantaku.adjudication.jsonl import answer, shanten_answer
from jantaku.adjudication.requests import request_id, tiles_of
from jantaku.hand import Hand
from jantaku.reading import Reader
from jantaku.rules import Ruleset
from jantaku.server.edge.bodies import router_of
from jantaku.server.people.auth_dependencies import InjectedServices, Requester, RequestLanguage
from jantaku.server.study.answers import (
    DiscardRow,
    Discards,
    Explained,
    HandAnswer,
    HandBody,
    HandRequest,
    ShantenAnswer,
    ShantenBody,
    WaitRow,
    Waits,
    WinBody,
    explain_hand,
    explained_answer,
    score_hand,
)
from jantaku.tiles import Tile, format_tiles

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
