"""Plays games for the client's tests: the messages to one seat, and its view after them.

``python web/record.py`` writes ``web/src/generated/stream.json``, and ``hands.json`` with settled hands.
"""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from hands import hands_for_tests

from jantaku import Ruleset, load
from jantaku.bots import bot
from jantaku.game import Action, Game, hide
from jantaku.game.fair_walls import live_wall, replacement_tiles

OUT = Path(__file__).parent / "src" / "generated" / "stream.json"
SEAT = 1
GAMES = 4
WON = (5, 6)  # seeds of bot games with riichi and wins
FOULS = 0.01  # how often the careless player fouls
EVERY = 7  # a view is kept every so many moves


def at_random(seed: int) -> Callable[[Game, int], Action]:
    """A player that likes to call."""
    rng = Random(seed)  # noqa: S311

    def choose(game: Game, seat: int) -> Action:
        legal = game.legal(seat)
        return legal[-1] if rng.random() < 0.4 else rng.choice(legal)

    return choose


def careless(seed: int) -> Callable[[Game, int], Action]:
    """A player that fouls now and then."""
    rng, usual = Random(seed), at_random(seed)  # noqa: S311

    def choose(game: Game, seat: int) -> Action:
        fouls = game.fouls(seat)
        return rng.choice(fouls) if fouls and rng.random() < FOULS else usual(game, seat)

    return choose


def played(rules: Ruleset, seed: int, choose: Callable[[Game, int], Action]) -> dict[str, Any]:
    """A game: the tiles it is played with, events for the seat, and now and then its view."""
    game, told = Game(rules, seed), 0
    steps: list[dict[str, Any]] = []
    while not game.is_over:
        seat = game.to_act[0]
        game.play(seat, choose(game, seat))
        if len(game.played) % EVERY == 0 or game.is_over:
            events = [hide(event, SEAT).to_dict() for event in game.events[told:]]
            told = len(game.events)
            steps.append({"seq": told, "events": events, "view": game.view(SEAT).to_dict()})
    tiles = {"wall": live_wall(rules), "replacements": replacement_tiles(rules), "man": rules.tiles.man}
    return {"set": tiles, "honba": rules.score.honba_value, "steps": steps}


if __name__ == "__main__":
    OUT.parent.mkdir(parents=True, exist_ok=True)
    four = load("bgm-2025").with_changes({"match.length": "east"})
    games = [played(four, seed, at_random(seed)) for seed in range(GAMES)]
    games += [played(four, seed, bot("efficient").choose) for seed in WON]
    penalised = load("standard").with_changes({"match.length": "east", "fouls.mode": "penalise"})
    games += [played(penalised, seed, careless(seed)) for seed in range(GAMES)]
    three = load("standard-3").with_changes({"match.length": "east"})
    games += [played(three, seed, bot("efficient").choose) for seed in WON]
    games.append(played(three, 0, at_random(0)))
    broken = load("standard").with_changes({"match.length": "east", "score.wareme": "hand"})
    games += [played(broken, seed, bot("efficient").choose) for seed in WON]
    OUT.write_text(json.dumps(games, ensure_ascii=False), "utf-8")
    OUT.with_name("hands.json").write_text(json.dumps(hands_for_tests()), "utf-8")
