"""Plays games for the client's tests: what one seat is told, and what it sees after it.

``python web/record.py`` writes ``web/src/generated/stream.json``.
"""

import json
from pathlib import Path
from random import Random
from typing import Any

from jantaku import load
from jantaku.game import Game, hide

OUT = Path(__file__).parent / "src" / "generated" / "stream.json"
SEAT = 1
GAMES = 4
EVERY = 7  # of so many moves, one view is kept


def played(seed: int) -> list[dict[str, Any]]:
    """A game of random moves that like to call: events for the seat, and now and then its view."""
    rules = load("bgm-2025").with_changes({"match.length": "east"})
    game, rng, told = Game(rules, seed), Random(seed), 0  # noqa: S311
    steps: list[dict[str, Any]] = []
    while not game.is_over:
        seat = game.to_act[0]
        legal = game.legal(seat)
        game.play(seat, legal[-1] if rng.random() < 0.4 else rng.choice(legal))
        if len(game.played) % EVERY == 0 or game.is_over:
            events = [hide(event, SEAT).to_dict() for event in game.events[told:]]
            told = len(game.events)
            steps.append({"seq": told, "events": events, "view": game.view(SEAT).to_dict()})
    return steps


if __name__ == "__main__":
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps([played(seed) for seed in range(GAMES)], ensure_ascii=False), "utf-8")
