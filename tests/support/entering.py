"""A game of the engine as people would enter it at a table."""

from typing import Any

from jantaku.game import Game
from jantaku.game.events import (
    HandDrawn,
    HandStarted,
    RiichiAccepted,
    Won,
)

SEATS = ("east", "south", "west", "north")


def entered(game: Game) -> list[dict[str, Any]]:
    """The hands of a finished game, in the JSON of the contract."""
    hands: list[dict[str, Any]] = []
    riichi: list[int] = []
    dealer = 0
    for event in game.events:
        if isinstance(event, HandStarted):
            riichi, dealer = [], event.dealer
        elif isinstance(event, RiichiAccepted):
            riichi.append(event.seat)
        elif isinstance(event, Won):
            if not hands or hands[-1].get("open") is not riichi:
                by = {"end": "tsumo"} if event.source is None else {"end": "ron", "from": event.source}
                hands.append({**by, "riichi": riichi, "wins": [], "open": riichi})
            hands[-1]["wins"].append(win_of(event, dealer))
        elif isinstance(event, HandDrawn):
            hands.append(drawn(event, riichi))
    for hand in hands:
        hand.pop("open", None)
    return hands


def drawn(event: HandDrawn, riichi: list[int]) -> dict[str, Any]:
    if event.kind == "exhausted":
        return {
            "end": "draw", "riichi": riichi, "tenpai": list(event.tenpai), "nagashi": list(event.nagashi),
        }  # fmt: skip
    return {"end": "abort", "kind": event.kind, "riichi": riichi}


def win_of(event: Won, dealer: int) -> dict[str, Any]:
    score = event.score.to_dict()
    if score["yakuman"]:
        return {"seat": event.seat, "yakuman": score["yakuman"]}
    return {"seat": event.seat, "han": score["han"], "fu": score["fu"]}
