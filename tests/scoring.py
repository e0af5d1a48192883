"""Requests of the JSON-lines contract as wins, and what the compiled scorer answers to them."""

from collections.abc import Mapping
from typing import Any

from jantaku.adjudication.score import score
from jantaku.errors import HandError, JantakuError
from jantaku.hand import Hand, Meld, Win
from jantaku.rules import Ruleset
from jantaku.tiles import parse_tile, parse_tiles

Request = Mapping[str, Any]
Answer = dict[str, Any]

_SAME_NAME = (
    "round", "seat", "riichi", "ippatsu", "last_tile", "rinshan", "chankan", "first_turn",
    "riichi_tile", "discarder_riichi", "furiten", "honba", "deposits", "dealer_streak",
)  # fmt: skip
_DEFAULTS = {"round": "east", "seat": "south", "by": "ron", "melds": [], "dora": "", "ura": ""}


def full(request: Request) -> dict[str, Any]:
    """A short request with what it leaves out: a ron by South in the East round from across."""
    by = request.get("by", "ron")
    return {**_DEFAULTS, "from": "across" if by == "ron" else None, **request}


def win_of(request: Request) -> Win:
    """The win that a request describes, each field read from its own name."""
    melds = [
        Meld.parse(m["type"], m["tiles"], m.get("called"), m.get("from")) for m in request["melds"]
    ]
    tsumo = request["by"] == "tsumo"
    return Win(
        Hand.parse(request["hand"], melds),
        parse_tile(request["win"]),
        tsumo=tsumo,
        source=None if tsumo else request.get("from"),
        dora=tuple(parse_tiles(request["dora"])),
        ura=tuple(parse_tiles(request["ura"])),
        pao=dict(request.get("pao") or {}),
        **{name: request[name] for name in _SAME_NAME if name in request},
    )


def answer(request: Request, rules: Ruleset) -> Answer:
    """The compiled scorer's answer: the result, or the code of the error."""
    try:
        return score(win_of(request), rules).to_dict()
    except HandError as error:
        return {"error": {"code": error.code}}


def summary(found: Answer) -> str:
    """``2 han 40 fu 2600 riichi pinfu``, ``yakuman×2 64000 daisuushii tsuuiisou``, or an error code."""
    if "error" in found:
        return str(found["error"]["code"])
    value = f"{found['han']} han {found['fu']} fu"
    if found["yakuman"]:
        value = f"yakuman×{found['yakuman']}"
    return " ".join([value, str(found["points"]), *found["yaku"]])


def refusal(request: Request, rules: Ruleset) -> str:
    """The code with which a request is refused, whatever refuses it; empty where it is not."""
    try:
        score(win_of(request), rules)
    except JantakuError as error:
        return error.code
    return ""
