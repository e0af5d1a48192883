"""Record games for the client's tests: the events sent to one seat, and its view after them.

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
WIN_SEEDS = (5, 6)  # seeds of bot games with riichi and wins
FOULS = 0.01  # how often the careless player commits a possible foul
VIEW_INTERVAL = 7  # moves between two recorded views


def at_random(seed: int) -> Callable[[Game, int], Action]:
    """Return a random player that calls often."""
    rng = Random(seed)  # noqa: S311

    def choose(game: Game, seat: int) -> Action:
        legal = game.legal(seat)
        return legal[-1] if rng.random() < 0.4 else rng.choice(legal)

    return choose


def careless(seed: int) -> Callable[[Game, int], Action]:
    """Return a random player that occasionally commits a foul."""
    rng, usual = Random(seed), at_random(seed)  # noqa: S311

    def choose(game: Game, seat: int) -> Action:
        fouls = game.fouls(seat)
        return rng.choice(fouls) if fouls and rng.random() < FOULS else usual(game, seat)

    return choose


def record_game(rules: Ruleset, seed: int, choose: Callable[[Game, int], Action]) -> dict[str, Any]:
    """Play a game; return its tile set and steps, each with the seat's new events and its view."""
    game, sent = Game(rules, seed), 0
    steps: list[dict[str, Any]] = []
    while not game.is_over:
        seat = game.to_act[0]
        game.play(seat, choose(game, seat))
        if len(game.played) % VIEW_INTERVAL == 0 or game.is_over:
            events = [hide(event, SEAT).to_dict() for event in game.events[sent:]]
            sent = len(game.events)
            steps.append({"seq": sent, "events": events, "view": game.view(SEAT).to_dict()})
    tiles = {"wall": live_wall(rules), "replacements": replacement_tiles(rules), "man": rules.tiles.man}
    return {"set": tiles, "honba": rules.score.honba_value, "steps": steps}


if __name__ == "__main__":
    OUT.parent.mkdir(parents=True, exist_ok=True)
    four = load("bgm-2025").with_changes({"match.length": "east"})
    games = [record_game(four, seed, at_random(seed)) for seed in range(GAMES)]
    games += [record_game(four, seed, bot("efficient").choose) for seed in WIN_SEEDS]
    penalised = load("standard").with_changes({"match.length": "east", "fouls.mode": "penalise"})
    games += [record_game(penalised, seed, careless(seed)) for seed in range(GAMES)]
    three = load("standard-3").with_changes({"match.length": "east"})
    games += [record_game(three, seed, bot("efficient").choose) for seed in WIN_SEEDS]
    games.append(record_game(three, 0, at_random(0)))
    wareme = load("standard").with_changes({"match.length": "east", "score.wareme": "hand"})
    games += [record_game(wareme, seed, bot("efficient").choose) for seed in WIN_SEEDS]
    OUT.write_text(json.dumps(games, ensure_ascii=False), "utf-8")
    OUT.with_name("hands.json").write_text(json.dumps(hands_for_tests()), "utf-8")
