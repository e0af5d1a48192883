"""The hand calculator: values, waits, discards, explanations, hands to practise on.

The parts of an explanation mark the tiles in their sentences (``⟦123m⟧``): the browser shows pictures.
"""

import asyncio
import dataclasses
from collections.abc import Mapping
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Query

from jantaku import terms
from jantaku.adjudication.analysis import best_discards, shanten, waits
from jantaku.adjudication.explain import Explanation, explain, explain_failure
from jantaku.adjudication.jsonl import answer, shanten_answer
from jantaku.adjudication.named_rules import rules_of
from jantaku.adjudication.requests import (
    about,
    check_fields,
    melds_from_request,
    request_id,
    typed,
    win_from_request,
)
from jantaku.adjudication.score import score
from jantaku.errors import HandError
from jantaku.hand import Hand, Win
from jantaku.rules import Ruleset
from jantaku.server.api import DiscardRow, Discards, Drill, Explained, WaitRow, Waits
from jantaku.server.deps import Place, Tongue
from jantaku.server.drill import drill
from jantaku.tiles import Tile, format_tiles, parse_tiles

router = APIRouter(prefix="/api", tags=["hands"])
Request = Annotated[dict[str, Any], Body()]
HAND_FIELDS: Final = ("id", "hand", "melds", "dora", "seen")


async def _ruled(place: Place, request: Mapping[str, Any]) -> Ruleset | None:
    """Rules that a request names by the fingerprint they are saved under."""
    name = request.get("rules")
    if isinstance(name, str) and len(name) == 16 and name.isalnum():
        return await place.services.rulebooks.find(name)
    return None


def _without_rules(request: Mapping[str, Any], rules: Ruleset | None) -> dict[str, Any]:
    return {key: value for key, value in request.items() if key != "rules" or rules is None}


@router.post("/score")
async def hand_score(place: Place, tongue: Tongue, request: Request) -> dict[str, Any]:
    """What a win is worth (a request of the JSON-lines contract); refusals are answers too."""
    rules = await _ruled(place, request)
    with terms.using(tongue):
        return answer(_without_rules(request, rules), rules or "standard")


@router.post("/explain")
async def hand_explained(place: Place, tongue: Tongue, request: Request) -> Explained:
    """What a win is worth and why."""
    rules = await _ruled(place, request)
    asked = _without_rules(request, rules)
    with terms.using(tongue):
        with terms.with_pictures():
            found = answer(asked, rules or "standard")
        if "error" in found and found["error"]["code"] == "bad_request":
            return Explained(answer=found, explanation=None, text=found["error"]["message"])
        return Explained(answer=found, **explained(asked, rules or rules_of(asked), tongue))


def explained(request: Mapping[str, Any], rules: Ruleset, language: terms.Language) -> dict[str, Any]:
    """The explanation of a request that can be read, part by part and as plain ``text``."""
    win = win_from_request(request)
    with terms.with_pictures():
        parts = dataclasses.asdict(_explanation(win, rules, language))
    return {"explanation": parts, "text": _explanation(win, rules, language).text()}


def _explanation(win: Win, rules: Ruleset, language: terms.Language) -> Explanation:
    """Why a win is worth what it is, or why the hand may not win."""
    try:
        return explain(score(win, rules), language)
    except HandError as error:
        return explain_failure(win, rules, error, language)


def _hand(request: Mapping[str, Any]) -> tuple[Hand, tuple[Tile, ...]]:
    """The hand of a request and the tiles that lie open."""
    fields = check_fields(request, HAND_FIELDS)
    melds = melds_from_request(fields)
    with about("hand"):
        text = typed(fields, "hand", str)
        hand = Hand(tuple(parse_tiles(text)), melds, text)
    seen: list[Tile] = []
    for name in ("dora", "seen"):
        with about(name):
            seen += parse_tiles(typed(fields, name, str, default=""))
    return hand, tuple(seen)


@router.post("/waits")
def hand_waits(tongue: Tongue, request: Request) -> Waits:
    """What a hand of 13 tiles waits for."""
    with terms.using(tongue):
        hand, seen = _hand(request)
        rows = waits(hand, seen)
        found = [
            WaitRow(tile=format_tiles([wait.tile]), left=wait.left, forms=[f for f in wait.forms if f])
            for wait in rows
        ]
        return Waits(shanten=shanten(hand), waits=found)


@router.post("/discards")
def hand_discards(tongue: Tongue, request: Request) -> Discards:
    """What to discard from a hand of 14 tiles, the best first."""
    with terms.using(tongue):
        hand, seen = _hand(request)
        rows = [
            DiscardRow(
                tile=format_tiles([one.tile]),
                shanten=one.shanten,
                tiles=format_tiles(Tile(kind) for kind in one.tiles),
                count=one.copies,
            )
            for one in best_discards(hand, seen)
        ]
        return Discards(shanten=shanten(hand), discards=rows)


@router.post("/shanten")
def hand_shanten(tongue: Tongue, request: Request) -> dict[str, Any]:
    """How far a hand is from complete, by form."""
    request_id(request)
    with terms.using(tongue):
        return shanten_answer(request)


@router.get("/drill")
async def practice(
    place: Place,
    tongue: Tongue,
    rules: Annotated[str, Query(max_length=64)] = "standard",
    seed: Annotated[int, Query(ge=0, lt=1 << 31)] = 0,
) -> Drill:
    """A hand to count, the same for the same seed and rules."""
    found = await place.services.rulebooks.find(rules)
    request = await asyncio.to_thread(drill, found, seed)
    with terms.using(tongue):
        said = explained(request, found, tongue)
        asked = answer(request, found)
    return Drill(seed=seed, request=request | {"rules": rules}, answer={"score": asked, **said})
